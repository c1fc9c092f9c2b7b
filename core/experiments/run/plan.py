"""The plan of a run of the protocol: datasets, methods, and the cells between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from core.analysis.choosing import RULE_TITLES, ChoiceRule, check_rule
from core.data import Convention, Dataset, Fold, Reading
from core.data.errors import refuse
from core.data.reading import AS_IT_STANDS
from core.experiments.run.cells import Cell, Identity, MethodChoice, fold_identity, protocol_version
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.protocol import DEFAULT_POINTS
from core.metrics import Measure

PARTS = {"train": "training", "vali": "validation", "test": "test"}
"""The parts of a fold of the protocol, and their names in sentences."""


@dataclass(frozen=True)
class DatasetSource:
    """How any process opens a dataset: its name in the catalogue or its path, and how it is read."""

    name_or_path: str
    reading: Reading = AS_IT_STANDS
    keep: bool = True  # whether what is read and computed may be kept on the disk

    def open(self) -> Dataset:
        """The dataset.

        Raises
        ------
        DataError
            If it cannot be used.
        """
        return self.reading.open(self.name_or_path, keep=self.keep)


@lru_cache(maxsize=1)
def opened_fold(source: DatasetSource, number: int) -> Fold:
    """Read a fold, counted from 1; the last one is kept, since cells come fold by fold."""
    return source.open().fold(number)


@dataclass(frozen=True)
class PlannedDataset:
    """A dataset of a run."""

    name: str
    source: DatasetSource
    convention: Convention  # under which it is measured
    fold_bytes: int  # size of the features of its largest fold
    n_folds: int
    notes: tuple[str, ...] = ()  # what was done to read it


@dataclass(frozen=True)
class PlannedFold:
    """A fold of a run, which is opened when it is needed. What is made of it depends on its content only."""

    dataset: PlannedDataset  # its dataset as this fold alone shows it
    number: int  # counting from 1
    identity: Identity  # part and fingerprint of every part, which identify the fold
    n_features: int

    @property
    def where(self) -> str:
        """Dataset and fold, for people."""
        return f"{self.dataset.name} fold {self.number}"

    @property
    def fingerprint(self) -> tuple[Identity, str]:
        """What identifies it, whatever the dataset is called."""
        return self.identity, self.dataset.convention

    def open(self) -> Fold:
        """Read the fold.

        Raises
        ------
        DataError
            If it cannot be used any more, or has changed.
        """
        fold = opened_fold(self.dataset.source, self.number)
        if fold_identity(fold) != self.identity:
            refuse(f"{self.where} has changed since the work began; start it again")
        return fold


def read_folds(source: DatasetSource, parts: Collection[str] = PARTS, most: int | None = None) -> Iterator[PlannedFold]:
    """Yield every fold of a dataset one by one, because reading may take long.

    Parameters
    ----------
    source : DatasetSource
    parts : collection of {"train", "vali", "test"}
        The parts that a fold must have.
    most : int, optional
        Largest number of folds; by default all.

    Raises
    ------
    DataError
        If it cannot be used, or lacks such a part.
    """
    dataset = source.open()
    for number in range(1, dataset.n_folds + 1)[:most]:
        fold = dataset.fold(number)
        lacking = [part for part in parts if part not in fold.parts()]
        if lacking:
            refuse(
                f"{dataset.name} has no {PARTS[lacking[0]]} part: C is chosen on the validation part, and models are "
                "measured on the test part; use a dataset with train, vali and test, or split a single file with "
                "--repeats 5"
            )
        size, notes = sum(data.features.nbytes for data in fold.parts().values()), (*dataset.notes, *fold.notes)
        shown = PlannedDataset(dataset.name, source, dataset.convention, size, dataset.n_folds, notes)
        yield PlannedFold(shown, number, fold_identity(fold), fold.train.n_features)


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """How the models of a run are chosen.

    Raises
    ------
    ValueError
        If there is no such measure or rule, or no point or start.
    """

    points: int = DEFAULT_POINTS  # size of the grid
    measure: str = "MAP"  # by which lambda is chosen
    rule: ChoiceRule = "best"  # how the validation part chooses; see `core.analysis.choosing`
    # From how many starts the problem of each chosen model is fitted, where these can change the model; see
    # `core.analysis.penalties.several_starts`.
    starts: int = 1
    # How often the training queries of every fold are drawn again with replacement, with all models fitted and one
    # chosen; each draw has cells of its own, after all others.
    draws: int = 0
    widen: bool = False  # whether grids widen until the choice lies inside; see `core.analysis.tuning.grid_end`

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", str(Measure.parse(self.measure)))
        check_rule(self.rule)
        if self.points < 1 or self.starts < 1 or self.draws < 0:
            raise ValueError(_TOO_LITTLE)


_TOO_LITTLE = "the protocol needs at least one dataset, one method, one value of lambda and one start"


@dataclass(frozen=True, kw_only=True)
class Plan(Choosing):
    """The plan of a run: its datasets, methods and cells, and how models are chosen."""

    datasets: tuple[PlannedDataset, ...]
    choices: tuple[MethodChoice, ...]
    cells: tuple[Cell, ...]  # dataset by dataset, fold by fold, so that a worker reads a fold seldom

    def source(self, dataset: str) -> DatasetSource:
        """Return how the dataset of that name is opened."""
        return next(planned.source for planned in self.datasets if planned.name == dataset)

    def choice_words(self, tried: str = "") -> str:
        """Words for people on how C is chosen, among as many values as the words ``tried`` say: `points` by default."""
        rule = "" if self.rule == "best" else f" ({RULE_TITLES[self.rule]})"
        widen = ", more where the choice lies at the end," if self.widen else ""
        return f"C chosen among {tried or self.points}{widen} by validation {self.measure}{rule}"

    @property
    def fold_bytes(self) -> int:
        """Size of the features of the largest fold, in bytes."""
        return max((planned.fold_bytes for planned in self.datasets), default=0)


def plan_protocol(
    sources: Sequence[DatasetSource],
    choices: Sequence[MethodChoice],
    *,
    convention: Convention | None = None,
    **how: Any,
) -> Plan:
    """List every cell of these datasets and methods; each fold is read once for its fingerprint (see `plan_of`).

    Parameters
    ----------
    how
        The attributes of `Choosing` that are not the usual ones.

    Raises
    ------
    DataError
        Also if a dataset cannot be used.
    """
    choosing = Choosing(**how)  # refused before anything is read
    folds = [fold for source in dict.fromkeys(sources) for fold in read_folds(source)]
    return plan_of(folds, choices, choosing, convention)


def plan_of(
    folds: Sequence[PlannedFold],
    choices: Sequence[MethodChoice],
    how: Choosing,
    convention: Convention | None = None,
) -> Plan:
    """List every cell of these folds and methods.

    Parameters
    ----------
    folds : sequence of PlannedFold
        Those of a dataset together.
    choices : sequence of MethodChoice
        Repeated ones count once.
    how : Choosing
    convention : {"standard", "letor3", "letor4"}, optional
        By default each dataset's own.

    Raises
    ------
    DataError
        If two datasets have the same name.
    ValueError
        If there is no method or fold.
    """
    if not folds or not choices:
        raise ValueError(_TOO_LITTLE)
    unique = tuple(dict.fromkeys(choices))
    cells = [
        Cell(
            dataset=fold.dataset.name,
            fold=fold.number,
            fingerprints=tuple(fingerprint for _, fingerprint in fold.identity),
            choice=choice,
            settings=choice.settings,
            points=how.points,
            measure=how.measure,
            convention=convention or fold.dataset.convention,
            code=protocol_version(),
            rule=how.rule,
            starts=how.starts if get_learner(choice.method).depends_on_start else 1,
            widen=how.widen,
        )
        for fold in folds
        for choice in unique
    ]
    again = [replace(cell, starts=1, draw=draw) for cell in cells for draw in range(1, how.draws + 1)]
    chosen = {one.name: getattr(how, one.name) for one in fields(Choosing)}
    return Plan(datasets=_datasets(folds, convention), choices=unique, cells=(*cells, *again), **chosen)


def _datasets(folds: Sequence[PlannedFold], convention: Convention | None) -> tuple[PlannedDataset, ...]:
    by_source: dict[DatasetSource, list[PlannedDataset]] = {}
    for fold in folds:
        by_source.setdefault(fold.dataset.source, []).append(fold.dataset)
    check_names([own[0].name for own in by_source.values()])
    return tuple(
        replace(own[0], convention=convention or own[0].convention, fold_bytes=max(one.fold_bytes for one in own))
        for own in by_source.values()
    )


def check_names(names: Sequence[str]) -> None:
    """Check that no two datasets have the same name.

    Raises
    ------
    DataError
        If two have.
    """
    for name in names:
        if names.count(name) > 1:
            refuse(f"two of the datasets are called {name}; give each only once, or rename a folder")
