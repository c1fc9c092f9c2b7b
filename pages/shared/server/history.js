// One choice is one step back. A run of the page changes the address message by message, C and its place on the path
// apart, and the browser would keep every one of them; a control that Streamlit binds to the address itself would leave
// no step. What a page adds by itself is no step at all.
(() => {
  const MOMENT = 100; // milliseconds in which what belongs together comes together
  const LEAVING = 1000; // milliseconds in which the next page may have begun to write while the address is still the old one's
  const HANDS = ["pointerdown", "pointerup", "keydown", "drop"];
  const push = history.pushState, replace = history.replaceState;
  let last = -Infinity, stepped = -Infinity;
  let chosen = false; // has a person done anything since the last step?
  for (const name of HANDS) window.addEventListener(name, () => { chosen = true; }, true);
  window.addEventListener("popstate", () => { chosen = false; }); // also where a key, as Alt and Left, has led back
  const said = url => [...url.searchParams].map(String).sort().join("\n"); // whatever the order

  function step(state, title, address) {
    const url = new URL(address ?? location.href, location.href), now = performance.now();
    const page = url.pathname !== location.pathname;
    const own = !page && chosen && now - last > MOMENT && said(url) !== said(new URL(location.href));
    const begun = page && !chosen && now - stepped < LEAVING; // the step is there already
    if (own) stepped = now;
    if (own || page) chosen = false;
    last = now;
    return own || (page && !begun);
  }

  history.pushState = function (...told) {
    return (step(...told) ? push : replace).apply(this, told);
  };
  history.replaceState = function (...told) {
    const page = told[2] && new URL(told[2], location.href).pathname !== location.pathname;
    return (!page && step(...told) ? push : replace).apply(this, told);
  };
})();
