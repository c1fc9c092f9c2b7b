"""Models cut down to their largest weights, beside models fitted with as few features, and their table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.evaluation import FoldJudge, Metrics
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint
from core.analysis.tradeoff.truncation import EVERY_SIZE, SizedModel, is_filter, refits, sizes_to_cut, truncations
from core.figures.tradeoff.truncation import Cut
from core.methods import Fit, Training, get_method

Step = tuple[str, SizedModel]
"""What was done, "cut" or "fitted", and the model."""


@dataclass(frozen=True, eq=False)
class WholeModel:
    """A model that is to be cut down; a filter's is also fitted with other numbers of features.

    Attributes
    ----------
    name : str
        For people.
    fit : Fit
    front : sequence of TradeoffPoint
        The best models of its path with at most so many features.
    training : Training or None
        Of a filter, which is fitted to it again.
    usable : int
        How many features are not zero everywhere.
    """

    name: str
    fit: Fit
    front: Sequence[TradeoffPoint]
    training: Training | None
    usable: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of features to fit."""
        return sizes_to_cut(min(self.usable, EVERY_SIZE)) if self.training is not None else ()

    def coming(self, judge: FoldJudge) -> Iterator[Step]:
        """Everything that takes time, step by step."""
        yield from (("cut", model) for model in truncations(self.fit.weights, judge))
        if self.training is not None:
            yield from (("fitted", model) for model in refits(self.fit, self.training, judge, self.sizes))

    @property
    def total(self) -> int:
        """How many steps that are."""
        return len(sizes_to_cut(self.fit.result.nonzero)) + len(self.sizes)

    def cut(self, found: Sequence[Step]) -> Cut:
        """The curves that all steps have come to; the fitted models are those of the path, but of a filter its own."""
        fitted: list[tuple[int, Metrics]] = [
            (model.n_features, model.metrics) for kind, model in found if kind != "cut"
        ]
        if self.training is None:
            fitted = [(p.kept, {part: dict(values) for part, values in p.values.items()}) for p in self.front]
        return Cut(self.name, self.fit, [model for kind, model in found if kind == "cut"], fitted)


def with_chosen(
    name: str, fit: Fit, whole: Sequence[Cut], cut_down: Callable[[Fit], Sequence[SizedModel]]
) -> list[Cut]:
    """Put the chosen model before the best ones of paths, unless it is empty or is one of them."""
    among = any((one.fit.method, one.fit.c, one.fit.parameters) == (fit.method, fit.c, fit.parameters) for one in whole)
    if among or fit.result.nonzero == 0:
        return list(whole)
    beside = [one.fitted for one in whole if one.fit.method == fit.method and not is_filter(get_method(fit.method))]
    return [Cut(name, fit, cut_down(fit), beside[0] if beside else ()), *whole]


def cut_table(cuts: Sequence[Cut]) -> pd.DataFrame:
    """A row a model cut down and a number of features, then one for each that was fitted."""
    rows = []
    for cut in cuts:
        for kind, models in (("cut down", [(m.n_features, m.metrics) for m in cut.cut]), ("fitted", cut.fitted)):
            for size, metrics in models:
                row: dict[str, object] = {"model": cut.name, "C": cut.fit.c, "kind": kind, "features": size}
                rows.append(row | {f"{m} {part}": metrics[part][m] for m in MEASURES for part in metrics})
    return pd.DataFrame(rows)
