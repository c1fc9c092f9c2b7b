"""The process that computes: stop and go on, faults, its loss, its end, and what travels."""

import ast
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from core.analysis.tradeoff.fold_paths import FoldPlan, PathPlan, fold_judge, paths_of_folds
from core.data import DataError, RankingData, Reading
from core.methods import get_method
from core.solvers import Stop
from core.work import Steps
from pages.shared.cache import Results
from pages.shared.work import workers
from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job, Task
from pages.shared.work.process import fits, handle
from pages.shared.work.process.child import Computing
from pages.shared.work.process.fits import SETTING, Fits, fits_have_a_process
from pages.shared.work.process.travel import Seeing, Showing, key_of, maker_of, parcel
from tests.app.fitting import until
from tests.app.shared.work.house import process_board
from tests.app.shared.work.process.values import counting, faulty, holding, kill_itself, noting
from tests.app.shared.work.process.values import fits as fits_at
from tests.cases import sweep
from tests.says import assert_says

ROOT = Path(__file__).resolve().parents[5]


@pytest.fixture(scope="module")
def shared_board() -> Iterator[JobBoard]:
    with process_board() as made:
        yield made
        until(lambda: made.fits.ready)
        child = psutil.Process(made.fits.pid)
    child.wait(30)  # it ends with its board


@pytest.fixture
def board(shared_board: JobBoard) -> JobBoard:
    """A board whose process is there, whatever the test before has done to it."""
    until(lambda: shared_board.fits.ready)
    return shared_board


def test_what_is_seen_grows_no_copy_is_changed_by_the_next_and_after_an_exact_stop_it_goes_on_from_there(
    board: JobBoard,
) -> None:
    job = board.submit(Job(Task("grows", counting(60, 0.01)), "ann"))
    until(lambda: job.run is not None and job.run.count > 0)
    board.stop(job)
    until(lambda: job.task.state == "paused")
    stopped = job.run
    before = list(stopped.found)
    time.sleep(0.3)
    assert job.run is stopped
    board.resume(job)
    until(lambda: job.state == "finished")
    assert stopped.found == before
    assert job.run.found == list(range(60))
    assert job.task.computed_there


def test_a_stop_ends_after_the_step_under_way(board: JobBoard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fits, "SLICE_SECONDS", 120.0)  # it does not ask before that
    noted = tmp_path / "steps"
    noted.touch()
    job = board.submit(Job(Task("slow", partial(noting, noted, 100, 0.4)), "ann"))
    until(lambda: noted.read_text().count("s") > 1)
    board.stop(job)
    begun = noted.read_text().count("s")
    until(lambda: job.task.state == "paused")
    assert job.run.count == noted.read_text().count("s") <= begun + 1


@pytest.mark.parametrize("travels", [True, False])
def test_a_fit_that_has_reached_its_limit_gets_as_much_again_also_on_a_thread(
    board: JobBoard, *, travels: bool
) -> None:
    data = Reading().open("planted").fold(1).train
    method = get_method("l1")
    training = method.training(data)
    stop = Stop(tol=1e-14, max_steps=20)
    make = partial(method.run, training, training.lam_at(0.1), solver="subgradient", stop=stop)
    job = board.submit(Job(Task(f"limit {travels}", make, travels=travels), "ann"))
    until(lambda: job.state == "finished")
    assert (len(job.run.steps.trace), job.run.steps.reason) == (21, "step limit")
    board.resume(job)
    until(lambda: job.state == "finished")
    assert len(job.run.steps.trace) == 41


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DataError("line 3 has no query"), ("Line 3 has no query.",)),
        (ArithmeticError("the matrix is full of holes"), ("failed", "the matrix is full of holes")),
        (KeyError(), ("failed", "KeyError")),
    ],
    ids=["data", "fault", "without words"],
)
@pytest.mark.parametrize("place", ["making", "stepping"])
@pytest.mark.parametrize("travels", [True, False])
def test_a_fault_there_has_the_sentence_of_one_here(
    board: JobBoard, error: Exception, said: tuple[str, ...], place: str, *, travels: bool
) -> None:
    key = f"fault {place} {said} {travels}"
    job = board.submit(Job(Task(key, partial(faulty, error, place), travels=travels), "ann"))
    until(lambda: job.state == "failed")
    assert_says(job.problem, *said)
    assert (said == (job.problem,)) == isinstance(error, DataError), "data is told of in its own words"
    if place == "stepping":
        assert job.run.found == [1]


def test_work_that_cannot_travel_stays_on_a_thread(board: JobBoard) -> None:
    here: list[int] = []

    def make() -> Steps[int]:
        here.append(os.getpid())
        return counting(3)()

    job = board.submit(Job(Task("stays", make, travels=False), "ann"))
    until(lambda: job.state == "finished")
    assert here == [os.getpid()]
    assert not job.task.computed_there


def test_data_travels_once(board: JobBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    ask = handle.Process.ask

    def counted(self: Any, line: int, name: str, *arguments: Any, **options: Any) -> Any:
        if name == "put":
            sent.append(name)
        return ask(self, line, name, *arguments, **options)

    monkeypatch.setattr(handle.Process, "ask", counted)
    features = np.random.default_rng(1).normal(size=(30, 4))
    same = [RankingData.build(features, [1, 0] * 15, [0, 10, 30]) for _ in range(2)]

    for number, data in enumerate([*same, same[0]]):
        job = board.submit(Job(Task(f"data {number}", partial(holding, data)), "ann"))
        until(lambda job=job: job.state == "finished")  # type: ignore[misc]
        writeable, back = job.run.found[0]
        assert not writeable
        assert back is same[0] or back is same[1]
    assert len(sent) == 1


def test_what_nobody_has_any_more_is_forgotten() -> None:
    sent = handle.Sent()
    data, same = (RankingData.build(np.ones((2, 1)), [1, 0], [0, 2]) for _ in range(2))
    key = key_of(data)
    assert key_of(same) == key
    assert not sent.has(key)
    sent.hold(key, data)
    assert sent.has(key)
    sent.hold(key, same)
    del data
    assert sent.forgotten() == []
    del same
    assert sent.forgotten() == [key]
    assert sent.forgotten() == []


def test_what_is_given_up_leaves_the_process() -> None:
    computing = Computing()
    data = RankingData.build(np.ones((2, 1)), [1, 0], [0, 2])
    shared: dict[str, Any] = {}
    work = parcel(partial(holding, data), shared)
    (key,) = shared
    made = parcel(maker_of(data), {})
    computing.put(key, made.content, made.buffers)
    computing.make(1, [key], work.content, work.buffers)
    assert computing.advance(1, 0.0, 0.0).done
    there = weakref.ref(computing._shared[key])
    assert there() is not data
    computing.forget([], [key])
    assert there() is not None  # the work still has it
    computing.forget([1], [])
    gc.collect()
    assert there() is None


def test_work_goes_there_as_a_value_and_not_as_a_function_of_its_own(board: JobBoard) -> None:
    job = board.submit(Job(Task("own", lambda: counting(3)()), "ann"))
    until(lambda: job.state == "failed")
    assert_says(job.problem, "failed", "pickle")


def test_models_that_come_back_share_the_names_of_the_data(board: JobBoard) -> None:
    data = RankingData.build(np.random.default_rng(1).normal(size=(30, 4)), [1, 0] * 15, [0, 10, 30])
    method = get_method("l1")
    training = method.training(data)
    lams = training.lam_max * np.array([0.9, 0.5, 0.2])
    job = board.submit(Job(Task("names", partial(fits_at, method, training, lams.tolist())), "ann"))
    until(lambda: job.state == "finished")
    assert [fit.feature_names is data.feature_names for fit in job.run.found] == [True] * 3


def test_work_under_way_and_at_rest_begins_anew_where_its_process_is_killed(board: JobBoard, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    rests = board.submit(Job(Task("rests", counting(80, 0.01)), "ann"))
    until(lambda: rests.run is not None and rests.run.count > 0)
    board.stop(rests)
    until(lambda: rests.task.state == "paused")
    job = board.submit(Job(Task("killed", partial(noting, begun, 40, 0.02)), "ann"))
    until(lambda: job.run is not None and job.run.count > 0)
    os.kill(board.fits.pid, signal.SIGKILL)
    until(lambda: not job.active)
    assert (job.state, job.problem) == ("finished", "")
    assert job.run.found == list(range(40))
    assert begun.read_text().count("m") == 2
    assert rests.run.count > 0
    board.resume(rests)
    until(lambda: rests.state == "finished")
    assert rests.run.found == list(range(80))


def test_what_was_complete_before_a_kill_is_known_to_all_and_not_worked_out_again(board: JobBoard) -> None:
    dataset, results, known = Reading().open("planted"), Results("folds of a test"), set[str]()
    plans = [
        FoldPlan(f"fold {k}", partial(fold_judge, dataset, k, "standard"), (PathPlan(f"l1 {k}", "l1", {}),), f"one {k}",
                 keep=False) for k in (1, 2)
    ]  # fmt: skip
    make = partial(paths_of_folds, plans, known, 150)
    job = board.submit(Job(Task("folds", make, publish=partial(results.take, known)), "ann"))
    until(lambda: "one 1" in results)
    os.kill(board.fits.pid, signal.SIGKILL)
    before = set(known)
    until(lambda: not job.active)
    assert (job.state, job.problem) == ("finished", "")
    assert all(key in results for plan in plans for key in plan.keys)
    assert before.isdisjoint(dict(job.run.found))


def test_work_that_kills_its_process_twice_says_so_and_others_go_on(board: JobBoard) -> None:
    job = board.submit(Job(Task("kills", kill_itself), "ann"))
    until(lambda: job.state == "failed")
    assert job.problem == workers.LOST
    after = board.submit(Job(Task("after", counting(3)), "ann"))
    until(lambda: after.state == "finished")
    assert after.run.found == [0, 1, 2]


@pytest.mark.parametrize("end", sweep([signal.SIGKILL, signal.SIGTERM]))
def test_the_process_ends_with_the_one_of_the_pages(end: signal.Signals) -> None:
    code = (
        "import time\n"
        "from pages.shared.work.board import JobBoard\n"
        "board = JobBoard(lambda _: True, workers=1, own_process=True)\n"
        "board.fits.start()\n"
        "while not board.fits.ready: time.sleep(0.01)\n"
        "print(board.fits.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.send_signal(end)
        _, alive = psutil.wait_procs([child], timeout=30)
    assert not alive


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    for written, chosen in {"": False, "process": os.name == "posix", "threads": False}.items():
        monkeypatch.setenv(SETTING, written)
        assert fits_have_a_process() == chosen
    monkeypatch.setenv(SETTING, "both")
    with pytest.raises(ValueError, match=r"SPARSE_RANK_FITS.*\bprocess or threads\b.*'both'"):
        fits_have_a_process()


class StandIn:
    """A process that stays; a test says when it is ready."""

    pid, lost = 1, False

    def __init__(self, lines: int) -> None:
        self._ends = threading.Event()

    def wait_until_lost(self) -> None:
        self._ends.wait(30)

    def close(self) -> None:
        self._ends.set()


def test_after_five_losses_work_goes_on_without_and_a_later_process_takes_it_up_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts: list[float] = []
    healed = threading.Event()

    class Short(StandIn):
        def wait_until_ready(self, compiled: Callable[[set[str]], None]) -> bool:
            starts.append(time.monotonic())
            self.lost = not healed.is_set()
            return not self.lost

    monkeypatch.setattr(fits, "Process", Short)
    monkeypatch.setattr(fits, "RETRY_SECONDS", 0.2)
    made = Fits(1, lambda: None)
    made.start()
    until(lambda: made.given_up and made.settled)
    assert len(starts) == fits.MOST_STARTS
    assert not made.ready
    healed.set()
    until(lambda: made.ready)
    assert not made.given_up
    made.close()


def test_pages_make_no_work_that_travels_by_a_function_of_their_own() -> None:
    """Threads would do it, and the process that computes could not have it."""
    made = {"Task": 1, "ask_for": 1, "finished": 1}
    seen = 0
    for file in sorted((ROOT / "pages").rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        own = {
            inner.name
            for outer in ast.walk(tree)
            if isinstance(outer, ast.FunctionDef)
            for inner in ast.walk(outer)
            if isinstance(inner, ast.FunctionDef) and inner is not outer
        }
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in made):
                continue
            given = {one.arg: one.value for one in call.keywords}
            if "travels" in given or "line" in given or file.name == "board.py":
                continue
            make = given.get("make") or call.args[made[call.func.id]]
            seen += 1
            assert not isinstance(make, ast.Lambda), (file, call.lineno)
            assert not (isinstance(make, ast.Name) and make.id in own), (file, call.lineno)
    assert seen > 10


def test_a_kernel_is_waited_for_until_the_process_has_compiled_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said, there = threading.Event(), threading.Event()

    class Compiling(StandIn):
        def wait_until_ready(self, compiled: Callable[[set[str]], None]) -> bool:
            said.wait(30)
            compiled({"query_pass"})
            there.wait(30)
            return True

    monkeypatch.setattr(fits, "Process", Compiling)
    made, ended = Fits(1, lambda: None), list[str]()

    def wait(kernel: str) -> threading.Thread:
        thread = threading.Thread(target=lambda: (made.wait_for(kernel), ended.append(kernel)))
        thread.start()
        return thread

    waiting = [wait("query_pass"), wait("push_sweep")]
    until(lambda: made.preparing)
    time.sleep(0.05)
    assert not ended
    said.set()
    waiting[0].join(30)
    assert ended == ["query_pass"]
    assert made.preparing
    there.set()
    waiting[1].join(30)
    assert ended[1:] == ["push_sweep"], "it is ready, and nothing else will be compiled"
    assert not made.preparing
    made.close()


def test_a_server_that_ends_waits_for_no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    there = threading.Event()

    class Compiling(StandIn):
        def wait_until_ready(self, compiled: Callable[[set[str]], None]) -> bool:
            return there.wait(30)

    monkeypatch.setattr(fits, "Process", Compiling)
    monkeypatch.setattr(workers, "FIRST_PAGE_SECONDS", 0.01)
    prepared: list[bool] = []
    made = JobBoard(lambda _: True, workers=1, own_process=True, prepare=prepared.append)
    made.fits.compiles = True  # as after an installation
    refused = threading.Event()

    def wait() -> None:
        with pytest.raises(fits.ProcessLostError):
            made.fits.wait_for("query_pass")
        refused.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: made.fits.preparing)
    begun = time.monotonic()
    made.close(30)
    assert time.monotonic() - begun < 20
    assert refused.wait(30)
    assert not prepared, "kernels are not compiled here either"
    there.set()


def test_of_a_list_that_grows_only_what_is_new_is_sent_and_a_snapshot_stays_as_it_was() -> None:
    run = Steps(iter(["a" * 10_000, "b" * 10_000, "c"]), 3)
    showing, seeing = Showing({}), Seeing({})
    seen, sizes = [], []
    while not run.done:
        run.advance()
        copy = showing.copy(run)
        sizes.append(len(copy))
        seen.append(seeing.work(copy))
    assert [shown.found for shown in seen] == [run.found[:1], run.found[:2], run.found]
    assert sizes[0] > 10_000 < sizes[1] < 11_000 > 1_000 > sizes[2]
    run.found[-1] = "another"
    assert seeing.work(showing.copy(run)).found == run.found
