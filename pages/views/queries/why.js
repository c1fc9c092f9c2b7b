// Why a document stands where it does: a row a feature; once asked for, with sliders for its weight and for the
// document's value.

const STEPS = 400; // of a slider, from end to end
const MOST = 60; // rows
const REACH = 1.5; // of a weight, in units of the largest
const FOR = "#1B7FC4", AGAINST = "#D55E00";
const HELP = "Choose two other documents in the list: one click each.";
const WHAT_IF = "What if a number were another?";

class Why {
  constructor(lists) {
    this.lists = lists;
    this.root = made("div", { className: "why" });
    this.rows = [];
  }

  // The rows in the order of what they bring now; they keep it while the hand moves.
  build() {
    const { lists } = this;
    const { features, offers } = lists.spec;
    const focus = document.activeElement?.dataset?.slider;
    this.order();
    this.title = made("h3");
    const top = [this.title, made("p", { textContent: HELP })];
    if (lists.edited) this.open = true;
    this.root.classList.toggle("open", Boolean(this.open));
    for (const k of this.pair) {
      const { name, text } = lists.spec.documents[k];
      if (text) top.push(made("p", { textContent: this.pair.length > 1 ? `${name}: ${text}` : text }));
    }
    this.offers = made("div", { className: "editing" });
    if (this.pair.length > 1) {
      this.offers.append(made("p", { textContent: `Drag a weight, or a value of ${lists.spec.documents[lists.selected[0]].name}: the list follows.` }));
    }
    if (lists.selected.length === 2) {
      this.offers.append(...offers.map(({ words, edits }) => this.button(words, () => this.apply(edits))));
    }
    const size = j => Math.abs(this.amount(j));
    const every = features.map((_, j) => j).sort((one, other) => size(other) - size(one));
    const shown = every.filter((j, k) => k < MOST || lists.weights.has(j));
    const left = every.length - shown.length;
    this.largest = Math.max(...shown.map(size), 1e-12);
    this.reach = REACH * Math.max(...features.map(({ weight }) => Math.abs(weight)), 1e-6);
    this.rows = shown.map(j => this.rowOf(j));
    this.undo = this.button("Undo the edits", () => this.apply({ weights: [], values: [] }));
    const rest = left ? [made("p", { textContent: `“Numbers” below has ${left} more with smaller contributions.` })] : [];
    const ask = this.button(WHAT_IF, () => {
      this.open = !this.open;
      this.build();
      lists.draw();
      this.root.querySelector("button").focus();
    });
    ask.setAttribute("aria-expanded", Boolean(this.open));
    this.root.replaceChildren(...top, ask, this.undo, this.offers, ...this.rows.map(row => row.root), ...rest);
    if (focus) this.root.querySelector(`[data-slider="${focus}"]`)?.focus({ preventScroll: true });
  }

  // The first of two is the one that stands above.
  order() {
    const { places } = this.lists.ranked();
    this.pair = [...this.lists.selected].sort((one, other) => places[one] - places[other]);
  }

  // What a feature brings: to the score, to the gap between two; or its weight.
  amount(j) {
    const { lists, pair } = this;
    if (!pair.length) return lists.weight(j);
    return lists.term(pair[0], j) - (pair.length === 2 ? lists.term(pair[1], j) : 0);
  }

  rowOf(j) {
    const { lists } = this;
    const { name, label, low, high, weight } = lists.spec.features[j];
    const feature = made("span", { className: "feature", textContent: label, title: name });
    const term = made("span", { className: "term" });
    const fill = made("span");
    const bar = made("div", { className: "bar" });
    bar.append(fill);
    const reach = Math.max(this.reach, Math.abs(lists.weight(j)));
    const sliders = [this.slider(`w${j}`, `weight of ${name}`, -reach, reach, () => lists.weight(j), value => {
      if (value === null) lists.weights.delete(j);
      else lists.weights.set(j, value);
    }, weight)];
    const chosen = lists.selected[0];
    if (chosen !== undefined) {
      const own = lists.spec.values[chosen * lists.spec.features.length + j];
      const document = lists.spec.documents[chosen].name;
      sliders.push(this.slider(`d${chosen}.${j}`, `value of ${name} in ${document}`, Math.min(low, own), Math.max(high, own),
        () => lists.value(chosen, j), value => {
          if (value === null) lists.values.delete(`${chosen}.${j}`);
          else lists.values.set(`${chosen}.${j}`, value);
        }, own));
    } else sliders.push({ root: made("span"), draw: () => {} });
    sliders.forEach(({ root }) => root.classList.add("editing"));
    const root = made("div", { className: "row" });
    root.append(feature, term, ...sliders.map(one => one.root), bar);
    return { root, j, term, fill, sliders };
  }

  slider(key, told, low, high, now, set, own) {
    const { lists } = this;
    const label = made("label");
    const words = made("span");
    const input = made("input", { type: "range", min: 0, max: STEPS, step: 1 });
    input.dataset.slider = key;
    input.setAttribute("aria-label", told);
    const width = high - low || 1;
    const home = Math.round((STEPS * (own - low)) / width); // where it was: exactly that number, not the nearest step's
    input.addEventListener("input", () => {
      const step = Number(input.value);
      set(step === home ? null : low + (step / STEPS) * width);
      lists.moved();
    });
    input.addEventListener("change", () => lists.commit());
    label.append(words, input);
    const name = key[0] === "w" ? "weight" : "value";
    const draw = () => {
      const value = now();
      const step = String(Math.round((STEPS * (value - low)) / width));
      if (input.value !== step) input.value = step;
      words.textContent = `${name} ${digits(value)}`;
      words.className = value === own ? "" : "changed";
      input.setAttribute("aria-valuetext", digits(value));
    };
    return { root: label, draw };
  }

  button(words, press) {
    const one = made("button", { type: "button", textContent: words });
    one.addEventListener("click", press);
    return one;
  }

  apply(edits) {
    const { lists } = this;
    lists.take({ edits, selected: lists.selected });
    this.build();
    lists.draw();
    lists.commit();
  }

  draw(scores, places) {
    const { lists } = this;
    this.order();
    const { documents } = lists.spec;
    const [above, below] = this.pair;
    const name = k => `#${places[k]} ${documents[k].name}`, short = k => `#${places[k]}`;
    if (below !== undefined) {
      const gap = scores[above] - scores[below];
      this.title.textContent = gap > 0
        ? `${short(above)} ranks above ${short(below)} by ${digits(gap)}, the sum of weight × difference of values: bars to the right are for it, to the left against it`
        : `${name(above)} and ${name(below)} have the same score and keep the order of the file`;
    } else if (above !== undefined) this.title.textContent = `${name(above)} scores ${digits(scores[above])}: the sum of weight × value`;
    else this.title.textContent = "Which document?";
    this.undo.style.display = lists.edited ? "" : "none";
    this.offers.style.opacity = lists.unsent ? 0.4 : 1;
    for (const { j, term, fill, sliders } of this.rows) {
      const amount = this.amount(j);
      term.textContent = this.pair.length ? `${amount > 0 ? "+" : ""}${digits(amount)}` : "";
      const share = Math.min(Math.abs(amount) / this.largest, 1) * 50;
      Object.assign(fill.style, { left: `${amount < 0 ? 50 - share : 50}%`, width: `${share}%`, background: amount < 0 ? AGAINST : FOR });
      for (const slider of sliders) slider.draw();
    }
  }
}
