"""A path that one server has finished is there at once on the next, and a disk that refuses stops nobody."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import path_run
from core.analysis.path import PathPoint
from core.data.files import disk
from core.data.files.disk import cache_folder
from pages.shared import cache, following
from pages.shared.work import paths
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, charts, chosen, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def computed(app: AppTest) -> None:
    job = paths.path_job(chosen(app), "l1")
    until(lambda: job.state == "finished")


def after_a_restart() -> None:
    board.clear()
    cache.clear()


def refuse(*_: object, **__: object) -> None:
    msg = "this would be computed again"
    raise AssertionError(msg)


def test_c_is_dragged_along_the_whole_path_or_not_at_all(open_app: Open) -> None:
    """Models looked up before the path came to its end are not all: the rest of the handle's way would be missing."""
    app = open_app("path", dataset="planted")
    computed(app)
    choice, points = chosen(app), paths.known_points(chosen(app), "l1")

    def frames(known: list[PathPoint]) -> list[float]:
        return [frame.c for frame in following.hand_of(choice, known, points[0]).frames]

    assert frames(points)[-1] == points[-1].fit.c
    assert not frames(points[:-1])
    assert not frames([])


def test_after_a_restart_a_finished_path_is_not_computed_again(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app("path", dataset="planted")
    computed(app)
    until(lambda: any((cache_folder() / "paths").glob("*.json.gz")))
    after_a_restart()
    monkeypatch.setattr(path_run, "regularization_path", refuse)
    again = open_app("path", dataset="planted")
    assert_fine(again)
    assert charts(again)
    assert not again.get("progress")


def test_a_disk_that_refuses_is_named_once_in_the_log_and_the_path_is_seen(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "file"))
    disk._say_once.cache_clear()
    app = open_app("path", dataset="planted")
    with caplog.at_level(logging.WARNING, disk.__name__):
        computed(app)
        until(lambda: any(record.name == disk.__name__ for record in caplog.records))
        after_a_restart()
        computed(app)
    said = [record.getMessage() for record in caplog.records if record.name == disk.__name__]
    assert len(said) == 1
    assert_says(said[0], "cannot be saved", "disk", "again", "restart")
    app.run()
    assert_fine(app)
    assert charts(app)
