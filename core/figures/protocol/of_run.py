"""What the pictures of a run of the protocol have in common."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.figures.picture import Picture
from core.names.plain import in_file_name

Lines = Sequence[MethodLine]
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class RunPicture(Picture[Found], ABC):
    """A picture of all datasets of a run."""

    run: Run

    @property
    def lines(self) -> Lines:
        """What is finished."""
        return self.run.lines

    def result(self, needed: Mapping[str, Any]) -> Any:
        """What is finished, unless the picture is of something else."""
        return self.lines

    def check(self) -> None:
        super().check()
        if not self.run.lines:
            msg = "nothing of the run is finished"
            raise ValueError(msg)

    def subject(self) -> str:
        return f"The protocol on {', '.join(dataset.name for dataset in self.run.plan.datasets)}"


@dataclass(frozen=True, eq=False)
class DatasetPicture(RunPicture[Found], ABC):
    """A picture of one dataset of a run.

    Parameters
    ----------
    run : Run
    dataset : str, optional
        By default the first.
    """

    dataset: str | None = None

    @property
    def shown(self) -> str:
        """The name of the dataset, by default the first of the run."""
        return self.dataset or self.run.plan.datasets[0].name

    @property
    def lines(self) -> Lines:
        """The lines of the dataset."""
        return self.run.lines_of(self.shown)

    @property
    def chart_key(self) -> str:
        return f"{self.chart}_{in_file_name(self.shown).replace('.', '-')}"

    def check(self) -> None:
        super().check()
        names = [dataset.name for dataset in self.run.plan.datasets]
        if self.shown not in names:
            msg = f"the run has no dataset {self.dataset!r}; it has {', '.join(names)}"
            raise ValueError(msg)
        if not self.lines:
            msg = f"nothing of the run is finished on {self.shown}"
            raise ValueError(msg)
