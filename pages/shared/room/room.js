// The class in a browser: what the server says of the room (pages/shared/room/routes.py), where the presenter's tab is,
// and how a follower's tab goes there. Followers ask for nothing but /room/state while the presenter moves the handle:
// their pictures move as they move under one's own hand (core/figures/browser/handle.js), without a run of the page.

const BASE = new URL("..", document.currentScript.src);
const FRAME = "handle-frame"; // handle.js tells and hears of frames by it
const AGAIN = 1000; // milliseconds until a lost server is asked again
const BETWEEN = 150; // milliseconds from an answer to the next question: the presenter's hand is faster than the eye of a class
const TICK = 100; // milliseconds between two looks at this tab's own page
const REST = 150, PATIENCE = 1500; // milliseconds that an address stays, once the page is drawn or while it is, to be the page's
const NEAR = 0.02; // two models at C this near, as a share, are one
const OF_C = ["C", "ratio"], OWN = "present"; // parameters of an address
const TRIES = 3; // times that a tab is led to one address: what its page makes of it may differ for a reason
const KEPT = "class: on my own";
const CONTROLS = 'a[href], button, input, label, select, textarea, [role="radio"], [role="option"], [role="combobox"], [role="slider"], [role="tab"]';
const LESSON = ".st-key-lesson"; // a lesson's panel: there only links lead away
const LOOKING = '.class-bar, .st-key-present_switch, .modebar, summary, [data-testid="stTopNavSection"], ' +
  '[data-testid="stDownloadButton"], [data-testid="stExpandSidebarButton"], [data-testid="stSidebarCollapseButton"], ' +
  '[data-testid="stMainMenu"], [data-testid="stTooltipHoverTarget"] > svg'; // uses of the page that lead nowhere else

const tab = [...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, "0")).join("");
const leader = { busy: false }; // in the place of the handle that others follow
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
let said = null; // by the server, last
let follows = sessionStorage.getItem(KEPT) !== "1";
let lost = false, back = false, ended = false; // is the server away, was it, and is the class over?
let applied = null, tries = 0; // the address to which this tab was led last, and how often
let asking = new AbortController();

// Addresses, below the server's: "path?method=log".

const here = () => location.href.replace(/#.*/, "").slice(BASE.href.length);

function parts(address) {
  const url = new URL(address, BASE);
  return [url.pathname, [...url.searchParams].filter(([key]) => key !== OWN).map(String).sort()];
}

const same = (one, other) => one !== null && other !== null && JSON.stringify(parts(one)) === JSON.stringify(parts(other));

function sameButC(one, other) {
  const rest = address => {
    const [path, query] = parts(address);
    return JSON.stringify([path, query.filter(pair => !OF_C.includes(pair.split(",")[0]))]);
  };
  return one !== null && rest(one) === rest(other);
}

// Pictures with a handle.

const handles = () => [...document.querySelectorAll(".live-chart")]
  .map(chart => chart.live?.handle).filter(handle => handle?.spec?.marks.length && handle.spec.c.length);

function nearest(spec, c) {
  let best = 0;
  for (let k = 1; k < spec.c.length; k++) if (Math.abs(Math.log(spec.c[k] / c)) < Math.abs(Math.log(spec.c[best] / c))) best = k;
  return best;
}

const reaches = (handle, c) => Math.abs(Math.log(handle.spec.c[nearest(handle.spec, c)] / c)) < NEAR;

// The server's word, again and again.

async function listen() {
  for (let sequence = 0; !ended;) {
    asking = new AbortController();
    try {
      const query = new URLSearchParams({ tab, sequence, follows: follows ? 1 : 0 });
      const answer = await fetch(new URL(`room/state?${query}`, BASE), { cache: "no-store", signal: asking.signal });
      if (answer.status === 401) ended = true;
      else if (!answer.ok) throw new Error(answer.statusText);
      else {
        said = await answer.json();
        sequence = said.sequence;
        window.classPolls = said.polls; // poll.js hears of it
        document.dispatchEvent(new Event("class-polls"));
      }
      back = lost && !ended;
      lost = false;
      follow();
      show();
      await pause(BETWEEN);
    } catch (error) {
      if (error.name === "AbortError") continue;
      lost = true;
      show();
      await pause(AGAIN);
    }
  }
}

async function post(path, words) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ tab, ...words }) };
  const answer = await fetch(new URL(path, BASE), options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// The address as it stands since when, and as it stood when it came to rest. A run of the page writes it bit by bit.

let at = { address: null, since: 0 }, settled = null, met = false;

function settle() {
  const now = performance.now();
  const drawn = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  met ||= drawn && document.querySelector('[data-testid="stElementContainer"]') !== null;
  if (at.address !== here() || !met) at = { address: here(), since: now };
  else if (now - at.since > (drawn ? REST : PATIENCE)) settled = at.address;
}

// The presenter's tab.

let posted = "", posting = false;

async function lead() {
  if (posting || !said?.drives || settled === null) return;
  const place = { address: settled, ...handleNow() };
  if (JSON.stringify(place) === posted || !(place.held || settled === at.address)) return;
  posting = true;
  try {
    await post("room/state", place);
    posted = JSON.stringify(place);
  } catch { /* the next look tries again */ }
  posting = false;
}

// Where the handle stands: on a model while it is moved and until the page has answered, then at the page's own C.
function handleNow() {
  const all = handles(), moved = all.find(handle => handle.frame >= 0) ?? null;
  if (moved) return { c: moved.spec.c[moved.frame], held: true };
  const exact = all.find(({ spec }) => spec.label.now === spec.label.at[spec.nearest]);
  return { c: exact ? exact.spec.c[exact.spec.nearest] : null, held: false };
}

async function claim() {
  posted = "";
  await post("room/state", { claims: true }).catch(() => {});
  asking.abort();
}

window.addEventListener("pagehide", () => {
  if (said?.drives) navigator.sendBeacon(new URL("room/state", BASE), JSON.stringify({ tab, leaves: true }));
});

// A follower's tab.

function follow() {
  const place = said?.place;
  if (!place || said.presents || !follows || lost || place.missing || settled === null) return;
  if (applied === null && same(place.address, here())) applied = place.address;
  const all = handles();
  const shown = place.c !== null && all.length && all.every(handle => place.held || reaches(handle, place.c));
  const strayed = settled === here() && tries < TRIES && applied !== null && !sameButC(applied, here());
  if (strayed) go(applied); // runs of a page that come together may keep what was before
  else if (same(place.address, applied)) hold(all, place.held ? place.c : null);
  else if (applied !== null && sameButC(applied, place.address) && shown) hold(all, place.c);
  else go(place.address);
}

function hold(all, c) {
  for (const { spec, frame, busy } of all) {
    const wanted = c === null ? -1 : nearest(spec, c);
    if (frame !== wanted && !busy) document.dispatchEvent(new CustomEvent(FRAME, { detail: { from: leader, link: spec.link, frame: wanted } }));
  }
}

// As Back and Forward do: the page reads the address, and nothing is loaded anew.
function go(address) {
  tries = same(applied, address) ? tries + 1 : 1;
  applied = address;
  settled = null;
  at = { address: null, since: 0 };
  const url = new URL(address, BASE);
  const presented = new URLSearchParams(location.search).get("present");
  if (presented !== null) url.searchParams.set("present", presented);
  // Another page is asked for by the browser's own: history.js would take it for a late answer to the last time.
  const way = url.pathname === location.pathname ? history : History.prototype;
  way.pushState.call(history, history.state, "", url);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}

// What the class has seen last is where one's own way begins.
function alone(byHandle = false) {
  if (!follows) return;
  follows = false;
  sessionStorage.setItem(KEPT, "1");
  const place = said?.place;
  if (!byHandle && place && !place.missing && applied !== null && !same(applied, place.address)) go(place.address);
  asking.abort();
  show();
}

function again() {
  follows = true;
  sessionStorage.removeItem(KEPT);
  applied = null;
  asking.abort();
  follow();
  show();
}

document.addEventListener(FRAME, ({ detail }) => { if (detail.from !== leader && said && !said.presents) alone(true); });
for (const name of ["click", "change"])
  document.addEventListener(name, ({ target, isTrusted }) => {
    const control = isTrusted && said && !said.presents ? target.closest?.(CONTROLS) : null;
    if (control && !control.closest(LOOKING) && (control.matches("a") || !control.closest(LESSON))) alone();
  }, true);
