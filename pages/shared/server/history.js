// One choice is one step back. A run of the page changes the address message by message, C and its place on the path
// apart, and the browser would keep every one of them; what a page adds by itself is no step at all.
(() => {
  const MOMENT = 100; // milliseconds in which what belongs together comes together
  const HANDS = ["pointerdown", "pointerup", "keydown", "drop"];
  const push = history.pushState;
  let last = -Infinity;
  let chosen = false; // has a person done anything since the last step?
  for (const name of HANDS) window.addEventListener(name, () => { chosen = true; }, true);
  window.addEventListener("popstate", () => { chosen = false; }); // also where a key, as Alt and Left, has led back
  history.pushState = function (state, title, url) {
    const now = performance.now();
    const same = new URL(url, location.href).pathname === location.pathname;
    const step = !same || (chosen && now - last > MOMENT);
    last = now;
    chosen = false;
    return (step ? push : history.replaceState).call(this, state, title, url);
  };
})();
