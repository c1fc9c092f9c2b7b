"""What a run of the protocol consists of: datasets, methods, and the cells between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data import Convention, DataError, Dataset, Fold, open_dataset
from core.experiments.cells import Cell, MethodChoice, fold_fingerprints
from core.experiments.code_version import code_version
from core.experiments.protocol import DEFAULT_POINTS
from core.metrics import Measure


@dataclass(frozen=True)
class DatasetSource:
    """How any process opens a dataset: the words of `core.data.open_dataset`."""

    name_or_path: str
    positive: str | None = None
    scale: str = "none"
    split: float | None = None
    seed: int = 0
    repeats: int | None = None
    group: bool = False

    def open(self) -> Dataset:
        """The dataset.

        Raises
        ------
        DataError
            If it cannot be used.
        """
        return open_dataset(
            self.name_or_path,
            positive=self.positive,
            scale=self.scale,
            split=self.split,
            seed=self.seed,
            repeats=self.repeats,
            group=self.group,
        )


@dataclass(frozen=True)
class PlannedDataset:
    """A dataset of a run.

    Attributes
    ----------
    name : str
    source : DatasetSource
    convention : {"standard", "letor3", "letor4"}
        Under which it is measured.
    fold_bytes : int
        Size of the features of its largest fold.
    n_folds : int
    """

    name: str
    source: DatasetSource
    convention: Convention
    fold_bytes: int
    n_folds: int


@dataclass(frozen=True)
class Plan:
    """All of a run.

    Attributes
    ----------
    datasets : tuple of PlannedDataset
    choices : tuple of MethodChoice
    cells : tuple of Cell
        Dataset by dataset, fold by fold, so that a worker reads a fold seldom.
    points : int
    measure : str
    """

    datasets: tuple[PlannedDataset, ...]
    choices: tuple[MethodChoice, ...]
    cells: tuple[Cell, ...]
    points: int
    measure: str

    def source(self, dataset: str) -> DatasetSource:
        """How the dataset of that name is opened."""
        return next(planned.source for planned in self.datasets if planned.name == dataset)

    @property
    def fold_bytes(self) -> int:
        """Size of the features of the largest fold of all."""
        return max((planned.fold_bytes for planned in self.datasets), default=0)


def plan_protocol(
    sources: Sequence[DatasetSource],
    choices: Sequence[MethodChoice],
    *,
    points: int = DEFAULT_POINTS,
    measure: str = "MAP",
    convention: Convention | None = None,
) -> Plan:
    """Every cell of these datasets and methods. Reads every fold once, for its fingerprint.

    Parameters
    ----------
    sources : sequence of DatasetSource
    choices : sequence of MethodChoice
        Repeated ones count once.
    points : int
        Size of the grid.
    measure : str
        By which lambda is chosen.
    convention : {"standard", "letor3", "letor4"}, optional
        By default each dataset's own.

    Raises
    ------
    DataError
        If a dataset cannot be used, or two of them have the same name.
    ValueError
        If there is no such measure, or no method, dataset or point.
    """
    wanted = str(Measure.parse(measure))
    if not sources or not choices or points < 1:
        msg = "the protocol needs at least one dataset, one method and one value of lambda"
        raise ValueError(msg)
    datasets: dict[str, PlannedDataset] = {}
    cells: list[Cell] = []
    unique = tuple(dict.fromkeys(choices))
    for source in dict.fromkeys(sources):
        dataset = source.open()
        if dataset.name in datasets:
            msg = f"two of the datasets are called {dataset.name}; name each once, or rename a folder"
            raise DataError(msg)
        used = convention or dataset.convention
        largest = 0
        for number in range(1, dataset.n_folds + 1):
            fold = dataset.fold(number)
            largest = max(largest, _feature_bytes(fold))
            fingerprints = fold_fingerprints(fold, dataset.name)
            cells += [
                Cell(
                    dataset=dataset.name,
                    fold=number,
                    fingerprints=fingerprints,
                    choice=choice,
                    settings=choice.settings,
                    points=points,
                    measure=wanted,
                    convention=used,
                    code=code_version(),
                )
                for choice in unique
            ]
        datasets[dataset.name] = PlannedDataset(dataset.name, source, used, largest, dataset.n_folds)
    return Plan(tuple(datasets.values()), unique, tuple(cells), points, wanted)


def _feature_bytes(fold: Fold) -> int:
    return sum(data.features.nbytes for data in fold.parts().values())
