// The card table in the notebook. It knows no rules: it draws the scene that Python sends and
// returns, by the trait `choice`, the word of what the learner chose.

const SUIT_PATHS = {
  S: "M16 2C20 8 29 13 29 20C29 24 26 26.5 22.8 26.5C20.4 26.5 18.4 25.3 17.2 23.4C17.6 26.4 18.6 28.6 20.5 30H11.5C13.4 28.6 14.4 26.4 14.8 23.4C13.6 25.3 11.6 26.5 9.2 26.5C6 26.5 3 24 3 20C3 13 12 8 16 2Z",
  H: "M16 29C6 21 2 16 2 10C2 6 5 3.5 8.5 3.5C12 3.5 14.6 5.5 16 8.5C17.4 5.5 20 3.5 23.5 3.5C27 3.5 30 6 30 10C30 16 26 21 16 29Z",
  D: "M16 1.5C18.5 7 22.5 12 27 16C22.5 20 18.5 25 16 30.5C13.5 25 9.5 20 5 16C9.5 12 13.5 7 16 1.5Z",
  C: "M16 2A6.6 6.6 0 0 1 20.9 13A6.6 6.6 0 1 1 17.3 22.3C17.7 26 18.7 28.4 20.5 30H11.5C13.3 28.4 14.3 26 14.7 22.3A6.6 6.6 0 1 1 11.1 13A6.6 6.6 0 0 1 16 2Z",
};
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANKS = { A: "Ace", T: "Ten", K: "King", Q: "Queen", J: "Jack", 9: "Nine", 8: "Eight", 7: "Seven" };
const STEPS = {
  first: "M6 5h4v22H6zM27 5v22L11 16z",
  stepback: "M23 5v22L8 16z",
  forward: "M9 5v22l15-11z",
  last: "M22 5h4v22h-4zM5 5v22l16-11z",
};
const BEAT = 900; // milliseconds between the learner's card and the reply
const PATIENCE = 6000; // milliseconds without an answer from Python until we say so

const cardName = (code) => `${RANKS[code[1]]} of ${SUITS[code[0]]}`;

// Make an element. Strings become text, never markup.
function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function icon(shape, name = "") {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("aria-hidden", "true");
  if (name) svg.setAttribute("class", name);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", shape);
  svg.append(path);
  return svg;
}

const suit = (letter, name) => icon(SUIT_PATHS[letter], name);

// Jupyter's own keys, such as b for a new cell, stay silent on what can have the focus.
function button(key, props, ...children) {
  return h(
    "button",
    { type: "button", "data-key": key, "data-lm-suppress-shortcuts": "true", ...props },
    ...children,
  );
}

function face(code) {
  return [
    h("span", { class: "rank" }, code[1] === "T" ? "10" : code[1]),
    suit(code[0], "index"),
    suit(code[0], "pip"),
    h("span", { class: "code" }, code),
  ].map((part) => {
    part.setAttribute("aria-hidden", "true");
    return part;
  });
}

function card(code, extra = "") {
  if (code === null) return h("span", { class: `card back ${extra}`, "aria-hidden": "true" });
  return h(
    "span",
    { class: `card suit-${code[0]} ${extra}`, role: "img", "aria-label": cardName(code) },
    ...face(code),
  );
}

function small(code, extra = "") {
  return h(
    "span",
    { class: `small suit-${code[0]} ${extra}`, role: "img", "aria-label": cardName(code) },
    h("span", { "aria-hidden": "true" }, code[1] === "T" ? "10" : code[1]),
    suit(code[0]),
  );
}

function handName(seat) {
  const hidden = seat.cards.filter((code) => code === null).length;
  return hidden ? `${seat.name}'s cards, ${hidden} of them face down` : `${seat.name}'s cards`;
}

function drawStock(picture) {
  const { stock, closer } = picture;
  const box = h("div", { class: "stock", role: "group", "aria-label": picture.stock_text });
  const down = stock.filter((code) => code === null).length;
  if (!stock.length) {
    box.append(h("span", {}, "The stock is gone"));
  } else if (closer) {
    box.append(
      h("div", { class: "pile closed", "aria-hidden": "true" }, h("i"), h("b")),
      h("span", {}, `Stock closed by ${closer}`),
    );
  } else if (down || stock.length === 1) {
    const pile = h("div", { class: "pile" }, card(stock[stock.length - 1]));
    for (let layer = 0; layer < Math.min(down, 3); layer++) {
      pile.append(h("i", { style: `--layer:${layer}`, "aria-hidden": "true" }));
    }
    box.append(pile, h("span", {}, down ? `Stock: ${down} face down` : "Only the turn-up is left"));
  } else {
    box.append(
      h("span", {}, "Stock, next card first"),
      h(
        "div",
        { class: "order" },
        ...stock.map((code, place) => small(code, place === stock.length - 1 ? "turn-up" : "")),
      ),
    );
  }
  return box;
}

function drawTrick(picture, before) {
  const slot = (side, seat) => {
    const code = picture.trick[side];
    const fresh = before && before.trick[side] !== code ? "fresh" : "";
    const verb = code === null ? "" : side === picture.winner ? " wins" : side === picture.lead ? " led" : "";
    return h(
      "div",
      { class: `slot ${side ? "from-north" : "from-south"}` },
      code === null ? h("span", { class: "card empty", "aria-hidden": "true" }) : card(code, fresh),
      h("span", { class: "who" }, seat.name + verb),
    );
  };
  return h(
    "div",
    { class: "trick", role: "group", "aria-label": "Trick" },
    slot(1, picture.north),
    slot(0, picture.south),
  );
}

function drawTrump(picture) {
  return h(
    "div",
    { class: "trump" },
    h("span", { class: `chip suit-${picture.trump}` }, suit(picture.trump)),
    h("strong", {}, picture.trump_text),
    h("span", {}, picture.title),
  );
}

function render({ model, el }) {
  const root = h("div", { class: "sixty-six" });
  const parts = {};
  for (const name of ["head", "felt", "controls", "verdict", "replay", "values", "keys"]) {
    parts[name] = h("div", { class: name });
  }
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  root.append(parts.head, parts.felt, parts.controls, status);
  root.append(parts.verdict, parts.replay, parts.values, parts.keys);
  el.append(root);

  let at = 0; // the frame of the line that is shown
  let held = false; // the reply is still to come, and with it the mark
  let drawn = null; // the picture shown before
  let chooser = null; // the card or action whose moves are offered one by one
  let typed = "";
  let said = ""; // what the status line says on the page's own account
  let help = false;
  let round = -1;
  let beat = 0;
  let patience = 0;
  const roving = {};

  const scene = () => model.get("scene") || {};
  const result = () => model.get("result") || {};
  const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const focused = () => {
    const active = root.getRootNode().activeElement;
    return active && root.contains(active) ? active : null;
  };
  const find = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);

  function send(word) {
    const last = model.get("choice") || {};
    model.set("choice", { seq: (Number(last.seq) || 0) + 1, word });
    model.save_changes();
    said = "";
    clearTimeout(patience);
    patience = setTimeout(() => {
      say("Python has not answered yet. If nothing happens, choose Run, then Run All Cells.");
    }, PATIENCE);
  }

  function say(text) {
    said = text;
    drawStatus();
  }

  function choose(item) {
    if (item.why) {
      say(item.why);
    } else if (item.moves.length === 1) {
      chooser = null;
      send(item.moves[0].word);
    } else {
      chooser = item;
      said = "";
      draw();
      find("choose 0").focus();
    }
  }

  function dismiss() {
    const key = chooser && chooser.id;
    chooser = null;
    help = false;
    draw();
    if (key && find(key)) find(key).focus();
  }

  // ---- the parts of the page -------------------------------------------------------------

  function ownCard(item) {
    return button(
      item.id,
      {
        class: `card suit-${item.card[0]}`,
        "aria-label": cardName(item.card),
        "aria-disabled": item.why ? "true" : "false",
        title: item.why || item.moves[0].label,
        onclick: () => choose(item),
      },
      ...face(item.card),
    );
  }

  function drawSeat(seat, own) {
    const cards = own
      ? toolbar("cards", `${seat.name}'s cards`, scene().cards.map(ownCard))
      : h("div", { class: "cards", role: "group", "aria-label": handName(seat) }, ...seat.cards.map((code) => card(code)));
    cards.classList.add("hand");
    const taken = seat.taken.map((trick) => h("span", { class: "pair" }, ...trick.map((code) => small(code))));
    const line = h(
      "div",
      { class: "seat" },
      h("span", {}, h("strong", {}, seat.name), `: ${seat.counts}`, ...(seat.turn ? [", ", h("b", {}, seat.turn)] : [])),
      taken.length
        ? h("span", { class: "taken", role: "group", "aria-label": `Tricks of ${seat.name}` }, ...taken)
        : null,
    );
    return [line, cards];
  }

  function drawFelt() {
    const { frames, phase, own, notes } = scene();
    parts.felt.replaceChildren();
    if (!frames || !frames.length) return;
    const picture = frames[at].picture;
    const asking = phase === "asking";
    const [northLine, northCards] = drawSeat(picture.north, asking && own === 1);
    const [southLine, southCards] = drawSeat(picture.south, asking && own === 0);
    parts.felt.replaceChildren(
      northLine,
      northCards,
      h("div", { class: "middle" }, drawStock(picture), drawTrick(picture, drawn), drawTrump(picture)),
      southCards,
      southLine,
      h("div", { class: "notes" }, ...[...picture.notes, ...(notes || [])].map((note) => h("p", {}, `${note}.`))),
    );
    drawn = picture;
  }

  function toolbar(name, label, buttons) {
    const keys = buttons.map((item) => item.dataset.key);
    if (!keys.includes(roving[name])) {
      const open = buttons.find((item) => item.getAttribute("aria-disabled") !== "true");
      roving[name] = (open || buttons[0] || { dataset: {} }).dataset.key;
    }
    for (const item of buttons) item.tabIndex = item.dataset.key === roving[name] ? 0 : -1;
    return h("div", { class: name, role: "toolbar", "aria-label": label, "data-name": name }, ...buttons);
  }

  function drawControls() {
    const { phase, cards, actions, field: text } = scene();
    parts.controls.replaceChildren();
    if (phase !== "asking") return;
    const items = [];
    if (chooser) {
      const offered = chooser.moves.map((move, place) =>
        button(`choose ${place}`, { onclick: () => { chooser = null; send(move.word); } }, move.label),
      );
      offered.push(button("cancel", { class: "plain", onclick: dismiss }, "Cancel"));
      items.push(toolbar("actions", chooser.label, offered));
    } else if (actions.length) {
      items.push(
        toolbar(
          "actions",
          "Other moves",
          actions.map((item) =>
            button(
              item.id,
              { onclick: () => choose(item), "aria-keyshortcuts": item.key, class: item.id === "back" ? "plain" : false },
              item.label,
              h("kbd", { "aria-hidden": "true" }, item.key),
            ),
          ),
        ),
      );
    }
    const field = h("input", {
      type: "text",
      "data-key": "typed",
      "data-lm-suppress-shortcuts": "true",
      "aria-label": text.label,
      placeholder: text.hint,
      maxlength: 200,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      oninput: (event) => { typed = event.target.value; },
    });
    field.value = typed;
    items.push(
      h(
        "div",
        { class: "typing" },
        field,
        button("play", { onclick: submit }, text.button),
        cards.length
          ? button("?", { class: "plain", "aria-expanded": String(help), onclick: toggleHelp }, "Keys", h("kbd", { "aria-hidden": "true" }, "?"))
          : null,
      ),
    );
    parts.controls.replaceChildren(...items);
  }

  function submit() {
    if (typed.trim()) send(typed.trim());
    else say("Nothing is typed yet.");
  }

  function toggleHelp() {
    help = !help;
    draw();
  }

  function drawKeys() {
    parts.keys.replaceChildren();
    if (!help) return;
    const rows = [
      ["\u2190 \u2192", "go from card to card, or from button to button"],
      ["Enter", "play the card, press the button"],
      ...(scene().actions || []).map((item) => [item.key, item.label]),
      ["Esc", "cancel, close this list"],
      ["?", "show or hide this list"],
    ];
    if ((scene().frames || []).length > 1) {
      rows.splice(0, 2, ["\u2190 \u2192", "step back and forward through the line"], ["Home End", "to its beginning, to its end"]);
    }
    const list = h("dl", { "aria-label": "Keys" });
    for (const [keys, text] of rows) list.append(h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, text));
    parts.keys.append(list);
  }

  function drawStatus() {
    const { says } = scene();
    const text = said || (held ? "" : (says && says.text) || "");
    const error = !said && says && says.kind === "error";
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("error", Boolean(error && text));
    status.classList.toggle("spoken", Boolean(!said && says && says.kind === "spoken"));
  }

  function step(to) {
    const last = scene().frames.length - 1;
    clearTimeout(beat);
    held = false;
    at = Math.max(0, Math.min(last, to));
    draw();
  }

  function drawReplay() {
    const { frames, phase } = scene();
    parts.replay.replaceChildren();
    if (!frames || frames.length < 2 || phase === "waiting" || held) return;
    const last = frames.length - 1;
    const stepper = (key, label, to, off) =>
      button(key, { "aria-label": label, title: label, "aria-disabled": String(off), onclick: () => step(to) }, icon(STEPS[key]));
    parts.replay.replaceChildren(
      h(
        "div",
        { class: "steps", role: "group", "aria-label": "Step through the line", "data-name": "steps" },
        stepper("first", "To the beginning", 0, at === 0),
        stepper("stepback", "Back", at - 1, at === 0),
        stepper("forward", "Forward", at + 1, at === last),
        stepper("last", "To the end", last, at === last),
        h("span", { class: "count" }, `${at} of ${last}`),
      ),
      h("p", { class: "step", "aria-live": "polite" }, frames[at].text),
      h(
        "div",
        { class: "line" },
        h("code", { "data-key": "line" }, frames[at].picture.line),
        button("copy", { class: "plain", onclick: copy, title: "Copy the position line" }, "Copy the line"),
      ),
    );
  }

  async function copy() {
    const text = scene().frames[at].picture.line;
    try {
      await navigator.clipboard.writeText(text);
      say("The position line is copied.");
    } catch {
      say(copyOldWay(text) ? "The position line is copied." : "Copying is not allowed here: the line is selected, press Ctrl+C.");
    }
  }

  function copyOldWay(text) {
    const before = focused();
    const box = h("textarea", { "aria-hidden": "true", style: "position:fixed;opacity:0" });
    box.value = text;
    root.append(box);
    box.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    box.remove();
    if (before) before.focus();
    if (!done) {
      const range = document.createRange();
      range.selectNodeContents(find("line"));
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
    return done;
  }

  function bar(points, scale) {
    const width = (Math.min(Math.abs(points), scale) / scale) * 50;
    const left = points < 0 ? 50 - width : 50;
    return h("span", { class: "bar", "aria-hidden": "true" }, h("i", { class: points < 0 ? "minus" : "", style: `left:${left}%;width:${width}%` }));
  }

  function progress(value, label) {
    return h("progress", { max: 1, value, "aria-label": label });
  }

  function drawResult() {
    const { phase, level, again } = scene();
    const given = result();
    if (!given.label || held || (phase !== "graded" && phase !== "waiting")) {
      parts.verdict.replaceChildren();
      parts.values.replaceChildren();
      return;
    }
    const head = h("h" + (level + 1), {});
    if (given.mark) head.append(h("span", { class: "mark" }, given.mark), h("span", {}, `${given.word}: ${given.label}`));
    else head.append(given.label);
    const repeat = button("again", { onclick: () => send("again"), "aria-keyshortcuts": again.key }, again.label, h("kbd", { "aria-hidden": "true" }, again.key));
    parts.verdict.replaceChildren(head, h("p", {}, given.sentence), repeat);
    parts.values.replaceChildren();
    if (!given.done) {
      parts.values.append(h("p", { class: "fine" }, progress(given.progress, "Working out the figures"), given.wait));
    }
    if (given.rows.length || given.waiting.length) parts.values.append(drawValues(given));
  }

  function drawValues(given) {
    const plans = given.rows.some((row) => row.low);
    const heads = ["Mark", "Choice", "Game points", ...(plans ? ["Fixed plan"] : []), ...(given.concealed ? ["Won"] : [])];
    const cell = (name, ...content) => h("td", { class: name, role: "cell" }, ...content);
    const line = (row, ...cells) =>
      h(
        "tr",
        { class: row.yours ? "yours" : false, role: "row" },
        cell("sign", ...(row.mark ? [h("b", {}, row.mark), " ", h("span", { class: "tag" }, row.word)] : [])),
        h("th", { scope: "row", role: "rowheader" }, row.label, ...(row.yours ? [" ", h("span", { class: "tag" }, "your choice")] : [])),
        ...cells,
      );
    const body = given.rows.map((row) =>
      line(
        row,
        cell("points", bar(row.points, given.scale), h("b", { class: "number" }, row.text), row.error ? h("span", { class: "tag" }, ` ${row.error}`) : null),
        plans ? cell("plan", row.low) : null,
        given.concealed ? cell("won", row.wins) : null,
      ),
    );
    const waiting = given.waiting.map((row) =>
      line(row, h("td", { colspan: heads.length - 2, role: "cell" }, progress(given.progress, `Figure for: ${row.label}`), h("span", { class: "tag" }, "being worked out"))),
    );
    // The roles keep it a table where a narrow page lays its rows out anew.
    return h(
      "table",
      { role: "table" },
      h("caption", {}, given.caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...heads.map((text) => h("th", { scope: "col", role: "columnheader" }, text)))),
      h("tbody", { role: "rowgroup" }, ...body, ...waiting),
    );
  }

  function drawHead() {
    const { level, question } = scene();
    parts.head.replaceChildren(h("h" + (level || 3), { class: "question" }, question || ""));
  }

  // ---- drawing it all, and where the focus goes ---------------------------------------------

  function draw() {
    const had = focused();
    const key = had && had.dataset.key;
    const cursor = had && had.matches("input") ? had.selectionStart : null;
    drawFelt();
    drawControls();
    drawStatus();
    drawReplay();
    drawResult();
    drawKeys();
    const parked = had === status; // the focus waits there when nothing else can have it
    if (!had || (!parked && root.contains(focused()))) return;
    const next =
      (key && find(key)) ||
      root.querySelector(".cards[role=toolbar] [tabindex='0']") ||
      find("forward") ||
      find("typed") ||
      (scene().phase !== "waiting" && find("again"));
    if (next) {
      next.focus({ preventScroll: true });
      if (cursor !== null && next.matches("input")) next.setSelectionRange(cursor, cursor);
    } else {
      status.tabIndex = -1;
      status.dataset.lmSuppressShortcuts = "true";
      status.focus({ preventScroll: true });
    }
  }

  function onScene() {
    const now = scene();
    clearTimeout(patience);
    said = "";
    if (now.round !== round) {
      const first = round < 0;
      round = now.round;
      clearTimeout(beat);
      chooser = null;
      typed = "";
      held = false;
      at = now.at || 0;
      if (!first && now.from < now.at && !calm()) {
        at = now.from;
        held = true;
        beat = setTimeout(() => step(now.at), BEAT);
      }
      if (first) drawn = (now.frames[at] || {}).picture;
      drawHead();
    }
    draw();
  }

  function onKey(event) {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { actions, again, frames } = scene();
    const bar = target.closest("[data-name]");
    const arrows = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -99, End: 99 };
    let done = true;
    if (event.key === "Escape" && (chooser || help)) {
      dismiss();
    } else if (target.matches("input")) {
      if (event.key !== "Enter") return;
      submit();
    } else if (bar && bar.dataset.name === "steps" && event.key in arrows) {
      const by = arrows[event.key];
      step(by === -99 ? 0 : by === 99 ? frames.length - 1 : at + by);
    } else if (bar && event.key in arrows) {
      const items = [...bar.querySelectorAll("button")];
      const to = Math.max(0, Math.min(items.length - 1, items.indexOf(target) + arrows[event.key]));
      for (const item of items) item.tabIndex = -1;
      items[to].tabIndex = 0;
      roving[bar.dataset.name] = items[to].dataset.key;
      items[to].focus();
    } else if (event.key === "?") {
      toggleHelp();
    } else {
      const item = [...(actions || []), ...(again && !held ? [again] : [])].find((one) => one.key === event.key.toLowerCase());
      if (item) choose(item);
      else done = false;
    }
    if (done) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  const onResult = () => {
    if (scene().round === round) draw(); // otherwise the new scene is about to be drawn
  };
  root.addEventListener("keydown", onKey);
  model.on("change:scene", onScene);
  model.on("change:result", onResult);
  onScene();
  return () => {
    clearTimeout(beat);
    clearTimeout(patience);
    model.off("change:scene", onScene);
    model.off("change:result", onResult);
  };
}

export default { render };
