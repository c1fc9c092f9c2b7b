// Files that are dropped anywhere over the window come into the uploader of "Your own data", as if they were chosen
// there. Its dialog is opened first where it is not; until it is there, the files are held here. What is dropped on an
// uploader stays Streamlit's.
//
// The answer to one file closes the dialog, and Streamlit forgets files that its uploader has not sent by then. So every
// file is held until the page lists it among those that the server has taken; one whose dialog was closed by the answer
// to another is given again, and one whose dialog a person has closed is named.
(() => {
  const UPLOADER = '[data-testid="stFileUploaderDropzone"]', SENDING = '[data-testid="stFileChipIconSpinner"]';
  const INPUT = '.st-key-upload input[type="file"]', BUTTON = ".st-key-own_data button", TAKEN = ".files-taken";
  const STILL = 400; // milliseconds without a sign of the drag: it has left the window, or was given up
  const AGAIN = 5000, PATIENCE = 300000; // milliseconds; until the button is pressed again, and the files are let go
  const CLOSED = 2000, READ = 15000; // milliseconds at rest without the dialog, and to read a sentence
  const FOLDER = "A folder cannot be dropped: zip it if it has folds (Fold1, Fold2, …), and drop the zip; else drop its "
    + "files one at a time.";
  let sign, timer, waiting = [], handing = false, given = [], watching = false;

  function say(words) {
    sign ??= Object.assign(document.createElement("div"), {id: "drop-sign"});
    if (!sign.isConnected) document.body.append(sign);
    sign.className = "";
    sign.setAttribute("role", "status");
    sign.textContent = words;
  }
  const rest = () => say(handing ? "Opening …" : "");

  // A sentence at the foot of the window, until the next press or key.
  function tell(words) {
    clearTimeout(timer);
    say(words);
    sign.className = "sentence";
    timer = setTimeout(rest, READ);
    for (const name of ["pointerdown", "keydown"]) window.addEventListener(name, rest, {capture: true, once: true});
  }

  // A text that is dragged is none of ours, nor a page without the app: that of the password.
  const ours = event => event.dataTransfer?.types.includes("Files") && document.getElementById("root")
    && !event.target.closest?.(UPLOADER);
  const folders = event => event.dataTransfer && document.getElementById("root")
    && [...event.dataTransfer.items].some(item => item.webkitGetAsEntry?.()?.isDirectory);

  function over(event) {
    clearTimeout(timer);
    if (!ours(event)) { rest(); return; }
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    say("Drop to open");
    timer = setTimeout(rest, STILL);
  }

  function drop(event) {
    clearTimeout(timer);
    if (folders(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      tell(FOLDER);
      return;
    }
    const input = event.target.closest?.(UPLOADER)?.querySelector('input[type="file"]');
    if (input) note(input, [...event.dataTransfer.files]);
    if (ours(event)) {
      event.preventDefault();
      event.stopPropagation();
      waiting.push(...event.dataTransfer.files);
      hand();
    }
    rest();
  }

  async function hand() {
    if (handing) return;
    handing = true;
    const end = performance.now() + PATIENCE;
    for (let pressed = -Infinity; waiting.length && performance.now() < end; ) {
      const input = document.querySelector(INPUT), button = document.querySelector(BUTTON);
      if (input) {
        give(input);
      } else if (button && performance.now() - pressed > AGAIN) {
        pressed = performance.now();
        button.focus(); // it comes back here when the dialog is closed
        button.click();
      }
      await new Promise(done => setTimeout(done, 50));
    }
    handing = false;
    waiting = [];
    rest();
  }

  function give(input) {
    const all = new DataTransfer();
    for (const file of waiting) all.items.add(file);
    waiting = [];
    input.files = all.files;
    input.dispatchEvent(new Event("change", {bubbles: true}));
  }

  // Names and sizes of the files that the server has taken in this session, each as often as it was taken.
  const taken = () => [...document.querySelectorAll(TAKEN)].map(list => JSON.parse(list.dataset.files))
    .reduce((longest, list) => list.length > longest.length ? list : longest, []);
  const same = (file, [name, size]) => file.name === name && file.size === size;

  function hold(input, files) {
    const all = taken();
    for (const file of files) {
      const earlier = given.filter(one => same(one.file, [file.name, file.size])).length;
      given.push({file, input, total: all.length, before: earlier + all.filter(one => same(file, one)).length});
    }
    watch();
  }

  async function watch() {
    if (watching) return;
    for (watching = true; given.length; await new Promise(done => setTimeout(done, 100))) {
      const all = taken(), idle = document.querySelector('[data-test-script-state="notRunning"]');
      given = given.filter(one => all.filter(name => same(one.file, name)).length <= one.before);
      for (const one of given) one.rest = one.input.isConnected || !idle ? 0 : (one.rest ?? 0) + 100;
      const closed = given.filter(one => one.rest > CLOSED);
      given = given.filter(one => !closed.includes(one));
      const lost = closed.filter(one => one.total === all.length);
      waiting.push(...closed.filter(one => !lost.includes(one)).map(one => one.file));
      if (waiting.length) hand();
      if (lost.length) notOpened(lost.map(one => one.file.name));
    }
    watching = false;
  }

  // A file of another uploader, in a box that a person may close while it is being sent.
  async function follow(input, files) {
    const zone = input.closest(UPLOADER);
    for (let sent = 0; sent < 5; await new Promise(done => setTimeout(done, 100))) {
      if (!zone.isConnected) { notOpened(files.map(file => file.name)); return; }
      sent = zone.querySelector(SENDING) ? 0 : sent + 1;
    }
  }

  const notOpened = names => tell(`Not opened: ${names.join(", ")}. Its box was closed too early; please give it again.`);

  function note(input, files) {
    if (input.matches(INPUT)) hold(input, files);
    else if (input.closest(UPLOADER)) follow(input, files);
  }

  window.addEventListener("change", event => {
    if (event.target.matches?.('input[type="file"]')) note(event.target, [...event.target.files]);
  }, true);
  for (const name of ["dragenter", "dragover"]) window.addEventListener(name, over, true);
  window.addEventListener("drop", drop, true);
})();
