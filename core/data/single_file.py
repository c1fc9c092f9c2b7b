"""One file of any format as a `Dataset`: by its path, or uploaded in the browser.

A folder of part files of a Parquet table counts as one file.
"""

from __future__ import annotations

import io
import re
from dataclasses import asdict, replace
from pathlib import Path

from core.data.dataset import Dataset
from core.data.division import Division, divided
from core.data.files.cache import Kept, recall
from core.data.files.file_content import file_label, foreign_kind, read_head
from core.data.files.packed import is_workbook
from core.data.letor.letor_format import read_letor_and_texts, widened
from core.data.naming import convention_of, feature_names_for, names_file_beside, read_feature_names
from core.data.parquet.parts import is_parquet
from core.data.tables.column_roles import ColumnProfile, columns_of, roles_of
from core.data.tables.table_cells import OpenTable
from core.data.tables.table_format import ClassTable, read_table
from core.data.tables.table_options import USUAL, Kind, TableOptions, refuse_unfit

WHOLE = Division()
_LETOR_LINE = re.compile(rb"^[^#\n]*\sqid:", re.MULTILINE)
_TABLE_SUFFIXES = {".csv", ".tsv"}
_AS_THEY_ARE = "surrogateescape"  # bytes that are no UTF-8


def open_file(
    source: Path | bytes,
    label: str | None = None,
    *,
    name: str | None = None,
    provenance: str | None = None,
    options: TableOptions = USUAL,
    group: bool = False,
    division: Division = WHOLE,
    keep: bool = True,
) -> Dataset:
    """Open a LETOR, CSV or Parquet file, or an upload's content, as a dataset; by default all of it is for training.

    The label is what messages call it: the name of an upload, by default the path. Name and origin of the dataset
    follow from the file's name by default. With ``group``, documents of a query are put together if the file has them
    apart. The cache on the disk may ``keep`` what the file holds; it never keeps an upload. Raises a `DataError` if the
    file or an option cannot be used.
    """
    label = label or file_label(source)
    file_name = source.name if isinstance(source, Path) else label
    kind = kind_of(source, label, options)
    reading = _read(source, kind, label, options, group, keep)
    place = str(source.absolute()) if isinstance(source, Path) else file_name
    data, described = reading.data, reading.described
    if kind is Kind.LETOR:
        names = names_file_beside(source, *_dataset_folder(source)) if isinstance(source, Path) else None
        if names is not None:  # text leaves zeros out, so it may end at a lower number than the names
            data = widened(data, max(data.n_features, len(read_feature_names(names))))
        data = replace(data, feature_names=feature_names_for(data, names, place))
    came = provenance or f"{'Read from the file' if isinstance(source, Path) else 'Uploaded as'} {file_name}."
    convention, why = described.convention, tuple[str, ...]()
    if convention is None:
        convention, why = convention_of(place, lambda: data)
    dataset = divided(
        data,
        division,
        options.missing,
        name=name or Path(file_name.removesuffix(".gz")).stem,
        convention=convention,
        provenance=came if described.provenance in (None, came) else f"{came} {described.provenance}",
        notes=(*reading.notes, *why),
    )
    return replace(dataset, query_texts=reading.query_texts)


def _dataset_folder(path: Path) -> list[Path]:
    """Return the dataset folder of a fold's or partition's file; nothing for a file on its own."""
    folder = path.absolute().parent
    return [folder.parent] if folder.name == "partitions" or folder.name.lower().startswith("fold") else []


def read_classes(source: Path | bytes, name: str, options: TableOptions = USUAL) -> ClassTable | None:
    """Return the columns of a file with classes; None where its relevance is graded.

    Raises a `DataError` if the file cannot be used.
    """
    if kind_of(source, name, options) not in Kind.CSV | Kind.WORKBOOK:
        return None
    table = OpenTable.of(source, name, options)
    return ClassTable.of(table) if roles_of(table.head, options) is None else None


def read_columns(source: Path | bytes, name: str, options: TableOptions = USUAL) -> dict[str, ColumnProfile]:
    """Profile the columns of a CSV or Parquet file, with keys as options name them; empty for other files.

    Raises a `DataError` if the file cannot be used.
    """
    kind = kind_of(source, name, options)
    if kind is Kind.LETOR:
        return {}
    if kind is Kind.PARQUET:
        from core.data.parquet.table import first_rows  # pyarrow is heavy to import

        return columns_of(first_rows(source, name))
    return columns_of(OpenTable.of(source, name, options).head)


def _read(source: Path | bytes, kind: Kind, label: str, options: TableOptions, group: bool, keep: bool) -> Kept:
    """Read a file, through the cache if that may keep it; content that is in memory never goes to the disk."""
    if kind is Kind.PARQUET:  # as fast as the cache
        from core.data.parquet.parquet_format import read_parquet

        return read_parquet(source, name=label, options=options, group=group)
    key: dict[str, object] = {"reader": kind.name, "group": group}
    if kind is Kind.LETOR:
        refuse_unfit(options, kind, label)
    else:
        key |= asdict(options)

    def read() -> Kept:
        if kind is not Kind.LETOR:
            return read_table(source, name=label, options=options, group=group)
        data, texts = read_letor_and_texts(source, name=label, group=group)
        return Kept(data, query_texts=texts)

    return recall(source, key, read) if keep and isinstance(source, Path) else read()


def kind_of(source: Path | bytes, file_name: str, options: TableOptions) -> Kind:
    """Tell a CSV file, workbook or Parquet file; any other file goes to the LETOR reader, which refuses it."""
    if is_parquet(source):
        return Kind.PARQUET
    if is_workbook(source):
        return Kind.WORKBOOK
    text = io.StringIO(read_head(source, file_name).decode(errors=_AS_THEY_ARE), newline="")
    head = "".join(options.lines(text)).encode(errors=_AS_THEY_ARE)
    if _LETOR_LINE.search(head) or foreign_kind(head):
        return Kind.LETOR
    if Path(file_name.lower().removesuffix(".gz")).suffix in _TABLE_SUFFIXES:
        return Kind.CSV
    first_line = head.lstrip().partition(b"\n")[0]
    split = b":" not in first_line and any(delimiter in first_line for delimiter in (b",", b";", b"\t"))
    return Kind.CSV if split else Kind.LETOR
