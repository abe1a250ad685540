"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const search = one("#search");
  const fold = one("#fold");
  const found = one("#found");
  const chips = all(".chips button");
  const rows = all(".entries > li > details").map((details) => ({
    details,
    place: details.parentElement,
    text: details.textContent.toLowerCase(),
    tags: details.dataset.tags.split("|"),
  }));
  let tag = null;

  function filter() {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const shown = (!wanted || row.text.includes(wanted)) && (!tag || row.tags.includes(tag));
      row.place.hidden = !shown;
      count += shown;
      if (wanted) {
        row.details.open = shown;
        for (const more of row.details.querySelectorAll(".more")) {
          more.open = more.textContent.toLowerCase().includes(wanted);
        }
      }
    }
    found.textContent = wanted || tag ? `${count} of ${rows.length}` : "";
    highlight(wanted);
  }

  function highlight(wanted) {
    if (!window.CSS || !CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!wanted) return;
    const ranges = [];
    for (const row of rows) {
      if (row.place.hidden) continue;
      const walker = document.createTreeWalker(row.details, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue; // letters that change their length can't be placed
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges.slice(0, 5000)));
  }

  function step(by) {
    const shown = rows.filter((row) => !row.place.hidden).map((row) => row.details.querySelector("summary"));
    const now = shown.findIndex((summary) => summary.closest("details").contains(document.activeElement));
    const next = shown[now < 0 ? (by > 0 ? 0 : shown.length - 1) : now + by];
    if (next) {
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }
  }

  search.addEventListener("input", filter);
  fold.addEventListener("click", () => {
    const folded = fold.getAttribute("aria-pressed") !== "true";
    fold.setAttribute("aria-pressed", folded);
    for (const row of rows) row.details.open = !folded;
  });
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      tag = chip.getAttribute("aria-pressed") === "true" ? null : chip.dataset.tag;
      for (const other of chips) other.setAttribute("aria-pressed", other.dataset.tag === tag);
      filter();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      filter();
      search.blur();
    } else if (event.target === search) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "j" || event.key === "k") {
      step(event.key === "j" ? 1 : -1);
    }
  });
  for (const details of all("ul.entries details")) details.open = false;
  one("#bar").hidden = false;
  one("#chips").hidden = false;
})();
