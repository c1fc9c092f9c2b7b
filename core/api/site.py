"""The Lab as a folder of static files, from a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from core.data import Dataset
from core.export.files import write_files
from core.export.saved.site import METHODS, site_files, site_of
from core.lessons import lesson


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
