"""Table 1 of Rakotomamonjy (2012) for the given sets: positives on top and number of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.analysis.top_strips import lists_with_a_top
from core.data import DataError, Dataset, Fold, RankingData
from core.data.division import split_data
from core.data.scaling import scale_fold
from core.experiments.infinite_push.choosing_by_top import SHARE, choose_by_top, top_rate
from core.experiments.infinite_push.published_top import PublishedTop, name_if_published, published_set
from core.experiments.results.signed_rank import LEVEL, holm, signed_rank_p
from core.methods import get_method

METHODS = ("infinite-push-l1", "infinite-push-l2", "l1")
ITERATIONS = 10
QUICK_ITERATIONS = 3


@dataclass(frozen=True)
class TopSet:
    """A set of two classes as one query, undivided and not scaled.

    Attributes
    ----------
    name : str
        Name for people, unique in a table; it includes the positive class if that was a choice.
    share : float
        Share of the documents used for training.
    published : str
        Its name in the catalogue, for finding the published figures.
    fingerprint : str
        Of the data.
    data : RankingData
    notes : tuple of str
        What was done to read it.
    """

    name: str
    share: float
    published: str
    fingerprint: str
    data: RankingData = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, data: RankingData, name: str, published: str = "") -> TopSet:
        """Make a set, with the paper's training share if the paper prints it."""
        return cls(name, training_share(published), published, data.fingerprint, data)

    @classmethod
    def of_dataset(cls, dataset: Dataset, name: str) -> TopSet:
        """Read a set, whose positive class is added to its ``name``.

        Raises
        ------
        DataError
            If it cannot be used, or is not of two classes in one list.
        """
        data = dataset.fold(1).train
        if data.n_queries != 1 or not len(lists_with_a_top(data)):
            msg = f"{name} is not data of two classes in one list"
            raise DataError(msg)
        published = name_if_published(dataset.name, data.n_documents, data.n_features)
        return cls.of(data, f"{name} ({data.query_ids[0]})", published)


def training_share(name: str) -> float:
    """Return the paper's training share if printed (sonar and wpbc 90 %, spectf 80 %, ionosphere 70 %), else 70 %."""
    printed = published_set(name)
    return SHARE if printed is None or printed.training_share is None else printed.training_share


@dataclass(frozen=True)
class TopCell:
    """One method on one random split of a set; the split's number is its seed."""

    set: TopSet
    split: int
    method: str

    @property
    def where(self) -> str:
        """The set, for people."""
        return self.set.name


@dataclass(frozen=True)
class TopOutcome:
    """The result of a method on the test part of one split.

    Attributes
    ----------
    cell : TopCell
    top : float
        Rate of positives on top.
    kept : int
        Number of variables.
    seconds : float
        Solver time of the last fit.
    """

    cell: TopCell
    top: float
    kept: int
    seconds: float


def top_cells(sets: Sequence[TopSet], iterations: int, methods: Sequence[str] = METHODS) -> tuple[TopCell, ...]:
    """List the cells set by set, split by split."""
    return tuple(TopCell(s, split, method) for s in sets for split in range(iterations) for method in methods)


def top_outcome(cell: TopCell, known: Mapping[TopCell, TopOutcome]) -> TopOutcome:
    """Split, standardise, choose the settings, fit, and test; for `CellRun`.

    In the training part every feature has mean 0 and variance 1; the test part is scaled alike.
    """
    train, test = split_data(cell.set.data, cell.set.share, cell.split)
    parts = scale_fold(Fold(f"split {cell.split + 1}", train, test=test), "standard").parts()
    chosen = choose_by_top(get_method(cell.method), parts["train"], cell.split)
    weights = chosen.fit.weights
    return TopOutcome(cell, top_rate(parts["test"], weights), chosen.fit.result.nonzero, chosen.fit.result.seconds)


@dataclass(frozen=True)
class MeanDeviation:
    """Mean and sample standard deviation; 0 for a single value."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> MeanDeviation:
        """Compute both from at least one value."""
        x = np.asarray(values, dtype=np.float64)
        return cls(float(x.mean()), float(x.std(ddof=1)) if len(x) > 1 else 0.0)


@dataclass(frozen=True)
class TopRow:
    """A line of the table, over the splits that all methods have finished.

    Attributes
    ----------
    set, method : str
    n_splits : int
    top, kept : MeanDeviation
    p_value : float or None
        p of the signed-rank test of ``top`` against the best method of this set; None for the best itself.
    p_holm : float or None
        The same, adjusted for the number of methods compared on this set; the paper does not adjust.
    published : PublishedTop or None
    """

    set: str
    method: str
    n_splits: int
    top: MeanDeviation
    kept: MeanDeviation
    p_value: float | None
    p_holm: float | None
    published: PublishedTop | None

    @property
    def difference(self) -> float | None:
        """Our mean rate on top minus the published one."""
        return None if self.published is None else self.top.mean - self.published.top

    def worse(self, *, adjusted: bool = False) -> bool:
        """Tell whether it is significantly worse than the best at level 0.05, as underlined in the paper."""
        p = self.p_holm if adjusted else self.p_value
        return p is not None and p < LEVEL


def top_rows(outcomes: Sequence[TopOutcome]) -> list[TopRow]:
    """Make the table so far, in the order of the outcomes' sets and methods."""
    by_cell = {outcome.cell: outcome for outcome in outcomes}
    methods = list(dict.fromkeys(cell.method for cell in by_cell))
    rows = []
    for s in dict.fromkeys(cell.set for cell in by_cell):
        splits = sorted({cell.split for cell in by_cell if cell.set == s})
        complete = [split for split in splits if all(TopCell(s, split, method) in by_cell for method in methods)]
        if complete:
            rows += _rows(s, {m: [by_cell[TopCell(s, split, m)] for split in complete] for m in methods})
    return rows


def _rows(s: TopSet, outcomes: Mapping[str, Sequence[TopOutcome]]) -> list[TopRow]:
    tops = {method: [outcome.top for outcome in found] for method, found in outcomes.items()}
    best = max(tops, key=lambda method: np.mean(tops[method]))
    others = [method for method in tops if method != best]
    p_values = {method: signed_rank_p(tops[method], tops[best]) for method in others}
    adjusted = dict(zip(others, holm(list(p_values.values())), strict=True))
    printed = published_set(s.published)
    return [
        TopRow(
            set=s.name,
            method=method,
            n_splits=len(found),
            top=MeanDeviation.of(tops[method]),
            kept=MeanDeviation.of([outcome.kept for outcome in found]),
            p_value=p_values.get(method),
            p_holm=adjusted.get(method),
            published=None if printed is None else printed.top(method),
        )
        for method, found in outcomes.items()
    ]
