// Letters in a picture stand out from the page: those in the colour of a line are darkened or lightened until they do.

const READABLE = 4.5; // contrast by WCAG 2.1 of letters; a line needs 3
const SHADES = 10;

// The colour, mixed with as much of the page's ink as it takes.
function readable(colour, { paper, ink }) {
  const [own, back, text] = [colour, paper, ink].map(channels);
  if (!own || !back || !text) return colour;
  for (let share = 0; share < SHADES; share += 1) {
    const mixed = own.map((value, k) => Math.round(value + ((text[k] - value) * share) / SHADES));
    if (contrast(mixed, back) >= READABLE) return share ? `rgb(${mixed.join(", ")})` : colour;
  }
  return ink;
}

// The figure with such letters beside its lines, at its dots and along its axes; what stands on bars and cells stays.
function lettered({ data, layout }, theme) {
  const of = colour => (Array.isArray(colour) ? colour.map(one => readable(one, theme)) : readable(colour, theme));
  const font = part => (part?.color ? { ...part, color: of(part.color) } : part);
  const inside = text => text?.replace(/(<[^>]*style="color:)(#[\da-f]{6})/gi, (_, before, colour) => before + readable(colour, theme));
  const named = part => ({ ...part, ...(part.text && { text: inside(part.text) }), ...(part.font && { font: font(part.font) }) });
  const axis = part => ({
    ...part,
    ...(part.tickfont && { tickfont: font(part.tickfont) }),
    ...(part.title?.font && { title: named(part.title) }),
  });
  const axes = Object.entries(layout).filter(([name]) => /^[xy]axis\d*$/.test(name)).map(([name, part]) => [name, axis(part)]);
  return {
    data: data.map(trace => (trace.textfont && /^scatter|^undefined$/.test(`${trace.type}`) ? { ...trace, textfont: font(trace.textfont) } : trace)),
    layout: {
      ...layout,
      ...(layout.annotations && { annotations: layout.annotations.map(note => (note.bgcolor ? note : named(note))) }),
      ...Object.fromEntries(axes),
    },
  };
}

function contrast(one, other) {
  const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const [red, green, blue] = colour.map(value => value / 255).map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Red, green and blue from 0 to 255 of #rrggbb or rgb(…); null of what is written in another way.
function channels(colour) {
  const digits = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  if (digits) return digits.slice(1).map(pair => parseInt(pair, 16));
  const numbers = /^rgb\((\d+),? (\d+),? (\d+)\)$/.exec(colour);
  return numbers && numbers.slice(1).map(Number);
}
