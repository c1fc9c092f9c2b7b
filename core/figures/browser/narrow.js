// A figure on a narrow screen: with the words and axes that it has for it, and the labels at the ends of its lines apart.

const SLIM = 340, NAME = 11, NAMES = 108; // pixels of the whole, letters of a feature's name, pixels beside its line
const NUMBER = 20; // pixels from one number above a plot to the next
const LABEL = 1.25; // of the size of its letters: from one label to the next

// The figure with what it names for a narrow screen (core/figures/look/labels.py).
function narrowed({ data, layout }) {
  const { words = {}, layout: parts = {} } = layout.meta?.narrow ?? {};
  const changes = word => (typeof word === "string" ? { text: word, visible: Boolean(word) } : word);
  const replaced = note => ({ ...note, ...changes(words[note.text]) });
  const annotations = layout.annotations?.map(note => (Object.hasOwn(words, note.text) ? replaced(note) : note));
  const changed = Object.entries(parts).map(([name, part]) =>
    [name, typeof part === "object" ? { ...layout[name], ...part } : part]);
  return { data, layout: { ...layout, ...(annotations && { annotations }), ...Object.fromEntries(changed) } };
}

// Where a window is 320 pixels wide: shorter names of features, and no number above a plot that meets the one before.
function slim(layout, width) {
  if (width >= SLIM || !layout.annotations?.some(({ name }) => name?.startsWith("feature "))) return layout;
  const last = {};
  const room = width - layout.margin.l - NAMES;
  const annotations = layout.annotations.map(note => {
    if (note.name?.startsWith("feature ")) return { ...note, text: shortened(note.text) };
    if (!/^\d+$/.test(note.text) || !note.yref?.endsWith("domain")) return note;
    const [from, to] = layout[axisNamed(note.xref)].range;
    const across = (room * (note.x - from)) / (to - from);
    if (Math.abs(across - last[note.xref]) < NUMBER) return { ...note, visible: false };
    last[note.xref] = across;
    return note;
  });
  return { ...layout, annotations, margin: { ...layout.margin, r: Math.min(layout.margin.r, NAMES) } };
}

function shortened(text) {
  return text.length <= NAME || /[&<]/.test(text) ? text : `${text.slice(0, NAME - 1).trimEnd()}…`;
}

// Labels at the right end of lines, apart by what the picture's height makes of their letters.
function apart(layout, height) {
  const plot = height - layout.margin.t - layout.margin.b;
  const columns = {};
  (layout.annotations ?? []).forEach((note, k) => {
    const axis = note.yref ?? "y";
    const end = note.x === 1 && note.xanchor === "left" && note.visible !== false && /^y\d*$/.test(axis);
    if (end && typeof note.y === "number") (columns[`${note.xref} ${axis}`] ??= { axis, places: [] }).places.push(k);
  });
  const annotations = layout.annotations?.slice();
  for (const { axis, places } of Object.values(columns)) {
    const own = layout[axisNamed(axis)] ?? {};
    const range = own.range ?? layout[axisNamed(own.matches ?? "")]?.range;
    if (!range) continue;
    const [low, high] = [Math.min(...range), Math.max(...range)];
    const [bottom, top] = own.domain ?? [0, 1];
    const letters = Math.max(...places.map(k => annotations[k].font?.size ?? layout.font?.size ?? 14));
    const gap = (LABEL * letters * (high - low)) / (plot * (top - bottom));
    spreadLabels(places.map(k => annotations[k].y), gap, low, high).forEach((y, i) => {
      annotations[places[i]] = { ...annotations[places[i]], y };
    });
  }
  return { ...layout, ...(annotations && { annotations }) };
}

function axisNamed(axis) {
  return `${axis[0] ?? ""}axis${axis.slice(1)}`;
}

// As core/figures/look/labels.py: least squares under gaps, by pooling adjacent violators.
function spreadLabels(wanted, gap, low, high) {
  const n = wanted.length;
  const step = n > 1 ? Math.min(gap, (high - low) / (n - 1)) : gap;
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const pools = [];
  order.forEach((k, i) => {
    let mean = wanted[k] - step * i, size = 1;
    while (pools.length && pools.at(-1).mean > mean) {
      const before = pools.pop();
      mean = (before.mean * before.size + mean * size) / (before.size + size);
      size += before.size;
    }
    pools.push({ mean, size });
  });
  const placed = [];
  const flat = pools.flatMap(({ mean, size }) => Array(size).fill(mean));
  const most = Math.max(high - step * (n - 1), low);
  order.forEach((k, i) => { placed[k] = Math.min(Math.max(flat[i], low), most) + step * i; });
  return placed;
}
