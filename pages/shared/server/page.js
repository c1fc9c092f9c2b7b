// Small things that Streamlit does not do by itself, each on its own.

// Streamlit leaves an empty page where its app cannot place what the server has sent ("Bad delta path index":
// `pages/shared/lazy.py`, where a pause is too short). The address holds the choice and the server the uploads, so the
// page is loaded again, once.
(() => {
  const AGAIN = 30000; // milliseconds in which a second fault is not another chance
  const NOTE = "reloaded after a fault";
  window.addEventListener("error", event => {
    if (!/Bad delta path|Cannot set a node/.test(event.message)) return;
    const last = Number(sessionStorage.getItem(NOTE) ?? -Infinity);
    if (Date.now() - last < AGAIN) return;
    sessionStorage.setItem(NOTE, Date.now());
    location.reload();
  });
})();
// Links within the app that load nothing anew: the page reads the address, as after Back and Forward.
window.addEventListener("click", event => {
  const link = event.target instanceof Element ? event.target.closest("a.travel") : null;
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href === location.href) return;
  history.pushState(history.state, "", link.href);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}, true);
// What a button has opened follows it in the order of Tab; Streamlit puts it at the end of the page.
window.addEventListener("keydown", event => {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = root => [...root.querySelectorAll("a[href], button, input, select, textarea, summary, canvas, [tabindex]")]
    .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })
      && (one.getAttribute("role") !== "radio" || one.ariaChecked === "true"));
  const body = document.querySelector('[data-testid="stPopoverBody"]');
  const opener = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
  if (!body || !opener) return;
  const inside = stops(body), here = document.activeElement;
  const outside = stops(document).filter(one => !body.contains(one));
  const next = outside[outside.indexOf(opener) + 1];
  const to = event.shiftKey
    ? here === inside[0] ? opener : here === next ? inside.at(-1) : null
    : here === opener ? inside[0] : here === inside.at(-1) ? next : null;
  if (!to) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  to.focus();
}, true);
// The answer to a further question comes into sight as it is drawn, until the reader does something else.
(() => {
  let row = null;
  const growth = new ResizeObserver(() => row?.scrollIntoView({ block: "start" }));
  for (const name of ["pointerdown", "wheel", "keydown", "click"])
    window.addEventListener(name, ({ target }) => {
      const asked = name === "click" && target instanceof Element && !target.closest('[aria-checked="true"]');
      row = asked ? target.closest('[aria-label="Ask further"]') : null;
      growth.disconnect();
      if (row) growth.observe(document.querySelector('[data-testid="stMainBlockContainer"]'));
    }, { capture: true, passive: true });
})();
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
