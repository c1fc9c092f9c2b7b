"""Large data: pages begin with the paths of a sample of whole queries, and change to those of all queries.

The next server has at once each path that one has finished, and draws pages though the disk refuses a file.
"""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import fitting
from core.analysis.path import PathPoint, regularization_path
from core.analysis.tuning.tuning import told_by_validation
from core.data import sample
from core.data.files.disk import cache_folder
from core.experiments.results.statistics import bootstrap_interval
from pages.shared import cache, following
from pages.shared.choice import access
from pages.shared.work import first_look, paths
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import all_sent, charts, chosen, headline_of, press, sent, settled, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")

DRAWN, ALL = 20, 60


@pytest.fixture
def whole_paths_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The data counts as large, and the paths of all of it do not begin before the event is set."""
    go_on = threading.Event()

    def held(method: Any, training: Any, *rest: Any, **options: Any) -> Any:
        if training.data.n_queries == ALL:
            assert go_on.wait(300.0)
        return regularization_path(method, training, *rest, **options)

    monkeypatch.setattr(fitting, "regularization_path", held)
    monkeypatch.setattr(sample, "LARGE", ALL * 20 * 60 - 1)
    monkeypatch.setattr(sample, "QUERIES", DRAWN)
    yield go_on
    go_on.set()


def subtitle(app: AppTest) -> str:
    return str(sent(app, "path")["figure"]["layout"]["meta"]["subtitle"])


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.main.caption)


def until_drawn(app: AppTest, name: str) -> AppTest:
    until(lambda: any(one["picture"]["filename"] == name and "c" in (one["drag"] or {}) for one in all_sent(app.run())))
    return app


def test_the_path_of_a_sample_stands_first_with_its_interval_and_gives_way_to_that_of_all_queries(
    open_app: Open, whole_paths_wait: threading.Event
) -> None:
    app = until_drawn(open_app("path", dataset="planted", method="l1", beside=""), "path")
    choice, sampled = chosen(app), access.sampled(chosen(app))
    points = paths.known_points(sampled, "l1")
    measure = app.session_state["path_by"]
    best = told_by_validation(points, measure)
    values = sampled.judge.per_query(best.fit.weights, "vali", measure)
    low, high = bootstrap_interval(values, np.zeros(len(values)))
    assert_says(subtitle(app), f"a sample of {DRAWN} of {ALL} queries", f"{low:.4f} to {high:.4f}", "20 queries")
    assert_says(headline_of(app), f"a sample of {DRAWN} of {ALL} queries")
    assert app.get("progress"), "that of all queries is under way"
    first = sent(app, "path")

    press(app, "take_best")
    assert chosen(app).c == pytest.approx(best.fit.c), "a C of the sample is one of the whole data"
    assert chosen(app).lam == pytest.approx(best.fit.lam)
    taken = chosen(app).c

    whole_paths_wait.set()
    settled(app)
    assert "sample" not in subtitle(app) + headline_of(app)
    assert paths.complete(choice, ["l1"])
    assert chosen(app).c == taken
    then = sent(app, "path")
    assert first["figure"]["layout"]["uirevision"] == then["figure"]["layout"]["uirevision"], "a zoom outlives it"
    assert first["drag"] != then["drag"], "the handle moves through the other models"


def test_a_path_that_ends_while_the_page_is_drawn_with_a_sample_is_shown_at_once(
    open_app: Open, whole_paths_wait: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = until_drawn(open_app("path", dataset="planted", method="l1", beside=""), "path")
    choice = chosen(app)

    def ended_meanwhile(*of: Any) -> bool:
        whole_paths_wait.set()
        until(lambda: paths.complete(choice, ["l1"]))
        return paths.complete(*of)

    monkeypatch.setattr(first_look, "complete", ended_meanwhile)
    app.run()
    assert not app.get("progress"), "nothing is under way that would draw the page again"
    assert "sample" not in subtitle(app) + headline_of(app)


def test_the_lab_says_that_its_path_is_of_a_sample_until_that_of_all_queries_is_there(
    open_app: Open, whole_paths_wait: threading.Event
) -> None:
    app = until_drawn(open_app("start", dataset="planted", method="l1", lab_beside="log"), "lab_path")
    assert_says(headline_of(app), "ℓ1", f"a sample of {DRAWN} of {ALL} queries")
    assert_says(captions(app), "95 % interval", "20 queries")
    whole_paths_wait.set()
    settled(app)
    assert "interval" not in captions(app)
    assert "sample" not in headline_of(app)


def test_a_sample_is_of_whole_queries_and_the_same_for_the_same_content(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = access.fold(access.usual_source("planted"), 1)
    monkeypatch.setattr(sample, "QUERIES", DRAWN)
    first, again = sample.sample_of(fold), sample.sample_of(fold)
    assert first.fingerprint == again.fingerprint != fold.fingerprint
    assert first.train.n_queries == first.vali.n_queries == DRAWN
    for q, query in enumerate(first.train.query_ids):
        whole = fold.train.query_ids.index(query)
        rows, of = (slice(*data.query_offsets[at : at + 2]) for data, at in ((first.train, q), (fold.train, whole)))
        np.testing.assert_array_equal(first.train.features[rows], fold.train.features[of])
    monkeypatch.setattr(sample, "LARGE", fold.train.features.size)
    assert not sample.is_large(fold)
    monkeypatch.setattr(sample, "LARGE", fold.train.features.size - 1)
    assert sample.is_large(fold)
    assert not sample.is_large(first), "a sample of a sample says no more"
    monkeypatch.setattr(sample, "ENTRIES", 0)
    monkeypatch.setattr(sample, "FEWEST", 3)
    assert sample.sample_of(fold).train.n_queries == 3, "fewer would say little"


def test_c_is_dragged_along_the_whole_path_or_not_at_all(open_app: Open) -> None:
    """Models looked up before the path came to its end are not all: the rest of the handle's way would be missing."""
    app = settled(open_app("path", dataset="planted"))
    choice, points = chosen(app), paths.known_points(chosen(app), "l1")

    def frames(known: list[PathPoint]) -> list[float]:
        return [frame.c for frame in following.hand_of(choice, known, points[0]).frames]

    assert frames(points)[-1] == points[-1].fit.c
    assert not frames(points[:-1])
    assert not frames([])


def test_after_a_restart_a_finished_path_is_not_computed_again(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    settled(open_app("path", dataset="planted"))
    until(lambda: any((cache_folder() / "paths").glob("*.json.gz")))
    board.clear()
    cache.clear()
    monkeypatch.delattr(fitting, "regularization_path")  # it would be computed again with this
    again = open_app("path", dataset="planted")
    assert charts(again)
    assert not again.get("progress")
