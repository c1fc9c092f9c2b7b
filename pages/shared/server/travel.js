// Links within the app that load nothing anew: the page reads the address, as after Back and Forward.
window.addEventListener("click", event => {
  const link = event.target instanceof Element ? event.target.closest("a.travel") : null;
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href === location.href) return;
  history.pushState(history.state, "", link.href);
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}, true);
