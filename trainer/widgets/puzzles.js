// The controls of the page of puzzles. What they say comes from Python; they add nothing to it.

// JupyterLab's own keys must not act while a control has the focus: x would cut a cell.
const SILENT = { "data-lm-suppress-shortcuts": "true" };

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function render({ model, el }) {
  const id = Math.random().toString(36).slice(2);
  const boxes = {};
  const fields = make("div", { class: "fields" });
  for (const { name, label, options } of model.get("fields")) {
    const select = make("select", { ...SILENT, id: `${id}-${name}` });
    for (const [value, text] of options) select.append(make("option", { value }, text));
    select.addEventListener("change", () => {
      model.set("values", { ...model.get("values"), [name]: select.value });
      model.save_changes();
    });
    boxes[name] = { select, box: make("div", {}, make("label", { for: select.id }, label), select) };
    fields.append(boxes[name].box);
  }
  const press = (name) => () => {
    model.set("pressed", { seq: model.get("pressed").seq + 1, name });
    model.save_changes();
  };
  const start = make("button", { ...SILENT, type: "button", class: "start" }, "Start");
  const toggle = make("button", { ...SILENT, type: "button" });
  start.addEventListener("click", press("start"));
  toggle.addEventListener("click", press("switch"));
  const says = make("p", { role: "status" });
  const due = make("details", {});
  el.classList.add("sixty-six-puzzles");
  el.append(fields, make("div", { class: "buttons" }, start, toggle), says, due);

  function show() {
    for (const [name, { select, box }] of Object.entries(boxes)) {
      select.value = model.get("values")[name];
      box.hidden = model.get("hidden").includes(name);
    }
    toggle.textContent = model.get("switch");
    toggle.hidden = !model.get("switch");
    says.textContent = model.get("says");
  }

  function showDue() {
    const rows = model.get("due");
    due.hidden = !rows.length;
    const head = make("tr", {});
    for (const text of ["When", "Pattern", "Answers", "Why"]) {
      head.append(make("th", { scope: "col" }, text));
    }
    const body = rows.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text))));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
    const scroll = { role: "group", "aria-label": "Under review", tabindex: "0", class: "scroll" };
    const summary = make("summary", SILENT, "What is under review, and when it comes next");
    due.replaceChildren(summary, make("div", { ...SILENT, ...scroll }, table));
  }

  for (const name of ["values", "hidden", "says", "switch"]) model.on(`change:${name}`, show);
  model.on("change:due", showDue);
  show();
  showDue();
}

export default { render };
