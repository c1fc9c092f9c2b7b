// What a button has opened follows it in the order of Tab; Streamlit puts it at the end of the page.
window.addEventListener("keydown", event => {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = root => [...root.querySelectorAll("a[href], button, input, select, textarea, summary, canvas, [tabindex]")]
    .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })
      && (one.getAttribute("role") !== "radio" || one.ariaChecked === "true"));
  const body = document.querySelector('[data-testid="stPopoverBody"]');
  const opener = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
  if (!body || !opener) return;
  const inside = stops(body), here = document.activeElement;
  const outside = stops(document).filter(one => !body.contains(one));
  const next = outside[outside.indexOf(opener) + 1];
  const to = event.shiftKey
    ? here === inside[0] ? opener : here === next ? inside.at(-1) : null
    : here === opener ? inside[0] : here === inside.at(-1) ? next : null;
  if (!to) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  to.focus();
}, true);
