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
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -99, End: 99 };
const BEAT = 900; // milliseconds between two cards of a line that plays itself
const PATIENCE = 6000; // milliseconds without an answer from Python until we say so
const DECK = "sixty-six-deck"; // the learner's choice of colours, for all tables

const cardName = (code) => `${RANKS[code[1]]} of ${SUITS[code[0]]}`;
const rankText = (code) => (code[1] === "T" ? "10" : code[1]);
const merge = (one, other) => ({
  ...one,
  ...other,
  south: { ...one.south, ...other.south },
  north: { ...one.north, ...other.north },
});
const within = (low, number, high) => Math.max(low, Math.min(high, number));

// Make an element. Strings become text, never markup.
function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(Boolean));
  return node;
}

const fill = (node, ...children) => node.replaceChildren(...children.filter(Boolean));

function suit(letter, name = "") {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  const given = { viewBox: "0 0 32 32", "aria-hidden": "true", class: name };
  for (const [key, value] of Object.entries(given)) svg.setAttribute(key, value);
  path.setAttribute("d", SUIT_PATHS[letter]);
  svg.append(path);
  return svg;
}

// Jupyter's own keys, such as b for a new cell, stay silent on what can have the focus.
const SILENT = { "data-lm-suppress-shortcuts": "true" };

function button(key, props, ...children) {
  return h("button", { type: "button", "data-key": key, ...SILENT, ...props }, ...children);
}

// A button that a key presses too, wherever in the table the focus is.
function keyed(id, key, label, onclick, props) {
  const hint = h("kbd", { "aria-hidden": "true" }, key);
  return button(id, { "aria-keyshortcuts": key, onclick, ...props }, label, hint);
}

function face(code, badge) {
  const parts = [
    h("span", { class: "rank" }, rankText(code)),
    suit(code[0], "index"),
    suit(code[0], "pip"),
    h("span", { class: "code" }, code),
    badge ? h("span", { class: "badge" }, h("b", {}, badge.mark), h("span", {}, badge.text)) : "",
  ];
  for (const part of parts) if (part) part.setAttribute("aria-hidden", "true");
  return parts;
}

const spoken = (code, badge) => (badge ? `${cardName(code)}, ${badge.mark} ${badge.text}` : cardName(code));

function card(code, extra = "", badge = null) {
  if (code === null) return h("span", { class: `card back ${extra}`, "aria-hidden": "true" });
  const name = spoken(code, badge);
  return h("span", { class: `card suit-${code[0]} ${extra}`, role: "img", "aria-label": name }, ...face(code, badge));
}

function small(code, extra = "") {
  const props = { class: `small suit-${code[0]} ${extra}`, role: "img", "aria-label": cardName(code) };
  return h("span", props, h("span", { "aria-hidden": "true" }, rankText(code)), suit(code[0]));
}

function group(name, label, ...children) {
  return h("div", { class: name, role: "group", "aria-label": label }, ...children);
}

function drawStock({ stock, closer, stock_text: label }) {
  const down = stock.filter((code) => code === null).length;
  if (!stock.length) return group("stock", label, h("span", {}, "The stock is gone"));
  if (closer) {
    const pile = h("div", { class: "pile closed", "aria-hidden": "true" }, h("i"), h("b"));
    return group("stock", label, pile, h("span", {}, `Stock closed by ${closer}`));
  }
  if (down || stock.length === 1) {
    const pile = h("div", { class: "pile" }, card(stock[stock.length - 1]));
    for (let layer = 0; layer < Math.min(down, 3); layer++) {
      pile.append(h("i", { style: `--layer:${layer}`, "aria-hidden": "true" }));
    }
    return group("stock", label, pile, h("span", {}, down ? `Stock: ${down} face down` : "Only the turn-up is left"));
  }
  const cards = stock.map((code, place) => small(code, place === stock.length - 1 ? "turn-up" : ""));
  return group("stock", label, h("span", {}, "Stock, next card first"), h("div", { class: "order" }, ...cards));
}

function drawTrick(picture, before, badge) {
  const slot = (side, seat) => {
    const code = picture.trick[side];
    const fresh = before && before.trick[side] !== code ? "fresh" : "";
    const verb = code === null ? "" : side === picture.winner ? " wins" : side === picture.lead ? " led" : "";
    return h(
      "div",
      { class: `slot ${side ? "from-north" : "from-south"}` },
      code ? card(code, fresh, badge(side, code)) : h("span", { class: "card empty", "aria-hidden": "true" }),
      h("span", { class: "who" }, seat.name + verb),
    );
  };
  return group("trick", "Trick", slot(1, picture.north), slot(0, picture.south));
}

function drawTrump({ trump, trump_text: text, title }) {
  const chip = h("span", { class: `chip suit-${trump}` }, suit(trump));
  return h("div", { class: "trump" }, chip, h("strong", {}, text), h("span", {}, title));
}

function progress(value, label) {
  return h("progress", { max: 1, value, "aria-label": label });
}

function drawValues(given) {
  const plans = given.rows.some((row) => row.low);
  const heads = ["Mark", "Choice", "Game points", ...(plans ? ["Fixed plan"] : []), ...(given.concealed ? ["Won"] : [])];
  // The roles keep it a table where a narrow page lays its rows out anew.
  const cell = (name, ...content) => h("td", { class: name, role: "cell" }, ...content);
  const tag = (text) => h("span", { class: "tag" }, text);
  const line = (row, ...cells) =>
    h(
      "tr",
      { class: row.yours && "yours", role: "row" },
      cell("sign", row.mark && h("b", {}, row.mark), " ", row.mark && tag(row.word)),
      h("th", { scope: "row", role: "rowheader" }, row.label, " ", row.yours && tag("your choice")),
      ...cells,
    );
  const bar = (points) => {
    const width = (Math.min(Math.abs(points), given.scale) / given.scale) * 50;
    const style = `left:${points < 0 ? 50 - width : 50}%;width:${width}%`;
    return h("span", { class: "bar", "aria-hidden": "true" }, h("i", { class: points < 0 && "minus", style }));
  };
  const rows = given.rows.map((row) =>
    line(
      row,
      cell("points", bar(row.points), h("b", { class: "number" }, row.text), row.error && tag(` ${row.error}`)),
      plans && cell("plan", row.low),
      given.concealed && cell("won", row.wins),
    ),
  );
  const waiting = given.waiting.map((row) => {
    const bar = progress(given.progress, `Figure for: ${row.label}`);
    return line(row, h("td", { colspan: heads.length - 2, role: "cell" }, bar, tag("being worked out")));
  });
  const titles = heads.map((text) => h("th", { scope: "col", role: "columnheader" }, text));
  return h(
    "table",
    { role: "table" },
    h("caption", {}, given.caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...titles)),
    h("tbody", { role: "rowgroup" }, ...rows, ...waiting),
  );
}

// Two or four colours, for all tables of the page, and kept where the browser allows it.
function readDeck() {
  try {
    return localStorage.getItem(DECK) || "four";
  } catch {
    return "four";
  }
}

function chooseDeck(deck) {
  document.documentElement.dataset.sixtySixDeck = deck;
  try {
    localStorage.setItem(DECK, deck);
  } catch {
    // not remembered then
  }
  document.dispatchEvent(new Event(DECK));
}

function render({ model, el }) {
  const root = h("div", { class: "sixty-six" });
  const parts = {};
  for (const name of ["head", "felt", "controls", "hints", "status", "verdict", "replay", "finish", "values", "tools", "keys"]) {
    parts[name] = h("div", { class: name });
    root.append(parts[name]);
  }
  const { status } = parts;
  status.setAttribute("role", "status");
  el.append(root);

  let frames = []; // the line, each frame with only what differs from the one before it
  let at = 0; // the frame that is shown
  let goal = 0; // the frame to which the line plays itself
  let held = false; // the reply is still to come, and with it the mark
  let seen = false; // hidden cards are shown as South saw them
  let drawn = null; // the picture shown before
  let chooser = null; // the card or action whose moves are offered one by one
  let wanted = null; // the card to be played as soon as the line is left for it
  let typed = "";
  let said = ""; // what the status line says on the page's own account
  let help = false;
  let round = -1;
  let beat = 0;
  let patience = 0;
  const roving = {};

  const scene = () => model.get("scene") || {};
  const result = () => model.get("result") || {};
  const last = () => Math.max(0, frames.length - 1);
  const turn = () => (at === last() && scene().turn) || null; // what can be played now
  const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const focused = () => {
    const active = root.getRootNode().activeElement;
    return active && root.contains(active) ? active : null;
  };
  const find = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const replaying = () => ["graded", "line", "playing"].includes(scene().phase) && frames.length && !held;

  function picture() {
    const whole = frames.slice(0, at + 1).map((frame) => frame.picture).reduce(merge, {});
    return seen ? merge(whole, frames[at].seen || {}) : whole;
  }

  function send(word) {
    const before = model.get("choice") || {};
    // Jupyter sends only the last of several values that wait for a busy kernel.
    const earlier = [...(before.earlier || []), { seq: before.seq, word: before.word }].slice(-20);
    model.set("choice", { seq: (Number(before.seq) || 0) + 1, word, earlier });
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

  function badge(side, code) {
    const { badges, side: chooses, until } = result();
    return scene().phase === "graded" && !held && side === chooses && at <= scene().at ? badges[code] : null;
  }

  function cardButton(id, code, title, off, onclick, side) {
    const mark = badge(side, code);
    const props = { class: `card suit-${code[0]}`, "aria-label": spoken(code, mark), "aria-disabled": String(off), title, onclick };
    return button(id, props, ...face(code, mark));
  }

  function drawSeat(seat, side) {
    const offered = turn();
    const label = `${seat.name}'s cards`;
    const hidden = seat.cards.filter((code) => code === null).length;
    let cards;
    if (offered && offered.own === side && offered.cards.length) {
      const buttons = offered.cards.map((item) =>
        cardButton(item.id, item.card, item.why || item.moves[0].label, Boolean(item.why), () => choose(item), side),
      );
      cards = toolbar("cards", label, buttons);
    } else if (replaying() && seat.turn && !hidden) {
      const leave = (code) => () => {
        wanted = code;
        send(`from ${at}`);
      };
      const title = "Play this instead";
      cards = toolbar("cards", label, seat.cards.map((code) => cardButton(`card ${code} 0`, code, title, false, leave(code), side)));
    } else {
      const name = hidden ? `${label}, ${hidden} of them face down` : label;
      cards = group("cards", name, ...seat.cards.map((code) => card(code, "", code && badge(side, code))));
    }
    cards.classList.add("hand");
    const taken = seat.taken.map((trick) => h("span", { class: "pair" }, ...trick.map((code) => small(code))));
    const counts = h("span", {}, h("strong", {}, seat.name), `: ${seat.counts}`, seat.turn && ", ", seat.turn && h("b", {}, seat.turn));
    return [h("div", { class: "seat" }, counts, taken.length && group("taken", `Tricks of ${seat.name}`, ...taken)), cards];
  }

  function drawFelt() {
    const { notes } = scene();
    if (!frames.length) return fill(parts.felt);
    const now = picture();
    const [northLine, northCards] = drawSeat(now.north, 1);
    const [southLine, southCards] = drawSeat(now.south, 0);
    fill(
      parts.felt,
      northLine,
      northCards,
      h("div", { class: "middle" }, drawStock(now), drawTrick(now, drawn, badge), drawTrump(now)),
      southCards,
      southLine,
      h("div", { class: "notes" }, ...[...now.notes, ...(notes || [])].map((note) => h("p", {}, `${note}.`))),
    );
    drawn = now;
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

  const offerButton = (item, props) => keyed(item.id, item.key, item.label, () => choose(item), props);

  // An answer to pick is a toggle where several may be right, and a card where it names one.
  function actionButton(item) {
    const pressed = "pressed" in item && String(item.pressed);
    const props = { class: item.id === "back" && "plain", "aria-pressed": pressed };
    if (!item.card) return offerButton(item, props);
    const name = `card suit-${item.card[0]}`;
    return button(item.id, { ...props, class: name, "aria-label": item.label, onclick: () => choose(item) }, ...face(item.card));
  }

  function drawControls() {
    const offered = turn();
    fill(parts.controls);
    if (!offered) return;
    const { actions, field: text, label = "Other moves" } = offered;
    if (chooser) {
      const take = (move) => () => {
        chooser = null;
        send(move.word);
      };
      const moves = chooser.moves.map((move, place) => button(`choose ${place}`, { onclick: take(move) }, move.label));
      moves.push(button("cancel", { class: "plain", onclick: dismiss }, "Cancel"));
      parts.controls.append(toolbar("actions", chooser.label, moves));
    } else if (actions.length) {
      const buttons = actions.map(actionButton);
      parts.controls.append(toolbar("actions", label, buttons));
    }
    if (!text) return;
    const field = h("input", {
      ...SILENT,
      type: "text",
      "data-key": "typed",
      "aria-label": text.label,
      placeholder: text.hint,
      maxlength: 200,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      oninput: () => { typed = field.value; },
    });
    field.value = typed;
    const { hint } = scene();
    const row = [field, button("play", { onclick: submit }, text.button), hint && offerButton(hint, { class: "plain" })];
    parts.controls.append(h("div", { class: "row" }, ...row));
  }

  function submit() {
    if (typed.trim()) send(typed.trim());
    else say("Nothing is typed yet.");
  }

  function drawHints() {
    const list = scene().hints || [];
    fill(parts.hints, list.length && h("ol", { "aria-label": "Hints" }, ...list.map((text) => h("li", {}, text))));
  }

  function drawStatus() {
    const { text = "", kind } = scene().says || {};
    const shown = said || (held ? "" : text);
    if (status.textContent !== shown) status.textContent = shown;
    status.classList.toggle("error", !said && kind === "error");
    status.classList.toggle("spoken", !said && kind === "spoken");
  }

  // ---- the line ---------------------------------------------------------------------------

  function stop() {
    clearTimeout(beat);
    goal = at;
  }

  function step(to) {
    stop();
    held = false;
    at = goal = within(0, to, last());
    said = "";
    draw();
  }

  function playTo(to) {
    goal = to;
    beat = setTimeout(() => {
      at += 1;
      if (at >= scene().at) held = false;
      if (at < goal) playTo(goal);
      draw();
    }, BEAT);
  }

  function togglePlay() {
    if (goal > at) {
      stop();
    } else {
      if (at === last()) at = 0;
      playTo(last());
    }
    draw();
  }

  function drawReplay() {
    const { phase } = scene();
    fill(parts.replay);
    if (!replaying()) return;
    const end = last();
    const now = picture();
    const stepper = (key, sign, label, to) =>
      button(key, { "aria-label": label, title: label, "aria-disabled": String(at === within(0, to, end)), onclick: () => step(to) }, sign);
    const running = goal > at;
    const steps = group(
      "row",
      "Step through the line",
      stepper("first", "\u00ab", "To the beginning", 0),
      stepper("stepback", "\u2039", "Back", at - 1),
      end && keyed("playing", "p", running ? "Pause" : "Play", togglePlay),
      stepper("forward", "\u203a", "Forward", at + 1),
      stepper("last", "\u00bb", "To the end", end),
      h("span", { class: "fine count" }, `${at} of ${end}`),
    );
    steps.dataset.name = "steps";
    const over = !now.south.turn && !now.north.turn;
    const leaves = [
      !over && !turn() && keyed("branch", "b", "Play on from here", () => send(`from ${at}`)),
      phase === "playing" && keyed("home", "l", "Back to the line", () => send("line")),
      frames.some((frame) => frame.seen) && keyed("seen", "f", seen ? "Show face up" : "Show as seen", () => { seen = !seen; draw(); }),
    ];
    parts.replay.append(
      steps,
      h("p", { class: "step", "aria-live": running ? "off" : "polite" }, now.text, " ", now.worth && h("b", {}, `${now.worth}.`)),
      h("div", { class: "row" }, ...leaves),
    );
  }

  function nextQuestion() {
    const tables = [...document.querySelectorAll(".sixty-six")];
    return tables.slice(tables.indexOf(root) + 1).find((table) => table.dataset.phase === "asking" && table.offsetParent);
  }

  function goOn() {
    const table = nextQuestion();
    if (!table) return say("This is the last question here.");
    const heading = table.querySelector(".question");
    table.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
    heading.focus({ preventScroll: true });
  }

  function drawFinish() {
    const { again, next } = scene();
    fill(parts.finish);
    if (held || !(again || next || replaying())) return;
    const row = [
      again && offerButton(again),
      next ? offerButton(next) : again && nextQuestion() && keyed("next", "n", "Next", goOn),
    ];
    if (frames.length) {
      const line = h("input", { ...SILENT, class: "copied", readonly: true, "data-key": "line", "aria-label": "Position line" });
      line.value = picture().line;
      row.push(line, button("copy", { class: "plain", onclick: copy }, "Copy the line"));
    }
    parts.finish.append(h("div", { class: "row" }, ...row));
  }

  async function copy() {
    const line = find("line");
    let done = true;
    try {
      await navigator.clipboard.writeText(line.value);
    } catch {
      const before = focused();
      line.select();
      done = document.execCommand("copy");
      if (done && before) before.focus();
    }
    say(done ? "The position line is copied." : "Copying is not allowed here: the line is selected, press Ctrl+C.");
  }

  // ---- the grade --------------------------------------------------------------------------

  function drawResult() {
    const { level, again } = scene();
    const given = result();
    fill(parts.verdict);
    fill(parts.values);
    if (!given.label || held || !again) return;
    const head = h("h" + (level + 1), {});
    if (given.mark) head.append(h("span", { class: "mark" }, given.mark), h("span", {}, `${given.word}: ${given.label}`));
    else head.append(given.label);
    const note = given.note && h("p", { class: "fine" }, given.note);
    fill(parts.verdict, head, ...given.sentences.map((text) => h("p", {}, text)), note);
    if (!given.done) parts.values.append(h("p", { class: "fine" }, progress(given.progress, "Working out the figures"), given.wait));
    if (given.rows.length || given.waiting.length) parts.values.append(drawValues(given));
  }

  function drawTools() {
    const two = document.documentElement.dataset.sixtySixDeck === "two";
    fill(
      parts.tools,
      keyed("?", "?", "Keys", () => { help = !help; draw(); }, { class: "plain", "aria-expanded": String(help) }),
      frames.length && button("deck", { class: "plain", "aria-pressed": String(two), onclick: () => chooseDeck(two ? "four" : "two") }, "Two-colour deck"),
    );
  }

  function drawKeys() {
    fill(parts.keys);
    if (!help) return;
    const rows = [["\u2190 \u2192", "go from card to card, or from button to button"], ["Enter", "play the card, press the button"]];
    if (find("first")) rows.push(["\u2190 \u2192 Home End", "on the buttons of the line: step through it"]);
    for (const item of root.querySelectorAll("[aria-keyshortcuts]")) {
      if (item.dataset.key !== "?") rows.push([item.getAttribute("aria-keyshortcuts"), item.firstChild.textContent]);
    }
    rows.push(["Esc", "cancel, close this list"], ["?", "show or hide this list"]);
    const list = h("dl", { "aria-label": "Keys" });
    for (const [keys, text] of rows) list.append(h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, text));
    parts.keys.append(list);
  }

  // ---- drawing it all, and where the focus goes ---------------------------------------------

  function draw() {
    const had = focused();
    const key = had && had.dataset.key;
    const cursor = key === "typed" ? had.selectionStart : null;
    drawFelt();
    drawControls();
    drawHints();
    drawStatus();
    drawResult();
    drawReplay();
    drawFinish();
    drawTools();
    drawKeys();
    const parked = had === status; // the focus waits there when nothing else can have it
    if (!had || (!parked && root.contains(focused()))) return;
    const next =
      (key && find(key)) ||
      (turn() && root.querySelector(".cards[role=toolbar] [tabindex='0']")) ||
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
    root.dataset.phase = now.phase;
    if (now.round !== round) {
      const first = round < 0;
      round = now.round;
      frames = JSON.parse(now.frames || "[]");
      stop();
      chooser = null;
      typed = "";
      at = goal = now.at;
      if (first) drawn = last() ? null : picture();
      if (!first && now.from < now.until && !calm()) {
        at = now.from;
        playTo(now.until);
      }
      held = at < now.at && now.phase === "graded";
      const { level = 3, question = "" } = now;
      parts.head.replaceChildren(h("h" + level, { ...SILENT, class: "question", tabindex: -1 }, question));
    }
    draw();
    const item = wanted && turn() && turn().cards.find((one) => one.card === wanted);
    wanted = null;
    if (item) choose(item);
  }

  function onKey(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const bar = target.closest("[data-name]");
    if (key === "Escape" && (chooser || help)) {
      dismiss();
    } else if (target.matches("input")) {
      if (key !== "Enter" || target.readOnly) return;
      submit();
    } else if (bar && key in ARROWS) {
      if (bar.dataset.name === "steps") {
        step(key === "Home" ? 0 : at + ARROWS[key]);
      } else {
        const items = [...bar.querySelectorAll("button")];
        const to = items[within(0, items.indexOf(target) + ARROWS[key], items.length - 1)];
        for (const item of items) item.tabIndex = item === to ? 0 : -1;
        roving[bar.dataset.name] = to.dataset.key;
        to.focus();
      }
    } else {
      const hit = root.querySelector(`[aria-keyshortcuts="${CSS.escape(key.toLowerCase())}"]`);
      if (!hit) return;
      hit.click();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const onResult = () => {
    if (scene().round === round) draw(); // otherwise the new scene is about to be drawn
  };
  document.documentElement.dataset.sixtySixDeck ||= readDeck();
  document.addEventListener(DECK, drawTools);
  root.addEventListener("keydown", onKey);
  model.on("change:scene", onScene);
  model.on("change:result", onResult);
  onScene();
  return () => {
    clearTimeout(beat);
    clearTimeout(patience);
    document.removeEventListener(DECK, drawTools);
    model.off("change:scene", onScene);
    model.off("change:result", onResult);
  };
}

export default { render };
