// Undo and Redo: the steps themselves are the browser's (`history.js`).

export default function ({ data: [keys, told], parentElement }) {
  const steps = window.steps;
  steps?.of(keys);
  const row = (parentElement.row ??= parentElement.appendChild(document.createElement("div")));
  row.className = "steps";
  const buttons = told.map((one, i) => draw(row.children[i] ?? row.appendChild(document.createElement("div")), one));
  const changed = () => buttons.forEach((button, i) => { button.disabled = !steps?.can(told[i].way); });
  const pressed = event => {
    const own = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const i = told.findIndex(({ letter }) => letter === event.key.toLowerCase());
    if (!own || i < 0 || writing(event.composedPath()[0])) return;
    event.preventDefault();
    if (!buttons[i].disabled) steps.lead(told[i].way);
  };
  changed();
  window.addEventListener("steps", changed);
  window.addEventListener("keydown", pressed);
  return () => {
    window.removeEventListener("steps", changed);
    window.removeEventListener("keydown", pressed);
  };
}

// A button with its icon, found by its key as those of Streamlit are.
function draw(place, { key, way, label, help, letter }) {
  place.className = `st-key-${key}`;
  const button = place.firstChild ?? place.appendChild(document.createElement("button"));
  button.type = "button";
  button.className = "step";
  button.title = `${help} (Ctrl+${letter.toUpperCase()})`;
  button.innerHTML = '<span aria-hidden="true"></span><span></span>';
  button.firstChild.textContent = key;
  button.lastChild.textContent = label;
  button.onclick = () => window.steps?.lead(way);
  return button;
}

// Where one writes, the keys take back letters.
function writing(at) {
  return at.isContentEditable || at.matches?.('textarea, input:not([type="range"], [type="checkbox"], [type="radio"])');
}
