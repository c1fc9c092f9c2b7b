"""Over paths that are not complete no page compares, praises or counts what only complete ones can tell.

Every control of every page is used: nothing old is shown afterwards, and no page breaks.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import fitting
from core.analysis.path import regularization_path
from core.analysis.path_run import PathRun
from core.figures.tradeoff import words as tradeoff_words
from core.methods import METHODS
from pages.shared import cache
from pages.shared.bounded_cache import Cache
from pages.shared.live_chart import Numbers, SentChart
from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from tests.app.conftest import Open, few_models
from tests.app.fitting import all_sent, settled, until
from tests.app.visits import controls, options_by_label, taken
from tests.cases import sweep
from tests.program_pages import EXPECTED, PAGES

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

    monkeypatch.setattr(fitting, "regularization_path", stopped)


def claims(app: AppTest) -> list[str]:
    """Headlines and titles of pictures that compare."""
    titles = [one["figure"]["layout"].get("meta", {}).get("title", "") for one in all_sent(app) if "figure" in one]
    views = [re.sub("<[^>]+>", "", e.proto.body) for e in app.get("html") if 'class="lab-title"' in e.proto.body]
    said = [*(header.value for header in app.header), *filter(None, titles), *views]
    return [
        words
        for words in said
        if CLAIMS.search(words) and not words.startswith(NO_CLAIM) and not words.endswith("computing the first paths")
    ]


def test_no_page_claims_anything_over_paths_that_are_not_complete(open_app: Open, halfway: None) -> None:
    app = open_app("path", dataset="planted", method="l1", ratio="0.05", beside="log", tradeoff_methods="l1,log")
    for page in [page for page, one in EXPECTED.items() if one.share and "data" not in one.hidden]:
        app.switch_page(f"pages/{page}.py").run()
        until(lambda: not any(job.active for job in path_jobs()))
        app.run()
        until(lambda: {job.state for job in path_jobs()} == {"paused"})  # what that run has begun, too
        assert claims(app) == [], page


KEEPING = ("data", "features", "fit", "path", "tradeoff")
"""Pages whose pictures are kept, and asked for again by one of their controls."""
BUILT_AGAIN: list[object] = []


class DoubtingCache(Cache):
    """Builds pictures and tables again that it has, and compares: a key that forgets something would show old ones."""

    def find(self, key: bytes, build: Any, **options: Any) -> Any:
        known = self.peek(key)
        found = super().find(key, build, **options)
        if known is not None and isinstance(found, SentChart | Numbers):
            assert same(found, build()), f"what was kept is not what would be built now: {found!r:.300}"
            BUILT_AGAIN.append(found)
        return found


def same(one: Any, other: Any) -> bool:
    """Whether two things that were built are the same."""
    if isinstance(one, SentChart):
        return (one.heading, one.sent) == (other.heading, other.sent)
    if isinstance(one, Numbers):
        return bool(one.frame.equals(other.frame))
    return bool(one == other)


@pytest.fixture
def doubting_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server that builds everything again that it has."""
    options_by_label(monkeypatch)
    few_models(monkeypatch, 4)
    monkeypatch.setitem(cache.ROOMS, "results", DoubtingCache(cache.MOST_BYTES))
    BUILT_AGAIN.clear()


@pytest.mark.usefixtures("doubting_server", "all_unfolded")
@pytest.mark.parametrize("page", sweep([*KEEPING, *(page for page in PAGES if page not in KEEPING)], always=2))
def test_what_was_kept_is_what_would_be_built_now(page: str, open_app: Open) -> None:
    app = at_its_end(open_app(page, dataset="planted", method="l1", beside="log"))
    for key in [one.key for one in [*app.main.toggle, *app.main.checkbox] if one.key]:
        for _ in range(2):
            switches = [one for one in [*app.main.toggle, *app.main.checkbox] if one.key == key and not one.disabled]
            for switch in switches:
                app = at_its_end(switch.set_value(not switch.value).run())
    for key, options in [(str(one.key), one.options) for one in controls(app)]:
        for option in [*options[1:2], *options[:1]]:  # another one, and back
            if any(one.key == key for one in controls(app)):
                app = at_its_end(taken(app, key, option).run())
    assert BUILT_AGAIN or page not in KEEPING, "no picture was asked for twice"


def at_its_end(app: AppTest) -> AppTest:
    """The page when nothing of it is being worked out any more; drawn in vain meanwhile, it would only take longer."""
    return settled(app) if app.get("progress") else app
