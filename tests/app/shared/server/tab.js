// A tab without a browser: its entries, and a page that changes the address as Streamlit does. Reads what is done, one
// list of words each, and prints the place that one sees after each.

const { readFileSync } = require("fs");
const [script, acts] = [readFileSync(process.argv[2], "utf-8"), JSON.parse(readFileSync(0, "utf-8"))];

let entries = [{ url: new URL("http://lab/path?method=m0"), state: null }], at = 0, now = 10000;
let listeners = {}, asked = [];

class History {
  get state() { return entries[at].state; }
  get length() { return entries.length; }
  pushState(state, _, address) {
    entries = [...entries.slice(0, at + 1), { url: new URL(address, location.href), state: structuredClone(state) }];
    at += 1;
  }
  replaceState(state, _, address) { entries[at] = { url: new URL(address, location.href), state: structuredClone(state) }; }
  go(by) { asked.push(by); }
}
globalThis.location = {
  get href() { return entries[at].url.href; },
  get pathname() { return entries[at].url.pathname; },
  get search() { return entries[at].url.search; },
};
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
globalThis.window = globalThis;
let presented = false;
globalThis.document = { documentElement: { classList: { toggle: (_, on) => { presented = on; } } } };
globalThis.addEventListener = (name, call) => (listeners[name] ??= []).push(call);

function tell(name) {
  for (const call of listeners[name] ?? []) call();
}

function settle() {
  while (asked.length) {
    const to = at + asked.shift();
    if (to < 0 || to >= entries.length || to === at) continue;
    at = to;
    tell("popstate");
  }
}

function load() {
  listeners = {};
  globalThis.history = new History();
  (0, eval)(script);
  window.addEventListener("popstate", completed);
}

// A page writes what it adds by itself, after every visit.
function completed() {
  const url = new URL(location.href);
  if (url.pathname === "/fit") url.searchParams.set("y", "objective");
  now += 200;
  history.replaceState({}, "", url.href);
}

function written(name, value, bound) {
  const url = new URL(location.href);
  url.searchParams.set(name, value);
  history[bound ? "replaceState" : "pushState"]({}, "", url.pathname + url.search);
}

const DO = {
  choose: (name, value, bound) => { tell("keydown"); now += 150; written(name, value, bound); now += 10; written(name, value, false); },
  page: path => {
    tell("pointerdown");
    if (path === location.pathname) return;
    const url = new URL(location.href);
    for (const name of ["y", "look"]) url.searchParams.delete(name);
    now += 150;
    history.pushState({}, "", path + url.search);
    completed();
  },
  wait: milliseconds => { now += milliseconds; },
  adds: () => { now += 3000; written("more", String(now), false); },
  // A choice is answered between the press on another page and that page.
  meanwhile: (path, name, value) => {
    tell("pointerdown");
    now += 150;
    written(name, value, false);
    now += 150;
    history.pushState({}, "", path + location.search);
  },
  late: path => { now += 500; history.pushState({}, "", path); },
  back: () => history.go(-1),
  forward: () => history.go(1),
  reload: load,
};

load();
const seen = acts.map(([name, ...told]) => {
  DO[name](...told);
  settle();
  const said = Object.fromEntries(entries[at].url.searchParams);
  return { page: location.pathname, said, length: entries.length, presented };
});
console.log(JSON.stringify(seen));
