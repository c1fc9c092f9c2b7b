"""The trade-off over all folds: its paths, fold by fold, its controls and its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan, complete_curves, fold_judge, paths_of_folds
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.content import text_key
from core.export.scripts.description import MethodDescription
from core.figures.tradeoff.over_folds import Bars, TradeoffOverFolds
from core.figures.tradeoff.tradeoff import View
from pages.shared import keys, scripts
from pages.shared.cache import Results
from pages.shared.choice import access, link, ready
from pages.shared.choice.choice import Choice, Loaded, Source
from pages.shared.show import option_control, show_chosen
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, make_latest
from pages.shared.work.paths import settings_of

GRIDS = {"quick": 17, "full": 50}  # models a path


def fold_results() -> Results:
    """Paths and best single features of folds that this server knows, by key."""
    return Results("paths of folds")


def plans_of_folds(choice: Choice, method_ids: Sequence[str], points: int) -> list[FoldPlan]:
    """Every fold of the chosen dataset, with the chosen parameters."""
    dataset = access.dataset(choice.source)
    return [
        FoldPlan(
            name=f"{dataset.name}, {name}",
            open=partial(fold_judge, dataset, number, dataset.convention),
            paths=_path_plans(choice.source, number, {m: settings_of(choice, m) for m in method_ids}, points, choice),
            single=text_key("single", ready.version_of(choice.source), choice.source, number),
            keep=not choice.source.upload,
        )
        for number, name in enumerate(dataset.fold_names, start=1)
    ]


def _path_plans(
    source: Source, number: int, settings: dict[str, dict[str, float]], points: int, choice: Choice
) -> tuple[PathPlan, ...]:
    """Of methods with their settings, under the choice's rules for features."""
    version = ready.version_of(source)
    rules = {method: choice.rules_for(method) for method in settings}
    return tuple(
        PathPlan(
            text_key("path", version, source, number, method, sorted(values.items()), points, rules[method]),
            method,
            values,
            rules[method],
        )
        for method, values in settings.items()
    )


def complete_folds(plans: Sequence[FoldPlan]) -> list[FoldPlan]:
    """The folds of which everything is known."""
    results = fold_results()
    return [plan for plan in plans if all(key in results for key in plan.keys)]


def fit_folds(plans: Sequence[FoldPlan], points: int, name: str) -> None:
    """Start what is not known yet, and draw how far it is; the page is drawn again whenever a fold is complete.

    Call it from a page's script, not from a fragment. ``name`` tells the batches of a page apart.
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
    make_latest(job, f"{name}_job")
    Panel(
        key=name,
        reached=lambda: counted([job], "models"),
        way_out="Change a control to try again.",
        more_to_see=lambda: len(complete_folds(plans)) > drawn,
    ).draw([job], active=job.active)


THIS, ALL = "this one", "all"
FOLD_WORDS = {THIS: "This fold", ALL: "All folds"}

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
    """How several folds are drawn as one: the bars, the grid, and whether ℓ2 is taken off."""

    bars: Bars
    grid: str
    paired: bool


def fold_options() -> FoldOptions:
    """Draw the controls of all folds."""
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
    return FoldOptions(bars, grid, paired)


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
    plans = plans_of_folds(choice, [*methods, dense], points)
    fit_folds(plans, points, "tradeoff_batch")
    folds = complete_curves(plans, fold_results())
    if not folds:
        return False
    described = {method: scripts.method_of(choice, method) for method in methods}
    picture = TradeoffOverFolds(
        access.dataset(choice.source),
        {method: one.options.get("parameters", {}) for method, one in described.items()},
        measure=view.measure,
        part=view.part,
        points=points,
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
        "part. The standard error is that of the mean over folds, min–max the worst "
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
