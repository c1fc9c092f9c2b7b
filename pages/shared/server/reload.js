// Streamlit leaves an empty page where its app cannot place what the server has sent ("Bad delta path index", seen on a
// very busy machine). The address holds the choice and the server the uploads, so the page is loaded again, once.
(() => {
  const AGAIN = 30000; // milliseconds in which a second fault is not another chance
  const NOTE = "reloaded after a fault";
  window.addEventListener("error", event => {
    if (!/Bad delta path|Cannot set a node/.test(event.message)) return;
    const last = Number(sessionStorage.getItem(NOTE) ?? -Infinity);
    if (Date.now() - last < AGAIN) return;
    sessionStorage.setItem(NOTE, Date.now());
    location.reload();
  });
})();
