// A saved page asks no server. Where the reader lets go of the handle, or clicks a model, that model is the chosen one
// in all pictures of the page.

const { method, pictures } = JSON.parse(document.getElementById("sent").textContent);
const holders = [...document.querySelectorAll(".picture")];
const encoder = new TextEncoder();

// What moves with C, with the values of a frame as those of the chosen model.
function withChosen(part, frame) {
  if (part === null || typeof part !== "object") return part;
  if (part.at !== undefined && "now" in part) return { ...part, now: unpacked(part.at)[frame] };
  if (Array.isArray(part)) return part.map(one => withChosen(one, frame));
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withChosen(value, frame)]));
}

function nearestTo(drag, c) {
  const all = [...unpacked(drag.c)];
  return all.reduce((best, one, k) => (Math.abs(Math.log(one / c)) < Math.abs(Math.log(all[best] / c)) ? k : best), 0);
}

// A point has its C, or its method and its C.
function clickedC(data) {
  const [of, c] = Array.isArray(data) ? data : [method, data];
  return of === method && c > 0 ? c : null;
}

function told(drag, event, value) {
  const c = event === "clicked" ? clickedC(value.customdata) : null;
  const frame = event === "released" ? value.frame : c === null ? -1 : nearestTo(drag, c);
  if (frame < 0) return;
  for (const all of document.querySelectorAll(".pictures")) all.classList.add("moved"); // numbers beside bars are those of the first model
  for (const sent of pictures) if (sent.drag) sent.drag = { ...withChosen(sent.drag, frame), nearest: frame };
  redraw();
}

function redraw() {
  pictures.forEach((sent, k) => drawPicture({
    data: encoder.encode(JSON.stringify(sent)), parentElement: holders[k],
    setTriggerValue: (event, value) => sent.drag && told(sent.drag, event, value),
  }));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
redraw();
