// Progress of lessons in this browser: told to the server at first and when another tab has written, and written
// whenever there is more.

const KEPT = "sparse-ranking-lab lessons";

export default function ({ data, setStateValue }) {
  const tell = (event) => {
    if (event.key === KEPT && event.newValue) setStateValue("kept", event.newValue);
  };
  window.addEventListener("storage", tell);
  const ended = () => window.removeEventListener("storage", tell);
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { /* a browser that keeps nothing, or something else */ }
  if (!data.heard && Object.keys(kept).length) {
    setStateValue("kept", JSON.stringify(kept));
    return ended;
  }
  const now = JSON.stringify({ ...kept, ...data.progress });
  if (now === JSON.stringify(kept)) return ended;
  try { localStorage.setItem(KEPT, now); } catch { /* the session knows */ }
  return ended;
}
