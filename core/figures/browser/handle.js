// The handle for C in a picture, and what moves with it: an SVG over the Plotly picture, which stays as it is meanwhile.
// Nothing is asked of the server until the reader lets go. What is read here is described in core/figures/drag/drag.py and
// written by core/figures/browser/drawing_code.py.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 24; // pixels of the handle: a target for a finger
const GRIP = 22; // pixels beside a line that take hold of it
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, "-": -1, "+": 1, PageDown: -10, PageUp: 10 };
const STILL = 4; // pixels that a press may wander
const ARROW = 20; // pixels at the ends of the knob that are its arrows
const PAUSE = 250; // milliseconds after the last key: then the reader has let go
const PLAY = 8000; // milliseconds from the empty model to the largest
const STEPS = 12; // of a path, under reduced motion
const AGAIN = 500; // milliseconds until it looks again whether the reader has let go
const ANSWER = 10000; // milliseconds in which the server answers that the reader has let go
const FRAME = "handle-frame";
const OUTLINE = { fill: "none", "stroke-width": 2 }; // of a dot that is a ring

// Frame -1 is the chosen C, which may lie between two frames. Pictures of a page with the same `link` move together: the one
// that is dragged tells the others its frame.
export class Handle {
  constructor(chart) {
    this.chart = chart;
    this.frame = -1;
    this.dragging = false;
    this.frames = [];
    this.svg = element("svg", { class: "handle", style: "position:absolute;inset:0;width:100%;height:100%;overflow:visible;pointer-events:none;touch-action:none" });
    this.grip = document.createElement("div");
    this.grip.className = "handle-grip";
    this.knob = document.createElement("span");
    Object.assign(this.knob, { className: "handle-knob", tabIndex: 0 });
    dressed(this.knob, { role: "slider", "aria-label": "C", "aria-keyshortcuts": "P" });
    this.knob.addEventListener("keydown", event => this.keyed(event));
    this.knob.addEventListener("blur", () => this.waiting && this.commit()); // who goes elsewhere has chosen
    this.player = document.createElement("button");
    Object.assign(this.player, { className: "handle-play", type: "button", tabIndex: -1 }); // the handle is one stop of the Tab key
    this.player.addEventListener("click", () => this.toggle());
    this.grip.append(this.player, this.knob);
    this.shortcut = event => { // a letter acts only where the picture has the focus
      if (this.spec?.marks.length && event.key.toLowerCase() === "p" && !event.ctrlKey && !event.metaKey && !event.altKey) this.toggle();
    };
    this.chart.addEventListener("keydown", this.shortcut);
    this.follow = ({ detail: { from, link, frame } }) => {
      if (from === this || link !== this.spec?.link) return;
      this.leader = from;
      this.frame = Math.min(frame, this.count - 1);
      this.draw();
    };
    document.addEventListener(FRAME, this.follow);
    for (const target of [this.svg, this.knob]) {
      target.addEventListener("pointerdown", event => this.grabbed(event));
      target.addEventListener("pointermove", event => this.dragging && this.moved(event));
      target.addEventListener("pointerup", event => this.released(event));
      target.addEventListener("pointercancel", event => this.released(event));
    }
  }

  // Whether pointer, keys or Play move it, or the handle of another picture that it follows.
  get held() {
    return this.busy || Boolean(this.leader?.busy);
  }

  get busy() {
    return Boolean(this.dragging || this.waiting || this.playing);
  }

  // A new choice or new frames. While it is dragged, other frames wait: the handle would jump.
  set(spec, theme, tell) {
    clearTimeout(this.retry);
    if (this.spec && this.spec.id !== spec.id && this.held) {
      this.later = () => this.set(spec, theme, tell);
      this.retry = setTimeout(this.later, AGAIN);
      return;
    }
    this.later = null;
    if (this.spec?.id !== spec.id) this.build(spec);
    this.spec = spec;
    this.tell = tell;
    this.theme = theme;
    this.hear(spec.nearest);
    if (!this.busy) this.frame = this.sent.at(-1) ?? -1;
    if (this.svg.parentNode !== this.chart) this.chart.append(this.svg, this.grip);
    this.style();
    this.light();
    this.draw();
  }

  // What lights up of a feature, where the picture has any.
  light() {
    const { lights } = this.spec;
    if (!lights) this.lights?.closed();
    this.lights = lights ? (this.lights ?? new Lights(this)) : null;
    this.lights?.set(lights, this.theme);
  }

  build(spec) {
    this.pause();
    this.frame = -1;
    this.sent = []; // frames that the server has been told and has not answered: an answer to an earlier one does not count
    this.svg.replaceChildren();
    const added = (name, attributes) => this.svg.appendChild(element(name, attributes));
    const grip = { "stroke-width": GRIP, stroke: "transparent", style: "pointer-events:stroke;cursor:ew-resize" };
    this.veils = spec.marks.map(() => added("rect", { "fill-opacity": 0.85, style: "display:none" }));
    this.lines = spec.marks.map(() => [added("line", {}), added("line", grip)]);
    this.bars = spec.bars.map(({ colour }) => added("rect", { fill: colour }));
    this.dots = spec.dots.map(({ colour, outline }) => added("circle", outline ? { ...OUTLINE, stroke: colour } : { fill: colour }));
    this.texts = spec.texts.map(({ anchor, dx, dy }) => added("text", { "text-anchor": anchor, dx, dy }));
  }

  style() {
    const { ink, paper, border, font, scale } = this.theme;
    for (const [line] of this.lines) dressed(line, { stroke: ink, "stroke-width": 2 * scale });
    this.dots.forEach((circle, k) => {
      const { filledBeyond, outline, colour, size } = this.spec.dots[k];
      if (!outline) circle.setAttribute("stroke", filledBeyond === null ? paper : colour);
      circle.setAttribute("r", size * scale);
    });
    this.texts.forEach((words, k) => {
      const { colour, weight, size } = this.spec.texts[k];
      words.style.cssText = `font:${weight} ${size * scale}px ${font};fill:${colour ? readable(colour, this.theme) : ink}`;
    });
    for (const veil of this.veils) veil.setAttribute("fill", paper);
    this.grip.style.cssText = `position:absolute;transform:translate(-50%,0);display:flex;border-radius:10px;z-index:2;` +
      `white-space:nowrap;background:${ink};color:${paper};font:600 ${12 * scale}px/${HEIGHT * scale}px ${font};box-shadow:0 0 0 1px ${border}`;
    this.knob.style.cssText = "padding:0 9px 0 3px;cursor:ew-resize;touch-action:none;user-select:none;border-radius:10px";
    this.player.style.cssText = "appearance:none;border:0;margin:0;background:none;color:inherit;padding:0 3px 0 9px;min-width:24px;cursor:pointer;font:inherit;border-radius:10px";
  }

  get count() {
    return this.spec.c.length;
  }

  // The frame that is shown; while that is the chosen C, the nearest one.
  get at() {
    return this.frame < 0 ? this.spec.nearest : this.frame;
  }

  // A number or text of the model that is shown.
  value({ now, at }) {
    return this.frame < 0 || !at ? now : at[this.frame];
  }

  // Once a picture of the screen at most.
  draw() {
    const { spec, frame, chart } = this;
    const layout = chart._fullLayout;
    if (!spec || !layout) return;
    const value = along => this.value(along);
    let first = null;
    spec.marks.forEach((mark, k) => {
      const [across, up] = [layout[mark.x], layout[mark.y]];
      const x = place(across, value(mark.across), true), seen = Number.isFinite(x);
      for (const line of this.lines[k]) {
        if (appears(line, seen)) dressed(line, { x1: x, x2: x, y1: up._offset, y2: up._offset + up._length });
      }
      if (seen && k === 0) first = { x, bottom: up._offset }; // of the method whose model the handle names
      if (appears(this.veils[k], seen && this.playing && frame >= 0)) {
        dressed(this.veils[k], { x, y: up._offset, width: Math.max(across._offset + across._length - x, 0), height: up._length });
      }
    });
    spec.dots.forEach((dot, k) => {
      const cx = place(layout[dot.x], value(dot.across)), cy = place(layout[dot.y], value(dot.up), true);
      const there = dot.shown === "always" || (dot.shown === "dragged" ? frame >= 0 : value(dot.shown === "nonzero" ? dot.up : dot.shown));
      if (!appears(this.dots[k], Number.isFinite(cx) && Number.isFinite(cy) && there)) return;
      dressed(this.dots[k], { cx, cy });
      if (dot.filledBeyond !== null) dressed(this.dots[k], { "fill-opacity": value(dot.across) > dot.filledBeyond ? 1 : 0 });
    });
    spec.texts.forEach((text, k) => {
      const words = this.texts[k];
      if (!appears(words, text.shown === "always" || frame >= 0)) return;
      dressed(words, { x: place(layout[text.x], value(text.across)), y: place(layout[text.y], value(text.up)) });
      words.textContent = value(text.text);
    });
    spec.bars.forEach((bar, k) => {
      const [x, right] = between(layout[bar.x], 0, value(bar.length));
      const [y, bottom] = between(layout[bar.y], bar.row - bar.half, bar.row + bar.half);
      dressed(this.bars[k], { x, y, width: right - x, height: bottom - y });
    });
    this.chart.classList.toggle("following", frame >= 0);
    this.lights?.draw();
    this.say(first);
  }

  say(first) {
    const { spec, frame, knob, grip } = this;
    grip.style.display = spec.marks.length ? "flex" : "none";
    if (!spec.marks.length) return;
    this.player.textContent = this.playing ? "❚❚" : "▶";
    this.player.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.player.title = this.playing ? "Pause and use this C (P)" : "Play the path as λ falls (P)";
    knob.textContent = `◂ ${this.value(spec.label)} ▸`;
    this.lineX = first?.x ?? null;
    if (first) {
      const half = grip.offsetWidth / 2;
      grip.style.left = `${Math.min(Math.max(first.x, half), this.chart.clientWidth - half)}px`;
      grip.style.top = `${Math.max(first.bottom - (HEIGHT + 2) * this.theme.scale, 0)}px`;
    } else grip.style.left = `${grip.offsetWidth / 2 + 8}px`; // zoomed away: it waits at the left
    const now = { "aria-valuenow": this.at, "aria-valuetext": this.value(spec.spoken) };
    dressed(knob, { "aria-valuemin": 0, "aria-valuemax": this.count - 1, ...now });
    for (const [name, reading] of Object.entries(spec.readings)) {
      const text = this.value(reading);
      for (const cell of document.querySelectorAll(`[data-reading="${name}"]`)) {
        // At rest it takes back what a handle wrote. What the server wrote since may be of another model than this picture.
        if (cell.textContent === text || (frame < 0 && cell.dataset.written !== cell.textContent)) continue;
        cell.textContent = cell.dataset.written = text;
      }
    }
  }

  go(frame) {
    const next = Math.min(Math.max(frame, 0), this.count - 1);
    if (next === this.frame) return;
    this.frame = next;
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
      document.dispatchEvent(new CustomEvent(FRAME, { detail: { from: this, link: this.spec.link, frame: this.frame } }));
    });
  }

  toggle() {
    if (this.playing) {
      this.pause();
      this.commit();
      return;
    }
    const last = this.count - 1;
    const start = this.paused ? this.at : 0;
    const rate = last / PLAY;
    const begun = performance.now() - start / rate;
    // Who asks for less motion sees some models one after another, not a sweep.
    const stride = matchMedia("(prefers-reduced-motion: reduce)").matches ? Math.ceil(last / STEPS) : 1;
    const stops = this.spec.pauses.filter(frame => frame > start && frame < last);
    this.paused = false;
    this.playing = true;
    const tick = now => {
      if (!this.playing) return;
      const reached = Math.floor((now - begun) * rate);
      const stop = Math.min(stops[0] ?? last, last);
      this.go(Math.min(reached - reached % stride, stop));
      if (reached >= stop) this.go(stop);
      if (reached < stop) requestAnimationFrame(tick);
      else {
        this.paused = stop < last; // where validation turns: once more goes on
        this.pause();
        this.commit();
      }
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    if (this.spec) this.draw();
  }

  // A knob keeps its distance to the line, so a press on it moves nothing; one on an arrow is a step.
  grabbed(event) {
    if (event.button) return;
    this.playing = this.paused = false;
    event.preventDefault();
    event.stopPropagation();
    this.dragging = true;
    this.held_at = event.currentTarget === this.knob ? event.clientX : null;
    this.beside = this.held_at === null || this.lineX === null ? 0 : this.pointed(event)[0] - this.lineX;
    this.knob.focus({ preventScroll: true });
    event.target.setPointerCapture(event.pointerId);
    this.moved(event);
  }

  // Where a pointer is, in pixels of the chart.
  pointed(event) {
    const box = this.chart.getBoundingClientRect();
    const scale = box.width / this.chart.clientWidth || 1;
    return [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
  }

  // The frame of the nearest mark under the pointer.
  moved(event) {
    if (this.held_at !== null && Math.abs(event.clientX - this.held_at) < STILL) return;
    this.held_at = null;
    const [pointer, y] = this.pointed(event), x = pointer - this.beside;
    const layout = this.chart._fullLayout;
    let best = null;
    for (const mark of this.spec.marks) {
      const [across, up] = [layout[mark.x], layout[mark.y]];
      const beside = Math.max(across._offset - x, x - across._offset - across._length, 0);
      const above = Math.max(up._offset - y, y - up._offset - up._length, 0);
      if (!best || beside + above < best.away) best = { away: beside + above, mark, across };
    }
    const { across: { at }, up } = best.mark; // among models at the same place across, their height decides
    let nearest = 0, least = Infinity;
    for (let k = 0; k < at.length; k++) {
      const beside = up ? Math.abs(place(layout[best.mark.y], up.at[k]) - y) / 1e4 : 0;
      const away = Math.abs(place(best.across, at[k]) - x) + beside;
      if (away < least) [least, nearest] = [away, k];
    }
    this.go(nearest);
  }

  released(event) {
    if (!this.dragging) return;
    this.dragging = false;
    if (this.held_at === null) this.commit();
    else this.pressed(event);
  }

  pressed(event) {
    const box = this.knob.getBoundingClientRect(), way = event.clientX < box.left + ARROW ? -1 : event.clientX > box.right - ARROW ? 1 : 0;
    if (way) this.step(this.at + way);
    else if (this.waiting) this.commit();
  }

  step(to) {
    this.go(to);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.commit(), PAUSE);
  }

  keyed(event) {
    const to = event.key === "Home" ? 0 : event.key === "End" ? this.count - 1 : event.key in KEYS ? this.at + KEYS[event.key] : null;
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(to);
  }

  commit() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (this.later) { // the answer to this one brings them along; only if there is none they come by themselves
      clearTimeout(this.retry);
      this.retry = setTimeout(this.later, 4 * AGAIN);
    }
    if (this.frame < 0) return;
    if (!this.sent.length) this.before = this.spec.nearest;
    this.sent.push(this.frame);
    this.patient = performance.now() + ANSWER;
    this.tell("released", { frame: this.frame, c: this.spec.c[this.frame], id: this.spec.id });
  }

  // What the server has chosen: what it has been told, or something else, as where C was moved in the sidebar.
  hear(chosen) {
    const answered = this.sent.indexOf(chosen);
    if (answered >= 0) this.sent.splice(0, answered + 1);
    else if (chosen !== this.before || performance.now() > this.patient) this.sent = [];
  }

  closed() {
    clearTimeout(this.waiting);
    clearTimeout(this.retry);
    cancelAnimationFrame(this.asked);
    this.playing = false;
    this.chart.removeEventListener("keydown", this.shortcut);
    document.removeEventListener(FRAME, this.follow);
    this.lights?.closed();
    this.svg.remove();
    this.grip.remove();
  }
}

// Pixels from the left or the top of the picture, by the axis' own arithmetic; null outside of what it shows.
function place(axis, value, inside = false) {
  if (!axis) return null;
  const at = axis.l2p(axis.d2l(value));
  return inside && (at < 0 || at > axis._length) ? null : axis._offset + at;
}

// Pixels of the lower and the higher of two places on a linear axis.
function between(axis, one, other) {
  return [one, other].map(end => axis._offset + axis.l2p(end)).sort((a, b) => a - b);
}

function element(name, attributes) {
  return dressed(document.createElementNS(SVG, name), attributes);
}

function dressed(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Shows an element or hides it; returns which.
function appears(drawn, seen) {
  drawn.style.display = seen ? "" : "none";
  return Boolean(seen);
}
