// What is pressed is what stood there: a press is not taken where its button has moved or got other words since the
// pointer went down, or so shortly before that nobody can have meant the new one. Keys are never hindered.
(() => {
  const LATELY = 120; // milliseconds: sooner than that nobody answers what they see
  const STILL = 3, DRAG = 8; // pixels: less is no move of the button, more is no press of the pointer
  const PRESSED = "button, a[href], summary, label, input, [role=button], [role=radio], [role=option], [role=tab]";
  const HELD = "[role=slider], [type=range]"; // moves with the pointer
  const reworded = new WeakMap(); // when an element got other words
  let shifts = [], press = null;

  const recent = (time, now) => now - time < LATELY;
  const note = entries => {
    const now = performance.now();
    shifts = [...shifts, ...entries].filter(({ startTime }) => recent(startTime, now));
  };
  const observer = new PerformanceObserver(list => note(list.getEntries()));
  if (PerformanceObserver.supportedEntryTypes.includes("layout-shift")) observer.observe({ type: "layout-shift" });
  new MutationObserver(records => {
    const now = performance.now();
    for (const { target } of records) reworded.set(target.nodeType === Node.TEXT_NODE ? target.parentNode ?? target : target, now);
  }).observe(document, { subtree: true, childList: true, characterData: true });

  const liesInMoved = ({ clientX, clientY, timeStamp }, dialog) => shifts.some(({ startTime, sources }) => {
    const rects = sources.filter(({ node, currentRect }) => currentRect.width && (!dialog || dialog.contains(node)))
      .map(source => source.currentRect); // what moves behind a dialog is not pressed
    return recent(startTime, timeStamp) && rects.length
      && clientX >= Math.min(...rects.map(({ left }) => left)) && clientX <= Math.max(...rects.map(({ right }) => right))
      && clientY >= Math.min(...rects.map(({ top }) => top)) && clientY <= Math.max(...rects.map(({ bottom }) => bottom));
  });
  const isReworded = (met, now) => [met, ...met.querySelectorAll("*")].some(one => recent(reworded.get(one) ?? -Infinity, now));

  function differs({ met, rect, words }) {
    const now = met.getBoundingClientRect();
    return !met.isConnected || met.textContent !== words || ["left", "top"].some(side => Math.abs(now[side] - rect[side]) > STILL);
  }

  function refuse(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function down(event) {
    const met = event.isPrimary && event.target instanceof Element ? event.target.closest(PRESSED) : null;
    press = null;
    if (!met || met.closest(HELD)) return;
    note(observer.takeRecords());
    const { clientX, clientY, timeStamp } = event;
    press = { met, rect: met.getBoundingClientRect(), words: met.textContent, at: [clientX, clientY] };
    press.refused = liesInMoved(event, met.closest("[role=dialog]")) || isReworded(met, timeStamp);
  }

  function up({ clientX, clientY, pointerId }) {
    if (!press || press.refused || Math.hypot(clientX - press.at[0], clientY - press.at[1]) > DRAG || !differs(press)) return;
    press.refused = true;
    press.met.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true, pointerId })); // it does not stay pressed
  }

  for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    window.addEventListener(name, event => {
      if (!event.isTrusted || (name === "click" && !event.detail)) return; // a key
      if (name === "pointerdown") down(event);
      if (name === "pointerup") up(event);
      if (press?.refused) refuse(event);
      if (name !== "click") return;
      if (press?.refused) window.dispatchEvent(new Event("press-refused"));
      press = null;
    }, true);
})();
