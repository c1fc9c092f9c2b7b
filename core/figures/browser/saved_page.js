// A saved page asks no server. Where the reader lets go of the handle, or clicks a model, that model is the chosen one.

const holder = document.getElementById("picture");
const sent = JSON.parse(document.getElementById("sent").textContent);
const encoder = new TextEncoder();

// What moves with C, with the values of a frame as those of the chosen model.
function withChosen(part, frame) {
  if (part === null || typeof part !== "object") return part;
  if (part.at !== undefined && "now" in part) return { ...part, now: unpacked(part.at)[frame] };
  if (Array.isArray(part)) return part.map(one => withChosen(one, frame));
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withChosen(value, frame)]));
}

function nearestTo(c) {
  const all = [...unpacked(sent.drag.c)];
  return all.reduce((best, one, k) => (Math.abs(Math.log(one / c)) < Math.abs(Math.log(all[best] / c)) ? k : best), 0);
}

function told(event, value) {
  const frame = event === "released" ? value.frame : event === "clicked" && value.customdata > 0 ? nearestTo(value.customdata) : -1;
  if (frame < 0) return;
  sent.drag = { ...withChosen(sent.drag, frame), nearest: frame };
  redraw();
}

function redraw() {
  return drawPicture({ data: encoder.encode(JSON.stringify(sent)), parentElement: holder, setTriggerValue: told });
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
redraw();
