// The feature that is pointed at, in all pictures of a page: its curve, its row, the models that keep it. All of it is
// drawn over the pictures in the browser; the server hears nothing of it.

const LIT = "feature-lit";
const NEAR = 10; // pixels from a curve
const DIMMED = "0.3";

class Lights {
  constructor(handle) {
    this.handle = handle;
    this.chart = handle.chart;
    this.lit = this.shown = null;
    this.svg = element("svg", { class: "lights", style: "position:absolute;inset:0;width:100%;height:100%;overflow:visible;pointer-events:none" });
    this.chip = document.createElement("div");
    this.chip.className = "lights-chip";
    this.chip.addEventListener("focus", () => this.step(0));
    this.chip.addEventListener("blur", () => this.tell(null));
    this.chip.addEventListener("keydown", event => this.keyed(event));
    this.pointed = event => this.tell(this.under(event));
    this.left = event => event.pointerType === "touch" || this.tell(null); // a tap lasts until the next
    for (const kind of ["pointermove", "pointerdown"]) this.chart.addEventListener(kind, this.pointed, true);
    this.chart.addEventListener("pointerleave", this.left);
    this.heard = ({ detail: { feature } }) => {
      this.lit = feature;
      this.draw();
    };
    document.addEventListener(LIT, this.heard);
  }

  set(spec, theme) {
    this.spec = spec;
    this.theme = theme;
    const words = this.chart.querySelector(".hoverlayer")?.closest("svg"); // what Plotly says of a point stays on top
    if (words && this.svg.nextSibling !== words) words.before(this.svg);
    if (this.chip.parentNode !== this.chart) this.chart.append(this.chip);
    if (!this.follows) {
      this.follows = () => this.tell(this.hovered() ?? this.lit);
      this.chart.on("plotly_hover", this.follows);
    }
    const keys = spec.order.length > 0;
    this.chip.tabIndex = keys ? 0 : -1;
    dressed(this.chip, keys ? { role: "slider", "aria-label": "Feature", "aria-valuemin": 0, "aria-valuemax": spec.order.length } : { role: "note" });
    this.chip.style.cssText = `position:absolute;left:8px;top:2px;opacity:0;z-index:3;pointer-events:none;max-width:90%;padding:1px 8px;border-radius:8px;` +
      `overflow:hidden;text-overflow:ellipsis;white-space:nowrap;background:${theme.paper};color:${theme.ink};font:600 ${12 * theme.scale}px/${18 * theme.scale}px ${theme.font}`;
    this.draw();
  }

  tell(feature) {
    if (feature === this.lit) return;
    document.dispatchEvent(new CustomEvent(LIT, { detail: { feature } }));
  }

  // Arrow keys go through the features that have colours.
  step(by) {
    const { order } = this.spec;
    const at = order.indexOf(this.lit);
    this.tell(order[at < 0 ? 0 : (at + by + order.length) % order.length]);
  }

  keyed(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.tell(null);
    else if (by) this.step(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The feature under the pointer: a name beside the curves, a row, or the nearest curve; null where there is none.
  under(event) {
    const { spec, chart, handle } = this;
    const layout = chart._fullLayout;
    if (!spec || !layout || handle.dragging) return null;
    const [x, y] = handle.pointed(event);
    return this.named(event) ?? this.inRow(layout, y) ?? this.hovered() ?? this.onCurve(layout, x, y);
  }

  // The one that Plotly's own words are of, so that both name the same.
  hovered() {
    const [point] = this.spec.panels.length ? (this.chart._hoverdata ?? []) : [];
    const number = /\(feature (\d+)\)/.exec(point?.text ?? point?.fullData?.name ?? "")?.[1];
    return number ? Number(number) - 1 : null;
  }

  named({ clientX, clientY }) {
    if (!this.spec.panels.length) return null;
    for (const label of this.chart.querySelectorAll(".annotation")) {
      const name = this.chart._fullLayout.annotations[label.dataset.index]?.name;
      const box = name?.startsWith("feature ") ? label.getBoundingClientRect() : null;
      if (box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom) return Number(name.slice(8));
    }
    return null;
  }

  inRow(layout, y) {
    for (const { y: axis, rows } of this.spec.places) {
      const up = layout[axis];
      const half = Math.abs(up.l2p(1) - up.l2p(0)) / 2;
      for (const [feature, [, row]] of Object.entries(rows)) {
        if (Math.abs(up._offset + up.l2p(row) - y) <= half) return Number(feature);
      }
    }
    return null;
  }

  onCurve(layout, x, y) {
    let best = null, least = NEAR;
    for (const panel of this.spec.panels) {
      const [across, up] = [layout[panel.x], layout[panel.y]];
      const [left, top] = [x - across._offset, y - up._offset];
      if (left < 0 || left > across._length || top < 0 || top > up._length) continue;
      const places = Array.from(panel.across, value => across.l2p(across.d2l(value)));
      for (const [feature, weights] of Object.entries(panel.curves)) {
        for (let k = 0; k + 1 < places.length; k++) {
          const [from, to] = places[k] < places[k + 1] ? [k, k + 1] : [k + 1, k];
          if (left < places[from] || left > places[to] || (!weights[from] && !weights[to])) continue;
          const share = (left - places[from]) / (places[to] - places[from] || 1);
          const away = Math.abs(up.l2p(weights[from] + share * (weights[to] - weights[from])) - top);
          if (away < least) [least, best] = [away, Number(feature)];
        }
      }
    }
    return best;
  }

  draw() {
    const { spec, chart, lit } = this;
    const layout = chart._fullLayout;
    if (!spec || !layout) return;
    if (lit === null && this.shown === null) return this.value(0, "no feature");
    this.shown = lit;
    this.svg.replaceChildren();
    const seen = lit !== null && lit < spec.names.length;
    const dimmed = seen && !spec.places.length;
    for (const layer of chart.querySelectorAll(".scatterlayer")) layer.style.opacity = dimmed ? DIMMED : "";
    this.chip.style.opacity = seen ? 1 : 0;
    if (!seen) this.value(0, "no feature");
    if (!seen) return;
    const words = [...spec.panels.map(panel => this.curve(layout, panel)), ...spec.places.map(places => this.row(layout, places)),
      ...spec.models.map(models => this.keepers(layout, models))];
    const axes = spec.panels[0] ?? spec.places[0] ?? spec.models[0];
    this.chip.textContent = `${spec.names[lit]}: ${words[0]}`;
    this.chip.style.boxShadow = `inset 0 0 0 2px ${spec.colours[lit]}`;
    this.chip.style.left = `${layout[axes.x]._offset + 4}px`;
    this.chip.style.top = `${layout[axes.y]._offset + 2}px`;
    this.value(spec.order.indexOf(lit) + 1, this.chip.textContent);
  }

  value(now, text) {
    if (this.spec.order.length) dressed(this.chip, { "aria-valuenow": now, "aria-valuetext": text }); // else a note, not a slider
  }

  curve(layout, panel) {
    const { spec, lit, handle } = this;
    const weights = panel.curves[lit];
    if (!weights) return "no model of this path keeps it";
    const [across, up] = [layout[panel.x], layout[panel.y]];
    // A picture within the picture cuts off what does not belong to it.
    const room = element("svg", { x: across._offset, y: up._offset, width: across._length, height: up._length });
    let way = "";
    for (let k = 0; k < weights.length; k++) {
      const near = weights[k] || weights[k - 1] || weights[k + 1];
      if (near) way += `${way && (weights[k - 1] || weights[k]) ? "L" : "M"}${across.l2p(across.d2l(panel.across[k])).toFixed(1)},${up.l2p(weights[k]).toFixed(1)}`;
    }
    for (const [colour, width] of [[this.theme.paper, 7 * this.theme.scale], [spec.colours[lit], 4 * this.theme.scale]]) {
      room.append(element("path", { d: way, fill: "none", stroke: colour, "stroke-width": width, "stroke-linejoin": "round" }));
    }
    this.svg.append(room);
    return `weight ${Number(weights[handle.at].toPrecision(3))} at this C, ${panel.entries[lit]}`;
  }

  row(layout, { x, y, rows, said }) {
    const { lit } = this;
    const place = rows[lit];
    if (place) {
      const [across, up] = [layout[x], layout[y]];
      const half = Math.abs(up.l2p(1) - up.l2p(0)) / 2;
      const [cx, cy] = [across._offset + across.l2p(place[0]), up._offset + up.l2p(place[1])];
      const colour = this.spec.colours[lit];
      this.svg.append(
        element("rect", { x: across._offset, y: cy - half, width: across._length, height: 2 * half, fill: colour, "fill-opacity": 0.18 }),
        element("circle", { cx, cy, r: 8 * this.theme.scale, fill: "none", stroke: colour, "stroke-width": 2.5 * this.theme.scale }),
      );
    }
    return said[lit];
  }

  keepers(layout, { x, y, across, up, kept, colours }) {
    const keep = [...kept.keys()].filter(k => kept[k].includes(this.lit));
    const look = { r: 5 * this.theme.scale, stroke: this.theme.paper, "stroke-width": 1.2 };
    for (const k of keep) {
      this.svg.append(element("circle", { cx: place(layout[x], across[k]), cy: place(layout[y], up[k]), fill: colours[k], ...look }));
    }
    return `${keep.length} of these ${kept.length} models keep it`;
  }

  closed() {
    for (const kind of ["pointermove", "pointerdown"]) this.chart.removeEventListener(kind, this.pointed, true);
    this.chart.removeEventListener("pointerleave", this.left);
    document.removeEventListener(LIT, this.heard);
    if (this.follows) this.chart.removeListener?.("plotly_hover", this.follows);
    this.svg.remove();
    this.chip.remove();
  }
}
