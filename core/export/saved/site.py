"""The Lab as a folder of static files: its views of paths that are computed once, for any web space or none.

``index.html`` lists what there is and draws it; a file of data has the views of a path, another one those with a second
method beside it. A browser loads them as scripts, when they are needed: from a disk it may read nothing else.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from core.analysis.fitting import Fitting
from core.analysis.stored_paths import shipped_path
from core.data import Convention, DataError, Dataset, Fold
from core.export.files import write_files
from core.export.html_report import page_html, section_html
from core.export.saved.lesson import LessonPaths, site_lesson
from core.export.saved.page import LOOK, json_html, models_section
from core.export.saved.views import SavedPath, SavedView, view_page
from core.figures.browser.drawing_code import BUNDLE, browser_file, site_code
from core.lessons import Lesson, LessonResults, lesson
from core.methods import Method, get_method

VIEWS: Mapping[SavedView, str] = {
    "lab": "Lab", "path": "Path", "features": "Features", "tradeoff": "Trade-off", "fit": "Convergence",
}  # fmt: skip
"""Titles of the views, in their order."""
METHODS = ("l1", "log", "mcp", "l0.5", "infinite-push-l1")  # where none are named
LIBRARY = "plotly-basic.min.js"
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' file:; style-src 'unsafe-inline'; img-src 'self' data: blob:"
)
_SHARED = 120  # letters of JSON from which what several pictures have is kept once


class SiteFold(NamedTuple):
    """The paths of a fold by its name in an address, and why other methods are not there, a sentence each."""

    name: str
    paths: Sequence[SavedPath]
    without: Sequence[str] = ()


class SiteDataset(NamedTuple):
    """A dataset by its name in an address, its folds, each asked for when its files are made, and where it is from."""

    name: str
    folds: Iterable[SiteFold]
    about: str = ""


def shown_words(name: str, fold: Fold) -> str:
    """Say what a site shows of a dataset, before it is made."""
    return (
        f"The site shows of {name}: where it comes from, the names of its {fold.train.n_features} features, of each "
        "model its weights, certificate and measures, and the command that made it. It has no document, no query and "
        "no value of a feature."
    )


def site_of(
    dataset: Dataset, folds: Sequence[int] = (), methods: Sequence[str] = METHODS, convention: Convention | None = None
) -> SiteDataset:
    """Return a dataset with the usual paths of some methods, which are fitted fold by fold when they are asked for.

    ``folds`` and ``methods`` are those of `save_site`; another ``convention`` than the dataset's can be named. An
    unknown method is a ValueError; a fold from which none can learn is a DataError when it is asked for.
    """
    named = [get_method(method_id) for method_id in dict.fromkeys(methods)]
    numbers = folds or range(1, dataset.n_folds + 1)
    made = (_fitted(dataset.fold(number), named, convention or dataset.convention) for number in numbers)
    return SiteDataset(dataset.name, made, dataset.provenance)


def _fitted(fold: Fold, methods: Sequence[Method], convention: Convention) -> SiteFold:
    """Raise a DataError where no method can learn from the fold."""
    paths, known, without = list[SavedPath](), dict[str, Any](), list[str]()
    for method in methods:
        try:
            how = Fitting.on(fold, method, {}, convention)
            shipped = shipped_path(fold, convention, method, how.settings)
            points = how.path() if shipped is None else shipped.points
            path = replace(SavedPath.of(how, points), known=known)
        except DataError as error:
            without.append(f"{method.title} is not here: {error}.")
            if not paths and method is methods[-1]:
                raise
        else:
            paths.append(path if shipped is None else path.with_frames(shipped.frames))
    return SiteFold(fold.name, paths, without)


def site_files(
    datasets: Iterable[SiteDataset], command: str, taught: Sequence[Lesson] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield the files by their paths below the folder, the index last, so that it lists what is there.

    ``command`` is the one that made the site, empty where no single one does; the lessons ``taught`` are computed on
    their own data.
    """
    listed: list[dict[str, Any]] = []
    for dataset in datasets:
        folds: list[dict[str, Any]] = []
        listed.append({"name": dataset.name, "about": dataset.about, "folds": folds})
        for fold in dataset.folds:
            place = f"data/{len(listed)}-{_file_name(dataset.name)}/{_file_name(fold.name)}"
            yield from _fold_files(place, f"{dataset.name}, {fold.name}", fold.paths)
            methods = [{"id": path.path.method, "title": path.title} for path in fold.paths]
            folds.append({"name": fold.name, "place": place, "methods": methods, "without": list(fold.without)})
    paths, lessons = LessonPaths(), []
    for one in taught:
        name = f"data/lessons/{_file_name(one.name)}"
        yield _data_file(name, site_lesson(one, LessonResults.of(one).made(), paths), _Pool(""))
        words = {"name": one.name, "title": one.title, "minutes": one.minutes, "about": one.about}
        lessons.append(words | {"steps": len(one.steps), "place": name})
    yield LIBRARY, BUNDLE.read_bytes()
    known = {"datasets": listed, "views": VIEWS, "lessons": lessons}
    look, data = f"{LOOK}{browser_file('guess.css')}", json_html("site", known)
    how = {"policy": _POLICY, "library": LIBRARY, "look": look, "data": data, "script": site_code()}
    yield "index.html", page_html("site.html", site=known, command=command, **how).encode()


def save_site(
    datasets: Sequence[Dataset],
    out: str | os.PathLike[str],
    *,
    folds: Sequence[int] = (),
    methods: Sequence[str] = METHODS,
    lessons: Sequence[str] = (),
) -> Path:
    """Fit the paths of some methods, and write the Lab on them as files for any web space.

    It shows where the data comes from, names of features, weights, certificates, measures and this call; no document,
    no query and no value of a feature.

    Parameters
    ----------
    datasets : sequence of Dataset
        From `open_dataset`.
    out : path
        A folder, which is made where needed.
    folds : sequence of int
        From 1; all of every dataset where none is named.
    methods : sequence of str
        Ids.
    lessons : sequence of str
        Names of the lessons, such as ``"zeros"``; each is on its own data.

    Returns
    -------
    Path
        Of the page to open.

    Raises
    ------
    DataError
        If none of the methods can learn from a fold, or there is no such fold.
    KeyError
        If there is no such lesson.
    OSError
        If the place cannot be written.
    ValueError
        If there is no such method.
    """
    shown, taught = [site_of(one, folds, methods) for one in datasets], [lesson(name) for name in lessons]
    made_by = f"save_site(…, {os.fspath(out)!r}, folds={[*folds]}, methods={[*methods]}, lessons={[*lessons]})"
    for name, content in site_files(shown, made_by, taught):
        write_files(Path(out), {name: content})
    return Path(out) / "index.html"


def _fold_files(place: str, where: str, paths: Sequence[SavedPath]) -> Iterator[tuple[str, bytes]]:
    """The views of each path, and then those with another path beside it."""
    pools: dict[str, _Pool] = {}
    for lead, *others in (*permutations(paths, 1), *permutations(paths, 2)):
        ids = [path.path.method for path in (lead, *others)]
        if not others:
            pools[ids[0]] = _Pool(f"{len(pools)}.")
        pool = _Pool("~", *(pools[one] for one in ids)) if others else pools[ids[0]]
        beneath = {"beneath": section_html(models_section(lead.path.points, lead.measures))}
        pages: dict[str, Any] = {view: view_page(view, lead, others, where=where).sent | beneath for view in VIEWS}
        yield _data_file(f"{place}/{'~'.join(ids)}", pages, pool)


class _Pool:
    """What several pictures have in common, each once: in its place stands ``{"$": key}``.

    Keys begin with ``prefix``, as those of no other pool that is read with it; pools ``before`` it are read, too.
    """

    def __init__(self, prefix: str, *before: _Pool) -> None:
        self.prefix, self.own = prefix, dict[str, Any]()
        self.keys: dict[str, str] = {written: key for pool in before for written, key in pool.keys.items()}

    def shared(self, value: Any) -> Any:
        """Return a value with what is long in its place in the pool."""
        if not isinstance(value, str | list | dict) or len(written := _json(value)) < _SHARED:
            return value
        if written not in self.keys:
            parts: Any = value
            if isinstance(value, list):
                parts = [self.shared(one) for one in value]
            elif isinstance(value, dict):
                parts = {name: self.shared(one) for name, one in value.items()}
            key = self.keys[written] = f"{self.prefix}{len(self.own)}"
            self.own[key] = parts
        return {"$": self.keys[written]}


def _data_file(name: str, pages: Mapping[str, Any], pool: _Pool) -> tuple[str, bytes]:
    """Return a script that leaves pages where ``site.js`` finds them under a name."""
    shared = {view: pool.shared(page) for view, page in pages.items()}
    packed = gzip.compress(_json({"pages": shared, "pool": pool.own}).encode(), mtime=0)
    script = f'(window.siteData??={{}})[{json.dumps(name)}]="{base64.b64encode(packed).decode()}";\n'
    return f"{name}.js", script.encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _file_name(name: str) -> str:
    """Letters that every web space takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "data"
