"""The app as a person has it before them: what one can do in a tab, what is drawn there, and a slow line."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from math import inf
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.cli import main

PRESSES = 4
ALERT = '[data-testid="stAlert"]'

_ASKS = BackMsg.DESCRIPTOR.fields_by_name["rerun_script"].number << 3 | 2  # how a message that asks for a run begins
# Notes when the page asks its server for a run that has not begun (on a busy machine that takes a while), when the
# server last said something, and how many messages the page has sent.
_NOTE_QUESTIONS = """(() => {
  const state = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
  const send = WebSocket.prototype.send;
  const listened = new WeakSet();
  WebSocket.prototype.send = function (message) {
    if (!listened.has(this)) this.addEventListener("message", () => { window.heard = performance.now(); });
    listened.add(this);
    window.messages = (window.messages ?? 0) + 1;
    if (state() === "notRunning" && message[0] === ASKS) window.asked = performance.now();
    return send.call(this, message);
  };
  const answered = () => { if (state() === "running") window.asked = undefined; };
  const watched = {subtree: true, attributes: true, attributeFilter: ["data-test-script-state"]};
  new MutationObserver(answered).observe(document, watched);
})()""".replace("ASKS", str(_ASKS))

# Notes what the last click has met, with all around it; an empty list stays where the page has not taken it.
_NOTE_CLICKS = """document.addEventListener("click", event => {
  const met = event.composedPath().filter(one => one instanceof Element);
  window.clicked = met.flatMap(one => [one.tagName, ...one.classList]);
}, true);
window.addEventListener("press-refused", () => { window.clicked = []; })"""

# The page is at rest when no script has run and none has been asked for, for a while. Not every message asks for one:
# no longer than ten seconds, nor once the server has answered and been silent for three. A live chart keeps the page
# busy: wait for what it shows instead.
_AT_REST = """async () => {
  const state = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
  const answered = () => window.heard > window.asked && performance.now() - window.heard > 3000;
  const asked = () => performance.now() - window.asked < 10000 && !answered();
  const empty = chart => chart.checkVisibility() && !chart.querySelector(".js-plotly-plot");
  const coming = () => document.querySelector('[data-testid="stSkeleton"], .live-chart[aria-busy="true"]')
    || [...document.querySelectorAll('[class*="st-key-chart_"]')].some(empty);
  const busy = () => state() !== "notRunning" || asked() || coming();
  const end = performance.now() + 60000; // what never comes is for the test to say
  for (let quiet = 0; quiet < 6 && performance.now() < end; quiet = busy() ? 0 : quiet + 1)
    await new Promise(done => setTimeout(done, 50));
}"""

_DRAWN = """name => {
  const chart = document.querySelector(`.st-key-chart_${name} .js-plotly-plot`);
  return (chart?._fullData ?? []).map(trace => ({
    name: trace.name, mode: trace.mode ?? trace.type, text: trace.text ?? [],
    x: Array.from(trace.x), y: Array.from(trace.y),
  }));
}"""

_DROP = """([name, content]) => {
  const given = new DataTransfer();
  given.items.add(new File([new Uint8Array(content)], name));
  const told = {bubbles: true, cancelable: true, dataTransfer: given};
  const at = document.querySelector("h1, h2") ?? document.body;
  for (const kind of ["dragenter", "dragover"]) at.dispatchEvent(new DragEvent(kind, told));
  const sign = document.getElementById("drop-sign")?.textContent;
  at.dispatchEvent(new DragEvent("drop", told));
  return sign;
}"""

_STEPS_BEYOND = f"""before => {{
  const steps = Math.max(-1, ...({_DRAWN})("convergence").flatMap(trace => trace.x));
  return steps > before && {{steps}};
}}"""


@dataclass(frozen=True)
class Trace:
    """One line, bar series or mark on a chart, as drawn."""

    name: str
    mode: str
    text: list[str] | str
    x: list[Any]
    y: list[Any]


class Lab:
    """The app in one tab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        page.add_init_script(_NOTE_QUESTIONS)
        page.add_init_script(_NOTE_CLICKS)

    # Getting there

    def open(self, path: str = "", **query: str) -> None:
        """Follow a link and wait until the page is there."""
        self.page.goto(f"{self.address}/{path}" + (f"?{urlencode(query)}" if query else ""))
        self.wait()

    def reload(self) -> None:
        """Reload the tab; a page with a fit under way does not come to rest."""
        self.page.reload()

    def go_to(self, title: str) -> None:
        """Another page of the menu."""
        for group in self.page.get_by_test_id("stTopNavSection").all():
            group.click()
            link = self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title)
            self.page.get_by_test_id("stTopNavPopoverBody").wait_for()
            if link.count():
                link.first.click()
                return
            self.page.keyboard.press("Escape")
        msg = f"no group of the menu has a page {title}"
        raise AssertionError(msg)

    def wait(self) -> None:
        """Until nothing moves any more."""
        self.page.wait_for_selector('[data-testid="stMain"] [data-testid="stElementContainer"]', state="attached")
        self.page.evaluate(_AT_REST)

    @property
    def query(self) -> dict[str, str]:
        """What the address says."""
        return {key: values[0] for key, values in parse_qs(urlsplit(self.page.url).query).items()}

    # Controls

    def at(self, key: str) -> Locator:
        return self.page.locator(f".st-key-{key}")

    def button(self, key: str) -> Locator:
        """A button with help is rendered twice, once out of sight."""
        return self.at(key).locator("button:visible")

    def press(self, key: str) -> None:
        """Click a button; again where the page has moved it away between the mouse's down and up, as a person would."""
        self.click(self.button(key), f"st-key-{key}", "BUTTON")

    def press_key(self, name: str, key: str) -> None:
        """Press the key of a button, which listens for it once the browser has had a moment after drawing it."""
        expect(self.button(key)).to_be_enabled()
        self.page.evaluate("() => new Promise(listening => requestIdleCallback(listening, {timeout: 2000}))")
        self.page.keyboard.press(name)

    def click(self, what: Locator, *meets: str) -> None:
        """Until a click meets elements of all these classes or tags."""
        for _ in range(PRESSES):
            self.page.evaluate("window.clicked = []")
            what.click()
            met = self.page.evaluate("window.clicked")  # none where the click has led to another document
            if met is None or (met and set(meets) <= set(met)):
                return
            self.page.wait_for_timeout(200)  # a person needs as long to see where it has gone
        msg = f"what has {meets} does not stand still"
        raise AssertionError(msg)

    def choose(self, key: str, option: str) -> None:
        """Pick from a list in the sidebar or on the page, which comes to rest before and after."""
        self.wait()
        self._unfold_around(key)
        box = self.at(key).get_by_role("combobox")
        # A box that is cut off scrolls into sight when it gets the focus, and scrolling folds its list up again.
        box.evaluate("e => e.scrollIntoView({block: 'center'})")
        box.click()
        self.page.get_by_role("option", name=option, exact=True).click()
        expect(self.at(key).get_by_role("combobox")).to_have_value(option)
        self.wait()

    def pick(self, key: str, option: str) -> None:
        """One of several buttons in a row."""
        self.click(self.at(key).get_by_role("radio", name=option, exact=True), f"st-key-{key}")

    def _unfold_around(self, key: str) -> None:
        """Open what a control is folded away in, such as *More* in the sidebar."""
        folded = self.page.locator("details:not([open])", has=self.at(key))
        if folded.count():
            folded.locator("> summary").click()

    def give(self, name: str, content: bytes) -> None:
        """Give the app a file of one's own, and wait until it is chosen."""
        self.offer(name, content)
        expect(self.page.get_by_role("dialog")).to_have_count(0)  # a file of the same name may have been chosen before
        expect(self.at("dataset").get_by_role("combobox")).to_have_value(re.compile(f"^{re.escape(name)}"))

    def offer(self, name: str, content: bytes) -> None:
        """Put a file into the dialog of one's own data, which may refuse it or ask about it."""
        if not self.page.get_by_role("dialog").count():
            self.press("own_data")
            self.wait()  # the uploader of a dialog that is being drawn may be replaced, with the file in it
        file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        self.at("upload").locator("input[type=file]").set_input_files([file])

    def drop_on_page(self, name: str, content: bytes) -> None:
        """Let a file fall somewhere on the window, as from a folder beside it."""
        shown = self.page.evaluate(_DROP, [name, list(content)])
        assert shown == "Drop to open"

    def drop(self, name: str, content: bytes) -> None:
        """Give the app a file of one's own, and wait for what the page works out by itself, which moves it."""
        self.give(name, content)
        self.wait()
        expect(self.page.get_by_test_id("stProgress")).to_have_count(0)
        self.wait()

    # The handle of C

    def handle(self, chart: str) -> Locator:
        """The handle in a picture, once its paths are complete."""
        knob = self.at(f"chart_{chart}").get_by_role("slider", name="C", exact=True)
        expect(knob).to_be_visible(timeout=150_000)
        self.wait()
        return knob

    def take_hold(self, knob: Locator) -> tuple[float, float]:
        """Press the mouse on its middle, and say where that is."""
        box = knob.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def next_frame(self) -> None:
        """Wait until the browser has drawn once more."""
        self.page.wait_for_function("() => new Promise(drawn => requestAnimationFrame(() => drawn(true)))")

    def count_messages(self) -> None:
        """Begin to count what the page sends to its server; while solvers are prepared, it asks how far they are."""
        expect(self.page.locator(".preparing")).to_have_count(0)
        self.page.evaluate("() => { window.messages = 0; }")

    @property
    def messages(self) -> int:
        """How many it has sent since."""
        return int(self.page.evaluate("() => window.messages"))

    def reading(self, name: str) -> str:
        """What the strip, or a text that moves with C, reads."""
        return self.page.locator(f"[data-reading='{name}']").first.inner_text()

    # What is seen

    def value(self, key: str) -> str:
        """What a list or a text box shows."""
        return self.at(key).locator("input").first.input_value()

    @property
    def headline(self) -> str:
        return self.page.locator("h1, h2").first.inner_text()

    @property
    def status(self) -> Locator:
        """The sentence about the fit, or about what is wrong."""
        return self.page.get_by_test_id("stMain").locator(f"{ALERT}:not(.st-key-link_notice *)")

    def says(self, words: str | re.Pattern[str], seconds: float = 120.0) -> None:
        """Wait until the status does."""
        expect(self.status.first).to_contain_text(words, timeout=1000 * seconds)

    def title(self, chart: str) -> Locator:
        """What stands above a chart."""
        return self.page.locator(f".heading-{chart}")

    def drawn(self, chart: str) -> list[Trace]:
        """What a chart draws, in order; nothing where it is not there."""
        return [Trace(**trace) for trace in self.page.evaluate(_DRAWN, chart)]

    def steps_drawn(self) -> int:
        """The last step of the convergence curve that is on the screen; -1 before there is any."""
        return int(max((x for trace in self.drawn("convergence") for x in trace.x), default=-1))

    def steps_beyond(self, step: int) -> int:
        """Wait until more steps than these are drawn, and say how many."""
        drawn = self.page.wait_for_function(_STEPS_BEYOND, arg=step).json_value()
        return int(drawn["steps"])


class Line:
    """A line between a page and its server; keeps answers back while it is slow, but for the address of an upload.

    It is slow from when it is told, until it is to catch up or the page has ticked this often on the end of a run.
    """

    def __init__(self, lab: Lab, ticks: float = inf) -> None:
        self.slow = False
        self._most = ticks
        self._kept: list[bytes] = []
        self._answered = False
        self._ticks = 0
        lab.page.route_web_socket("**/_stcore/stream", self._joined)
        lab.page.add_init_script(_NOTE_QUESTIONS)  # for the socket that this puts in place of the browser's

    def catch_up(self) -> None:
        """Give the page what was kept back, and from now on every answer at once."""
        self.slow = self._answered = False
        while self._kept:
            self._page.send(self._kept.pop(0))

    def _joined(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def asked(message: bytes) -> None:
            server.send(message)
            self._ticks += self._answered and BackMsg.FromString(message).rerun_script.is_auto_rerun
            if self._ticks >= self._most:
                self.catch_up()

        def said(message: bytes) -> None:
            told = ForwardMsg.FromString(message)
            if not self.slow or told.WhichOneof("type") == "file_urls_response":
                page.send(message)
                return
            self._kept.append(message)
            ended = told.WhichOneof("type") == "script_finished"
            self._answered |= ended and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY

        self._page = page
        page.on_message(asked)
        server.on_message(said)


def run_cli(*words: str) -> dict[str, Any]:
    """What ``python -m core`` prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(words) == 0
    record: dict[str, Any] = json.loads(printed.getvalue())
    return record


def assert_it_gives_way_and_comes_back(lab: Lab, part: str) -> None:
    """What fills the screen, where something above it comes and goes, such as progress."""
    height = f"document.querySelector('.st-key-picture {part}').clientHeight"
    whole = lab.page.evaluate(height)
    above = lab.page.add_style_tag(content=".st-key-picture { margin-top: 71px }")
    lab.page.wait_for_function(f"whole => {height} < whole", arg=whole)
    above.evaluate("style => style.remove()")
    lab.page.wait_for_function(f"whole => {height} === whole", arg=whole)
