// One press, one entry of the tab: what Back and Forward lead through.
//
// A run of the page changes the address message by message, C and its place on the path apart, and the browser would
// keep every one of them; a control that Streamlit binds to the address itself would leave no entry. What a page adds
// by itself is no entry at all. Touches of C alone that follow each other within two seconds are one.
(() => {
  const MOMENT = 100; // milliseconds in which what belongs together comes together
  const LEAVING = 1000; // milliseconds in which the next page may have begun to write while the address is still the old one's
  const LATE = 3000; // milliseconds after Back or Forward in which the page that was left may still write its address
  const RUN = 2000; // milliseconds between touches of C that are one move of the hand
  const HANDS = ["pointerdown", "pointerup", "keydown", "drop"];
  const C = ["C", "ratio"];
  const push = history.pushState, replace = history.replaceState;
  let last = -Infinity, entered = -Infinity, travelled = -Infinity;
  let touched = -Infinity, paused = -Infinity; // when a hand was there last, and when it came after a pause
  let moved = null; // when C was touched, where the last entry is one of C
  let chosen = false; // has a person done anything since the last entry?
  const here = () => location.pathname + location.search;
  const read = address => new URL(address, location.href).searchParams;
  const said = params => [...params].map(String).sort().join("\n"); // whatever the order

  function isEntry(address) {
    const url = new URL(address ?? location.href, location.href), now = performance.now();
    const page = url.pathname !== location.pathname;
    const own = !page && chosen && now - last > MOMENT && said(url.searchParams) !== said(read(here()));
    const begun = page && !chosen && now - entered < LEAVING; // the entry is there already
    const one = own && sameMove(url.searchParams);
    if (own) entered = now;
    if (own || page) chosen = false;
    if (page) moved = null;
    last = now;
    return (own && !one) || (page && !begun);
  }

  function sameMove(params) {
    const before = read(here()), named = new Set([...params.keys(), ...before.keys()]);
    const ofC = [...named].every(key => C.includes(key) || said(params.getAll(key)) === said(before.getAll(key)));
    const one = ofC && moved !== null && paused <= moved;
    moved = ofC ? touched : null;
    return one;
  }

  // The answer about a page that was left would cut off what Forward leads to. What a hand has asked for since is none.
  const isLate = address => touched < travelled && performance.now() - travelled < LATE
    && new URL(address ?? location.href, location.href).pathname !== location.pathname;
  // A presentation's look comes with the address: before what it is drawn with, and a table reads its size only once.
  const look = () => document.documentElement.classList.toggle("presented", read(location.href).get("present") === "1");
  function write(entry, state, title, address) {
    const page = location.pathname;
    (entry ? push : replace).call(history, state, title, address);
    if (page === location.pathname) look(); // what another page adds to its address comes next
  }
  history.pushState = (state, title, address) => isLate(address) || write(isEntry(address), state, title, address);
  history.replaceState = (state, title, address) => {
    const page = address && new URL(address, location.href).pathname !== location.pathname;
    write(!page && isEntry(address), state, title, address);
  };
  for (const name of HANDS)
    window.addEventListener(name, () => {
      const now = performance.now();
      if (name !== "pointerup" && now - touched > RUN) paused = now;
      chosen = true;
      touched = now;
    }, true);
  window.addEventListener("popstate", () => {
    travelled = performance.now();
    chosen = false; // also where a key, as Alt and Left, has led back
    moved = null;
    look();
  }, true);
  look();
})();
