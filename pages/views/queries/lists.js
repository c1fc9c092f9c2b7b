// Two ranked lists with lines between them. What the hand changes is ranked again here; the server hears of it when the
// hand lets go.

const ROW = 1.5; // times the page's letters, which grow in a presentation
const LEAST = 360, BELOW = 20; // pixels of the whole
const PAUSE = 250; // milliseconds after the last change: then the hand has let go

export default function ({ data, parentElement, setTriggerValue }) {
  const lists = (parentElement.lists ??= new Lists(parentElement));
  lists.tell = setTriggerValue;
  lists.set(unpacked(JSON.parse(new TextDecoder().decode(data))));
  const call = (lists.call = {});
  return () => {
    if (call !== lists.call) return; // of a run that was overtaken: the lists are still wanted
    lists.closed();
    parentElement.lists = undefined;
  };
}

class Lists {
  constructor(parent) {
    this.root = made("div", { className: "ranked-lists" });
    this.root.setAttribute("role", "group");
    this.both = made("div", { className: "both" });
    this.heads = [made("div"), made("div")];
    const heads = made("div", { className: "heads" });
    heads.append(...this.heads);
    this.body = made("div", { className: "body" });
    this.body.setAttribute("role", "toolbar"); // one stop of the Tab key: arrows lead from place to place
    this.body.setAttribute("aria-orientation", "vertical");
    this.body.addEventListener("keydown", event => this.walk(event));
    this.both.append(heads, this.body);
    this.why = new Why(this);
    this.root.append(this.both, this.why.root);
    parent.append(this.root);
    this.resized = () => this.fit();
    window.addEventListener("resize", this.resized);
    this.watch = new ResizeObserver(this.resized);
    this.watch.observe(this.root);
    const page = parent.closest('[data-testid="stMainBlockContainer"]'); // what stands above comes and goes
    if (page) this.watch.observe(page);
  }

  set(spec) {
    const other = this.spec?.id !== spec.id;
    this.spec = spec;
    if (other) {
      clearTimeout(this.timer);
      this.unsent = false;
    }
    if (!this.unsent) this.take(spec);
    this.root.setAttribute("aria-label", spec.alt);
    this.root.classList.toggle("alone", !spec.titles[1]);
    this.body.setAttribute("aria-label", `${spec.titles[0]}, best first`);
    if (other) this.current = this.selected[0] ?? this.inOrder()[0];
    this.letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.row = ROW * this.letters;
    this.heads.forEach((head, k) => Object.assign(head, { textContent: spec.titles[k], title: spec.titles[k] }));
    this.build();
    this.why.build();
    this.fit();
    if (other && this.selected.length) { // a link may lead to a document far down
      const first = Math.min(...this.selected.map(k => this.ranked().places[k]));
      this.both.scrollTop = Math.max(first - 4, 0) * this.row;
    }
  }

  // What the server has of edits and selected documents; what it does not know yet stays.
  take({ edits, selected }) {
    this.weights = new Map(edits.weights);
    this.values = new Map(edits.values.map(([document, feature, value]) => [`${document}.${feature}`, value]));
    this.selected = [...selected];
  }

  get edited() {
    return this.weights.size + this.values.size > 0;
  }

  weight(feature) {
    return this.weights.get(feature) ?? this.spec.features[feature].weight;
  }

  value(document, feature) {
    return this.values.get(`${document}.${feature}`) ?? this.spec.values[document * this.spec.features.length + feature];
  }

  term(document, feature) {
    return this.weight(feature) * this.value(document, feature);
  }

  build() {
    const { documents, levels } = this.spec;
    const before = document.activeElement?.dataset?.doc;
    this.lines = drawn("svg", { class: "lines", "aria-hidden": "true" });
    this.paths = documents.map(({ level }) => {
      const line = drawn("path", { fill: "none", stroke: levels[level].colour });
      this.lines.append(line);
      return line;
    });
    this.rows = documents.map((doc, k) => this.rowOf(doc, k, "a"));
    this.beside = documents.map((doc, k) => this.rowOf(doc, k, "b"));
    this.body.replaceChildren(this.lines, ...this.rows.map(row => row.button), ...this.beside.map(row => row.button));
    const kept = before && this.body.querySelector(`[data-doc="${before}"]`);
    if (kept) kept.focus({ preventScroll: true });
  }

  rowOf({ name, text, level }, k, side) {
    const { words, colour, shape } = this.spec.levels[level];
    const button = made("button", { className: `doc ${side}`, type: "button", title: text ? `${name}: ${text}` : name });
    button.dataset.doc = `${side}${k}`;
    if (side === "b") Object.assign(button, { tabIndex: -1, ariaHidden: true }); // each is in A, too
    button.style.height = button.style.lineHeight = `${this.row}px`;
    const parts = {
      button,
      place: made("span", { className: "place" }),
      score: made("span", { className: "score" }),
      move: made("span", { className: "move", ariaHidden: true }),
      told: made("span", { className: "told" }),
    };
    const called = made("span", { className: "name", textContent: name });
    if (text) called.append(made("span", { className: "text", textContent: text }));
    const label = made("span", { className: "level", textContent: words });
    label.style.setProperty("--level", colour); // its letters are darker or lighter than that
    const tail = side === "a" ? [parts.score, parts.move, parts.told] : [];
    button.append(parts.place, marker(shape, colour), called, label, ...tail);
    button.addEventListener("click", () => this.pick(k));
    return parts;
  }

  // Documents from the first place of A to its last.
  inOrder() {
    const { places } = this.ranked();
    return places.map((_, k) => k).sort((one, other) => places[one] - places[other]);
  }

  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const order = this.inOrder();
    const to = Math.min(Math.max(order.indexOf(this.current) + step, 0), order.length - 1);
    this.reach(order[to]);
    this.rows[this.current].button.focus();
  }

  reach(k) {
    this.current = k;
    this.rows.forEach(({ button }, i) => (button.tabIndex = i === k ? 0 : -1));
  }

  pick(k) {
    this.reach(k);
    if (this.selected.includes(k)) this.selected = this.selected.filter(one => one !== k);
    else this.selected = this.selected.length === 1 ? [this.selected[0], k] : [k];
    this.why.build();
    this.draw();
    this.commit();
  }

  // Scores and places of A as they are now.
  ranked() {
    const { documents, features, a } = this.spec;
    if (!this.edited) return { scores: a.scores, places: a.places };
    const scores = documents.map((_, i) => features.reduce((sum, _, j) => sum + this.term(i, j), 0));
    const order = documents.map((_, i) => i).sort((one, other) => scores[other] - scores[one] || one - other);
    const places = [];
    order.forEach((i, k) => (places[i] = k + 1));
    return { scores, places };
  }

  // Places under B; where A is ranked here and not all documents are, among those that are here, as those of A.
  get others() {
    const { documents, of, b } = this.spec;
    return this.edited && documents.length < of ? compact(b.places) : b.places;
  }

  draw() {
    const { spec, row } = this;
    const { scores, places } = this.ranked();
    const under = this.others;
    const across = this.lines.clientWidth || this.both.clientWidth * 0.1;
    const [up, down] = [places, under].map(compact);
    spec.documents.forEach(({ level }, k) => {
      const { button, place, score, move, told } = this.rows[k];
      const picked = this.selected.includes(k);
      const higher = under[k] - places[k];
      button.style.transform = `translateY(${(up[k] - 1) * row}px)`;
      this.beside[k].button.style.transform = `translateY(${(down[k] - 1) * row}px)`;
      place.textContent = places[k];
      this.beside[k].place.textContent = under[k];
      score.textContent = digits(scores[k]);
      move.textContent = higher > 0 ? `▲${higher}` : higher < 0 ? `▼${-higher}` : "=";
      told.textContent = higher ? `${Math.abs(higher)} ${higher > 0 ? "higher" : "lower"} than under B` : "the same place under B";
      for (const one of [button, this.beside[k].button]) one.setAttribute("aria-pressed", picked);
      const [from, to] = [(up[k] - 0.5) * row, (down[k] - 0.5) * row];
      const line = this.paths[k];
      line.setAttribute("d", `M0 ${from}C${across / 2} ${from} ${across / 2} ${to} ${across} ${to}`);
      line.setAttribute("stroke-width", (picked ? 4 : level ? 2.2 : 1) * (this.letters / 16));
      line.setAttribute("stroke-opacity", picked ? 1 : this.selected.length ? 0.35 : level ? 0.9 : 0.4);
    });
    this.reach(this.rows[this.current] ? this.current : 0);
    this.body.style.height = `${spec.documents.length * row}px`;
    this.why.draw(scores, places);
  }

  // While the hand moves: once a picture of the screen at most.
  moved() {
    this.unsent = true;
    clearTimeout(this.timer);
    this.root.classList.add("held");
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  commit() {
    this.unsent = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.unsent = false;
      this.root.classList.remove("held");
      const { documents, features, id } = this.spec;
      const number = (list, k) => list[k].number;
      this.tell("changed", {
        id,
        selected: this.selected.map(k => number(documents, k)),
        weights: [...this.weights].map(([j, weight]) => [number(features, j), weight]),
        values: [...this.values].map(([key, value]) => {
          const [i, j] = key.split(".");
          return [number(documents, i), number(features, j), value];
        }),
      });
    }, PAUSE);
  }

  // As high as the window has room for.
  fit() {
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
    const room = Math.round(innerHeight - this.root.getBoundingClientRect().top - scrolled - BELOW);
    this.root.style.height = `${Math.max(room, LEAST)}px`;
    if (this.spec && this.lines) this.draw();
  }

  closed() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.asked);
    window.removeEventListener("resize", this.resized);
    this.watch.disconnect();
    this.root.remove();
  }
}

// Places without gaps: of a long list not all are drawn.
function compact(places) {
  const row = [];
  places.map((place, k) => [place, k]).sort(([one], [other]) => one - other).forEach(([, k], n) => (row[k] = n + 1));
  return row;
}

function marker(shape, colour) {
  const svg = drawn("svg", { class: "shape", viewBox: "-6 -6 12 12", "aria-hidden": "true" });
  const outline = {
    ring: ["circle", { r: 4.2, fill: "none", stroke: colour, "stroke-width": 1.8 }],
    disc: ["circle", { r: 5, fill: colour }],
    square: ["rect", { x: -4.6, y: -4.6, width: 9.2, height: 9.2, fill: colour }],
    diamond: ["path", { d: "M0-6 6 0 0 6-6 0Z", fill: colour }],
    star: ["path", { d: "M0-6.3 1.6-2 6-2 2.5.8 3.8 5.2 0 2.6-3.8 5.2-2.5.8-6-2-1.6-2Z", fill: colour }],
  }[shape];
  svg.append(drawn(...outline));
  return svg;
}

function made(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

function drawn(name, attributes) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
}

function digits(value) {
  const size = Math.abs(value);
  const told = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : value.toFixed(size < 10 ? 3 : 1);
  return told.replaceAll("-", "−");
}
