// What the theme's pages lack for people who listen to them. Nothing is loaded.
document.addEventListener("DOMContentLoaded", () => {
  const each = (query, change) => document.querySelectorAll(query).forEach(change);
  // buttons are called what is written on them
  each(".search-button-field, details.hide > summary", (item) => item.removeAttribute("aria-label"));
  each(".bd-sidebar-primary", (bar) => {
    bar.setAttribute("role", "navigation");
    bar.setAttribute("aria-label", "Pages of the book");
  });
  each("nav summary", (summary) => {
    const page = summary.closest("li").querySelector("a");
    summary.setAttribute("aria-label", `Pages below ${page.textContent.trim()}`);
  });
  // a signature that is broken into lines is no list of definitions
  each("dt.sig dl", (list) => {
    const lines = document.createElement("div");
    lines.className = "sig-lines";
    for (const item of [...list.children]) {
      const line = document.createElement("div");
      line.append(...item.childNodes);
      lines.append(line);
    }
    list.replaceWith(lines);
  });
});
