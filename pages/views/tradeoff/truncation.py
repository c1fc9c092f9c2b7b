"""Models cut down to their largest weights, beside models fitted with as few features: Figs. 1-3 of FSMRank's paper."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from core.analysis.evaluation import FoldJudge, Metrics
from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front
from core.analysis.tradeoff.truncation import EVERY_SIZE, SizedModel, is_filter, refits, sizes_to_cut, truncations
from core.figures.tradeoff.axes import HORIZONTALS
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation import Cut, truncation_figure, truncation_sentence
from core.methods import Fit, Training, get_method
from core.work import Steps
from pages.shared import headline, panels
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.work.paths import complete, known_points
from pages.shared.work.stepwise import all_steps


@dataclass(frozen=True, eq=False)
class _Wanted:
    """A whole model; a filter's also fitted with other numbers of features, for which it needs its training data."""

    name: str
    fit: Fit
    front: Sequence[TradeoffPoint]
    training: Training | None
    usable: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of features to fit."""
        return sizes_to_cut(min(self.usable, EVERY_SIZE)) if self.training is not None else ()

    def coming(self, judge: FoldJudge) -> Iterator[tuple[str, SizedModel]]:
        """Everything that takes time, step by step."""
        yield from (("cut", model) for model in truncations(self.fit.weights, judge))
        if self.training is not None:
            yield from (("fitted", model) for model in refits(self.fit, self.training, judge, self.sizes))

    @property
    def total(self) -> int:
        """How many steps that are."""
        return len(sizes_to_cut(self.fit.result.nonzero)) + len(self.sizes)


def truncation_panel(
    choice: Loaded, curves: Mapping[str, Sequence[TradeoffPoint]], view: View, titles: Mapping[str, str], limit: int
) -> None:
    """Draw the panel for the methods of the page.

    Parameters
    ----------
    curves : mapping
        Points of the chosen fold's paths by method.
    limit : int
        The number of features that the page is about.
    """
    st.subheader("Cut down without a refit", anchor=False)
    if not complete(choice, curves):
        st.caption("This picture appears when all paths are complete.")
        return
    wanted = [_best(choice, method, points, view.measure, titles) for method, points in curves.items() if points]
    whole = _cuts(choice, wanted)
    if whole is None:
        return
    now = _now(choice, wanted, whole)
    cuts = [*([now] if now is not None else []), *whole]
    view = replace(view, across=replace(view.across, horizontal=HORIZONTALS[0]))
    title = truncation_sentence(cuts[0], view.part, view.measure, limit)
    figure = truncation_figure(
        cuts, view, limit=limit, title=title, subtitle=f"{choice.where} · solid: cut down, dotted: fitted with so few"
    )
    panels.chart(
        figure, "truncation", alt=f"{title}. {view.up} against the number of weights kept.", table=_table(cuts)
    )
    st.caption(
        f"Each method's model is the best by {view.measure} of its path, chosen as above; its k largest weights stay "
        "as they are, the others become 0, as Lai et al. (2013) count the features of FSMRank. Dotted: the best model "
        "of the path with at most k features or, where a filter chooses first, its model of just k at the same C."
    )


def _best(
    choice: Loaded, method: str, points: Sequence[TradeoffPoint], measure: str, titles: Mapping[str, str]
) -> _Wanted:
    front = pareto_front(points, measure)
    fit = next(point.fit for point in known_points(choice, method) if point.fit.c == front[-1].c)
    training = None
    if is_filter(get_method(method)):
        training = access.training(method, choice.source, choice.fold_number, tuple(fit.parameters.items()))
    return _Wanted(titles[method], fit, front, training, int(choice.judge.usable_features.sum()))


def _cuts(choice: Loaded, wanted: Sequence[_Wanted]) -> list[Cut] | None:
    """None while a progress bar stands on the page."""
    judge = choice.judge
    models = [(one.fit.method, one.fit.lam, tuple(one.fit.parameters.items())) for one in wanted]
    parts = (choice.fingerprint, choice.where, choice.convention, models)
    key = "truncation-" + hashlib.sha256(repr(parts).encode()).hexdigest()
    steps = ((one.name, *step) for one in wanted for step in one.coming(judge))
    total = sum(one.total for one in wanted)
    found = all_steps(key, lambda: Steps(steps, total), "Cutting models down")
    if found is None:
        return None
    cuts = []
    for one in wanted:
        kinds = [(kind, model) for name, kind, model in found if name == one.name]
        fitted: list[tuple[int, Metrics]] = [
            (model.n_features, model.metrics) for kind, model in kinds if kind == "fitted"
        ]
        if not is_filter(get_method(one.fit.method)):
            fitted = [
                (point.kept, {part: dict(values) for part, values in point.values.items()}) for point in one.front
            ]
        cuts.append(Cut(one.name, one.fit, [model for kind, model in kinds if kind == "cut"], fitted))
    return cuts


def _now(choice: Loaded, wanted: Sequence[_Wanted], whole: Sequence[Cut]) -> Cut | None:
    """The model of every page; None where it is empty, is not known, or is drawn anyway."""
    shown = headline.shown(choice)
    if shown is None or shown.fit.result.nonzero == 0:
        return None
    fit = shown.fit
    if any((one.fit.method, one.fit.c, one.fit.parameters) == (fit.method, fit.c, fit.parameters) for one in wanted):
        return None
    cut = _cut_down(choice.judge, (choice.key, choice.where, choice.convention, fit.result.steps), fit)
    same = [one.fitted for one in whole if one.fit.method == fit.method and not is_filter(choice.method)]
    return Cut(f"the chosen {choice.title}", fit, cut, same[0] if same else ())


@st.cache_resource(max_entries=50, show_spinner=False)
def _cut_down(_judge: FoldJudge, key: tuple[object, ...], _fit: Fit) -> list[SizedModel]:
    return list(truncations(_fit.weights, _judge))


def _table(cuts: Sequence[Cut]) -> pd.DataFrame:
    rows = []
    for cut in cuts:
        for kind, models in (("cut down", [(m.n_features, m.metrics) for m in cut.cut]), ("fitted", cut.fitted)):
            for size, metrics in models:
                row: dict[str, object] = {"model": cut.name, "C": cut.fit.c, "kind": kind, "features": size}
                row |= {f"{m} {part}": metrics[part][m] for m in ("MAP", "NDCG@10", "Top") for part in metrics}
                rows.append(row)
    return pd.DataFrame(rows)
