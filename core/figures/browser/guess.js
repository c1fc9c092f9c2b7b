// The controls of a prediction that Streamlit has none for: a number on a scale without an answer set, an order, a curve.
// Each tells the server the guess when the hand rests; `guess.py` describes what they are sent.

const SVG = "http://www.w3.org/2000/svg";
const REST = 250; // milliseconds after the last key: then the hand rests
const TEXT = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export default function ({ data, parentElement, setStateValue }) {
  const own = (parentElement.guess ??= {});
  own.tell = guess => {
    clearTimeout(own.later);
    own.later = setTimeout(() => setStateValue("guess", guess), REST);
  };
  const asked = JSON.stringify(data);
  if (own.asked === asked) return;
  own.asked = asked;
  own.box?.remove();
  own.box = element("div", { class: `lesson-guess lesson-${data.kind}` });
  parentElement.append(own.box);
  ({ number, order, curve })[data.kind](own.box, data, guess => own.tell(guess));
}

function element(name, attributes = {}, text = "", space = null) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// A number: the scale has no knob before somebody has touched it.

function number(box, { question, unit, values }, tell) {
  const last = values.length - 1;
  const say = k => `${TEXT.format(values[k])} ${unit}`.trim();
  const slider = element("input", { type: "range", min: 0, max: last, step: 1, value: Math.round(last / 2), "aria-label": question, class: "unset" });
  slider.setAttribute("aria-valuetext", "nothing chosen yet");
  const ends = element("div", { class: "lesson-ends", "aria-hidden": "true" });
  ends.append(element("span", {}, TEXT.format(values[0])), element("span", {}, TEXT.format(values[last])));
  const told = element("output", {}, "Click on the scale, or press an arrow key");
  const set = () => {
    slider.classList.remove("unset");
    slider.setAttribute("aria-valuetext", say(+slider.value));
    told.textContent = say(+slider.value);
    tell(values[+slider.value]);
  };
  slider.addEventListener("input", set);
  slider.addEventListener("pointerup", () => slider.classList.contains("unset") && set()); // where the knob would have been
  box.append(told, slider, ends);
}

// An order: each item is moved by its two buttons, or by the arrow keys on either.

function order(box, { question, items, first, last }, tell) {
  const places = items.map((_, k) => k);
  const list = element("ol", { "aria-label": question });
  const status = element("div", { class: "lesson-said", role: "status", "aria-live": "polite" });
  const rows = items.map((words, item) => {
    const row = element("li");
    const buttons = [["up", -1, "▲"], ["down", 1, "▼"]].map(([way, by, sign]) => {
      const button = element("button", { type: "button", "aria-label": `Move ${words} ${way}`, "data-way": way }, sign);
      button.addEventListener("click", () => move(item, by, button));
      button.addEventListener("keydown", event => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        move(item, by, button);
      });
      return button;
    });
    row.append(element("span", {}, words), ...buttons);
    return row;
  });
  function draw() {
    list.replaceChildren(...places.map(item => rows[item]));
    places.forEach((item, k) => {
      const [up, down] = rows[item].querySelectorAll("button");
      up.setAttribute("aria-disabled", String(k === 0)); // not `disabled`: the focus would be lost
      down.setAttribute("aria-disabled", String(k === items.length - 1));
    });
  }
  function move(item, by, button) {
    const at = places.indexOf(item), to = at + by;
    if (to < 0 || to >= places.length) return;
    [places[at], places[to]] = [places[to], places[at]];
    draw();
    button.focus();
    status.textContent = `${items[item]}: place ${to + 1} of ${items.length}`;
    tell([...places]);
  }
  draw();
  box.append(element("div", { class: "lesson-end" }, first), list, element("div", { class: "lesson-end" }, last), status);
  tell([...places]);
}

// A curve over some places. It is drawn with the pointer, or point by point: left and right choose one, up and down move it.

function curve(box, data, tell) {
  const { x, low, high, xLog, yLog, xLabel, yLabel, question } = data;
  const wide = Math.min(540, Math.max(280, box.clientWidth || 460)), tall = 230, left = 58, right = 14, top = 10, bottom = 44;
  const share = (value, from, to, log) => log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  const value = (part, from, to, log) => log ? from * (to / from) ** part : from + part * (to - from);
  const margin = 0.04; // so that the outer points do not lie on the frame
  const px = v => left + (margin + (1 - 2 * margin) * share(v, x[0], x[x.length - 1], xLog)) * (wide - left - right);
  const py = v => top + (1 - share(v, low, high, yLog)) * (tall - top - bottom);
  const heights = x.map(() => null);
  const svg = element("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "group", "aria-label": `${question} ${yLabel} over ${xLabel}` }, "", SVG);
  const add = (name, attributes, text = "") => {
    const made = element(name, attributes, text, SVG);
    svg.append(made);
    return made;
  };
  add("rect", { class: "lesson-plot", x: left, y: top, width: wide - left - right, height: tall - top - bottom });
  for (const tick of ticks(low, high, yLog)) {
    add("line", { class: "lesson-grid", x1: left, x2: wide - right, y1: py(tick), y2: py(tick) });
    add("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, TEXT.format(tick));
  }
  let beyond = -Infinity;
  for (const place of x) {
    add("line", { class: "lesson-grid", x1: px(place), x2: px(place), y1: top, y2: tall - bottom });
    if (px(place) < beyond) continue; // no number over another one
    const words = add("text", { x: px(place), y: tall - bottom + 15, "text-anchor": "middle" }, TEXT.format(place));
    beyond = px(place) + 8 * words.textContent.length;
  }
  add("text", { x: (left + wide - right) / 2, y: tall - 6, "text-anchor": "middle" }, xLabel);
  add("text", { x: 14, y: (top + tall - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + tall - bottom) / 2})` }, yLabel);
  const line = add("polyline", { class: "lesson-line" });
  const points = x.map((place, k) => {
    const named = { "aria-label": `${yLabel} at ${TEXT.format(place)}`, "aria-valuemin": 0, "aria-valuemax": 100, "aria-orientation": "vertical", "aria-valuenow": 50, "aria-valuetext": "not drawn yet" };
    const point = add("circle", { class: "lesson-point unset", r: 7, cx: px(place), cy: (top + tall - bottom) / 2, role: "slider", tabindex: k ? -1 : 0, ...named });
    point.addEventListener("keydown", event => keyed(event, k));
    point.addEventListener("focus", () => choose(k, false));
    return point;
  });
  const told = element("output", {}, "Draw with the pointer, or choose a point with ← and → and move it with ↑ and ↓");

  function choose(k, focus = true) {
    points.forEach((point, j) => point.setAttribute("tabindex", j === k ? 0 : -1));
    if (focus) points[k].focus();
  }
  function put(k, height) {
    const to = Number(Math.min(high, Math.max(low, height)).toPrecision(4));
    if (heights[k] === null) heights.fill(to); // a first touch draws a level line
    heights[k] = Math.min(high, Math.max(low, to));
  }
  function draw(k) {
    points.forEach((point, j) => {
      point.setAttribute("cy", py(heights[j]));
      point.setAttribute("aria-valuenow", Math.round(100 * share(heights[j], low, high, yLog))); // the height itself may be 1e-8
      point.setAttribute("aria-valuetext", TEXT.format(heights[j]));
      point.classList.remove("unset");
    });
    line.setAttribute("points", x.map((place, j) => `${px(place)},${py(heights[j])}`).join(" "));
    told.textContent = `${yLabel} at ${TEXT.format(x[k])}: ${TEXT.format(heights[k])}`;
    tell([...heights]);
  }
  function keyed(event, k) {
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const up = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    const end = { Home: low, End: high }[event.key];
    if (!aside && !up && end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (aside) return choose(Math.min(x.length - 1, Math.max(0, k + aside)));
    const part = heights[k] === null ? 0.5 : share(heights[k], low, high, yLog);
    put(k, end ?? value(part + up / 40, low, high, yLog));
    draw(k);
  }
  function at(event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const near = x.reduce((best, one, k) => (Math.abs(px(one) - place.x) < Math.abs(px(x[best]) - place.x) ? k : best), 0);
    return [near, value(1 - (place.y - top) / (tall - top - bottom), low, high, yLog), near];
  }
  let before = null;
  svg.addEventListener("pointerdown", event => {
    const [k, height] = at(event);
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    before = k;
    choose(k);
    put(k, height);
    draw(k);
  });
  svg.addEventListener("pointermove", event => {
    if (before === null) return;
    const [k, height] = at(event);
    for (let j = before; j !== k; j += Math.sign(k - before)) if (j !== before) put(j, height); // a fast hand leaves none out
    put(k, height);
    before = k;
    draw(k);
  });
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => { before = null; });
  box.append(told, svg);
}

function ticks(low, high, log) {
  if (log) {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / 5));
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, k) => 10 ** (first + k * step));
  }
  const raw = (high - low) / 5, ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * [1, 2, 5, 10].find(one => one * ten >= raw);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) found.push(Number(tick.toPrecision(6)));
  return found;
}
