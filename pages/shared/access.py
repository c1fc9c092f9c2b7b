"""Data and what is derived from it, kept in memory and keyed by fingerprint; thin wrappers over core."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.data import Convention, Dataset, Fold
from core.data.catalogue import READY, CatalogueEntry, catalogue, open_dataset, open_upload
from core.methods import Method, Training, get_method
from core.solvers import Certificate, Stop, solve


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
    group: bool = False


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
    options = {"positive": source.positive, "scale": source.scale, "split": source.split, "group": source.group}
    if source.upload:
        name, content = uploads()[source.upload]
        return open_upload(content, name, **options)  # type: ignore[arg-type]
    return open_dataset(source.name, **options)  # type: ignore[arg-type]


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
