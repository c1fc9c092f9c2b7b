"""The app without a browser, with jobs, uploads and a cache of each test's own."""

from collections.abc import Callable, Iterator
from functools import cache as once
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from core.analysis import path_run
from core.analysis.path import path_grid
from core.warm_up import warm_up
from pages.shared import cache, frame, lazy
from pages.shared.bounded_cache import Cache
from pages.shared.choice import access, upload_files
from pages.shared.work import board as jobs
from pages.shared.work import stepwise, yardstick
from pages.shared.work.process import fits
from pages.views.features import what_if as what_if_panel
from pages.views.ten import models as ten_models
from tests.app.fitting import followed
from tests.ranking_files import wpbc_like

Open = Callable[..., AppTest]
MODELS = 12
"""Of a path where paths are short."""
IN_TEN = ("l1", "log")
"""Methods of a budget there: the paths of two say all that a test has to know."""

warm_up_once = once(warm_up)
"""For all boards of this process: kernels that are ready stay so."""


@pytest.fixture(scope="session", autouse=True)
def components_of_this_app_alone() -> Iterator[None]:
    """Every app under test would read the metadata of all installed packages, in search of components: 0.1 s each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda *_, **__: [])
        yield


def opened_boards(patch: pytest.MonkeyPatch) -> list[jobs.JobBoard]:
    """All boards that are opened from now on, whoever opens them."""
    boards: list[jobs.JobBoard] = []
    begin = jobs.JobBoard.__init__

    def opened(self: jobs.JobBoard, *args: Any, **options: Any) -> None:
        boards.append(self)
        begin(self, *args, **options)

    patch.setattr(jobs.JobBoard, "__init__", opened)
    return boards


@pytest.fixture(autouse=True)
def nothing_left_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path / "home"))  # older copies of uploads there are deleted
    # A page under test takes itself for a server: each test would start a Python that computes, two seconds of work.
    monkeypatch.setenv(fits.SETTING, fits.THREADS)
    monkeypatch.setattr(jobs, "usual_parts", lambda: iter(warm_up_once() or ()))
    monkeypatch.setattr(lazy, "SENT", 0.0)  # there is no browser
    jobs.board.clear()
    boards = opened_boards(monkeypatch)
    # Its runtime is a pretence that comes and goes with every run of a page.
    monkeypatch.setattr(jobs, "is_here", lambda _: True)
    monkeypatch.setitem(cache.ROOMS, "results", Cache(cache.MOST_BYTES))
    access.uploads.clear()
    upload_files.forget_all()
    # A page shows progress where work takes long; on a busy machine that is anything. Here it waits for the end.
    monkeypatch.setattr(stepwise, "PATIENCE", 30.0)
    monkeypatch.setattr(what_if_panel, "PATIENCE", 30.0)
    yield
    for board in boards:
        assert board.close(60.0) == 0, "it would run in the tests after this one, and keep its results in their folders"


@pytest.fixture
def all_unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What people unfold stands on the page at once: a test without a browser cannot click on it."""
    monkeypatch.setattr(lazy, "is_open", lambda _: True)


def few_models(patch: pytest.MonkeyPatch, models: int) -> None:
    """Paths of so many models, best sets of at most four features, as many as a lesson asks for, two methods in Ten."""
    patch.setattr(path_run, "path_grid", lambda method, training: path_grid(method, training, models))
    patch.setattr(yardstick, "MOST_FEATURES", 4)
    patch.setattr(ten_models, "menu", SimpleNamespace(IDS=IN_TEN))


@pytest.fixture
def coarse_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths of five models, for tests in which paths are only there: a page works them out while it is looked at."""
    few_models(monkeypatch, 5)


@pytest.fixture
def short_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths of twelve models, for tests of what is told of them: it does not depend on how many there are."""
    few_models(monkeypatch, MODELS)


@pytest.fixture(autouse=True)
def no_fault(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No run of an app ends with an exception, and none with a fault that the frame has turned into a sentence."""
    run = ElementTree.run

    def fine(tree: ElementTree, **how: Any) -> AppTest:
        app = run(tree, **how)
        assert not app.exception, app.exception[0].value
        return app

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ElementTree, "run", fine)
        yield
    faults = [record for record in caplog.get_records("call") if record.name == frame.__name__]
    assert bool(faults) == (request.node.get_closest_marker("fault") is not None), [r.exc_info for r in faults]


@pytest.fixture
def open_app() -> Open:
    """Follow a link: ``open_app("fit", dataset="planted")``."""
    return partial(followed, "one visitor with several tabs")


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the catalogue looks for people's own tables."""
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    cache.clear()
    (tmp_path / "uci").mkdir()
    yield tmp_path / "uci"
    cache.clear()


@pytest.fixture
def wpbc(own_folder: Path) -> None:
    (own_folder / "wpbc.csv").write_bytes(wpbc_like())


@pytest.fixture
def own_table(own_folder: Path) -> Callable[..., str]:
    """Put a table of good and bad rows there; its name."""

    def written(name: str, features: np.ndarray, good: np.ndarray | None = None) -> str:
        table = pd.DataFrame(features, columns=[f"f{j}" for j in range(features.shape[1])])
        kinds = np.where(np.arange(len(features)) % 2 if good is None else good, "good", "bad")
        table.assign(**{"class": kinds}).to_csv(own_folder / f"{name}.csv", index=False)
        return name

    return written
