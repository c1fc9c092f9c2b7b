// The buttons of a picture are one stop of the Tab key: arrow keys go from one to the next.

const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// After each drawing, as Plotly may have made the buttons anew.
function oneStop(chart) {
  const buttons = [...chart.querySelectorAll(".modebar-btn")];
  const stop = buttons.find(button => button.dataset.stop) ?? buttons.at(-2); // the one that saves the picture
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

function alongToolbar(event) {
  const button = event.target.closest?.(".modebar-btn");
  if (!button || !(event.key in STEP)) return;
  const all = [...button.closest(".modebar").querySelectorAll(".modebar-btn")].filter(one => one.checkVisibility());
  const next = all.at((all.indexOf(button) + STEP[event.key]) % all.length);
  for (const one of all) delete one.dataset.stop;
  next.dataset.stop = "here";
  oneStop(next.closest(".js-plotly-plot"));
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}
