"""Over paths that are not complete no page compares, praises or counts what only complete ones can tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import path_run
from core.analysis.path import regularization_path
from core.analysis.path_run import PathRun
from core.figures.tradeoff import words as tradeoff_words
from core.methods import METHODS
from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from pages.views.ten import words as ten_words
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, charts, until

pytestmark = pytest.mark.usefixtures("all_unfolded")

SO_FAR = 9
CLAIMS = re.compile(
    r"\b(higher|lower|fewer|better|best|worse|worst|than|clear difference|every|never|loses?|within|costs?)\b", re.I
)
NO_CLAIM = (
    "Not complete yet",
    tradeoff_words.QUESTION,
    tradeoff_words.UNFINISHED,
    f"{len(METHODS)} methods: which serves best here?",
    "Validation picks RankSVM",
    ten_words.WAITING,
    "One alone, ",
    "Features: of the 10 best alone",
    "RankSVM ℓ1 ranks",
)
"""How sentences begin that wait, or speak of single features and of fits that are complete."""


def path_jobs() -> list[Job[PathRun]]:
    return [job for job in board().jobs if job.key.startswith("path-")]


@pytest.fixture
def halfway(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every path is stopped after a few models."""

    def stopped(*args: Any, **settings: Any) -> Iterator[Any]:
        yield from islice(regularization_path(*args, **settings), SO_FAR - 1)
        for job in path_jobs():
            if job.run is not None and job.run.count == SO_FAR - 1:
                board().stop(job)
        yield from islice(regularization_path(*args, **settings), SO_FAR - 1, None)

    monkeypatch.setattr(path_run, "regularization_path", stopped)


def claims(app: AppTest) -> list[str]:
    """Headlines and titles of pictures that compare."""
    titles = [
        json.loads(chart.proto.bytes)["figure"]["layout"].get("meta", {}).get("title", "") for chart in charts(app)
    ]
    views = [re.sub("<[^>]+>", "", e.proto.body) for e in app.get("html") if 'class="lab-title"' in e.proto.body]
    said = [*(header.value for header in app.header), *filter(None, titles), *views]
    return [words for words in said if CLAIMS.search(words) and not words.startswith(NO_CLAIM)]


def test_no_page_claims_anything_over_paths_that_are_not_complete(open_app: Open, halfway: None) -> None:
    app = open_app("path", dataset="planted", method="l1", ratio="0.05", beside="log", tradeoff_methods="l1,log")
    for page in ("path", "tradeoff", "methods", "features", "fit", "top", "ten", "start"):
        app.switch_page(f"pages/{page}.py").run()
        until(lambda: not any(job.active for job in path_jobs()))
        app.run()
        assert_fine(app)
        until(lambda: {job.state for job in path_jobs()} == {"paused"})  # what that run has begun, too
        assert claims(app) == [], page
