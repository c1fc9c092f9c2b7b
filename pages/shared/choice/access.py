"""Data and what is derived from it, kept in memory and keyed by fingerprint; thin wrappers over core."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path, PurePath

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.data import Convention, DataError, Dataset, Fold, MissingValuesError, RankingData, Reading
from core.data.catalogue import READY, CatalogueEntry, catalogue
from core.data.division import SHARE
from core.data.imports.report import ImportReport
from core.data.single_file import read_classes
from core.data.tables.class_column import ClassColumn
from core.data.tables.class_layout import ClassLayout
from core.data.tables.class_options import ClassOptions
from core.data.tables.class_table import ClassTable
from core.methods import Method, Training, get_method
from core.methods.refit import is_refitted
from core.solvers import Certificate, Stop, solve
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.source import Source
from pages.shared.choice.upload_store import SHARED, Upload, UploadStore
from pages.shared.choice.visitor import home
from pages.shared.kept import once

FOLDS = 5  # of a file of queries, as in LETOR
REPEATS = 10  # random splits of a set with classes, as in Rakotomamonjy (2012, Table 1)


@once(seconds=30)
def ready_datasets() -> Mapping[str, CatalogueEntry]:
    """Datasets that can be opened, by name; looked for again every half minute."""
    return {entry.name: entry for entry in catalogue() if entry.state == READY}


@once()
def uploads() -> UploadStore:
    """Uploaded files of all visitors. Lives as long as the server; copies that an earlier one left behind go."""
    for left in (home() / "uploads").glob("*"):
        try:
            if time.time() - left.stat().st_mtime > SHARED:
                shutil.rmtree(left, ignore_errors=True)
        except OSError:
            continue
    return UploadStore(on_gone=_forget)


def upload_copy(upload: Upload) -> Path:
    """Where a copy of an upload is for other processes while a run needs it; it goes with the upload."""
    name = PurePath(upload.name).name
    return home() / "uploads" / upload.digest[:16] / (name if name not in ("", "..") else "upload")


def _forget(upload: Upload) -> None:
    import_reports().pop(upload.digest, None)
    shutil.rmtree(upload_copy(upload).parent, ignore_errors=True)


@once()
def import_reports() -> dict[str, ImportReport]:
    """What the join of judgments and logs has found, by the sha256 of the joined upload."""
    return {}


def dataset(source: Source) -> Dataset:
    """The dataset a source describes.

    Raises
    ------
    DataError
        If it cannot be used.
    """
    return _dataset(version=_version(source), source=source)


@once(16, "Reading the data …")
def _dataset(version: object, source: Source) -> Dataset:
    return _opened(source)


def _opened(source: Source) -> Dataset:
    if source.upload:
        upload = uploads().get(source.upload)
        return source.reading.open(upload.name, upload.content)
    return source.reading.open(source.name)


def classes(source: Source) -> ClassColumn | None:
    """The classes of a single file or set; None where relevance is graded, or nothing can be read.

    Opening the dataset says why it cannot be read. The positive class does not matter.
    """
    version = _version(source)
    options = replace(source.reading.classes, positive=None)
    if version is None:
        return None
    if source.upload:
        return _classes(version, options, lambda: _classes_of(_upload_table(source, options)))
    return _classes(version, options, lambda: ready_datasets()[source.name].classes(options))


@once(16, "Reading the data …")
def _classes(version: object, options: ClassOptions, _read: Callable[[], ClassColumn | None]) -> ClassColumn | None:
    try:
        return _read()
    except DataError:
        return None


def layout(source: Source) -> ClassLayout | None:
    """The roles of the columns of a file with classes; None for other data and for files that cannot be read."""
    version = _version(source)
    if version is None:
        return None
    if source.upload:
        return _layout(version, source.reading.classes, lambda: _upload_table(source, source.reading.classes))
    return _layout(version, source.reading.classes, lambda: ready_datasets()[source.name].table(source.reading.classes))


@once(16, "Reading the data …")
def _layout(version: object, options: ClassOptions, _read: Callable[[], ClassTable | None]) -> ClassLayout | None:
    try:
        table = _read()
    except DataError:
        return None
    return None if table is None else table.layout


def ways_with_missing(source: Source) -> tuple[str, ...]:
    """The ways to treat missing cells of a file with classes; empty if no cell is missing."""
    version = _version(source)
    whole = Reading(**asdict(replace(source.reading.classes, missing=None)))
    return () if version is None else _ways(version, whole, replace(source, reading=whole))


@once(16, "Reading the data …")
def _ways(version: object, reading: Reading, _unsaid: Source) -> tuple[str, ...]:
    try:
        _opened(_unsaid)  # not kept: it is the file before it is divided
    except MissingValuesError as error:
        return error.ways
    except DataError:
        return ()
    return ()


def _upload_table(source: Source, options: ClassOptions) -> ClassTable | None:
    upload = uploads().get(source.upload)
    return read_classes(upload.content, upload.name, options)


def _classes_of(table: ClassTable | None) -> ClassColumn | None:
    return None if table is None else table.classes()


def _version(source: Source) -> object:
    """The file's version, which changes when the file is written to; None if there is none that can be inspected."""
    if source.upload:
        return source.upload
    entry = ready_datasets().get(source.name)
    if entry is None:
        return None
    if entry.path is None:
        return entry.name
    try:
        state = entry.path.stat()
    except OSError:
        return None
    return str(entry.path), state.st_mtime_ns, state.st_size


def usual_source(name: str) -> Source:
    """A dataset of the catalogue as a new visitor gets it: what is not divided yet is split, classes are standardised.

    What has folds is taken as it is.
    """
    if not ready_datasets()[name].undivided:
        return Source(name)
    has_classes = classes(Source(name)) is not None or layout(Source(name)) is not None
    if has_classes:
        return Source(name, reading=Reading(scale="standard", repeats=REPEATS))
    source = Source(name)
    return source.read(split=SHARE) if too_few_queries(source) else source.read(folds=FOLDS)


def too_few_queries(source: Source) -> str:
    """Why a file cannot be dealt into `FOLDS` folds, in words; empty where it can, or cannot be read at all."""
    try:
        dataset(source)
    except DataError:
        return ""
    try:
        dataset(source.read(folds=FOLDS))
    except DataError as error:
        return error.reason.partition(";")[0]
    return ""


def fold(source: Source, number: int) -> Fold:
    """One fold, counted from 1.

    Raises
    ------
    DataError
        If its files cannot be used.
    """
    return _fold(version=_version(source), source=source, number=number)


@once(8, "Reading the data …")
def _fold(version: object, source: Source, number: int) -> Fold:
    return dataset(source).fold(number)


def judge(source: Source, number: int, convention: Convention) -> FoldJudge:
    """Measures models on a fold."""
    return _judge(version=_version(source), source=source, number=number, convention=convention)


@once(8)
def _judge(version: object, source: Source, number: int, convention: Convention) -> FoldJudge:
    return FoldJudge(fold(source, number), convention)


@once(8)
def _training(
    _method: Method,
    _settings: dict[str, float],
    loss: str,
    _data: RankingData,
    fingerprint: str,
    convention: Convention,
) -> Training:
    return _method.training(_data, _settings, convention)


def training(method_id: str, source: Source, number: int, parameters: tuple[tuple[str, float], ...] = ()) -> Training:
    """Training data with its loss, shared by all methods and parameters that have the same loss."""
    method, settings = get_method(method_id), dict(parameters)
    data, convention = fold(source, number), dataset(source).convention
    return _training(
        _method=method, _settings=settings, loss=repr(method.training_key(settings)), _data=data.train,
        fingerprint=data.train.fingerprint, convention=convention,
    )  # fmt: skip


def load(choice: Choice) -> Loaded:
    """A choice with its data. Call it on the thread of a page, and once a run: it takes as long as a small chart.

    Raises
    ------
    DataError
        If the data cannot be used.
    """
    opened, number = dataset(choice.source), choice.fold_number
    return Loaded(
        **{each.name: getattr(choice, each.name) for each in fields(Choice)},
        fold=fold(choice.source, number),
        training=training(choice.method_id, choice.source, number, choice.parameters),
        judge=judge(choice.source, number, choice.convention),
        where=f"{opened.name}, {opened.fold_names[number - 1]}",
    )


@once(200, "Certifying the optimum …")
def certified_optimum(
    _training: Training,
    fingerprint: str,
    method_id: str,
    lam: float,
    parameters: tuple[tuple[str, float], ...],
    rules: Rules | None = None,
) -> tuple[float, Certificate] | None:
    """The best lower bound of a convex method's optimum, with its accuracy; None if unknown, or for a refit."""
    method = get_method(method_id) if rules is None else rules.applied(get_method(method_id))
    if not method.convex or is_refitted(dict(parameters)):
        return None
    run = method.run(_training, lam, parameters=dict(parameters))
    result = solve(method.solver(), run.steps.problem, Stop(tol=1e-12, max_steps=200, max_seconds=20.0))
    if result.certificate.kind != "duality gap":
        return None
    return result.objective - result.certificate.value, result.certificate
