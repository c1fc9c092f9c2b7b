// One choice is one step back. A run of the page changes the address message by message, C and its place on the path
// apart, and the browser would keep every one of them.
(() => {
  const MOMENT = 500; // milliseconds in which one run's messages come
  const push = history.pushState;
  let last = -Infinity;
  history.pushState = function (state, title, url) {
    const now = performance.now();
    const same = new URL(url, location.href).pathname === location.pathname;
    const change = same && now - last < MOMENT ? history.replaceState : push;
    last = now;
    return change.call(this, state, title, url);
  };
})();
