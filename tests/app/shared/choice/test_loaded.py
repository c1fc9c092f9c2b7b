"""The choice is a plain value to keep; what is loaded for it is plain objects of core, made on the page's thread.

A step of C loads the choice once, and finds its model once, on every page that shows a model.
"""

import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.data import open_dataset
from core.methods import MethodRun
from core.names.numbers import short
from pages.shared import headline
from pages.shared.cache import ROOMS
from pages.shared.choice import access, ready
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.work import paths
from pages.shared.work.board import board
from pages.shared.work.paths import path_key
from pages.shared.work.process.travel import parcel
from pages.views.fit import tuning
from tests.app.conftest import Open, few_models
from tests.app.fitting import at_rest, chosen, html_of, planted, press, until
from tests.cases import sweep
from tests.program_pages import EXPECTED

PAGES = Path(__file__).resolve().parents[4] / "pages"


@pytest.fixture
def loaded() -> Loaded:
    """On the second fold."""
    return planted(2)


def test_a_choice_is_small_and_survives_pickling(loaded: Loaded) -> None:
    kept = pickle.dumps(loaded.alone)
    assert len(kept) < 1000
    assert pickle.loads(kept) == loaded.alone
    assert hash(pickle.loads(kept)) == hash(loaded.alone)
    assert type(loaded.alone) is Choice


def test_what_is_loaded_is_what_the_choice_names(loaded: Loaded) -> None:
    dataset = access.dataset(loaded.source)
    assert loaded.fold is access.fold(loaded.source, 2)
    assert loaded.where == f"planted, {dataset.fold_names[1]}"
    assert loaded.fold.train.fingerprint == loaded.training.data.fingerprint == loaded.fingerprint
    assert loaded.judge.fold is loaded.fold
    assert loaded.key == loaded.alone.key


def test_its_fit_is_sent_without_anything_of_the_pages(loaded: Loaded) -> None:
    """A part of a page would make the other process import Streamlit."""
    sent = parcel(loaded.from_zero, {})
    assert b"core." in sent.content
    assert b"pages." not in sent.content


def tuning_key(choice: Loaded) -> str:
    """Of the models among which the Fit page chooses C."""
    return tuning._picture(choice).tried.key


def test_every_part_of_a_choice_is_in_the_keys_of_its_fit_and_of_the_path_of_its_c(loaded: Loaded) -> None:
    one, other = loaded, open_dataset("planted").fold(1)
    others = [
        replace(one, fingerprint=other.fingerprint, fold=other),
        replace(one, method_id="log", parameters=()),
        replace(one, solver_id="fista"),
        replace(one, parameters=(("refit", 1.0),)),
        replace(one, tol=10.0 * one.tol),
        replace(one, rules=Rules.of(one.fold.train.n_features, off=[2])),
    ]
    assert len({choice.key for choice in (one, *others)}) == 1 + len(others)
    assert len({tuning_key(choice) for choice in (one, *others)}) == 1 + len(others)
    another_c = replace(one, regularization=one.regularization.at_c(2.0 * one.c))
    assert another_c.key != one.key
    assert tuning_key(another_c) == tuning_key(one), "it tries them all"
    assert replace(one, convention="letor3").key != one.key
    assert replace(one, fold_number=1).key == one.key, "the fingerprint is of what the fold holds"


def test_the_first_page_begins_without_what_is_heavy_to_import() -> None:
    heavy = "'scipy.linalg', 'scipy.stats', 'sklearn', 'pyarrow.parquet'"
    script = f"import sys; import pages.views.start.page; sys.exit(any(name in sys.modules for name in ({heavy})))"
    assert subprocess.run([sys.executable, "-c", script], cwd=PAGES.parent, check=False).returncode == 0


@pytest.mark.usefixtures("all_unfolded")
def test_the_session_keeps_no_data(open_app: Open) -> None:
    app = press(open_app("path", dataset="planted"), "pin")
    (pinned,) = app.session_state["pins"]
    assert type(app.session_state["choice"]) is type(pinned.choice) is Choice
    assert (pinned.choice, pinned.where) == (chosen(app).alone, chosen(app).where)
    assert "delta" not in html_of(app), "a run that was just pinned has no difference to itself"


def test_a_file_that_is_replaced_under_a_running_server_is_read_anew(own_folder: Path) -> None:
    file = own_folder / "mine.csv"
    rows = "\n".join(f"{k},{k % 7},{k % 2}" for k in range(40))
    file.write_text(f"a,b,class\n{rows}\n")
    source = access.usual_source("mine")
    before = access.fold(source, 1)
    assert access.fold(source, 1) is before
    assert access.judge(before, "standard") is access.judge(before, "standard")
    file.write_text(f"a,b,class\n{rows.replace('3,', '300,')}\n")
    after = access.fold(source, 1)
    assert after.train.fingerprint != before.train.fingerprint
    assert access.dataset(source).fold(1).train.fingerprint == after.train.fingerprint
    assert access.judge(after, "standard").fold is after


def test_pinned_runs_are_found_again_though_others_have_filled_the_cache(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headline, "is_known", lambda: True)
    monkeypatch.setattr(headline, "visitor_id", lambda: "the same visitor")
    monkeypatch.setattr(st, "session_state", {})
    headline.pins().append(headline.describe(loaded, loaded.method.fit(loaded.training, loaded.lam)).kept)
    ROOMS["results"].clear()
    pinned = headline.pins()
    monkeypatch.setattr(st, "session_state", {})  # of a reload
    assert headline.pins() == pinned != []


def test_a_pinned_run_is_of_no_file_that_was_corrected_meanwhile(loaded: Loaded) -> None:
    pinned = headline.describe(loaded, loaded.method.fit(loaded.training, loaded.lam)).kept
    assert pinned.is_of(loaded)
    assert not pinned.is_of(replace(loaded, fingerprint="of the corrected file"))
    assert not pinned.is_of(replace(loaded, where="of another name"))


def test_what_is_known_of_a_folder_changes_with_every_file_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "Fold1"
    inner.mkdir()
    (inner / "train.txt").write_text("1 qid:1 1:0.5\n")
    (tmp_path / "around").symlink_to(tmp_path)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    before = ready._states(str(tmp_path))
    assert [Path(name).name for name, *_ in before] == ["train.txt"]
    (inner / "train.txt").write_text("1 qid:1 1:0.25\n")
    assert ready._states(str(tmp_path)) != before
    assert ready._states(str(inner / "train.txt")) == ready._states(str(tmp_path))


SHOW_A_TRACE = ("start", "fit")
"""They show how the fit has converged; models of a path have no trace."""

Count = Counter[str]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Count:
    """What is done: "runs", "loads", "strips"; models by the key of their choice, fits by method and lambda."""
    count: Count = Counter()
    begun: list[MethodRun] = []

    def count_calls(owner: Any, name: str, what: Callable[..., str]) -> None:
        real = getattr(owner, name)

        def counting(*asked: Any) -> Any:
            count[what(*asked)] += 1
            return real(*asked)

        monkeypatch.setattr(owner, name, counting)

    def fit_begun(run: MethodRun) -> str:
        if run in begun:
            return "later steps"
        begun.append(run)
        return _fit_of(run._method, run.steps.problem.lam)

    count_calls(ready, "begin_run", lambda: "runs")
    count_calls(access, "load_data", lambda *_: "loads")
    count_calls(headline, "_numbers", lambda *_: "strips")
    count_calls(headline, "shown", lambda choice, *_: choice.key)
    count_calls(FoldJudge, "judgement", lambda _, weights: f"judgements of {weights.tobytes().hex()}")
    count_calls(MethodRun, "advance", fit_begun)
    few_models(monkeypatch, 25)
    # It judges models beside the page, at whatever moment it is at.
    monkeypatch.setattr(paths, "filled", lambda _, points, *__: points)
    return count


def _fit_of(method_id: str, lam: float) -> str:
    return f"fits of {method_id} at {lam:.9g}"


CASES = [
    *((page, "l1", True) for page, one in EXPECTED.items() if one.model and one.share),
    ("path", "log", True),
    ("fit", "l1", False),
]


@pytest.mark.parametrize(("page", "method", "of_path"), sweep(CASES, always=4))
def test_a_step_of_c(
    open_app: Open, counted: Count, monkeypatch: pytest.MonkeyPatch, page: str, method: str, *, of_path: bool
) -> None:
    app = open_app(page, dataset="planted", method=method, ratio="0.1")
    until(at_rest)
    app.run()
    before = chosen(app)
    key = path_key(before, method)
    points = next((job.run.points for job in board().jobs if job.key == key), [])
    assert bool(points) == EXPECTED[page].path
    taken = points[20].fit.c if points and of_path else 1.1 * before.c
    monkeypatch.setattr(headline, "_pin", lambda _: use_model(c=taken))
    app.run()
    counted.clear()
    press(app, "pin")
    done = counted.copy()
    now = chosen(app)
    assert now.key != before.key
    runs = done["runs"]  # more than one where work that the page waits for comes to its end
    assert (done["loads"], done["strips"], done[now.key]) == (runs, runs, runs)
    assert all(n == 1 for what, n in done.items() if what.startswith("judgements"))
    known = bool(points) and of_path and page not in SHOW_A_TRACE
    assert done[_fit_of(method, now.lam)] == (0 if known else 1)
    (strip,) = (each.proto.body for each in app.get("html") if 'class="strip"' in each.proto.body)
    assert f'title="C {short(now.training.c_of(now.lam))},' in strip
