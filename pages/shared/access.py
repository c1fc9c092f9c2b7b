"""Data and what is derived from it, kept in memory and keyed by fingerprint; thin wrappers over core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.data import Convention, DataError, Dataset, Fold
from core.data.catalogue import READY, CatalogueEntry, catalogue, open_dataset, open_upload
from core.data.class_column import ClassColumn
from core.data.division import SHARE
from core.data.single_file import read_classes
from core.methods import Method, Training, get_method
from core.solvers import Certificate, Stop, solve

REPEATS = 10  # random splits of a set with classes, as in Rakotomamonjy (2012, Table 1)


@dataclass(frozen=True)
class Source:
    """Everything that decides what data is read.

    ``upload`` is the sha256 of an uploaded file's content, empty for a dataset of the catalogue.
    """

    name: str
    upload: str = ""
    positive: str | None = None
    scale: str = "none"
    split: float | None = None
    repeats: int | None = None
    group: bool = False

    @property
    def reading(self) -> dict[str, Any]:
        """The options with which core opens it."""
        return {name: getattr(self, name) for name in ("positive", "scale", "split", "repeats", "group")}


@st.cache_data(ttl=30, show_spinner=False)
def ready_datasets() -> dict[str, CatalogueEntry]:
    """Datasets that can be opened, by name; looked for again every half minute."""
    return {entry.name: entry for entry in catalogue() if entry.state == READY}


@st.cache_resource(show_spinner=False)
def uploads() -> dict[str, tuple[str, bytes]]:
    """Uploaded files by the sha256 of their content: their name and bytes. Lives as long as the server."""
    return {}


LARGEST_UPLOADS = 1 << 30


def keep_upload(digest: str, name: str, content: bytes) -> None:
    """Remember an uploaded file, forgetting the oldest ones where all of them would be too much."""
    store = uploads()
    store.pop(digest, None)
    store[digest] = (name, content)
    while len(store) > 1 and sum(len(kept) for _, kept in list(store.values())) > LARGEST_UPLOADS:
        store.pop(next(iter(store)), None)


@st.cache_resource(max_entries=16, show_spinner="Reading the data …")
def dataset(source: Source) -> Dataset:
    """The dataset a source describes.

    Raises
    ------
    DataError
        If it cannot be used.
    """
    if source.upload:
        name, content = uploads()[source.upload]
        return open_upload(content, name, **source.reading)
    return open_dataset(source.name, **source.reading)


def classes(name: str, upload: str = "") -> ClassColumn | None:
    """The classes of a single file or set; None where relevance is graded, or nothing can be read.

    Why it cannot be read is said where its dataset is opened.
    """
    if upload:
        return _classes(upload, lambda: read_classes(uploads()[upload][1], uploads()[upload][0]))
    entry = ready_datasets()[name]
    try:
        version = (str(entry.path), entry.path.stat().st_mtime_ns) if entry.path is not None else entry.name
    except OSError:
        return None
    return _classes(version, entry.classes)


@st.cache_resource(max_entries=16, show_spinner="Reading the data …")
def _classes(version: object, _read: Callable[[], ClassColumn | None]) -> ClassColumn | None:
    try:
        return _read()
    except DataError:
        return None


def usual_source(name: str) -> Source:
    """A dataset of the catalogue as a new visitor gets it: what is not divided yet is split, classes are standardised.

    What has folds is taken as it is.
    """
    if not ready_datasets()[name].undivided:
        return Source(name)
    has_classes = classes(name) is not None
    return Source(name, scale="standard", repeats=REPEATS) if has_classes else Source(name, split=SHARE)


@st.cache_resource(max_entries=8, show_spinner="Reading the data …")
def fold(source: Source, number: int) -> Fold:
    """One fold, counted from 1.

    Raises
    ------
    DataError
        If its files cannot be used.
    """
    return dataset(source).fold(number)


@st.cache_resource(max_entries=8, show_spinner=False)
def judge(source: Source, number: int, convention: Convention) -> FoldJudge:
    """Measures models on a fold."""
    return FoldJudge(fold(source, number), convention)


@st.cache_resource(max_entries=8, show_spinner=False)
def _training(_method: Method, _settings: dict[str, float], loss: str, _fold: Fold, fingerprint: str) -> Training:
    return _method.training(_fold.train, _settings)


def training(method_id: str, source: Source, number: int, parameters: tuple[tuple[str, float], ...] = ()) -> Training:
    """Training data with its loss, shared by all methods and parameters that have the same loss."""
    method, settings = get_method(method_id), dict(parameters)
    data = fold(source, number)
    return _training(method, settings, repr(method.training_key(settings)), data, data.train.fingerprint)


@st.cache_data(max_entries=200, show_spinner="Certifying the optimum …")
def certified_optimum(
    _training: Training, fingerprint: str, method_id: str, lam: float, parameters: tuple[tuple[str, float], ...]
) -> tuple[float, Certificate] | None:
    """Best lower bound of the optimum of a convex method and how sure it is; None for a non-convex one."""
    method = get_method(method_id)
    if not method.convex:
        return None
    run = method.run(_training, lam, parameters=dict(parameters))
    result = solve(method.solver(), run.steps.problem, Stop(tol=1e-12, max_steps=200, max_seconds=20.0))
    return result.objective - result.certificate.value, result.certificate
