// A saved page, or a page of a site, asks no server. Where the reader lets go of the handle, or clicks a model, that model
// is the chosen one in all its pictures.

const encoder = new TextEncoder();
const DARK = matchMedia("(prefers-color-scheme: dark)");

// What an element of the page has for its scripts.
function sentAs(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// Draws the pictures in their places within `root`, at a share of lambda_max or else at the C with which they were made.
// `chosen` is told the C that a reader chooses, and its share; what is returned takes the pictures away.
function drawPage(root, { method, pictures }, { ratio = null, chosen = () => {} } = {}) {
  const holders = [...root.querySelectorAll(".picture")], leave = new AbortController(), closers = [];
  for (const cell of root.querySelectorAll("[data-reading]")) cell.dataset.written = cell.textContent;

  function choose(frame) {
    for (const all of root.querySelectorAll(".pictures")) all.classList.add("moved"); // numbers beside bars are those of the first model
    pictures = pictures.map(sent => (sent.drag ? { ...sent, drag: { ...withChosen(sent.drag, frame), nearest: frame } } : sent));
  }

  // A point has its C, or its method and its C.
  function clickedC(data) {
    const [of, c] = Array.isArray(data) ? data : [method, data];
    return of === method && c > 0 ? c : null;
  }

  function told(drag, event, value) {
    const all = unpacked(drag.c), c = event === "clicked" ? clickedC(value.customdata) : null;
    const frame = event === "released" ? value.frame : c === null ? -1 : nearestTo(all, c);
    if (frame < 0) return;
    choose(frame);
    redraw();
    chosen(all[frame], all[0] / all[frame]);
  }

  function redraw() {
    pictures.forEach((sent, k) => closers.push(drawPicture({
      data: encoder.encode(JSON.stringify(sent)), parentElement: holders[k],
      setTriggerValue: (event, value) => sent.drag && told(sent.drag, event, value),
    })));
  }

  const moving = pictures.find(sent => sent.drag);
  if (ratio !== null && moving) {
    const all = unpacked(moving.drag.c);
    choose(nearestTo(all, all[0] / ratio)); // C lambda is the same all along a path, which begins at lambda_max
  }
  DARK.addEventListener("change", redraw, { signal: leave.signal });
  redraw();
  return async () => {
    leave.abort();
    root.replaceChildren();
    for (const close of await Promise.all(closers)) close();
  };
}

// What moves with C, with the values of a frame as those of the chosen model.
function withChosen(part, frame) {
  if (part === null || typeof part !== "object") return part;
  if (part.at !== undefined && "now" in part) return { ...part, now: unpacked(part.at)[frame] };
  if (Array.isArray(part)) return part.map(one => withChosen(one, frame));
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withChosen(value, frame)]));
}

function nearestTo(all, c) {
  return all.reduce((best, one, k) => (Math.abs(Math.log(one / c)) < Math.abs(Math.log(all[best] / c)) ? k : best), 0);
}
