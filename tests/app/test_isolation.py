"""Whose numbers these are: what a visitor is shown never depends on what others have looked at before.

Every page is looked at in full, by visitors whose data differ in exactly one thing, on one server; then each comes
alone to a server that has shown nothing yet. What he is shown must be the same, to the last digit of the last download.
Both lists, of pages and of what they show, are the app's own, so what is new is compared as well.
"""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.data import Reading
from core.data.scaling import SCALINGS
from pages.shared import cache
from pages.shared.choice import access
from pages.shared.work.board import board
from pages.views.tradeoff import folds
from tests.app.conftest import few_models
from tests.app.visits import Shown, Visitors

pytestmark = pytest.mark.usefixtures("all_unfolded")

QUERIES, DOCUMENTS = 15, 8
NAMES = ("bm25", "pagerank", "title", "age", "length")
Row = tuple[int, tuple[float, ...]]
Edit = Callable[[int, int, Row], Row]


def _rows() -> list[list[Row]]:
    """Of every query: within each all features go from 0 to 1, so that this scaling changes no value."""
    random = np.random.default_rng(7)
    queries = []
    for _ in range(QUERIES):
        x = random.random((DOCUMENTS, len(NAMES)))
        x = ((x - x.min(0)) / (x.max(0) - x.min(0))).round(3)
        order = np.argsort(np.argsort(x[:, 0] + 0.6 * x[:, 1] - 0.4 * x[:, 2] + 0.5 * random.random(DOCUMENTS)))
        queries.append([(int(place) // 3, tuple(row)) for place, row in zip(order, x, strict=True)])
    return queries


ROWS = _rows()


def written(
    queries: list[int] | None = None,
    edit: Edit = lambda q, i, row: row,
    names: tuple[str, ...] = NAMES,
    query: Callable[[int], str] = "what is {}".format,
    document: Callable[[str], str] = str,
) -> bytes:
    """These queries as a file with the names of its features, texts of its queries and names of its documents."""
    lines = [f"#{j}: {name}" for j, name in enumerate(names, 1)] + [f"# qid:{q}: {query(q)}" for q in range(QUERIES)]
    for q in range(QUERIES) if queries is None else queries:
        for i in range(DOCUMENTS):
            grade, row = edit(q, i, ROWS[q][i])
            values = " ".join(f"{j}:{value:g}" for j, value in enumerate(row, 1))
            lines.append(f"{grade} qid:{q} {values} # {document(f'd{q}.{i}')}")
    return ("\n".join(lines) + "\n").encode()


FILE = written()
PARTS = {
    part: [int(q) for q in data.query_ids]
    for part, data in Reading(folds=5).open("mine.txt", FILE).fold(1).parts().items()
}


def label(part: str) -> Edit:
    """One document's grade is another."""
    at = (PARTS[part][0], 3)
    return lambda q, i, row: ((row[0] + 1) % 3, row[1]) if (q, i) == at else row


def value(part: str) -> Edit:
    """One document's first feature is another, and no query's smallest or largest."""
    q = PARTS[part][0]
    at = (q, next(i for i in range(DOCUMENTS) if 0.1 < ROWS[q][i][1][0] < 0.9))
    return lambda q, i, row: (row[0], (1.0 - row[1][0], *row[1][1:])) if (q, i) == at else row


ONE_QUERY, ONE_DOCUMENT = PARTS["test"][0], f"d{PARTS['test'][0]}.2"
UPLOADS = {
    **{f"a label of {part}": written(edit=label(part)) for part in ("test", "train", "vali")},
    **{f"a value of {part}": written(edit=value(part)) for part in PARTS},
    "a feature's name": written(names=("bm25", "hubs", *NAMES[2:])),
    "a query's text": written(query=lambda q: f"{'who' if q == ONE_QUERY else 'what'} is {q}"),
    "a document's name": written(document=lambda name: "another" if name == ONE_DOCUMENT else name),
}


def forget_all(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """As after a restart with an empty disk: no picture, result, job, upload or file of a visitor is left."""
    board().close(60.0)  # what ran on would keep its results in the folder of the next
    board.clear()
    access.uploads.clear()
    access.import_reports.clear()
    cache.clear()
    shutil.rmtree(folder, ignore_errors=True)
    patch.setenv("SPARSE_RANK_CACHE", str(folder / "cache"))
    patch.setenv("SPARSE_RANK_HOME", str(folder / "home"))


@pytest.fixture
def visitors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Visitors:
    """To a server without data of its own, on which paths are short."""
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path / "data"))
    few_models(monkeypatch, 4)
    monkeypatch.setitem(folds.GRIDS, "quick", 3)
    # What lives for half a minute is built again on a busy machine, and so would count as never found.
    monkeypatch.setattr(cache.ROOMS["results"], "_clock", lambda: 0.0)
    return Visitors(monkeypatch)


ONE, *OTHERS = UPLOADS


@pytest.mark.parametrize("whats", [(ONE,), pytest.param(OTHERS, marks=pytest.mark.more)], ids=["one", "others"])
@pytest.mark.first
def test_uploads_of_one_name_that_differ_in_one_thing(
    whats: Sequence[str], visitors: Visitors, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def restart() -> None:
        forget_all(tmp_path / "server", monkeypatch)

    restart()
    first = visitors.visit("first", ("mine.txt", FILE))
    begun, steps, kept = len(visitors.begun), visitors.steps, len(visitors.kept)
    again = visitors.visit("again", ("mine.txt", FILE), press=False)
    assert (visitors.begun[begun:], visitors.steps - steps) == ([], 0), "the same data are worked out once"
    assert visitors.kept[kept:] == [], "a key that is never found again only fills the memory"
    found = foreign(again, first, "the same file")
    after = {what: visitors.visit(what, ("mine.txt", UPLOADS[what])) for what in whats}
    for what in whats:
        restart()
        alone = visitors.visit(what, ("mine.txt", UPLOADS[what]))
        assert any(alone[page] - first[page] for page in alone), f"{what} changes nothing"
        found += foreign(after[what], alone, what)
    assert not found, "\n".join(found)


def folder(at: Path, convention: str = "standard", fold: str = "Fold1", swapped: bool = False) -> Path:
    """A catalogue with one dataset ``mine``; ``swapped`` where the first two queries of its test part are."""
    told = {"name": "mine", "title": "mine", "provenance": "made up", "convention": convention}
    (at / "mine" / fold).mkdir(parents=True)
    (at / "mine" / "dataset.json").write_text(json.dumps(told))
    for part, queries in PARTS.items():
        first, second, *others = queries
        order = [second, first, *others] if swapped and part == "test" else queries
        (at / "mine" / fold / f"{part}.txt").write_bytes(written(order))
    return at


WITHIN = next(scaling.title for scaling in SCALINGS if scaling.id == "query-minmax")
FOLDERS: dict[str, dict[str, Any]] = {
    "the rule of measures": {"convention": "letor4"},
    "the fold's name": {"fold": "Fold2"},
    "the order of queries": {"swapped": True},
}


@pytest.mark.more
@pytest.mark.first
def test_a_dataset_of_one_name_whose_rule_fold_or_order_has_changed(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And one that is read in another way, which changes no number of it."""
    whats = ("the rule of measures", "the fold's name", "the order of queries", "the scaling")
    places = {"": folder(tmp_path / "0")}
    places |= {what: folder(tmp_path / str(n), **how) for n, (what, how) in enumerate(FOLDERS.items(), 1)}
    cases = {what: (place, {}) for what, place in places.items()} | {"the scaling": (places[""], {"scale": WITHIN})}

    def look(what: str) -> Shown:
        place, read = cases[what]
        monkeypatch.setenv("SPARSE_RANK_DATA", str(place))
        room = cache.ROOMS["results"]
        monkeypatch.setattr(room, "_clock", lambda before=room._clock: before() + 31.0)  # half a minute later
        return visitors.visit(what or "first", dataset="mine", **read)

    forget_all(tmp_path / "server", monkeypatch)
    first, *after = [look(what) for what in ("", *whats)]
    found = []
    for what, shown in zip(whats, after, strict=True):
        forget_all(tmp_path / "server", monkeypatch)
        alone = look(what)
        assert any(alone[page] - first[page] for page in alone), f"{what} changes nothing"
        found += foreign(shown, alone, what)
    assert not found, "\n".join(found)


STATUS = b"data-ended="
"""Says what has ended while this visitor looked on: how much there was to do depends on what the server had."""


def foreign(shown: Shown, own: Shown, what: str) -> list[str]:
    """What somebody is shown that is not his, in lines that say where, and the first difference."""
    lines = []
    for page, elements in shown.items():
        for kind, content in sorted((kind, content) for kind, content in elements - own[page] if STATUS not in content):
            others = [text for name, text in own[page] if name == kind]
            words = set(_words(content))
            nearest = max(others, key=lambda other: len(words & set(_words(other))), default=b"")
            here = next((word for word in _words(content) if word not in set(_words(nearest))), "")
            there = next((word for word in _words(nearest) if word not in words), "")
            lines.append(f"{what}: {page}: {kind}: shows {here[:80]!r}, his own is {there[:80]!r}")
    return lines


def _words(content: bytes) -> list[str]:
    return re.split(r"[,;{}<>\n\x00-\x1f]+", content.decode("utf-8", "replace"))
