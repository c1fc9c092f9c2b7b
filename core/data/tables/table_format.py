"""Readers of tables in text and workbooks: with relevance and query columns, or with a class for every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError, MissingValuesError, NoNumbersError, refuse
from core.data.files.cache import Kept
from core.data.letor.letor_format import assemble
from core.data.letor.letor_lines import relevance_problem, value_problem
from core.data.missing import gap, gaps_words, listing, possible_ways
from core.data.numbers import BLANKS
from core.data.ranking_data import RankingData
from core.data.tables.class_layout import ClassColumn, ClassLayout, class_layout, class_texts
from core.data.tables.column_roles import Roles, header_of, roles_of
from core.data.tables.table_cells import UNJUDGED, Cells, OpenTable, is_missing, is_missing_class, whole_grade
from core.data.tables.table_options import USUAL, Kind, TableOptions, refuse_unfit, resolve_column
from core.names.counted import counted


def read_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    options: TableOptions = USUAL,
    group: bool = False,
) -> Kept:
    """Read a CSV file or an Excel workbook.

    A table with columns of relevance and query has a document in each row; all columns but the document's are features.
    A table with a class for every row is one query, whose id says which class is positive, e.g. ``"b-against-g"``; a
    document's id is its line. See `core.data.tables.column_roles` and `core.data.tables.class_layout`. With ``group``,
    documents of a query are put together if the file has them apart.

    Raises
    ------
    DataError
        At the first error, with line and column name.
    UndecidedRolesError, UndecidedColumnError, UndecidedClassError
        If a person has to say which columns are query and relevance, which has the classes, or which is positive.
    MissingValuesError
        If values are missing and ``options.missing`` is None.
    NoNumbersError
        If columns of features have text.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    table = OpenTable.of(source, name, options)
    roles = roles_of(table.head, options)
    refuse_unfit(options, table.kind & (Kind.CLASSES if roles is None else Kind.QUERIES), table.text.name)
    return _read_classes(ClassTable.of(table)) if roles is None else _read_ranking(table, roles, group)


def _read_ranking(table: OpenTable, roles: Roles, group: bool) -> Kept:
    options, file = table.options, table.text.name
    query, relevance = roles.decided(file)
    names = list(roles.names) if roles.headed else [f"column {name}" for name in roles.names]
    texts = [j for j in (query, relevance, roles.document) if j is not None]
    features = [j for j in range(len(names)) if j not in texts and j not in roles.left_out]
    if not features:
        refuse("there is no feature column besides relevance and query", file=file)
    cells = table.cells(roles.headed, texts, roles.left_out)
    unjudged = _unjudged(cells, query, relevance, names, options, file)
    queries, grades = cells.texts[query], cells.texts[relevance]
    levels = {text: whole_grade(table.writing.plain(text)) for text in dict.fromkeys(grades)}
    wrong = next((text for text, level in levels.items() if level is None), None)
    if wrong is not None:
        line = cells.lines[grades.index(wrong)]
        raise DataError(relevance_problem(wrong), file=file, line=line, column=names[relevance])
    places = dict(enumerate(names))
    values = _features(
        cells,
        features,
        places,
        roles.option,
        file,
        options,
        names_documents=roles.document is not None,
    )
    starts = [row for row in range(len(queries)) if row == 0 or queries[row] != queries[row - 1]]
    data = assemble(
        values,
        np.array([levels[text] for text in grades], dtype=np.int32),
        [queries[row] for row in starts],
        np.array(starts, dtype=np.int64),
        document_ids=None if roles.document is None else cells.texts[roles.document],
        feature_names=[names[j] for j in features],
        group=group,
        file=file,
        line_of_document=cells.lines.__getitem__,
    )
    told = role_note(options, roles.told(query), roles.told(relevance), data)
    return Kept(data, (*told, *roles.notes, *table.notes, *unjudged))


def _unjudged(
    cells: Cells, query: int, relevance: int, names: Sequence[str], options: TableOptions, file: str
) -> tuple[str, ...]:
    """Leave out rows without query or relevance, where that is the treatment of missing values; say how many.

    Raises a `MissingValuesError` at the first such row otherwise.
    """
    notes = []
    for j, what, marks in ((query, "query", {""}), (relevance, "relevance", UNJUDGED)):
        lacking = {text for text in set(cells.texts[j]) if text in marks or (j == relevance and is_missing(text))}
        rows = [row for row, text in enumerate(cells.texts[j]) if text in lacking] if lacking else []
        if not rows:
            continue
        if len(rows) == len(cells.lines):
            refuse(f"no row has a {what}; choose another column", file=file, column=names[j])
        if options.missing != "drop":
            shown = cells.texts[j][rows[0]]
            judged = "; it often means that the document was not judged" if shown.startswith("-") else ""
            said = f"the {what} label {shown} is negative{judged}" if judged else f"the value is missing: no {what}"
            msg = f"{said}; {len(rows):,} of {len(cells.lines):,} rows are so; leave such rows out"
            raise MissingValuesError(msg, ways=("drop",), file=file, line=cells.lines[rows[0]], column=names[j])
        cells.without(rows)
        notes.append(f"The reader leaves out {counted(len(rows), 'row')} without {what}.")
    return tuple(notes)


def role_note(options: TableOptions, query: str, relevance: str, data: RankingData) -> tuple[str, ...]:
    """Say which columns are query and relevance, if a person has named one of them."""
    if options.query_column is None and options.relevance_column is None:
        return ()
    levels = ", ".join(map(str, np.unique(data.relevance).tolist()))
    return (f"{_capital(query)} names the query ({data.n_queries:,}), {relevance} has the relevance ({levels}).",)


def _features(
    cells: Cells,
    features: Sequence[int],
    places: dict[int, str],
    option: Callable[[int], str],
    file: str,
    options: TableOptions,
    *,
    names_documents: bool,
) -> NDArray[np.float64]:
    """Return the features, with `core.data.missing.gap` where one is missing.

    Raises a `NoNumbersError`, `MissingValuesError` or `DataError` at the first text, missing value or infinite one.
    """
    values, used = cells.matrix(features), set(features)
    bad = sorted((row, j, text) for j, (row, text) in cells.bad.items() if j in used)
    if bad:
        row, j, text = bad[0]
        comma = cells.writing.comma
        if comma and "," not in text and cells.writing.__class__().number(text) is not None:
            reason = f"{text!r} has a decimal point where other numbers have a comma, as {comma!r}"
            refuse(f"{reason}; write all of them with points", file=file, line=cells.lines[row], column=places[j])
        msg = value_problem(text, may_name_documents=not names_documents)
        columns = tuple(option(j) for j in sorted(j for _, j, _ in bad))
        if len(bad) > 1:
            msg = f"{msg}; columns with other values than numbers are {', '.join(columns)}"
        words = (option(j) for _, j, text in bad if any(map(str.isalpha, text)))
        document = None if names_documents else next(words, None)
        line, place = cells.lines[row], places[j]
        raise NoNumbersError(msg, columns=columns, document=document, file=file, line=line, column=place)
    infinite = np.isinf(values)
    if infinite.any():
        row, k = np.argwhere(infinite)[0].tolist()
        msg = value_problem(str(values[row, k]))
        columns = tuple(option(features[j]) for j in np.flatnonzero(infinite.any(axis=0)).tolist())
        raise NoNumbersError(msg, columns=columns, file=file, line=cells.lines[row], column=places[features[k]])
    missing = np.isnan(values)
    if not missing.any():
        return values
    if options.missing is None:
        row, k = np.argwhere(missing)[0].tolist()
        mark = cells.lacking.get(features[k], (row, "nan"))[1] or "missing"
        said = gaps_words(missing, [places[j] for j in features], "cell")
        msg = f"the value is {mark}; {said}; leave those rows out, or fill in 0 or their columns' medians"
        ways, line = possible_ways(missing), cells.lines[row]
        raise MissingValuesError(msg, ways=ways, file=file, line=line, column=places[features[k]])
    values = values if values.flags.writeable else values.copy()
    values[missing] = gap(values.dtype)
    return values


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A table with classes, with the cells of all rows, whose columns have their roles."""

    table: OpenTable = field(repr=False)
    cells: Cells = field(repr=False)
    layout: ClassLayout

    @classmethod
    def of(cls, table: OpenTable) -> ClassTable:
        """Read a table's rows and infer the roles of its columns.

        Raises a `DataError` as `class_layout`.
        """
        options = table.options
        texts = class_texts(table.head, options)
        headed, names = header_of(table.head)
        skipped = {resolve_column(name, names, table.text.name) for name in options.named_columns} - texts
        cells = table.cells(headed, sorted(texts), skipped, BLANKS)
        return cls(table, cells, class_layout(table.head, options, cells.texts))

    @cached_property
    def class_position(self) -> int:
        """Position of the class column."""
        return self.layout.decided(self.table.text.name)

    @cached_property
    def features(self) -> list[int]:
        """Positions of the features."""
        out = {self.class_position, *self.layout.left_out}
        return [j for j in range(len(self.layout.names)) if j not in out]

    @cached_property
    def places(self) -> dict[int, str]:
        """Names of the columns in error messages; without a header, with their number in the file if it differs."""
        if self.layout.headed or (self.layout.usual and not self.layout.left_out):
            return dict(enumerate(self.layout.names))
        return {j: f"{j + 1} ({name})" for j, name in enumerate(self.layout.names)}

    def classes(self, *, complete: bool = False) -> ClassColumn:
        """Return the class of every document; rows without a class are skipped (reading the data reports them).

        With ``complete``, so are rows with missing features if that is their treatment.
        """
        labels = self.cells.texts[self.class_position]
        if complete and self.table.options.missing == "drop":
            missing = np.atleast_1d(np.isnan(self.cells.matrix(self.features)).any(axis=1))
            labels = [label for label, lacks in zip(labels, missing.tolist(), strict=True) if not lacks]
        labels = [label.strip() for label in labels if not is_missing_class(label)]
        return ClassColumn(labels, self.layout.names[self.class_position], self.table.text.name)


def _read_classes(table: ClassTable) -> Kept:
    file, options = table.table.text.name, table.table.options
    position, layout, cells = table.class_position, table.layout, table.cells
    if not table.features:
        refuse("no feature is left besides the class; leave out fewer columns", file=file)
    classes = table.classes()
    lacking = [row for row, label in enumerate(cells.texts[position]) if is_missing_class(label)]
    unclassed: tuple[str, ...] = ()
    if lacking:
        if not classes.labels:
            classes.positive()  # refuses it
        if options.missing != "drop":
            n = f"{len(lacking):,} of {len(cells.lines):,} rows"
            msg = f"the class is missing, and cannot be filled in: {n} have none; leave those rows out"
            line = cells.lines[lacking[0]]
            raise MissingValuesError(msg, ways=("drop",), file=file, line=line, column=table.places[position])
        cells.without(lacking)
        unclassed = (f"Rows without a class are left out: {len(lacking):,}.",)
    values = _features(cells, table.features, table.places, layout.option, file, options, names_documents=True)
    chosen = classes.positive(options.positive)
    data = RankingData.build(
        values,
        classes.relevance(chosen),
        [0, len(cells.lines)],
        query_ids=[classes.query_id(chosen)],
        feature_names=[layout.names[j] for j in table.features],
        document_ids=[f"line {line}" for line in cells.lines],
    )
    notes = (*_column_notes(table, classes), *table.table.notes, *unclassed, *_constant_notes(data))
    return Kept(data, notes)


def _column_notes(table: ClassTable, classes: ClassColumn) -> list[str]:
    layout = table.layout
    notes = []
    if not layout.usual and layout.class_position is not None:
        counts = ", ".join(f"{n} of {label}" for label, n in classes.counts.items())
        notes.append(f"{_capital(layout.told(layout.class_position))} has the classes: {counts}.")
    if layout.left_out:
        why = {c.position: "text" if c.has_words else "whole number" for c in layout.ids}
        notes += [
            f"{_capital(layout.told(j))} is left out"
            + (f": every row has a different {why[j]}, like an id." if j in why else ", as asked.")
            for j in layout.left_out
        ]
    notes += [
        f"{_capital(layout.told(column.position))} looks like an id but is used as a feature; it can be left out."
        for column in layout.kept_ids
    ]
    return notes


def _constant_notes(data: RankingData) -> list[str]:
    """Name the features that have one value in all rows, if there are any."""
    constant = np.flatnonzero((data.features == data.features[0]).all(axis=0)).tolist()
    if not constant or data.n_documents == 1:
        return []
    names = listing([repr(data.feature_names[j]) for j in constant])
    if len(constant) == 1:
        return [f"Column {names} has the same value in every row, so it cannot rank; it can be left out."]
    told = f"{len(constant):,} columns have the same value in every row, so they cannot rank"
    return [f"{told}: {names}; they can be left out."]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
