// A Plotly picture that stays where it is: a new figure moves what has changed, and zoom and hover live on.

const INK = "#000037"; // core/figures/look/style.py: the colour of letters, whatever the theme is
const SMALL = 12, MEDIUM = 14; // pixels
// Of a picture as high as the window, in pixels, and as a share of the height that it was made for.
const LEAST = 340, BELOW = 20, SHORTEST = 0.62;
const LEAST_ROW = 150, GAP = 8, STACKED = 640; // of pictures in rows: pixels, and the width beneath which they are stacked
const ROW = 1.05; // of the size of its letters: from one name to the next
const NARROW = 100; // pixels: a page that is just being laid out; where no number along an axis has room Plotly fails
const FRAME_TIME = 16, PATIENCE = 100, NO_FRAME = 1000; // milliseconds
const ROOM = 1920, SMALLEST = 20; // pixels: the width of a window in a room, and its smallest letters
const BETWEEN = 0.75; // of the other ticks, as Plotly writes 2 and 5 between powers of ten
const AWAY = new Set(["xshift", "yshift", "ax", "ay", "standoff", "borderpad", "ticklen", "thickness"]);
const BASIC = new Set(["scatter", "bar", "pie"]); // traces of plotly's smallest bundle
const EXPAND = {
  width: 448, height: 512,
  path: "M32 32C14.3 32 0 46.3 0 64v96c0 17.7 14.3 32 32 32s32-14.3 32-32V96h64c17.7 0 32-14.3 32-32s-14.3-32-32-32H32z" +
    "M64 352c0-17.7-14.3-32-32-32s-32 14.3-32 32v96c0 17.7 14.3 32 32 32h96c17.7 0 32-14.3 32-32s-14.3-32-32-32H64v-64z" +
    "M320 32c-17.7 0-32 14.3-32 32s14.3 32 32 32h64v64c0 17.7 14.3 32 32 32s32-14.3 32-32V64c0-17.7-14.3-32-32-32h-96z" +
    "M448 352c0-17.7-14.3-32-32-32s-32 14.3-32 32v64h-64c-17.7 0-32 14.3-32 32s14.3 32 32 32h96c17.7 0 32-14.3 32-32v-96z",
};

export default async function ({ data, parentElement, setTriggerValue }) {
  const chart = parentElement.querySelector(":scope > .live-chart") ?? opened(parentElement);
  const live = chart.live;
  live.sent = new TextDecoder().decode(data);
  live.tell = setTriggerValue;
  const call = (live.call = {});
  await drawn(chart);
  // Streamlit also calls this for a run that was overtaken while it was drawn, when the chart is still wanted.
  // The one that overtakes it may not have begun yet: only what has left the page is closed.
  return () => call === live.call && !chart.isConnected && closed(chart);
}

// One drawing after another, each of what was sent last.
function drawn(chart) {
  const live = chart.live;
  chart.ariaBusy = "true";
  const turn = live.turn.catch(() => {}).then(() => inTurn(() => draw(chart))).finally(() => {
    if (live.turn === turn) chart.ariaBusy = "false";
  });
  live.turn = turn;
  return turn;
}

// One picture of the page after another; what has taken longer than a frame is on the screen before the next is begun.
let line = Promise.resolve(), spent = 0;
function inTurn(work) {
  const turn = line.then(async () => {
    const begun = performance.now();
    await work();
    spent += performance.now() - begun;
  });
  // From its beginning, not while it stands in line: others need not wait for a library that this one loads.
  const patient = line.then(() => Promise.race([turn.catch(() => {}), after(PATIENCE)]));
  line = patient.then(() => (spent > FRAME_TIME ? shown() : null));
  return turn;
}

const after = milliseconds => new Promise(go => setTimeout(go, milliseconds));

function shown() {
  spent = 0;
  if (document.hidden) return null; // a tab in the background has no frames
  const frame = new Promise(go => requestAnimationFrame(() => setTimeout(go)));
  return Promise.race([frame, after(NO_FRAME)]);
}

function opened(parent) {
  const chart = document.createElement("div");
  chart.className = "live-chart";
  chart.setAttribute("role", "figure");
  parent.append(chart);
  chart.live = { turn: Promise.resolve(), sent: "", drawn: "", rest: "", layout: null };
  chart.live.watch = new ResizeObserver(() => drawn(chart));
  chart.live.watch.observe(chart);
  chart.live.resized = () => drawn(chart);
  window.addEventListener("resize", chart.live.resized);
  return chart;
}

function closed(chart) {
  chart.live.watch.disconnect();
  window.removeEventListener("resize", chart.live.resized);
  chart.live.handle?.closed();
  chart.live.turn = chart.live.turn.catch(() => {}).then(() => {
    chart.live.Plotly?.purge(chart);
    chart.remove();
  });
}

async function draw(chart) {
  const live = chart.live;
  const filled = document.fullscreenElement === chart;
  const theme = themeOf(chart);
  const size = [filled ? innerWidth : chart.clientWidth, filled ? innerHeight : roomBelow(chart)];
  if (!filled && live.own === live.sent) size[1] = 0;
  const wanted = () => live.sent + JSON.stringify([theme, size]);
  if (size[0] < NARROW || wanted() === live.drawn) return;
  const sent = JSON.parse(live.sent.replaceAll(INK, theme.ink));
  const share = sent.scale === 1 ? 1 : Math.max(innerWidth / ROOM, 1 / sent.scale); // of what is larger
  const letters = size => (sent.scale === 1 ? size : Math.max(size * sent.scale, SMALLEST) * share);
  sent.figure = enlarged(sent, share, letters);
  if (isNarrow(sent, size)) sent.figure = narrowed(sent.figure);
  const own = sent.figure.layout.height;
  if (!filled && !sent.rows && !sent.fill) [live.own, size[1]] = [live.sent, 0]; // wherever it stands it has this height
  const drawing = wanted();
  if (!filled && sent.rows) size[1] = roomInRow(chart, sent.rows) ?? own;
  else if (!filled) size[1] = sent.fill ? Math.max(size[1], own * SHORTEST, LEAST) : own;
  if (!filled) size[1] = Math.max(size[1], roomForRows(sent.figure.layout));
  chart.setAttribute("aria-label", sent.alt);
  chart.style.height = filled ? "" : `${size[1]}px`;
  chart.style.background = filled ? theme.paper : "";
  const Plotly = await plotly(sent.plotly, sent.figure.data);
  if (live.Plotly && live.Plotly !== Plotly) emptied(chart); // each knows only pictures of its own
  live.Plotly = Plotly;
  const { data, layout } = fitted(sent, theme, size, letters, share);
  const rest = restOf(data, layout); // now: Plotly changes what it is given
  const moves = rest === live.rest ? moved(live.layout, layout) : null;
  const first = !live.layout;
  live.picture = sent.picture;
  live.layout = structuredClone(layout);
  if (moves) await move(Plotly, chart, layout, moves);
  else await Plotly.react(chart, data, layout, settings(Plotly, live, !sent.rows));
  if (first) {
    listen(chart);
    const page = chart.closest('[data-testid="stMainBlockContainer"]'); // what stands above may grow or go afterwards
    if (page) live.watch.observe(page);
  }
  live.rest = rest;
  live.drawn = drawing;
  held(chart, sent.drag, theme, sent.scale * share);
}

function emptied(chart) {
  chart.live.Plotly.purge(chart);
  Object.assign(chart.live, { rest: "", layout: null, settings: null });
}

// The handle over the picture, where it has one.
function held(chart, sent, theme, scale) {
  const live = chart.live;
  if (!sent) {
    live.handle?.closed();
    live.handle = null;
    return;
  }
  live.handle ??= new Handle(chart);
  live.handle.set(unpacked(sent), { ...theme, scale }, (...told) => live.tell(...told));
}

// The server asks for plotly's smallest bundle in the head of the page (pages/shared/server/assets.py). The whole library
// comes where a picture has other traces, or where the small one has not come.
function plotly(path, traces) {
  const early = document.querySelector("script#plotly-basic");
  if (!early || !traces.every(({ type }) => BASIC.has(type ?? "scatter"))) return whole(path);
  window.plotlyBasic ??= new Promise((come, fail) => {
    if (early.Plotly) come(early.Plotly);
    if (early.failed) fail();
    early.addEventListener("load", () => come(window.Plotly));
    early.addEventListener("error", fail);
  });
  return window.plotlyBasic.catch(() => whole(path));
}

function whole(path) {
  window.plotlyWhole ??= new Promise((come, fail) => {
    const script = document.createElement("script");
    const streamlit = document.querySelector('script[src*="static/js/"]');
    script.src = new URL(`../../${path}`, streamlit.src);
    script.onload = () => come(window.Plotly);
    script.onerror = () => {
      window.plotlyWhole = undefined;
      fail(new Error("The picture could not be loaded from the server. Reload the page."));
    };
    document.head.append(script);
  });
  return window.plotlyWhole;
}

// For a room: letters, lines, marks and margins grow, in a smaller window less; places along the axes stay. What names no
// size has it from the template, whose letters are of the same `letters`.
function enlarged({ figure, scale }, share, letters) {
  if (scale === 1) return figure;
  const times = value => (Array.isArray(value) ? value.map(times) : typeof value === "number" ? value * scale * share : value);
  const grown = (part, inside = "") => {
    if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return part;
    if (Array.isArray(part)) return part.map(item => grown(item, inside));
    const length = name => (name === "size" && inside === "marker") || (name === "width" && inside === "line") ||
      inside === "margin" || AWAY.has(name);
    return Object.fromEntries(Object.entries(part).map(([name, value]) => {
      if (name === "size" && inside.includes("font") && typeof value === "number") return [name, letters(value)];
      return [name, length(name) ? times(value) : grown(value, name)];
    }));
  };
  const drawn = grown(figure);
  for (const [name, axis] of Object.entries(drawn.layout)) {
    const between = /^[xy]axis/.test(name) && axis.type === "log" && !axis.tickvals && typeof axis.dtick !== "number";
    if (between) axis.tickfont = { ...axis.tickfont, size: SMALLEST / BETWEEN * share };
  }
  return drawn;
}

// The least height at which the names of rows do not meet (core/figures/look/labels.py).
function roomForRows({ meta, margin, yaxis }) {
  if (!meta?.rows) return 0;
  const [bottom, top] = yaxis.range;
  return Math.ceil(margin.t + margin.b + ROW * yaxis.tickfont.size * Math.abs(top - bottom));
}

// From its top, where nothing is scrolled, to the end of the window.
function roomBelow(chart) {
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? scrollY;
  return Math.round(innerHeight - chart.getBoundingClientRect().top - scrolled - BELOW);
}

// A row's share of what is left of the window beneath the top of the page's picture; null where columns are stacked.
function roomInRow(chart, rows) {
  const picture = chart.closest(".st-key-picture, .site .pictures"), column = chart.closest('[data-testid="stColumn"], figure');
  if (!picture || !column || picture.clientWidth < STACKED) return null; // where the page is left it may be gone already
  if (2 * column.clientWidth > picture.clientWidth) return null; // it has a row of its own
  const head = chart.getBoundingClientRect().top - column.getBoundingClientRect().top;
  return Math.max(Math.floor((roomBelow(picture) - GAP * (rows - 1)) / rows - head), LEAST_ROW);
}

function themeOf(chart) {
  const style = getComputedStyle(chart);
  const of = name => style.getPropertyValue(`--st-${name}`).trim();
  return { ink: of("text-color"), paper: of("background-color"), border: of("border-color"), font: of("font") };
}

// Whether there is little room for a picture that says what to do then; one of several in rows is made for little room.
function isNarrow({ figure, rows }, [width]) {
  return width < STACKED && !rows && Boolean(figure.layout.meta?.narrow);
}

// The figure in the page's colours and letters, as Streamlit's own charts have them, and as wide as there is room.
function fitted(sent, theme, [width, height], sized, share) {
  const { data, layout } = lettered(sent.figure, theme);
  const letters = size => ({ family: theme.font, color: theme.ink, size: sized(size) });
  const axis = { automargin: true, tickfont: letters(SMALL), tickcolor: theme.border, zerolinecolor: theme.border };
  const template = {
    layout: {
      font: letters(MEDIUM),
      paper_bgcolor: theme.paper,
      plot_bgcolor: theme.paper,
      hoverlabel: { bgcolor: theme.paper, bordercolor: theme.border, font: letters(SMALL) },
      margin: { pad: 8 },
      title: { pad: { l: 4 } },
      xaxis: { ...axis, title: { font: letters(MEDIUM), standoff: 20 } },
      yaxis: { ...axis, title: { font: letters(MEDIUM), standoff: 24 } },
    },
  };
  if (sent.scale !== 1) {
    template.layout.legend = template.layout.annotationdefaults = { font: letters(SMALL) };
    template.data = { scatter: [{ line: { width: 2 * sent.scale * share } }] };
  }
  const clickable = sent.clickable ? { clickmode: "event", dragmode: "pan" } : {};
  const placed = isNarrow(sent, [width]) ? apart(slim(layout, width), height) : layout;
  return { data, layout: { ...clickable, ...placed, template, width, height } };
}

// One of several pictures in rows has no toolbar: its page has one.
function settings(Plotly, live, tools) {
  live.settings ??= {
    displayModeBar: tools && "hover",
    displaylogo: false,
    showSendToCloud: false,
    modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d"],
    modeBarButtonsToAdd: [
      {
        name: "picture", title: "Download the picture", icon: Plotly.Icons.camera,
        click: chart => Plotly.downloadImage(chart, { ...chart.live.picture, height: chart.live.layout.height }),
      },
      {
        name: "fullscreen", title: "Fullscreen", icon: EXPAND,
        click: chart => (document.fullscreenElement ? document.exitFullscreen() : chart.requestFullscreen()),
      },
    ],
  };
  return live.settings;
}

function listen(chart) {
  chart.on("plotly_click", ({ points: [point] }) => {
    const { x, y, customdata, curveNumber, pointNumber } = point;
    chart.live.tell("clicked", { x, y, customdata, curve_number: curveNumber, point_number: pointNumber });
  });
  chart.on("plotly_afterplot", () => {
    chart.live.handle?.draw();
    oneStop(chart);
  });
  oneStop(chart); // the first drawing is over
  chart.addEventListener("keydown", alongToolbar);
  chart.on("plotly_relayouting", () => chart.live.handle?.draw());
}

// All but marks and words. The title is out of sight: it only has to be there when the picture is saved.
function restOf(data, { annotations, shapes, title, meta, ...others }) {
  return JSON.stringify([data, others, annotations?.length, shapes?.length]);
}

// Which marks and words differ.
function moved(before, after) {
  const differs = kind => (after[kind] ?? [])
    .map((item, k) => (JSON.stringify(item) === JSON.stringify(before[kind][k]) ? null : [kind, k]));
  return [...differs("shapes"), ...differs("annotations")].filter(Boolean);
}

// Plotly draws a single mark again for a new opacity, but everything for a new place: the place goes in beforehand.
async function move(Plotly, chart, layout, moves) {
  const touched = {};
  for (const [kind, k] of moves) {
    chart.layout[kind][k] = layout[kind][k];
    touched[`${kind}[${k}].opacity`] = layout[kind][k].opacity ?? 1;
  }
  Object.assign(chart.layout, { title: layout.title, meta: layout.meta });
  if (document.fullscreenElement === chart) touched["title.text"] = layout.title?.text; // else it is out of sight
  if (Object.keys(touched).length) await Plotly.relayout(chart, touched);
}
