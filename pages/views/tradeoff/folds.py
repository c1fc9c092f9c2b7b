"""The trade-off over all folds of a dataset: means with bars, worked out as one job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_paths import complete_curves
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.export.scripts.description import MethodDescription
from core.figures.tradeoff.over_folds import Bars, Marks, TradeoffOverFolds
from core.figures.tradeoff.tradeoff import View
from pages.shared import keys, scripts
from pages.shared.choice import access, link
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.show import option_control, show_chosen
from pages.views.tradeoff import fold_batch

THIS, ALL = "this one", "all"
FOLD_WORDS = {THIS: "This fold", ALL: "All folds"}
GRIDS = fold_batch.GRIDS

Fold = Mapping[str, Sequence[TradeoffPoint]]


def folds_control(choice: Choice) -> bool:
    """Whether all folds are wanted; no control where there is one only."""
    if access.dataset(choice.source).n_folds == 1:
        return False
    folds = link.one_of(
        "Folds",
        FOLD_WORDS,
        key="tradeoff_folds",
        help="All folds: the same paths on every fold, with means and bars that show how much folds differ. This "
        "takes a while and continues while you use other pages.",
    )
    return folds == ALL


@dataclass(frozen=True)
class FoldOptions:
    """How several folds are drawn as one: what their models share, the bars, the grid, and whether ℓ2 is taken off."""

    marks: Marks
    bars: Bars
    grid: str
    paired: bool


def fold_options() -> FoldOptions:
    """Draw the controls of all folds."""
    marks = option_control(TradeoffOverFolds, "marks", label="visible")
    bars = option_control(TradeoffOverFolds, "bars", label="visible")
    grid = link.one_of(
        "Models a path",
        {name: f"{name}: {points}" for name, points in GRIDS.items()},
        begins="quick",
        key=keys.TRADEOFF_GRID,
        label_visibility="visible",
        help="Values of C on each path, over the same range. Quick takes a third of the time.",
    )
    paired = option_control(TradeoffOverFolds, "paired")
    return FoldOptions(marks, bars, grid, paired)


def folds_picture(
    choice: Loaded,
    methods: Sequence[str],
    dense: str,
    view: View,
    titles: Mapping[str, str],
    here: Fold,
    limit: int,
    options: FoldOptions,
    stage: DeltaGenerator,
    on_click: Callable[[], None],
) -> bool:
    """Work out what is missing, and draw what there is; False where no fold is complete yet.

    Parameters
    ----------
    dense : str
        The method that keeps all features, drawn as a line.
    here : mapping
        Points of the chosen fold by method: what a click opens.
    stage : container
        Where the picture goes; what is under way stands beneath it.
    on_click : callable
        What a click on the picture calls.
    """
    points = GRIDS[options.grid]
    plans = fold_batch.plans_of_folds(choice, [*methods, dense], points)
    fold_batch.fit_folds(plans, points, "tradeoff_batch")
    folds = complete_curves(plans, fold_batch.fold_results())
    if not folds:
        return False
    described = {method: scripts.method_of(choice, method) for method in methods}
    picture = TradeoffOverFolds(
        access.dataset(choice.source),
        {method: one.options.get("parameters", {}) for method, one in described.items()},
        measure=view.measure,
        part=view.part,
        points=points,
        marks=options.marks,
        bars=options.bars,
        paired=options.paired,
        against=view.across.horizontal,
        log_across=view.across.log,
        limit=limit,
        rules=rules_written(described.values()),
        convention=choice.convention,
        n_features=choice.fold.train.n_features,
        here=here,
    )
    # The chart of one fold has the same key: a click means the same on both.
    with stage:
        found = show_chosen(picture, choice, known={"folds": folds}, on_click=on_click, main=True)
    assert found is not None, "what it needs is known"
    st.caption(
        "At a number of features, each fold takes the best model with at most so many, chosen on its own validation "
        "part; at a λ/λ_max, the model there. The standard error is that of the mean over folds, min–max the worst "
        "and the best fold. Grey: the best of all methods. Click a mark to use that model, on the chosen fold, on "
        "every page."
    )
    for method, empty in found.empty.items():
        st.caption(f"{titles[method]} keeps no feature at any λ on {', '.join(empty)}: the empty model is optimal.")
    return True


def rules_written(described: Iterable[MethodDescription]) -> FeatureRules | None:
    """The rules for features, as a script writes them; None where there are none."""
    under = next((one.options for one in described if one.rules is not None), {})
    given = {name: value for name, value in under.items() if name != "parameters"}
    return FeatureRules(**given) if given else None
