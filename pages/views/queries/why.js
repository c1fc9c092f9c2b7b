// Why a document stands where it does: a row a feature, with sliders for its weight and for the document's value.

const STEPS = 400; // of a slider, from end to end
const MOST = 60; // rows
const REACH = 1.5; // of a weight, in units of the largest
const FOR = "#1B7FC4", AGAINST = "#D55E00";
const HELP = "Click a document to see how its score is made up. Click a second one to see why one ranks above the other. " +
  "Then drag a weight or a value of the document, and the list follows.";

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
    const top = [this.title];
    if (!lists.selected.length) top.push(made("p", { textContent: HELP }));
    for (const k of this.pair) {
      const { name, text } = lists.spec.documents[k];
      if (text) top.push(made("p", { textContent: this.pair.length > 1 ? `${name}: ${text}` : text }));
    }
    if (this.pair.length > 1) top.push(made("p", { textContent: `Values of ${lists.spec.documents[lists.selected[0]].name}` }));
    this.offers = made("div");
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
    const rest = left ? [made("p", { textContent: `${left} more features contribute less; “Numbers of the lists” below lists them.` })] : [];
    this.root.replaceChildren(...top, this.undo, this.offers, ...this.rows.map(row => row.root), ...rest);
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
    const name = k => `#${places[k]} ${documents[k].name}`;
    if (below !== undefined) {
      const gap = scores[above] - scores[below];
      this.title.textContent = gap > 0
        ? `${name(above)} ranks above ${name(below)} by ${digits(gap)}: the sum of weight × difference of values`
        : `${name(above)} and ${name(below)} have the same score and keep the order of the file`;
    } else if (above !== undefined) this.title.textContent = `${name(above)} scores ${digits(scores[above])}: the sum of weight × value`;
    else this.title.textContent = "Why does a document rank where it does?";
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
