"""The picture of models cut down to their largest weights, as means over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.fold_truncation import SizeMean, mean_over_folds
from core.analysis.tradeoff.tradeoff import MEASURES
from core.data import Convention, Dataset
from core.experiments.papers.folds import FoldRef
from core.experiments.papers.fsmrank_sizes import SizeCell, SizeOutcome, size_cells, size_curves, size_outcome
from core.experiments.run.cell_run import CellRun
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import get_learner
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.fold_truncation import BAND, best_at_sentence, fold_truncation_figure
from core.figures.tradeoff.over_folds import Methods
from core.figures.tradeoff.tradeoff import View
from core.methods import get_method


@dataclass(frozen=True, eq=False)
class SizesOverFolds(Ingredient[Sequence[SizeOutcome]]):
    """Models of every fold cut down, as cells of an experiment.

    Attributes
    ----------
    dataset : Dataset
    methods : tuple of MethodChoice
    measure : str
    points : int
        Values of C that are tried.
    sizes : sequence of int or None
    convention : {"standard", "letor3", "letor4"}
    """

    dataset: Dataset
    methods: tuple[MethodChoice, ...]
    measure: str
    points: int
    sizes: Sequence[int] | None
    convention: Convention

    what = "Cutting models of every fold down"

    def work(self) -> CellRun[SizeCell, SizeOutcome]:
        """Prepare a cell for every fold and method."""
        refs = [self._fold_ref(number) for number in range(1, self.dataset.n_folds + 1)]
        cells = size_cells(refs, self.methods, points=self.points, measure=self.measure, sizes=self.sizes)
        return CellRun(cells, size_outcome, {})

    def result(self, run: CellRun[SizeCell, SizeOutcome]) -> Sequence[SizeOutcome]:
        """The outcomes of all cells."""
        return run.finish()

    def _fold_ref(self, number: int) -> FoldRef:
        fold = self.dataset.fold(number)
        identity = tuple((part, data.fingerprint) for part, data in fold.parts().items())
        return FoldRef(self.dataset.name, number, identity, self.convention, fold.train.n_features, lambda: fold)


@dataclass(frozen=True, eq=False)
class SizeMeans:
    """Means over the folds that are complete: by label of the method, of every number of features."""

    means: Mapping[str, Sequence[SizeMean]]
    n_folds: int


@dataclass(frozen=True, eq=False)
class TruncationOverFolds(Picture[SizeMeans]):
    """Draw what the k largest weights of models are worth, as means over all folds.

    The table has a row a method and number of features.

    Parameters
    ----------
    dataset : Dataset
        Each of its folds has a validation part, which chooses the models that are cut down.
    methods : sequence of str, or mapping
        Ids; or the parameters of each method, by id: those that are given are not tried. A method that chooses
        features first is fitted with k of them instead.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}
    points : int
        Values of C that are tried.
    sizes : sequence of int, optional
        Numbers of features that such a method is fitted with; by default as many as a model is cut down to.
    limit : int, optional
        A number of features, which is marked.
    convention : {"standard", "letor3", "letor4"}, optional
        The dataset's by default.
    """

    dataset: Dataset
    methods: Methods
    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    part: str = option("test", titles={part: part for part in PART_WORDS})
    points: int = option(17)
    sizes: Sequence[int] | None = option(None)
    limit: int | None = option(None, looks=True)
    convention: Convention | None = option(None)
    n_usable: int = aside(0)

    name, chart = "truncation_over_folds", "truncation_folds"

    @property
    def choices(self) -> dict[MethodChoice, str]:
        """Titles of the methods."""
        given = self.methods if isinstance(self.methods, Mapping) else {method: {} for method in self.methods}
        return {MethodChoice.of(get_learner(one), own): get_method(one).title for one, own in given.items()}

    @property
    def titles(self) -> dict[str, str]:
        """Titles by label."""
        return {choice.label: title for choice, title in self.choices.items()}

    def check(self) -> None:
        super().check()
        _ = self.choices

    def subject(self) -> str:
        return f"Largest weights over all folds, of {', '.join(self.choices.values())}"

    def needs(self) -> dict[str, SizesOverFolds]:
        counted = self.convention or self.dataset.convention
        cut = SizesOverFolds(self.dataset, tuple(self.choices), self.measure, self.points, self.sizes, counted)
        return {"outcomes": cut}

    def result(self, needed: Mapping[str, Any]) -> SizeMeans:
        curves = next(iter(size_curves(needed["outcomes"]).values()), {})
        found = {label: mean_over_folds(folds, self.part, self.measure) for label, folds in curves.items()}
        return SizeMeans({label: row for label, row in found.items() if row}, len(next(iter(curves.values()), ())))

    def rows(self, found: SizeMeans) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "method": self.titles[label],
                "features at most": mean.size,
                "folds": mean.n_folds,
                "mean": mean.value.mean,
                "standard error": mean.value.error,
                "min": mean.value.low,
                "max": mean.value.high,
            }
            for label, row in found.means.items()
            for mean in row
        )

    def words(self, found: SizeMeans) -> Words:
        total = self.dataset.n_folds
        value = f"{PART_TITLES[self.part]} {self.measure}"
        most = max((mean.size for row in found.means.values() for mean in row), default=1)
        title = best_at_sentence(found.means, self.titles, value, self.limit or most)
        count = f"{found.n_folds} of {total} folds so far" if found.n_folds < total else f"{total} folds"
        return Words(title, said(self.dataset.name, count, f"band: {BAND}"), title)

    def drawing(self, found: SizeMeans, words: Words) -> go.Figure:
        usable = self.n_usable or max(mean.size for row in found.means.values() for mean in row)
        return fold_truncation_figure(
            found.means,
            View(
                self.part,
                self.measure,
                Across("features kept", usable, True),
                self.convention or self.dataset.convention,
            ),
            self.titles,
            limit=self.limit,
            title=words.title,
            subtitle=words.subtitle,
        )
