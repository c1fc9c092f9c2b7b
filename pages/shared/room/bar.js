// The one line that tells where one is in the class, and the presenter's sheet with address and code.

const STYLE = `
.class-bar { position: fixed; z-index: 1000; right: 8px; bottom: 4px; display: flex; gap: 10px; align-items: center; flex-wrap: wrap;
  max-width: calc(100vw - 24px); padding: 3px 10px; border-radius: 10px; font: 500 13px/1.4 sans-serif; box-shadow: 0 1px 6px #0005; }
.class-bar button { font: inherit; font-weight: 600; color: inherit; background: none; border: 1px solid currentColor; border-radius: 8px;
  min-height: 24px; padding: 0 8px; cursor: pointer; }
.class-sheet { border: 0; padding: 3vmin; width: 100vw; height: 100vh; max-width: 100vw; max-height: 100vh; box-sizing: border-box;
  background: #fff; color: #000; font-family: sans-serif; text-align: center; }
.class-sheet[open] { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 2vmin; }
.class-sheet img { height: 54vh; max-width: 90vw; }
.class-sheet p { margin: 0; font-size: min(5.5vh, 4.4vw); overflow-wrap: anywhere; }
.class-sheet strong { font-family: monospace; font-size: min(13vh, 13vw); letter-spacing: .08em; line-height: 1; }
.class-sheet button { font: 600 18px sans-serif; padding: 6px 18px; }`;

const bar = document.createElement("aside");
bar.className = "class-bar";
bar.setAttribute("aria-label", "Class");
const line = document.createElement("span");
line.setAttribute("role", "status");
const sheet = document.createElement("dialog");
sheet.className = "class-sheet";
sheet.setAttribute("aria-label", "How to join the class");

function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

const actions = { claim: button("Present here", claim), code: button("Show the code", opened), alone: button("Take over", () => alone()),
  again: button("Follow again", again), join: button("Join again", () => location.reload()) };

function opened() {
  const image = document.createElement("img"), code = document.createElement("strong");
  image.src = new URL("room/qr.svg", BASE);
  image.alt = "QR code of the link to join";
  const where = document.createElement("p"), what = document.createElement("p");
  where.textContent = said.at;
  code.textContent = said.code;
  what.append("Code: ", code);
  sheet.replaceChildren(image, where, what, button("Close", () => sheet.close()));
  sheet.showModal();
}

// What is said, and what can be done about it.
function words() {
  const place = said?.place;
  if (ended) return ["This class has ended.", "join"];
  if (lost) return ["The connection is lost; trying again …"];
  if (!said) return [""];
  if (said.presents && !said.drives) return ["The class is presented in another window.", "claim"];
  const own = place?.missing ? `The class does not see “${place.missing}”: only you have this data.` : "";
  const voted = said.voted === null ? "" : ` Votes: ${said.voted}.`;
  if (said.presents) return [own || `You present: ${said.follow} following, ${said.own} on their own.${voted}`, "code"];
  if (!follows) return ["You are on your own.", "again"];
  if (!place) return ["You have joined. The presenter has not begun."];
  if (place.missing) return [`The presenter shows “${place.missing}”, data that only the presenter has.`, "alone"];
  return [back ? "You are connected again and follow." : "You follow the presenter.", "alone"];
}

function show() {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app || !(said || lost || ended)) return;
  if (!bar.isConnected) {
    document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    bar.append(line);
    document.body.append(bar, sheet);
  }
  const { color, backgroundColor } = getComputedStyle(app);
  Object.assign(bar.style, { color: backgroundColor, background: color });
  const [told, act] = words();
  if (line.textContent !== told) line.textContent = told;
  const wanted = act ? actions[act] : null;
  for (const one of Object.values(actions)) if (one !== wanted) one.remove();
  if (wanted && !wanted.isConnected) bar.append(wanted);
}

setInterval(() => {
  settle();
  if (said?.presents) lead();
  else follow();
  show();
}, TICK);
listen();
