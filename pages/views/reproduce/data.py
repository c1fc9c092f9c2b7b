"""The datasets of the Reproduce page: which there are, how each is read, and what a plan has to know of their folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from core.content import text_key
from core.data import DataError, Reading
from core.data.catalogue import READY, CatalogueEntry, catalogue, data_folder
from core.data.files.disk import whole_file
from core.experiments.run.plan import DatasetSource, Plan, PlannedFold, read_folds
from core.experiments.run.store.file import FILE_NAME, default_store_path
from core.export.scripts.description import DataDescription
from core.work import Steps
from pages.shared import keys
from pages.shared.choice import access, ready, upload_files
from pages.shared.choice.choice import Source
from pages.shared.lazy import lazy_expander
from pages.shared.work.stepwise import finished

_WRITTEN: dict[Path, tuple[int, int]] = {}
"""Copies of uploads whose content has been compared, and their state then."""
SPLITS = 5  # of a single file with queries: as many as LETOR's folds


@dataclass(frozen=True)
class Unusable:
    """A dataset that the protocol cannot use, and why."""

    name: str
    sentence: str


@dataclass(frozen=True)
class OnPage:
    """A dataset as the page knows it."""

    name: str  # in its list
    source: DatasetSource  # how any process opens it
    n_folds: int
    version: str  # another one once its files have been written to


def dataset_names() -> list[str]:
    """List the datasets that can be picked: those of the catalogue and this session's uploads."""
    return [*ready.ready_datasets(), *_uploads()]


def on_page(name: str, chosen: Source | None) -> OnPage:
    """Return a dataset of the list by its name; the one chosen in the sidebar is read as there.

    A single file is split into training, validation and test part several times, which then count as folds.

    Raises
    ------
    DataError
        If it cannot be opened, or an upload cannot be kept for other processes.
    """
    own = chosen if chosen is not None and chosen.name == name else None
    digest = _uploads().get(name, "")
    if digest:
        source, opened_as, version = own or Source(name, upload=digest), str(_kept_upload(digest)), digest
    else:
        source, opened_as = own or access.usual_source(name), name
        version = text_key(ready.version_of(Source(name)))
    if access.undivided(source):
        has_classes = access.classes(source) is not None
        folds = source.reading.folds
        repeats = None if folds else source.reading.repeats or (access.REPEATS if has_classes else SPLITS)
        positive = source.reading.positive if has_classes else None
        reading = replace(source.reading, split=None, repeats=repeats, positive=positive)
        return OnPage(name, DatasetSource(opened_as, reading, keep=not source.upload), folds or repeats or 1, version)
    whole = DatasetSource(opened_as, Reading(scale=source.reading.scale), keep=not digest)
    n_folds = access.dataset(Source(name, digest)).n_folds if digest else ready.ready_datasets()[name].n_folds
    return OnPage(name, whole, n_folds, version)


def folds_of(datasets: Sequence[OnPage]) -> list[PlannedFold | Unusable] | None:
    """What a plan has to know of every fold; None while they are read, which a progress bar shows."""
    total = sum(dataset.n_folds for dataset in datasets)
    run = finished(
        f"folds-{text_key(datasets)}", lambda: Steps(_read(datasets), total), "Reading the folds", travels=False
    )
    return None if run is None else [fold for fold in run.found if fold is not None]


def page_name(source: DatasetSource) -> str | None:
    """What the sidebar calls a dataset of a plan; None where it is not there any more."""
    if source.name_or_path in ready.ready_datasets():
        return source.name_or_path
    store = access.uploads()
    held = {name: store.get(digest) for name, digest in _uploads().items() if digest in store}
    copies = {str(upload_files.copy_of(upload)): name for name, upload in held.items()}
    return copies.get(source.name_or_path)


def described(source: DatasetSource) -> DataDescription:
    """A dataset of a plan as scripts have it; a file that was dropped in has its own name."""
    name = page_name(source) or source.name_or_path
    digest, store = _uploads().get(name, ""), access.uploads()
    if digest in store:
        name = Source(name, upload=digest).file_name
    entry = ready.ready_datasets().get(name) if not digest else None
    own = entry is not None and entry.path is not None and data_folder() in entry.path.parents
    return DataDescription(name, 1, name, source.reading, uploaded=entry is None, own=own)


def place_of(plan: Plan) -> Path:
    """The file where finished cells of a plan are kept; those of a plan with an upload go with the upload."""
    copies = [Path(dataset.source.name_or_path) for dataset in plan.datasets if not dataset.source.keep]
    return upload_files.runs_of(copies) / FILE_NAME if copies else default_store_path()


def absent_panel() -> None:
    """The papers' datasets that are not here, and where to get them; nothing where all are."""
    absent = [entry for entry in catalogue() if not entry.here and entry.state != READY]
    if absent:
        title = f"{len(absent)} of the published datasets are not here"
        lazy_expander(title, partial(_where_to_get, absent), key="reproduce_absent_box", icon=":material/inbox:")


def _where_to_get(absent: Sequence[CatalogueEntry]) -> None:
    rows = [{"dataset": entry.name, "what": entry.title, "how to get it": entry.state} for entry in absent]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="reproduce_absent")
    st.caption("They may not be redistributed, so you need your own copy. The program finds it within half a minute.")


def _read(datasets: Sequence[OnPage]) -> Iterator[PlannedFold | Unusable | None]:
    """One step a fold; nothing for what is left of a dataset that turns out to be unusable."""
    for dataset in datasets:
        step = 0
        try:
            for fold in read_folds(dataset.source):
                step += 1
                yield fold
        except DataError as error:
            step += 1
            yield Unusable(dataset.name, str(error))
        yield from [None] * (dataset.n_folds - step)


def _uploads() -> dict[str, str]:
    kept: dict[str, str] = st.session_state.get(keys.MY_UPLOADS, {})
    return kept


def _kept_upload(digest: str) -> Path:
    """An upload as a file, so that other processes find it; it goes with the upload."""
    upload = access.uploads().get(digest)
    try:
        path = upload_files.copy_of(upload)
        if not path.is_file() or _state(path) != _WRITTEN.get(path):
            if not path.is_file() or path.read_bytes() != upload.content:
                with whole_file(path) as file:
                    file.write(upload.content)
            _WRITTEN[path] = _state(path)
    except OSError as error:
        msg = f"{upload.name} could not be copied for the worker processes: {error.strerror}"
        raise DataError(msg) from error
    return path


def _state(path: Path) -> tuple[int, int]:
    """Another one once a file has been written to."""
    state = path.stat()
    return state.st_size, state.st_mtime_ns
