// The steps of this tab: what is told of them stands in `pages.shared.choice.history`.
//
// A run of the page changes the address message by message, C and its place on the path apart, and the browser would
// keep every one of them; a control that Streamlit binds to the address itself would leave no step. What a page adds by
// itself is no step at all.
(() => {
  const MOMENT = 100; // milliseconds in which what belongs together comes together
  const LEAVING = 1000; // milliseconds in which the next page may have begun to write while the address is still the old one's
  const RUN = 2000; // milliseconds between touches of C that are one move of the hand
  const LOST = 1000; // milliseconds after which a step that the browser was asked for is no longer waited for
  const MOST = 50; // entries that a browser keeps of a tab
  const HANDS = ["pointerdown", "pointerup", "keydown", "drop"];
  const C = ["C", "ratio"];
  const KEPT = "steps";
  const push = history.pushState, replace = history.replaceState;
  let last = -Infinity, stepped = -Infinity;
  let touched = -Infinity, paused = -Infinity; // when a hand was there last, and when it came after a pause
  let moved = null; // when C was touched, where the last step was one of C
  let chosen = false; // has a person done anything since the last step?
  let keys = []; // of the choice; what else an address says is of its page
  let under = null; // the step that the browser has been asked for, and what comes after it
  const wanted = []; // steps that have been asked for meanwhile
  const here = () => location.pathname + location.search;
  const path = address => address.split("?")[0];
  const read = address => new URL(address, location.href).searchParams;
  const said = params => [...params].map(String).sort().join("\n"); // whatever the order
  const choice = address => said([...read(address)].filter(([key]) => keys.includes(key)));
  const remembered = begin();

  // The entries of the tab: those before and after this one, as addresses, in the tab's own memory.

  function begin() {
    const at = history.state?.[KEPT];
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(KEPT)); } catch { /* a browser that keeps nothing */ }
    const again = at && kept && at.of === kept.of && at.at < kept.entries.length;
    const tab = again ? { ...kept, at: at.at } : { of: Math.random().toString(36).slice(2), entries: [here()], at: 0 };
    tab.entries[tab.at] = here();
    replace.call(history, mark(history.state, tab), "", location.href);
    return tab;
  }

  function mark(state, { of, at }) {
    return { ...state, [KEPT]: { of, at } };
  }

  function changed() {
    try { sessionStorage.setItem(KEPT, JSON.stringify({ of: remembered.of, entries: remembered.entries })); } catch { /* this page knows */ }
    window.dispatchEvent(new Event(KEPT));
  }

  function enter(address) {
    const { entries, at } = remembered;
    remembered.entries = [...entries.slice(0, at + 1), address].map((entry, i) => (i <= at + 1 - MOST ? null : entry));
    remembered.at = at + 1;
  }

  // What Streamlit does with the address.

  function step(address) {
    const url = new URL(address ?? location.href, location.href), now = performance.now();
    const page = url.pathname !== location.pathname;
    const own = !page && chosen && now - last > MOMENT && said(url.searchParams) !== said(read(here()));
    const begun = page && !chosen && now - stepped < LEAVING; // the step is there already
    const one = own && sameMove(url.searchParams);
    if (own) stepped = now;
    if (own || page) chosen = false;
    if (page) moved = null;
    last = now;
    return (own && !one) || (page && !begun);
  }

  function sameMove(params) {
    const before = read(here()), named = new Set([...params.keys(), ...before.keys()]);
    const ofC = [...named].every(key => C.includes(key) || said(params.getAll(key)) === said(before.getAll(key)));
    const one = ofC && moved !== null && paused <= moved && remembered.at === remembered.entries.length - 1;
    moved = ofC ? touched : null;
    return one;
  }

  function write(own, state, title, address) {
    if (own) enter(here());
    (own ? push : replace).call(history, mark(state, remembered), title, address);
    remembered.entries[remembered.at] = here();
    changed();
  }

  history.pushState = function (state, title, address) {
    write(step(address), state, title, address);
  };
  history.replaceState = function (state, title, address) {
    const page = address && new URL(address, location.href).pathname !== location.pathname;
    write(!page && step(address), state, title, address);
  };
  for (const name of HANDS)
    window.addEventListener(name, () => {
      const now = performance.now();
      if (name !== "pointerup" && now - touched > RUN) paused = now;
      chosen = true;
      touched = now;
    }, true);
  window.addEventListener("popstate", event => {
    chosen = false; // also where a key, as Alt and Left, has led back
    moved = null;
    const at = history.state?.[KEPT];
    if (at?.of === remembered.of) remembered.at = at.at;
    else {
      enter(here()); // a link into the page
      replace.call(history, mark(history.state, remembered), "", location.href);
    }
    remembered.entries[remembered.at] = here();
    const then = under?.then;
    if (then) {
      event.stopImmediatePropagation(); // Streamlit hears of the place where this ends
      under.then = null;
      then();
      return;
    }
    changed();
    arrived();
  }, true);

  // Undo and Redo.

  // The entry that Undo (-1) or Redo (1) leads to; undefined where there is none.
  function target(way) {
    const { entries, at } = remembered, next = at + way;
    if (!entries[next]) return undefined;
    if (path(entries[next]) === path(entries[at])) return next;
    for (let i = next; entries[i]; i += way) if (choice(entries[i]) !== choice(entries[at])) return i;
    return undefined;
  }

  function go(by, then = null) {
    under = { then, late: setTimeout(arrived, LOST) };
    history.go(by);
  }

  function arrived() {
    clearTimeout(under?.late);
    under = null;
    if (wanted.length) lead(wanted.shift());
  }

  function lead(way) {
    if (under) {
      wanted.push(way);
      return;
    }
    const { entries, at } = remembered, to = target(way);
    if (to === undefined) arrived();
    else if (path(entries[at + way]) === path(entries[at])) go(way);
    else stay(entries, at, to);
  }

  // Make the choice of an entry of another page this page's: what lies between, other pages, is put to its other side.
  function stay(entries, at, to) {
    const first = Math.min(at, to), told = entries[to];
    const between = entries.slice(first + 1, Math.max(at, to) + 1).map(address => withChoice(address, told));
    const rows = to < at ? [entries[first], ...between] : [entries[first], withChoice(entries[first], told), ...between];
    const distinct = rows.filter((address, i) => !i || path(address) !== path(rows[i - 1]) || said(read(address)) !== said(read(rows[i - 1])));
    const after = [...distinct.slice(1), ...entries.slice(to < at ? at : to + 1)];
    const place = to < at ? first + distinct.length - 1 : first + 1;
    const rebuild = () => {
      for (const address of after) {
        enter(address);
        push.call(history, mark({}, remembered), "", address);
      }
      go(place - remembered.at);
    };
    if (first < at) go(first - at, rebuild);
    else rebuild();
  }

  function withChoice(address, told) {
    const params = new URLSearchParams([...read(address)].filter(([key]) => !keys.includes(key)));
    for (const [key, value] of read(told)) if (keys.includes(key)) params.append(key, value);
    return path(address) + (params.size ? `?${params}` : "");
  }

  window.steps = {
    lead,
    can: way => target(way) !== undefined,
    of: named => { keys = named; },
  };
})();
