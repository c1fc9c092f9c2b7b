// The pages of a site: an address behind # says what is shown, in the words of the app's own addresses. Their data is
// loaded by elements of the page, since a browser lets a page from a disk read no file.

const site = sentAs("site"), main = document.getElementById("shown"), choice = document.getElementById("choice");
const NOTHING = { id: "", title: "nothing" }, files = {};
let leave = async () => {}, turn = 0;

function loaded(file) {
  return (files[file] ??= new Promise((come, fail) => {
    const script = document.createElement("script");
    script.src = `${file}.js`;
    script.onerror = () => {
      delete files[file];
      fail(new Error(`${file}.js of this site cannot be read.`));
    };
    script.onload = () => unzipped(window.siteData?.[file]).then(come, script.onerror);
    document.head.append(script);
  }));
}

async function unzipped(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

// A value of a file, with what it has in pools in its place.
function filled(value, pool) {
  if (value === null || typeof value !== "object") return value;
  if (value.$ !== undefined) return (pool.made[value.$] ??= filled(pool[value.$], pool));
  if (Array.isArray(value)) return value.map(one => filled(one, pool));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, pool)]));
}

// What an address names, or else the first that there is.
function settled() {
  const [view, query] = location.hash.slice(1).split("?"), keys = new URLSearchParams(query);
  const named = (all, name, key) => all.find(one => one[key] === keys.get(name)) ?? all[0];
  const dataset = named(site.datasets, "dataset", "name"), fold = named(dataset.folds, "fold", "name");
  const method = named(fold.methods, "method", "id");
  const others = [NOTHING, ...fold.methods.filter(one => one !== method)], beside = named(others, "beside", "id");
  return { keys, view: view in KINDS || view in site.views ? view : "lab", dataset, fold, method, others, beside, ratio: Number(keys.get("ratio")) || null };
}

function addressOf({ view, dataset, fold, method, beside, ratio }) {
  const keys = { dataset: dataset.name, fold: fold.name, method: method.id, beside: beside.id, ratio: ratio ? ratio.toPrecision(6) : "" };
  return `#${view}?${new URLSearchParams(Object.entries(keys).filter(([, value]) => value))}`;
}

async function pageOf({ view, fold, method, beside }) {
  const names = beside.id ? [method.id, beside.id, `${method.id}~${beside.id}`] : [method.id];
  const all = await Promise.all(names.map(name => loaded(`${fold.place}/${name}`)));
  return filled(all.at(-1).pages[view], Object.assign({ made: {} }, ...all.map(one => one.pool)));
}

async function show() {
  const now = settled(), mine = ++turn;
  offer(now);
  const draw = await (KINDS[now.view] ?? viewOf)(now).catch(error => () => { main.textContent = error.message; });
  if (mine !== turn) return;
  await leave();
  document.title = "Sparse Ranking Lab";
  leave = draw() ?? (async () => main.replaceChildren());
}

// By the first word of an address: each gives what draws it, once its data has come.
const KINDS = {
  about: async () => () => { main.append(document.getElementById("about").content.cloneNode(true)); },
  lessons: async () => lessonList,
  lesson: async ({ keys }) => lessonStep(keys),
};

// An element in another one, with words or elements within, and properties.
function put(parent, tag, within = "", more = {}) {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...[within].flat());
  parent.append(element);
  return element;
}

// Sections as the program's template has written them: names are escaped, and a script within would not run.
const parsed = html => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

async function viewOf(now) {
  const page = await pageOf(now);
  return () => {
    document.title = `${page.title}: ${site.views[now.view]}`;
    put(main, "h2", page.title);
    put(main, "p", page.summary, { className: "summary" });
    main.append(...parsed(page.html));
    for (const part of [page.how, page.beneath]) put(main, "section", parsed(part));
    return drawPage(main, page, { ratio: now.ratio, chosen: (c, ratio) => history.replaceState(null, "", addressOf({ ...now, ratio })) });
  };
}

// The controls, and the links to the other views of the same.
function offer(now) {
  const all = { dataset: site.datasets, fold: now.dataset.folds, method: now.fold.methods, beside: now.others };
  for (const [name, offered] of Object.entries(all)) {
    const select = choice.elements[name];
    select.replaceChildren(...offered.map(one => new Option(one.title ?? one.name, one.id ?? one.name)));
    select.value = now[name].id ?? now[name].name;
  }
  choice.hidden = now.view in KINDS;
  for (const link of document.querySelectorAll("[data-view]")) {
    link.ariaCurrent = link.dataset.view === (now.view === "lesson" ? "lessons" : now.view) ? "page" : null;
  }
}

choice.addEventListener("change", () => {
  const asked = { ...settled(), ...Object.fromEntries(["dataset", "fold"].map(name => [name, { name: choice.elements[name].value }])) };
  for (const name of ["method", "beside"]) asked[name] = { id: choice.elements[name].value };
  location.hash = addressOf(asked);
});
for (const link of document.querySelectorAll("[data-view]")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    location.hash = addressOf({ ...settled(), view: link.dataset.view });
  });
}
addEventListener("hashchange", show);
queueMicrotask(show); // what stands below is there then
