"""What the Trade-off page draws: its controls, and the picture over all folds, whose paths are worked out in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.best_subset.yardstick import BEST
from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan, complete_curves, fold_judge, paths_of_folds
from core.analysis.tradeoff.tradeoff import DENSE
from core.content import text_key
from core.figures.tradeoff.axes import COST, HORIZONTALS, Across, Curves, View
from core.figures.tradeoff.over_folds import Bars, TradeoffOverFolds
from core.figures.tradeoff.picture import TradeoffPicture
from core.methods import get_method
from pages.shared.cache import Results
from pages.shared.choice import access, address, ready
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import IDS, TITLES, choose_limit, measure_control, menu_title
from pages.shared.differences import margin_control
from pages.shared.show import method_of, option_control, show_chosen
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, make_latest
from pages.shared.work.paths import settings_of

GRIDS = {"quick": 17, "full": 50}  # models a path
THIS, ALL = "this one", "all"
_K = "k"
_TRADEOFF_METHODS = "tradeoff_methods"
SPARSE = tuple(method_id for method_id in IDS if get_method(method_id).sparse and method_id != BEST)
"""Methods with a curve along C; that of the best subset is along the number of features."""
SHOWN_FIRST = ("l1", "log", "mcp", "l0.5")
LIMIT_WIDTH = 110  # pixels


@dataclass(frozen=True)
class TradeoffOptions:
    """What the page is to draw."""

    view: View
    methods: Sequence[str]  # ids, in the menu's order; none where nothing is picked
    limit: int  # the largest number of features wanted
    over_folds: bool  # whether all folds are drawn; else the chosen one only
    bars: Bars  # how several folds are drawn as one
    grid: str
    paired: bool  # whether l2 is taken off
    margin: float  # within which two methods are equivalent


def controls(choice: Loaded) -> TradeoffOptions:
    """Draw the controls, which fill a row of the page's."""
    measure = measure_control(choice, "Quality", key="tradeoff_measure", help="It also chooses the models.")
    methods = _methods(choice)
    limit = choose_limit("Features at most", choice, key=_K, bind="query-params", width=LIMIT_WIDTH)
    over_folds = False
    if access.dataset(choice.source).n_folds > 1:
        help = (
            "All folds: the same paths on every fold, with means and bars that show how much folds differ. This "
            "takes a while and continues while you use other pages."
        )
        offered_folds = {THIS: "This fold", ALL: "All folds"}
        over_folds = address.one_of("Folds", offered_folds, key="tradeoff_folds", help=help) == ALL
    bars, grid, paired = TradeoffOverFolds.default("bars"), "quick", TradeoffOverFolds.default("paired")
    with st.popover("More", key="tradeoff_more", help="The horizontal axis, how folds are drawn, and the margin"):
        costs = choice.rules.every_cost
        offered = [*HORIZONTALS, *([COST] if not over_folds and np.ptp(costs) > 0.0 else [])]
        horizontal = option_control(TradeoffPicture, "against", among=offered, label="visible")
        log = option_control(TradeoffPicture, "log_across")
        across = Across.over(horizontal, choice.judge.usable_features, log, costs.tolist())
        if over_folds:
            bars = option_control(TradeoffOverFolds, "bars", label="visible")
            grid = address.one_of(
                "Models a path",
                {name: f"{name}: {points}" for name, points in GRIDS.items()},
                begins="quick",
                key="tradeoff_grid",
                label_visibility="visible",
                help="Values of C on each path, over the same range. Quick takes a third of the time.",
            )
            paired = option_control(TradeoffOverFolds, "paired")
        margin = margin_control()
    view = View(list(choice.fold.parts())[-1], measure, across, choice.convention)
    return TradeoffOptions(view, methods, limit, over_folds, bars, grid, paired, margin)


def _methods(choice: Choice) -> list[str]:
    if _TRADEOFF_METHODS not in st.session_state:
        linked = [method for method in st.query_params.get(_TRADEOFF_METHODS, "").split(",") if method in SPARSE]
        first = [method for method in SPARSE if method in (*SHOWN_FIRST, choice.method_id)]
        st.session_state[_TRADEOFF_METHODS] = linked or first
    names = [TITLES[method] for method in SPARSE if method in st.session_state[_TRADEOFF_METHODS]]
    named = ", ".join([*names[:2], *["…"] * (len(names) > 2)]) or "none"
    with st.popover(f"Methods: {named}", key="tradeoff_methods_more"):
        picked = st.pills(
            "Methods",
            SPARSE,
            selection_mode="multi",
            format_func=menu_title,
            key=_TRADEOFF_METHODS,
            persist_state="session",
            help="Each is fitted along its path of 50 values of C. The sidebar's method uses the parameters set there, "
            "the others their defaults.",
        )
    methods = [method for method in SPARSE if method in (picked or ())]
    address.write(_TRADEOFF_METHODS, ",".join(methods))
    return methods


def fold_results() -> Results:
    """Paths and best single features of folds that this server knows, by key."""
    return Results("paths of folds")


def plans_of_folds(choice: Choice, method_ids: Sequence[str], points: int) -> list[FoldPlan]:
    """Every fold of the chosen dataset, with the chosen parameters and under the choice's rules for features."""
    source, dataset = choice.source, access.dataset(choice.source)
    version = ready.version_of(source)
    methods = [(method, settings_of(choice, method), choice.rules_for(method)) for method in method_ids]

    def paths(number: int) -> tuple[PathPlan, ...]:
        return tuple(
            PathPlan(
                text_key("path", version, source, number, method, sorted(values.items()), points, rules),
                method,
                values,
                rules,
            )
            for method, values, rules in methods
        )

    return [
        FoldPlan(
            name=f"{dataset.name}, {name}",
            open=partial(fold_judge, dataset, number, dataset.convention),
            paths=paths(number),
            single=text_key("single", version, source, number),
            keep=not source.upload,
        )
        for number, name in enumerate(dataset.fold_names, start=1)
    ]


def complete_folds(plans: Sequence[FoldPlan]) -> list[FoldPlan]:
    """The folds of which everything is known."""
    results = fold_results()
    return [plan for plan in plans if all(key in results for key in plan.keys)]


def fit_folds(plans: Sequence[FoldPlan], points: int) -> None:
    """Start what is not known yet, and draw how far it is; the page is drawn again whenever a fold is complete.

    Call it from a page's script, not from a fragment.
    """
    drawn = len(complete_folds(plans))
    if drawn == len(plans):
        return
    key = f"folds-{text_key(points, [plan.keys for plan in plans])}"
    job: Job[FoldPaths] | None = job_for(key)
    forgotten = job is not None and job.state == "finished" and job.run is not None and not job.run.problems
    if job is None or forgotten:
        results = fold_results()
        known = {key for plan in plans for key in plan.keys if key in results}
        make = partial(paths_of_folds, plans, known, points)
        job = ask_for(key, make, new=True, publish=partial(results.take, known))
    make_latest(job, "tradeoff_batch_job")
    Panel(
        key="tradeoff_batch",
        reached=lambda: counted([job], "models"),
        way_out="Change a control to try again.",
        more_to_see=lambda: len(complete_folds(plans)) > drawn,
    ).draw([job], active=job.active)


def folds_picture(
    choice: Loaded, wanted: TradeoffOptions, here: Curves, stage: DeltaGenerator, on_click: Callable[[], None]
) -> bool:
    """Work out what is missing, and draw what there is; False where no fold is complete yet.

    ``here`` has the points of the chosen fold by method: what a click opens. The picture goes to the ``stage``; what is
    under way stands beneath it.
    """
    view, methods, points = wanted.view, wanted.methods, GRIDS[wanted.grid]
    plans = plans_of_folds(choice, [*methods, DENSE], points)
    fit_folds(plans, points)
    folds = complete_curves(plans, fold_results())
    if not folds:
        return False
    described = {method: method_of(choice, method) for method in methods}
    under = next((one.options for one in described.values() if one.rules is not None), {})
    rules = {name: value for name, value in under.items() if name != "parameters"}  # as a script writes them
    picture = TradeoffOverFolds(
        access.dataset(choice.source),
        {method: one.options.get("parameters", {}) for method, one in described.items()},
        measure=view.measure,
        part=view.part,
        points=points,
        bars=wanted.bars,
        paired=wanted.paired,
        against=view.across.horizontal,
        log_across=view.across.log,
        limit=wanted.limit,
        rules=FeatureRules(**rules) if rules else None,
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
        "part. The standard error is that of the mean over folds, min–max the worst "
        "and the best fold. Grey: the best of all methods. Click a mark to use that model, on the chosen fold, on "
        "every page."
    )
    for method, empty in found.empty.items():
        st.caption(f"{TITLES[method]} keeps no feature at any λ on {', '.join(empty)}: the empty model is optimal.")
    return True
