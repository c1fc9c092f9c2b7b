"""What the panel says of jobs in every state they can be in, and that no page says it by itself."""

import ast
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.work import Steps
from pages.shared.server.visits import SESSION
from pages.shared.work import panel
from pages.shared.work.board import WORKERS, JobBoard, board
from pages.shared.work.jobs import Job, Task
from pages.shared.work.panel import counted
from tests.app.fitting import press, until
from tests.says import assert_says

ROOT = Path(__file__).resolve().parents[4]
VISITOR = "somebody"
PAGES = sorted((ROOT / "pages").rglob("*.py"))


class Parts(Steps[bool]):
    """Five things to do in two parts; a step waits for the gate."""

    def __init__(self, gate: threading.Semaphore, fails: str = "") -> None:
        super().__init__(iter(gate.acquire, None), 5)
        self.fails, self.now = fails, "train"

    def _step(self) -> None:
        super()._step()
        if self.fails:
            raise ValueError(self.fails)
        self.seconds += 100.0
        if self.count == 3:
            self.problems["test"] = "it has no queries"


@pytest.fixture
def gates() -> Iterator[list[threading.Semaphore]]:
    made: list[threading.Semaphore] = []
    yield made
    for gate in made:
        gate.release(1000)


def page(key: str) -> None:
    import streamlit as st

    from pages.shared.work.board import job_for
    from pages.shared.work.panel import Panel, counted
    from pages.shared.work.status import ended_attributes

    st.html(f"<i {ended_attributes()}></i>")
    job = job_for(key)
    active = job.active
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    Panel(
        key="walk",
        reached=lambda: counted([job], "models", name=str.title),
        way_out="Walk elsewhere.",
        ready="The walk",
        beneath=lambda: st.markdown("beneath"),
    ).draw([job], active=active)


def page_with_a_box(key: str, panel_in: str, box: bool) -> None:
    """Its panel says in the first run that the job is active, which has ended."""
    import streamlit as st

    from pages.shared import lazy
    from pages.shared.work.board import job_for
    from pages.shared.work.panel import Panel

    def draw(place: str) -> None:
        if place == panel_in:
            panel = Panel(key="walk", reached=lambda: None, in_dialog=place == "box")
            panel.draw([job_for(key)], active=st.session_state["drawn"] == 1)

    lazy.forget_dialog()
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    if box:
        lazy.dialog("A box")(draw)("box")
    draw("page")


def submit(gates: list[threading.Semaphore], key: str = "a", fails: str = "") -> Job[Parts]:
    gates.append(gate := threading.Semaphore(0))
    return board().submit(Job(Task(key, lambda: Parts(gate, fails)), VISITOR))


def open_page(script: Callable[..., None] = page, **options: Any) -> AppTest:
    app = AppTest.from_function(script, kwargs={"key": "a", **options}, default_timeout=300)
    app.session_state[SESSION] = VISITOR
    return app.run()


def bar(app: AppTest) -> tuple[int, str]:
    (drawn,) = app.get("progress")
    return drawn.proto.value, drawn.proto.text


def assert_bar(app: AppTest, percent: int, *facts: str) -> None:
    shown, words = bar(app)
    assert shown == percent
    assert_says(words, *facts)


def buttons(app: AppTest) -> list[str]:
    return [str(button.key) for button in app.button]


def test_a_job_says_what_how_far_how_long_and_what_was_left_out_and_stop_and_continue_stand_where_they_serve(
    gates: list[threading.Semaphore],
) -> None:
    job = submit(gates)
    until(lambda: job.run is not None)
    app = open_page()
    assert_bar(app, 0, "Train", "0 of 5 models")
    assert "left" not in bar(app)[1]
    gates[0].release(2)
    until(lambda: job.run is not None and job.run.count == 2 and job.run.seconds_left is not None)
    app.run()
    assert_bar(app, 40, "Train", "2 of 5 models", "about 5 min")
    assert buttons(app) == ["walk_stop"]
    assert [text.value for text in app.markdown] == ["beneath"]

    gates[0].release(1)
    until(lambda: job.run is not None and job.run.count == 3)
    app.run()
    (told,) = (warning.value for warning in app.warning)
    assert_says(told, "test", "left out", "it has no queries")
    press(app, "walk_stop")
    gates[0].release(1)
    until(lambda: not job.active)
    assert job.state == "paused"
    app.run()
    assert_bar(app, 80, "Train", "4 of 5 models", "stopped")
    assert buttons(app) == ["walk_continue"]
    press(app, "walk_continue")
    assert buttons(app) == ["walk_stop"]
    gates[0].release(1)
    until(lambda: job.state == "finished")
    app.run()
    assert not app.get("progress")
    assert not buttons(app)
    assert [text.value for text in app.markdown] == ["beneath"]
    assert 'data-ended="1" data-words="The walk: Train: 5 of 5 models, ready."' in app.get("html")[0].proto.body


def test_a_job_in_line_says_its_place_also_when_it_goes_on(gates: list[threading.Semaphore]) -> None:
    busy = [submit(gates, f"busy {k}") for k in range(WORKERS)]
    until(lambda: all(job.state == "running" for job in busy))
    submit(gates, "first in line")
    job = submit(gates)
    app = open_page()
    assert_bar(app, 0, "Waiting", "number 2")
    press(app, "walk_stop")
    app.run()
    assert_bar(app, 0, "Stopped", "before")
    assert job.run is None
    press(app, "walk_continue")
    assert_bar(app, 0, "Waiting", "number 2")


def test_a_failure_comes_with_a_way_out(gates: list[threading.Semaphore]) -> None:
    job = submit(gates, fails="the file is gone")
    gates[0].release()
    until(lambda: not job.active)
    app = open_page()
    (told,) = (error.value for error in app.error)
    assert_says(told, "fit failed", "the file is gone", "Walk elsewhere.")
    assert not app.get("progress")
    assert not buttons(app)


def test_the_page_is_drawn_again_when_a_job_ends_while_it_is_drawn(
    gates: list[threading.Semaphore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the fragment's first drawing sees it: the job has ended since the script looked."""
    job = submit(gates)
    until(lambda: job.run is not None)
    looked: list[bool] = []

    def once(self: Job[Parts]) -> bool:
        looked.append(True)
        return len(looked) == 1

    board().stop(job)
    gates[0].release(5)
    until(lambda: job.state in ("paused", "finished"))
    monkeypatch.setattr(Job, "active", property(once))
    app = open_page()
    assert app.session_state["drawn"] == 2


def test_jobs_side_by_side_are_counted_together() -> None:
    own = JobBoard(lambda _: True, workers=1)
    first = own.submit(Job(Task("a", lambda: Steps(iter("abc"), 3)), "ann"))
    until(lambda: first.state == "finished")
    second = Job(Task("b", lambda: Steps(iter("abc"), 3)), "ann")
    reached = counted([first, second], "models", expected=7)
    assert (reached.words, reached.share) == ("3 of 10 models", pytest.approx(0.3))
    assert reached.seconds_left == pytest.approx(7 * first.run.seconds_each)
    assert counted([second], "models") is None


@pytest.mark.parametrize(("waiting", "seconds"), [(1, 0.4), (8, 0.4), (40, 2.0)])
def test_where_many_wait_each_looks_less_often(monkeypatch: pytest.MonkeyPatch, waiting: int, seconds: float) -> None:
    asked: list[float | None] = []

    def fragment(drawn: object, *, run_every: float | None) -> Callable[..., None]:
        asked.append(run_every)
        return lambda *_: None

    monkeypatch.setattr(panel.st, "fragment", fragment)
    monkeypatch.setattr(JobBoard, "waiting_visitors", property(lambda _: waiting))
    panel.draw_live(lambda: None, [], active=True, tick=0.4)
    panel.draw_live(lambda: None, [], active=False, tick=0.4)
    assert asked == [pytest.approx(seconds), None]


def calls(path: Path) -> set[str]:
    """What is called in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def test_only_the_panel_draws_how_far_work_is_and_beside_it_pictures_that_grow_have_stop_and_continue() -> None:
    called = {path.relative_to(ROOT / "pages").as_posix(): calls(path) for path in PAGES}
    growing = {"views/fit/race.py", "views/fit/page.py", "views/start/views.py"}
    drawing = {"st.progress": {"views/fit/race.py"}, "stop_button": growing, "continue_button": growing}
    for name, others in drawing.items():
        assert {path for path, names in called.items() if name in names} == {"shared/work/panel.py", *others}, name


@pytest.mark.parametrize(("panel_in", "box", "runs"), [("page", False, 2), ("page", True, 1), ("box", True, 2)])
def test_a_page_is_drawn_again_at_the_end_of_work_unless_a_dialog_is_open_that_does_not_wait_for_it(
    gates: list[threading.Semaphore], panel_in: str, box: bool, runs: int
) -> None:
    job = submit(gates)
    gates[0].release(5)
    until(lambda: job.state == "finished")
    app = open_page(page_with_a_box, panel_in=panel_in, box=box)
    assert app.session_state["drawn"] == runs
