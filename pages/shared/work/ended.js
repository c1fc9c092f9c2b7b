// What has ended, for those who do not see the page. The line stays where it is: a change of its words is read out.

const PAUSE = 100; // milliseconds without words, so that the same words are a change, too

export default function ({ data, parentElement }) {
  const line = (parentElement.line ??= opened(parentElement));
  if (line.number === data.number) return;
  line.number = data.number;
  line.textContent = "";
  setTimeout(() => { line.textContent = data.words; }, PAUSE);
}

function opened(parent) {
  const line = document.createElement("div");
  line.setAttribute("role", "status");
  line.setAttribute("aria-live", "polite");
  parent.append(line);
  return line;
}
