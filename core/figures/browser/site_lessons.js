// The lessons of a site: a step asks, locks the prediction, and shows the result beside it. What has been guessed and seen
// is kept by the browser, as the app keeps it (pages/shared/lesson/progress.js).

const KEPT = "sparse-ranking-lab lessons";
const GUESS = "\ue000"; // core/export/saved/lesson.py: in an explanation, what has been guessed
let progress = {};
try { progress = JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { /* a browser that keeps nothing, or something else */ }

const known = name => ({ guesses: {}, seen: [], ...progress[name] });

function keep(name, change) {
  progress = { ...progress, [name]: { ...known(name), ...change } };
  try { localStorage.setItem(KEPT, JSON.stringify(progress)); } catch { /* this page knows */ }
}

function stepLink(parent, { name }, number, words) {
  return put(parent, "a", words, { href: `#lesson?${new URLSearchParams({ lesson: name, step: number })}` });
}

function lessonList() {
  put(main, "h2", "Lessons");
  put(main, "p", "A lesson asks what you expect before it shows it. Nothing is graded, and nothing leaves this browser.");
  const list = put(main, "ul");
  for (const one of site.lessons) {
    const { seen } = known(one.name), item = put(list, "li");
    const next = seen.length < one.steps ? Math.max(0, ...seen) + 1 : 1;
    stepLink(item, one, next, one.title);
    put(item, "span", ` ${one.minutes} minutes. ${one.about} ${seen.length ? `${seen.length} of ${one.steps} steps seen. ` : ""}`);
    const again = () => { keep(one.name, { guesses: {}, seen: [] }); show(); };
    if (seen.length) put(item, "button", "Start again", { title: `Start ${one.title} again`, onclick: again });
  }
}

async function lessonStep(keys) {
  const lesson = site.lessons.find(({ name }) => name === keys.get("lesson")) ?? site.lessons[0];
  const file = await loaded(lesson.place), pool = { ...file.pool, made: {} };
  const number = Math.min(Math.max(Number(keys.get("step")) || 1, 1), lesson.steps);
  const step = filled(filled(file.pages.steps, pool)[number - 1], pool);
  const page = address => filled(file.pages.pages, pool)[address];
  return () => drawStep(lesson, number, step, page);
}

function drawStep(lesson, number, step, page) {
  const { guesses, seen } = known(lesson.name), guess = guesses[number], closers = [];
  const revealed = !step.asked || (guess !== undefined && seen.includes(number));
  const change = (guess, seen) => {
    const { [number]: before, ...others } = guesses;
    keep(lesson.name, { guesses: guess === undefined ? others : { ...others, [number]: guess }, seen });
    return show().then(() => main.querySelector(".next")?.focus());
  };
  if (!step.asked && !seen.includes(number)) keep(lesson.name, { seen: [...seen, number].sort((a, b) => a - b) });
  put(main, "h2", step.title);
  put(main, "p", `${lesson.title}: step ${number} of ${lesson.steps}`, { className: "caption" });
  put(main, "div", parsed(step.text));
  const address = revealed ? step.reveal : step.show, shown = page(address);
  if (address && !shown) put(main, "p", `What it speaks of is in the program, on its page “${address.split("?")[0] || "Lab"}”.`, { className: "caption" });
  if (step.asked && !revealed && guess === undefined) ask(step.asked, told => change(told, seen));
  else if (!revealed) {
    put(main, "p", step.asked.question);
    put(main, "p", `Locked. Your prediction: ${said(step, guess)}.`);
    put(main, "button", "Show the result", { className: "next", onclick: () => change(guess, [...seen, number].sort((a, b) => a - b)) });
    put(main, "button", "Change it", { onclick: () => change(undefined, seen) });
  } else if (step.asked) {
    put(main, "p", step.asked.question);
    put(put(main, "p", "", { className: "next", tabIndex: -1 }), "strong", `Your prediction: ${said(step, guess)}. ${step.result}`);
    if (step.gap) closers.push(drawnIn({ html: '<div class="pictures gap"><figure style="--span:12"><div class="picture"></div></figure></div>', method: "", pictures: [guessed(step, guess)] }));
  }
  if (revealed && step.explain) {
    const why = put(main, "details");
    put(why, "summary", step.asked ? "Explain the gap" : "More");
    const words = (guess === undefined ? "nothing" : said(step, guess)).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
    put(why, "div", parsed(step.explain.replaceAll(GUESS, words)));
  }
  const ways = put(main, "p", "", { className: "ways" });
  if (number > 1) stepLink(ways, lesson, number - 1, "Step before");
  if (revealed && number < lesson.steps) stepLink(ways, lesson, number + 1, "Next step");
  put(ways, "a", "All lessons", { href: "#lessons" });
  if (shown) {
    put(main, "h3", shown.title);
    put(main, "p", shown.summary);
    closers.push(drawnIn(shown));
  }
  return async () => {
    for (const close of closers) await close();
    main.replaceChildren();
  };
}

function drawnIn(page) {
  const box = put(main, "div", parsed(page.html)), pictures = page.pictures.map(sent => ({ ...sent, fill: false })); // beneath the words the window has no room left
  return drawPage(box, { ...page, pictures });
}

function ask(asked, lock) {
  const box = put(main, "div", "", { className: "asked" });
  let told;
  const set = guess => {
    told = guess;
    button.disabled = told === undefined;
  };
  if (asked.kind === "choice") {
    const all = put(box, "fieldset");
    put(all, "legend", asked.question);
    asked.options.forEach((option, k) => {
      put(put(all, "label"), "input", "", { type: "radio", name: "guess", onchange: () => set(k) }).after(` ${option}`);
    });
  } else {
    put(box, "p", asked.question);
    drawGuess({ data: asked, parentElement: put(box, "div"), setStateValue: (_, guess) => set(guess) });
  }
  const button = put(main, "button", "Lock my prediction", { disabled: true, onclick: () => lock(told) });
}

function said({ asked, said }, guess) {
  if (asked.kind === "order") return guess.map(item => asked.items[item]).join(", ");
  if (asked.kind === "curve") return "the dashed line";
  return said[asked.kind === "number" ? asked.values.indexOf(guess) : guess];
}

// The picture of the result with this guess in the place of the first one (core/export/saved/lesson.py).
function guessed({ asked, gap, marks, lines, order }, guess) {
  const filled = structuredClone(gap), { data } = filled.figure;
  if (asked.kind === "number") {
    data[0].x[0] = data[1].x[0] = guess;
    data[1].text = [marks[asked.values.indexOf(guess)]];
  } else if (asked.kind === "curve") data[0].y = guess;
  else filled.figure.data = lines.map((from, k) => from[guess.indexOf(order[k])]);
  return filled;
}
