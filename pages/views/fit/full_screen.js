// Buttons that come along when a picture fills the screen, where the page's own are out of sight.

export default function ({ data, parentElement, setTriggerValue }) {
  const { chart, label, buttons } = data;
  const tools = (parentElement.tools ??= opened());
  tools.bar.setAttribute("aria-label", label);
  tools.bar.replaceChildren(...buttons.map(button => made(button, setTriggerValue)));
  tools.inside = `.st-key-chart_${chart}`;
  tools.place();
  const call = (tools.call = {});
  return () => {
    if (call !== tools.call) return; // of a run that was overtaken: the buttons are still wanted
    document.removeEventListener("fullscreenchange", tools.place);
    tools.bar.remove();
    parentElement.tools = undefined;
  };
}

function opened() {
  const bar = document.createElement("div");
  bar.setAttribute("role", "toolbar");
  bar.className = "full-screen-tools";
  bar.style.cssText = "position:absolute;left:12px;bottom:10px;display:flex;gap:6px;z-index:3";
  const tools = { bar, inside: "" };
  tools.place = () => {
    const filled = document.fullscreenElement;
    if (!filled?.closest(tools.inside)) bar.remove();
    else if (bar.parentNode !== filled) filled.append(bar);
  };
  document.addEventListener("fullscreenchange", tools.place);
  return tools;
}

function made({ name, words, off, on }, tell) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words;
  button.disabled = off;
  if (on !== null) button.setAttribute("aria-pressed", on);
  button.style.cssText = "font:inherit;padding:5px 14px;border-radius:8px;border:1px solid var(--st-border-color);" +
    `cursor:pointer;color:var(--st-${on ? "background" : "text"}-color);` +
    `background:var(--st-${on ? "text" : "background"}-color);opacity:${off ? 0.45 : 1}`;
  button.addEventListener("click", () => tell("pressed", name));
  return button;
}
