"""Data and what is derived from it, kept in memory by their content; thin wrappers over core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from core.analysis.evaluation import FoldJudge
from core.analysis.stored_paths import ShippedPath, shipped_path
from core.data import Convention, DataError, Dataset, Fold, MissingValuesError, RankingData, Reading
from core.data.copies import copies_in_passing
from core.data.division import SHARE
from core.data.imports.importing import ImportReport
from core.data.missing import refuse_gaps
from core.data.sample import SampledFold, sample_of
from core.data.single_file import read_classes, read_columns
from core.data.tables.class_layout import ClassColumn, ClassLayout
from core.data.tables.column_roles import ColumnProfile
from core.data.tables.table_format import ClassTable
from core.data.tables.table_options import Kind, TableOptions
from core.methods import METHODS, Training, get_method
from pages.shared import cache
from pages.shared.bounded_cache import Single
from pages.shared.cache import cached
from pages.shared.choice import ready, upload_files
from pages.shared.choice.choice import Choice, Loaded, LoadedData, Regularization, Source
from pages.shared.choice.upload_files import UploadStore
from pages.shared.server.visits import is_here
from pages.shared.work.board import board

Parameters = tuple[tuple[str, float], ...]
FOLDS = 5  # of a file of queries, as in LETOR
READING = "Reading the data …"
REPEATS = 10  # random splits of a set with classes, as in Rakotomamonjy (2012, Table 1)


@Single
def uploads() -> UploadStore:
    """Uploaded files of all visitors. Lives as long as the server; files that an earlier one left behind go."""
    upload_files.forget_left_behind()
    store = UploadStore(is_here=is_here)
    store.on_gone += [upload_files.forget, lambda digest: import_reports().pop(digest, None), forget_made]
    store.on_rest += [forget_made]
    return store


def forget_made(digest: str) -> None:
    """Forget everything that was made of an upload: it can be made again as long as that is here."""
    board().forget_upload(digest)
    cache.drop_upload(digest)


def end_uploads() -> None:
    """Forget all uploads, at the end of the server."""
    uploads().clear()
    upload_files.forget_all()


@Single
def import_reports() -> dict[str, ImportReport]:
    """What the join of judgments and logs has found, by the sha256 of the joined upload."""
    return {}


@cached(room="data", says=READING, version=ready.version_of)
def dataset(source: Source) -> Dataset:
    """The dataset a source describes.

    Raises
    ------
    DataError
        If it cannot be used.
    """
    found = _opened(source)
    if source.upload and source.reading.missing is None:  # numbers that stand for missing ones are asked about, too
        for data in found.fold().parts().values():
            refuse_gaps(data)
    return found


def refusal(source: Source) -> DataError | None:
    """Why the data cannot be used; None where it can."""
    try:
        dataset(source)
    except DataError as error:
        return error
    return None


def _opened(source: Source) -> Dataset:
    if source.upload:
        upload = uploads().get(source.upload)
        return source.reading.open(source.file_name, upload.content)
    return source.reading.open(source.name)


@cached(room="data", says=READING, version=ready.version_of)
def classes(source: Source) -> ClassColumn | None:
    """The classes of a single file or set; None where relevance is graded, or nothing can be read.

    Opening the dataset says why it cannot be read. The positive class does not matter.
    """
    options = replace(source.reading.table, positive=None)
    try:
        if not source.upload:
            entry = ready.ready_datasets().get(source.name)
            return None if entry is None else entry.classes(options)
        table = _upload_table(source, options)
        return None if table is None else table.classes(complete=True)
    except DataError:
        return None


@cached(room="data", says=READING, version=ready.version_of)
def layout(source: Source) -> ClassLayout | None:
    """The roles of the columns of a file with classes; None for other data and for files that cannot be read."""
    options, entry = source.reading.table, ready.ready_datasets().get(source.name)
    try:
        table = _upload_table(source, options) if source.upload else entry.table(options) if entry else None
    except DataError:
        return None
    return None if table is None else table.layout


def columns(source: Source) -> Mapping[str, ColumnProfile]:
    """The columns of a CSV or Parquet file, as options name them, by its first rows; empty for other data."""
    return _columns(before_division(source))


@cached(room="data", says=READING, version=ready.version_of)
def _columns(source: Source) -> Mapping[str, ColumnProfile]:
    entry = ready.ready_datasets().get(source.name)
    try:
        if source.upload:
            return read_columns(uploads().get(source.upload).content, source.file_name, source.reading.table)
        one_file = entry is not None and entry.undivided and entry.path
        return read_columns(one_file, one_file.name, source.reading.table) if one_file else {}
    except DataError:
        return {}


def ways_with_missing(source: Source) -> tuple[str, ...]:
    """The ways to treat missing cells of a file; empty if no cell is missing."""
    return _ways(before_division(source).read(missing=None))


def before_division(source: Source) -> Source:
    """The file as it is read, neither divided nor scaled."""
    return replace(source, reading=Reading(**asdict(source.reading.table), group=source.reading.group))


@cached(room="data", says=READING, version=ready.version_of)
def _ways(source: Source) -> tuple[str, ...]:
    try:
        if layout(source) is None:
            dataset(source)
        else:
            _opened(source)  # not kept: it is the file before it is divided
    except MissingValuesError as error:
        return error.ways
    except DataError:
        return ()
    return ()


def _upload_table(source: Source, options: TableOptions) -> ClassTable | None:
    upload = uploads().get(source.upload)
    return read_classes(upload.content, source.file_name, options)


def usual_source(name: str) -> Source:
    """A dataset of the catalogue as a new visitor gets it: what is not divided yet is split, classes are standardised.

    What has folds is taken as it is.
    """
    source = Source(name)
    if not undivided(source):
        return source
    if classes(source) is not None or layout(source) is not None:
        return source.read(scale="standard", repeats=REPEATS)
    return source.read(split=SHARE) if too_few_queries(source) else source.read(folds=FOLDS)


def too_few_queries(source: Source) -> str:
    """Why a file cannot be dealt into `FOLDS` folds, in words; empty where it can, or cannot be read at all."""
    if refusal(source) is not None:
        return ""
    error = refusal(source.read(folds=FOLDS))
    return "" if error is None else error.reason.partition(";")[0]


def undivided(source: Source) -> bool:
    """Whether a dataset is one set of documents, which can be divided; else it has folds already."""
    return kind(source) is not Kind.FOLDS


def kind(source: Source) -> Kind:
    """What the data is, as far as its format tells."""
    return _kind(before_division(source))


@cached(room="data", says=READING, version=ready.version_of)
def _kind(source: Source) -> Kind:
    try:
        if source.upload:
            return source.reading.kind(source.file_name, uploads().get(source.upload).content)
        return source.reading.kind(source.name)
    except DataError:
        return Kind.SINGLE  # opening it says that it is gone


@cached(room="data", says=READING, version=ready.version_of)
def fold(source: Source, number: int) -> Fold:
    """One fold, counted from 1.

    Raises
    ------
    DataError
        If its files cannot be used.
    """
    return dataset(source).fold(number)


copies = cached(room="data", says=READING)(copies_in_passing)
"""Features and queries of a fold that repeat another one."""
_sample = cached(room="data")(sample_of)


@cached(room="data")
def judge(fold: Fold, convention: Convention) -> FoldJudge:
    """Measures models on a fold."""
    return FoldJudge(fold, convention)


@cached(room="data")
def _training(method_id: str, settings: Mapping[str, float], data: RankingData, convention: Convention) -> Training:
    return get_method(method_id).training(data, settings, convention)


def training(method_id: str, source: Source, number: int, parameters: Parameters = ()) -> Training:
    """Training data with its loss, shared by all methods and parameters that have the same loss."""
    return _training_on(fold(source, number), dataset(source).convention, method_id, parameters)


def _training_on(fold: Fold, convention: Convention, method_id: str, parameters: Parameters) -> Training:
    method = get_method(method_id)
    settings = method.settings(dict(parameters))
    of_loss = {name: settings[name] for name in method.loss.parameters}
    first = next((other.id for other in METHODS if other.loss is method.loss), method_id)
    made = _training(first, of_loss, fold.train, convention)
    if not made.knows_lam_max and (path := shipped(fold, convention, first, get_method(first).settings({}))):
        vars(made)["lam_max"] = path.points[0].fit.lam_max
    return made


@cached()
def shipped(fold: Fold, convention: Convention, method_id: str, settings: Mapping[str, float]) -> ShippedPath | None:
    """The path that came with the program; see `core.analysis.stored_paths.shipped_path`."""
    return shipped_path(fold, convention, get_method(method_id), settings)


def training_of(choice: Loaded, method_id: str, parameters: Parameters = ()) -> Training:
    """Training data for a method on the very data of a choice, which may be a sample of what its source has.

    C counts the terms of the whole data, so that it means the same lambda on both.
    """
    made = _training_on(choice.fold, choice.convention, method_id, parameters)
    if not isinstance(choice.fold, SampledFold):
        return made
    return _counted(made, training(method_id, choice.source, choice.fold_number, parameters).n_terms)


@cached(room="data")
def _counted(made: Training, terms: int) -> Training:
    return replace(made, counted_terms=terms)


def sampled(choice: Loaded) -> Loaded:
    """The same choice on a sample of whole queries of its data, at the same C."""
    fold = _sample(choice.fold)
    found = replace(
        choice,
        fold=fold,
        judge=judge(fold, choice.convention),
        fingerprint=fold.fingerprint,
        where=f"{choice.where}, {fold.words}",
    )
    training = training_of(found, choice.method_id, choice.parameters)
    return replace(found, training=training, regularization=Regularization.of(training, choice.lam))


def load(choice: Choice) -> Loaded:
    """A choice with its data; as `load_data`."""
    return Loaded.of(choice, load_data(choice.source, choice.fold_number, choice.method_id, choice.parameters))


@cached(room="data", version=ready.version_of)
def load_data(source: Source, number: int, method_id: str, parameters: Parameters) -> LoadedData:
    """The data of a choice. Call it on the thread of a page.

    Raises
    ------
    DataError
        If the data cannot be used.
    """
    opened, own = dataset(source), fold(source, number)
    return LoadedData(
        own,
        _training_on(own, opened.convention, method_id, parameters),
        judge(own, opened.convention),
        where=f"{opened.name}, {opened.fold_names[number - 1]}",
    )


def with_method(choice: Loaded, method_id: str, parameters: Parameters, lam: float | None = None) -> Loaded:
    """Another method on the data of a choice, as paths are fitted: by its default solver, with its default accuracy.

    By default at the same share of lambda_max: where its loss is another, the same C would mean something else.
    """
    training = training_of(choice, method_id, parameters)
    lam = choice.ratio * training.lam_max if lam is None else lam
    method = get_method(method_id)
    return replace(
        choice,
        method_id=method_id,
        solver_id=method.solver().id,
        tol=method.stop.tol,
        parameters=parameters,
        regularization=Regularization.of(training, lam),
        training=training,
    )
