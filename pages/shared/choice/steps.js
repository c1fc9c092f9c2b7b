// Undo or Redo: the steps themselves are the browser's (`history.js`).

export default function ({ data, parentElement }) {
  const { way, label, help, icon, letter, keys } = data;
  const steps = window.steps;
  steps?.of(keys);
  const button = (parentElement.button ??= parentElement.appendChild(document.createElement("button")));
  button.type = "button";
  button.className = "step";
  button.title = `${help} (Ctrl+${letter.toUpperCase()})`;
  button.innerHTML = '<span aria-hidden="true"></span><span></span>';
  button.firstChild.textContent = icon;
  button.lastChild.textContent = label;
  button.onclick = () => steps?.lead(way);
  const changed = () => { button.disabled = !steps?.can(way); };
  const pressed = event => {
    const own = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!own || event.key.toLowerCase() !== letter || writing(event.composedPath()[0])) return;
    event.preventDefault();
    if (!button.disabled) steps.lead(way);
  };
  changed();
  window.addEventListener("steps", changed);
  window.addEventListener("keydown", pressed);
  return () => {
    window.removeEventListener("steps", changed);
    window.removeEventListener("keydown", pressed);
  };
}

// Where one writes, the keys take back letters.
function writing(at) {
  return at.isContentEditable || at.matches?.('textarea, input:not([type="range"], [type="checkbox"], [type="radio"])');
}
