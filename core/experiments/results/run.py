"""A run of the protocol with its summary: what its report, its page and its pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.content import text_key
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.results.comparison import Comparisons
from core.experiments.results.summary import MethodLine, summarise, tried_words
from core.experiments.run.cells import Cell, choice_titles
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.workers.workers import Failure
from core.names.counted import counted

Rows = list[dict[str, object]]

MOST_NAMED = 3  # datasets in a headline


@dataclass(frozen=True, eq=False)
class Run:
    """A run of the protocol with its summary.

    Attributes
    ----------
    plan : Plan
    results : mapping of Cell to CellResult
    problems : mapping of Cell to Failure
    reference : str or None
        Label of the method that the others are compared with.
    margin : float
        Differences of MAP or NDCG@10 as small as this make no difference to the reader.
    given : Comparisons or None
        Those of `comparisons` for any margin, where they are known already.
    """

    plan: Plan
    results: Mapping[Cell, CellResult]
    problems: Mapping[Cell, Failure]
    reference: str | None
    margin: float = DEFAULT_MARGIN
    given: Comparisons | None = None

    @cached_property
    def lines(self) -> tuple[MethodLine, ...]:
        """Its summary."""
        return summarise(self.plan, self.results)

    @cached_property
    def titles(self) -> dict[str, str]:
        """A method's name for people, by its label."""
        return choice_titles(self.plan.choices)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Comparisons with the reference and with the best of each dataset; computing them takes a moment."""
        return (self.given or Comparisons.of(self.lines, self.reference)).within(self.margin)

    @cached_property
    def fingerprint(self) -> str:
        """The digest of what it shows: a result by its cell, which names all that it depends on, and its seconds."""
        cells = [(cell.key, cell.dataset, cell.fold, cell.choice.label, found.seconds)
                 for cell, found in self.results.items()]  # fmt: skip
        failed = [(cell.key, cell.dataset, cell.fold, cell.choice.label, failure.sentence)
                  for cell, failure in self.problems.items()]  # fmt: skip
        asked = (self.plan.datasets, self.plan.choices, self.plan.points, self.plan.measure, self.plan.rule)
        return text_key(asked, self.reference, self.margin, sorted(cells), sorted(failed))

    def reason(self, cell: Cell) -> str:
        """Why a cell has no result."""
        return self.problems[cell].sentence if cell in self.problems else "not computed yet"

    @property
    def complete(self) -> bool:
        """Whether every cell has a result."""
        return len(self.results) == len(self.plan.cells)

    @property
    def choice_words(self) -> str:
        """How C is chosen, with the number of values that were tried."""
        return self.plan.choice_words(tried_words(self.lines, self.titles))

    @property
    def where(self) -> str:
        """Whose numbers they are: datasets and folds in words."""
        datasets = self.plan.datasets
        if len(datasets) > MOST_NAMED:
            return counted(len(datasets), "dataset")
        return ", ".join(f"{data.name} ({counted(data.n_folds, 'fold')})" for data in datasets)

    @property
    def about(self) -> str:
        """How C is chosen and how quality is measured."""
        return f"{self.choice_words} · {self.conventions} convention"

    @property
    def conventions(self) -> str:
        """Conventions of its datasets."""
        return ", ".join(dict.fromkeys(dataset.convention for dataset in self.plan.datasets))

    def lines_of(self, dataset: str) -> list[MethodLine]:
        """Return the lines of a dataset."""
        return [line for line in self.lines if line.dataset == dataset]

    def titled(self, rows: Sequence[Mapping[str, object]]) -> Rows:
        """Replace the ids of methods in rows by their titles."""
        return [dict(row) | {"method": self.titles.get(str(row["method"]), row["method"])} for row in rows]
