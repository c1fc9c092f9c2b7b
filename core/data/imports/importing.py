"""Judgments and logs joined on (query, document), as work in steps; and a report of what was found and left out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from core.data.errors import DataError
from core.data.files.packed import Limits
from core.data.imports.kinds import LABELLED_TABLE, Kind, recognise, refuse_unfit
from core.data.imports.line_files import group_sizes, read_feature_table, read_matrix
from core.data.imports.logged_features import Judgments, LoggedFeatures, LoggedRow, Pair, joined_text
from core.data.imports.text_file import TextFile
from core.names.counted import counted, features

_STEP_SECONDS = 0.1
_ROWS_BETWEEN_LOOKS = 64
_READING = 0.85
"""Share of the work that reading takes; the rest is writing."""
_NAMED = 5
"""So many of the rows that match nothing are named."""
_COUNTED = {
    "unrated": ("judgment without a rating does not count", "judgments without a rating do not count"),
    "not_judged": ("rating of -1 says not judged and is left out", "ratings of -1 say not judged and are left out"),
    "below_zero": ("rating below -1 counts as 0, not relevant", "ratings below -1 count as 0, not relevant"),
    "repeated_judgments": ("judgment repeats an earlier one", "judgments repeat earlier ones"),
    "repeated": ("logged row repeats an earlier one", "logged rows repeat an earlier one"),
    "not_listed": (
        "value is missing from the logs and is read as 0",
        "values are missing from the logs and are read as 0",
    ),
    "other_labels": (
        "logged row has a different label; the judgment counts",
        "logged rows have different labels; the judgments count",
    ),
}
"""What is said of a count of the report: of one, and of several."""


@dataclass(frozen=True)
class ImportReport:
    """Counts of an import, of files with name and kind.

    Of (query, document) pairs some are judgments, which have a rating, and some are logged, which have features. The
    matched ones have both: they are the documents of the data, and ``queries`` counts theirs. Unmatched ones are left
    out; the first ones are named, and of the judgments those rated above 0 are relevant. ``counts`` says how often what
    `_COUNTED` says was met: a repeated row is of a log, a value that is not listed is 0.
    """

    files: tuple[tuple[str, str], ...]
    judgments: int
    logged: int
    matched: int
    queries: int
    features: tuple[str, ...]
    unmatched_judgments: int = 0
    unmatched_logged: int = 0
    first_unmatched_judgments: tuple[str, ...] = ()
    first_unmatched_logged: tuple[str, ...] = ()
    unmatched_relevant: int = 0
    counts: Mapping[str, int] = field(default_factory=Counter)

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "files": [{"file": name, "kind": kind} for name, kind in self.files],
            "judgments": self.judgments,
            "logged": self.logged,
            "matched": self.matched,
            "unmatched": {
                "judgments": self.unmatched_judgments,
                "relevant": self.unmatched_relevant,
                "logged": self.unmatched_logged,
                "first_judgments": list(self.first_unmatched_judgments),
                "first_logged": list(self.first_unmatched_logged),
            },
            "queries": self.queries,
            "features": list(self.features),
            **{name: self.counts[name] for name in _COUNTED},
        }

    @property
    def headline(self) -> str:
        """What came out, in one sentence."""
        return (
            f"{counted(self.matched, 'document')} of {counted(self.queries, 'query', 'queries')} with "
            f"{features(len(self.features))}."
        )

    def sentences(self) -> list[str]:
        """What else there is to say: the files, and what was left out or filled in."""
        said = [f"{name}: {kind}." for name, kind in self.files]
        if self.unmatched_judgments:
            said.append(
                f"{self.unmatched_judgments:,} of {self.judgments:,} judgments have no logged features and are left "
                f"out: {_named(self.first_unmatched_judgments, self.unmatched_judgments)}. "
                f"{self.unmatched_relevant:,} of them {'is' if self.unmatched_relevant == 1 else 'are'} relevant "
                "(rated above 0), and no model can find what is not logged."
            )
        if self.unmatched_logged:
            said.append(
                f"{self.unmatched_logged:,} of {self.logged:,} logged documents have no judgment and are left out: "
                f"{_named(self.first_unmatched_logged, self.unmatched_logged)}."
            )
        counts = ((self.counts[name], words) for name, words in _COUNTED.items())
        return said + [f"{counted(count, *words)}." for count, words in counts if count]


def _named(first: Sequence[str], count: int) -> str:
    more = f" and {count - len(first):,} more" if count > len(first) else ""
    return ", ".join(f"“{name}”" for name in first) + more


class Import:
    """Reads judgments and logs and writes the joined set as LETOR text. It is a `core.work.Work`.

    A pair that has only a judgment or only features is left out and counted. Without a file of judgments, the labels of
    the logs are the judgments. ``sources`` are files by name, in any order; there is a ``report`` once the work is
    done. Raises a `DataError` if a file is of no known kind or the files do not belong together; a step raises it where
    a file has an error.
    """

    def __init__(self, sources: Sequence[tuple[str, Path | bytes]], out: BinaryIO) -> None:
        self.report: ImportReport | None = None
        self.problems: Mapping[str, str] = {}
        self.now = ""
        # A file that has told its kind has been read from: the work begins with a fresh one.
        self._files = [(TextFile(source, name), recognise(TextFile(source, name))) for name, source in sources]
        refuse_unfit([(file.name, kind) for file, kind in self._files])
        self._out = out
        self._limits = min((file.limits for file, _ in self._files), key=lambda limits: limits.text, default=Limits(1))
        self._judgments, self._features = Judgments(self._limits), LoggedFeatures(self._limits)
        self._own_labels = not any(kind.role == "judgments" for _, kind in self._files)
        self._unjudged: list[str] = []
        self._n_unjudged, self._counts = 0, Counter[str]()
        self._written = 0.0
        self._seconds = 0.0
        self._steps = self._work()

    @property
    def done(self) -> bool:
        """Whether the text is written."""
        return self.report is not None

    @property
    def share(self) -> float:
        """Share of the files that has been read, and of the text that has been written."""
        if self.done:
            return 1.0
        size = sum(file.size for file, _ in self._files)
        read = sum(file.share * file.size for file, _ in self._files)
        return _READING * read / size + (1 - _READING) * self._written

    @property
    def seconds_left(self) -> float | None:
        """Estimate at the pace so far."""
        share = self.share
        return self._seconds * (1 - share) / share if share > 0 else None

    def advance(self) -> None:
        """Work for a fraction of a second."""
        begun = time.perf_counter()
        while not self.done and time.perf_counter() - begun < _STEP_SECONDS:
            next(self._steps, None)
        self._seconds += time.perf_counter() - begun

    def _work(self) -> Iterator[None]:
        for file, kind in self._files:
            if kind.judgments is not None:
                self.now = file.name
                yield from _sparsely(kind.judgments(file, self._judgments))
        for file, kind in self._files:
            if kind.role in ("log", "matrix"):
                self.now = file.name
                yield from _sparsely(self._join(self._rows(file, kind)))
        if not self._features.pairs:
            raise self._nothing_matched()
        self.now = "writing"
        total, written, size = len(self._features.pairs), 0, 0
        for text in joined_text(self._judgments, self._features):
            size += self._out.write(text.encode())
            self._limits.check_text(size, None, "the joined data")
            written += text.count("\n")
            self._written = min(written / (total + 1), 1.0)
            yield
        self.report = self._reported()
        self._judgments, self._features = Judgments(self._limits), LoggedFeatures(self._limits)  # they may be large

    def _rows(self, file: TextFile, kind: Kind) -> Iterator[LoggedRow]:
        if kind is LABELLED_TABLE and not self._own_labels:
            return read_feature_table(file, joined=True)
        if kind.log is not None:
            return kind.log(file)
        sizes = next(group_sizes(beside) for beside, other in self._files if other.role == "group sizes")
        return read_matrix(file, sizes)

    def _join(self, rows: Iterator[LoggedRow]) -> Iterator[None]:
        judgments = self._judgments
        for row in rows:
            yield
            if self._own_labels:
                judgment = self._own_judgment(row)
            elif not row.document:
                row.place.refuse("this row names no document, so it cannot be joined with a judgment")
            else:
                judgment = judgments.find(row.query, row.document)
            if judgment is None:
                self._n_unjudged += 1
                if len(self._unjudged) < _NAMED:
                    self._unjudged.append(f"{row.query.text or row.query.id}: {row.document}")
                continue
            if not self._features.add(judgment, row):
                self._counts["repeated"] += 1
            elif row.label and not self._own_labels and row.label != str(judgment.rating):
                self._counts["other_labels"] += 1

    def _own_judgment(self, row: LoggedRow) -> Pair | None:
        if not row.label:
            row.place.refuse("this row has no relevance; add a file of judgments")
        unnamed = f"{PurePath(row.place.file).name}:{row.place.line}"
        return self._judgments.add(row.query, row.document or unnamed, row.label, row.place)

    def _nothing_matched(self) -> DataError:
        pairs = self._judgments.pairs
        judged = f"“{self._judgments.called(pairs[0])}”" if pairs else "nothing"
        logged = f"“{self._unjudged[0]}”" if self._unjudged else "nothing"
        return DataError(
            f"no logged document has a judgment: the judgments begin with {judged}, the logs with {logged}; queries "
            "and documents must have the same names in both"
        )

    def _reported(self) -> ImportReport:
        judgments, logged = self._judgments, self._features
        unlogged = [pair for pair in judgments.pairs if pair.logged is None]
        return ImportReport(
            files=tuple((file.name, _title(file, kind)) for file, kind in self._files),
            judgments=len(judgments.pairs),
            logged=len(logged.pairs) + self._n_unjudged,
            matched=len(logged.pairs),
            queries=len({pair.query for pair in logged.pairs}),
            features=logged.names,
            unmatched_judgments=len(unlogged),
            unmatched_logged=self._n_unjudged,
            first_unmatched_judgments=tuple(map(judgments.called, unlogged[:_NAMED])),
            first_unmatched_logged=tuple(self._unjudged),
            unmatched_relevant=sum(pair.rating > 0 for pair in unlogged),
            counts=self._counts + judgments.counts + Counter(not_listed=logged.not_listed),
        )


def _title(file: TextFile, kind: Kind) -> str:
    """The kind in words, with the encoding if it is not UTF-8."""
    return f"{kind.title}, read as {file.encoding}" if file.encoding else kind.title


def _sparsely(rows: Iterator[None]) -> Iterator[None]:
    """Yield after some rows, so that looking at the clock costs nothing."""
    for number, _ in enumerate(rows):
        if number % _ROWS_BETWEEN_LOOKS == 0:
            yield
