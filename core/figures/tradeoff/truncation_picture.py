"""The picture of models cut down to their largest weights, on one fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import FoldModel, FoldPath, one_fold
from core.analysis.tradeoff.tradeoff import MEASURES
from core.analysis.tradeoff.truncation import truncations
from core.figures.picture import Picture, Words, aside, option, said
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.cutting import CutModels, with_chosen
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation import Cut, truncation_figure, truncation_sentence
from core.methods import get_method
from core.methods.families import model_title


@dataclass(frozen=True, eq=False)
class CutDown:
    """Models cut down, the chosen one first."""

    cuts: Sequence[Cut]


@dataclass(frozen=True, eq=False)
class Truncation(Picture[CutDown]):
    """Draw what the k largest weights of each path's best model are worth, beside models fitted with k features.

    The table has a row a model and number of features.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    model : Model, optional
        Of the same fold; cut down, too, unless it is empty or the best of its path.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part chooses the best model, in expectation over the orders of tied documents.
    part : {"train", "vali", "test"}, optional
        The part that is drawn; by default the last that the fold has.
    limit : int, optional
        A number of features, which is marked.

    Raises
    ------
    ValueError
        If there is no path, or they are not of one fold.
    """

    paths: Sequence[FoldPath]
    _: KW_ONLY
    model: FoldModel | None = option(None)
    measure: str = option("MAP", titles={name: name for name in MEASURES})
    part: str | None = option(None, looks=True)
    limit: int | None = option(None, looks=True)
    where: str = aside("")
    log_across: bool = aside(True)

    name = "truncation"

    def check(self) -> None:
        super().check()
        one_fold(self.paths)

    @property
    def shown_part(self) -> str:
        """The part that is drawn."""
        return self.part or list(self.paths[0].fold.parts())[-1]

    def subject(self) -> str:
        return f"Largest weights of {', '.join(get_method(path.method).title for path in self.paths)}"

    def needs(self) -> dict[str, CutModels]:
        return {"cuts": CutModels(self.paths, self.measure)}

    def result(self, needed: Mapping[str, Any]) -> CutDown:
        judge, cuts = FoldJudge(*one_fold(self.paths)), needed["cuts"]
        if self.model is None:
            return CutDown(cuts)
        fit = self.model.fit
        title = f"the chosen {model_title(get_method(fit.method), fit.parameters)}"
        return CutDown(with_chosen(title, fit, cuts, lambda one: list(truncations(one.weights, judge))))

    def rows(self, found: CutDown) -> pd.DataFrame:
        rows = []
        for cut in found.cuts:
            for kind, models in (("cut down", [(m.n_features, m.metrics) for m in cut.cut]), ("fitted", cut.fitted)):
                for size, metrics in models:
                    row: dict[str, object] = {"model": cut.name, "C": cut.fit.c, "kind": kind, "features": size}
                    rows.append(row | {f"{m} {part}": metrics[part][m] for m in MEASURES for part in metrics})
        return pd.DataFrame(rows)

    def view(self, found: CutDown) -> View:
        """The quantities on the axes."""
        across = Across("features kept", self.paths[0].fold.train.n_features, self.log_across)
        return View(self.shown_part, self.measure, across, self.paths[0].convention)

    def words(self, found: CutDown) -> Words:
        if not found.cuts:
            return Words("No model keeps a feature", self.where, "No model keeps a feature.")
        every = len(self.paths[0].fold.train.feature_names)
        title = truncation_sentence(found.cuts[0], self.shown_part, self.measure, self.limit or every)
        subtitle = said(self.where or self.paths[0].fold.name, "solid: cut down, dotted: fitted with so few")
        return Words(title, subtitle, f"{title}. {self.view(found).up} against the number of weights kept.")

    def drawing(self, found: CutDown, words: Words) -> go.Figure:
        return truncation_figure(
            found.cuts, self.view(found), limit=self.limit, title=words.title, subtitle=words.subtitle
        )
