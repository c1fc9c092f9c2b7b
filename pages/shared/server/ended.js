// What has ended, for those who do not see the page: a change of this line's words is read out. Each run of a page says
// in the element beside its name how often something has ended, and what has ended last.
(() => {
  const PAUSE = 100; // milliseconds without words, so that the same words are a change, too
  let line, number = "0";

  function look() {
    line ??= opened(); // out of sight
    const told = document.querySelector("[data-ended]");
    if (!told || told.dataset.ended === number) return;
    number = told.dataset.ended;
    line.textContent = "";
    setTimeout(() => { line.textContent = told.dataset.words; }, PAUSE);
  }

  function opened() {
    const line = Object.assign(document.createElement("div"), { id: "what-has-ended" });
    line.setAttribute("role", "status");
    line.setAttribute("aria-live", "polite");
    document.body.append(line);
    return line;
  }

  new MutationObserver(look).observe(
    document, { subtree: true, attributes: true, attributeFilter: ["data-test-script-state"] },
  );
})();
