"""The picture of the trade-off on one fold: quality against what a model keeps or costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import choosing_part
from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.tradeoff import (
    MEASURES,
    TradeoffRow,
    best_single_features,
    budget,
    pareto_front,
    path_end,
)
from core.experiments.results.difference import Alike, alike
from core.figures.drag.drag import MODEL, Dot, Drag, Hand, Mark
from core.figures.of_paths import OnPart
from core.figures.path.lines import PART_WORDS, measured
from core.figures.picture import Words, aside, option, said
from core.figures.tradeoff import words as sentences
from core.figures.tradeoff.axes import (
    COST,
    HORIZONTALS,
    Across,
    Curves,
    Horizontal,
    View,
    reference_labels,
    tradeoff_drawing,
)
from core.models import ModelPath, one_fold


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """The models of a trade-off, and what they are compared with."""

    curves: Curves
    """Points by method, in the order of their paths."""
    alone: TradeoffRow
    """The best ranking by one feature."""
    whole: TradeoffRow | None
    """The model of all features at the C that the choosing part picks."""
    star: TradeoffRow | None
    """The model that the choosing part picks within the limit, or of any size without one."""
    alike: Alike | None
    """Which picks are not clearly different from it; None where the queries are too few to tell."""
    picks: str
    """The part that models are chosen on: "vali" or "train"."""

    @property
    def references(self) -> dict[str, TradeoffRow]:
        """Models drawn as grey lines, by their label."""
        labelled = zip(reference_labels(self.picks), (self.whole, self.alone), strict=True)
        return {label: point for label, point in labelled if point is not None}


@dataclass(frozen=True, eq=False)
class TradeoffPicture(OnPart[Tradeoff]):
    """Draw quality against the number of features.

    Models are picked on the validation part, or on the training part where there is none; documents with the same score
    count in expectation. The star is the pick, and the band holds no pick that is clearly different from it: whose 95 %
    bootstrap interval of the difference over the queries excludes 0. The table has a row a model, then the best single
    feature and the model of all features.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    measure : {"MAP", "NDCG@10", "Top"}
    part : {"train", "vali", "test"}, optional
        The part that is drawn; by default the last that the fold has. The table has all of them.
    dense : ModelPath, optional
        The path of ``"l2"``; its best model is the reference with all features.
    limit : int, optional
        The largest number of features that one can afford; the best model within it gets a star.
    against : {"features kept", "sparsity ratio", "cost of features"}
    log_across : bool
    costs : sequence of float, length n_features
        For ``"cost of features"``; by default each costs 1.

    Raises
    ------
    ValueError
        If there is no path, they are not of one fold, or there is no such part or measure.
    """

    _: KW_ONLY
    dense: ModelPath | None = option(None)
    limit: int | None = option(None)
    against: Horizontal = option(
        "features kept",
        "Against",
        "The sparsity ratio is the share of features kept, among those that are not zero everywhere in training. If "
        "features have costs (Features, What if), their sum can be shown too.",
        titles={name: name for name in (*HORIZONTALS, COST)},
        looks=True,
        key="tradeoff_against",
    )
    log_across: bool = option(
        True,
        "log →",
        "Gives 1 to 10 features as much room as 10 to 100: that is where models differ.",
        looks=True,
        key="tradeoff_log",
    )
    costs: Sequence[float] = option((), looks=True)
    hint: str = aside("")
    current: TradeoffRow | None = aside(None)
    complete: bool = aside(True)

    name = "tradeoff"
    topic = "Trade-off between {0.measure} and features kept, of {0.names}"

    def check(self) -> None:
        super().check()
        one_fold([*self.paths, *([] if self.dense is None else [self.dense])])

    def needs(self) -> dict[str, Ingredient[Any]]:
        return {"alone": best_single_features.of(self.fold, self.convention)}

    def result(self, needed: Mapping[str, Any]) -> Tradeoff:
        curves = self.curves
        every = [point for points in curves.values() for point in points]
        within = budget(every, math.inf if self.limit is None else self.limit, self.measure)
        star = None if within is None else within.chosen
        return Tradeoff(
            curves=curves,
            alone=needed["alone"][MEASURES.index(self.measure)],
            whole=self.whole(self.dense, self.measure),
            star=star,
            alike=None if star is None or not self.complete else self._alike(curves, star),
            picks=choosing_part(self.fold.parts()),
        )

    def _alike(self, curves: Curves, star: TradeoffRow) -> Alike | None:
        """The picks of all methods beside the star."""
        weights = {(path.method, point.fit.c): point.fit.weights for path in self.paths for point in path.points}
        part, measure = self.shown_part, self.measure
        picks = {method: pareto_front(points, measure) for method, points in curves.items()}
        return alike(picks, star, lambda p: self.judge.per_query(weights[p.method, p.c], part, measure), part, measure)

    @property
    def view(self) -> View:
        across = Across.over(self.against, self.judge.usable_features, self.log_across, self.costs)
        return View(self.shown_part, self.measure, across, self.convention)

    def rows(self, found: Tradeoff) -> pd.DataFrame:
        """A row a model; none with as few features beats those that are "best so far"."""
        rows = []
        for method, points in found.curves.items():
            front = set(map(id, pareto_front(points, self.measure)))
            rows += [self._table_row(point, method) | {"best so far": id(point) in front} for point in points]
        return pd.DataFrame(
            rows + [self._table_row(point, name) | {"best so far": False} for name, point in found.references.items()]
        )

    def _table_row(self, point: TradeoffRow, name: str) -> dict[str, object]:
        names = self.fold.train.feature_names
        row: dict[str, object] = {"method": name, "features kept": point.kept, "sparsity ratio": point.sparsity}
        row |= {f"{m} {part}": point.value(part, m) for m in MEASURES for part in point.values}
        row |= {"seconds": point.seconds, "C": point.c, "λ/λ_max": point.ratio}
        return row | {"features": ", ".join(names[j] for j in point.selected)}

    def words(self, found: Tradeoff) -> Words:
        title, what = sentences.UNFINISHED, "the models so far"
        if self.complete:
            title = sentences.alike_title(found.star, found.alike, self.shown_part, self.measure, self.titles)
            most = "of all" if self.limit is None else f"of at most {self.limit} features (thin dotted line)"
            what = (
                ""
                if found.star is None
                else f"lines: picked on {PART_WORDS[found.picks]} up to each size · "
                f"★ {most}{self._at_the_end(found.star)}"
            )
        band = "" if self.complete and found.alike is None else "grey band: no clear difference from ★"
        subtitle = said(self.where_words, what, band, self.hint)
        return Words(title, subtitle, f"{title}. {self.view.up} against {self.against}.")

    def _at_the_end(self, best: TradeoffRow) -> str:
        end = path_end({path.method: path.points for path in self.paths}, best)
        return "" if end is None else f", at the {end} λ of its path: a better one may lie beyond"

    def drawing(self, found: Tradeoff, words: Words) -> go.Figure:
        drawn = tradeoff_drawing(
            found.curves,
            self.view,
            self.titles,
            words,
            references=found.references,
            limit=self.limit,
            star=found.star,
            band=None if found.alike is None else found.alike.band,
            current=self.current,
        )
        return drawn.figure()

    def without_choice(self) -> TradeoffPicture:
        return replace(self, current=None)

    def moves(self, found: Tradeoff, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        """The line at the number of features that the model keeps, or between those of two fitted models.

        Several models keep as many: among them the height of the pointer decides. The empty model ranks nothing and has
        no dot.
        """
        view = self.view
        place, up = hand.along(lambda frame: frame.placed(view.across.at)), measured(hand, view.part, view.measure)
        kept = hand.along(lambda frame: float(frame.most > 0))
        return Drag(
            hand=hand,
            picture=f"trade-off {view.part} {view.measure} {view.across.horizontal} {view.across.log}",
            marks=[Mark(across=place, up=up)],
            dots=[Dot(across=place, up=up, shown=kept, colour=hand.colour, size=MODEL)],
            measure=view.measure,
        )
