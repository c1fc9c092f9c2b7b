// Progress of lessons in this browser: told to the server once in a visit, and written whenever there is more.

const KEPT = "sparse-ranking-lab lessons";

export default function ({ data, setStateValue }) {
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { /* a browser that keeps nothing, or something else */ }
  if (!data.heard && Object.keys(kept).length) {
    setStateValue("kept", JSON.stringify(kept));
    return;
  }
  const now = JSON.stringify({ ...kept, ...data.progress });
  if (now === JSON.stringify(kept)) return;
  try { localStorage.setItem(KEPT, now); } catch { /* the session knows */ }
}
