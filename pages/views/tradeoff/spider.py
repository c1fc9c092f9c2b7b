"""The spider plot of removed features: over datasets or over folds, beside the published one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.tradeoff.fold_paths import FoldPlan
from core.analysis.tradeoff.tradeoff import pareto_front
from core.api.fold_tables import removed_table
from core.experiments.results.published.sparsity import SOURCE, published_sparsity
from core.export.scripts.over_folds import removed_by_dataset_script, removed_by_fold_script
from core.figures.tradeoff import words
from core.figures.tradeoff.spider import spider_figure
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.choice import Choice
from pages.shared.live_chart import live_chart
from pages.shared.work import fold_batch

_SPIDER_ASKED = "spider_asked"
BRANCHES = ("datasets", "folds")
FOLDS = {"one fold each": 1, "all folds": 99}
PUBLISHED_TITLES = {"fenchelrank": "FenchelRank", "fsmrank": "FSMRank", "mcp": "MCP (γ = 2)"}
"""What a title of ours would not say; the paper's MCP is ``mcp:gamma=2`` here."""
Removed = Mapping[str, Mapping[str, float]]


def spider_panel(choice: Choice, methods: Sequence[str], measure: str, titles: Mapping[str, str]) -> None:
    """Draw the panel; what takes long is started by a button."""
    st.subheader("Removed features", anchor=False)
    branches, folds, beside = _controls(choice)
    points = fold_batch.GRIDS["quick"]
    if branches == "datasets":
        plans = fold_batch.plans_of_datasets(methods, points, folds)
    else:
        every = fold_batch.plans_of_folds(choice, methods, points)
        plans = {plan.name.rpartition(", ")[2]: [plan] for plan in every}
    wanted = [plan for row in plans.values() for plan in row]
    asked = (branches, folds, tuple(methods))
    known = len(fold_batch.complete_folds(wanted)) == len(wanted)
    if not known:
        if button(
            "Compute",
            key="spider_start",
            icon=":material/hub:",
            help="Paths of 17 models, of every method on every branch.",
        ):
            st.session_state[_SPIDER_ASKED] = asked
        if st.session_state.get(_SPIDER_ASKED) == asked:
            fold_batch.fit_folds(wanted, points, "spider_batch")
    known |= st.session_state.get(_SPIDER_ASKED) == asked
    removed, unjudged = _removed(plans, methods, measure) if known else ({}, [])
    left, right = st.columns(2) if beside else (st.container(), None)
    complete = len(fold_batch.complete_folds(wanted)) == len(wanted)
    script = _script(choice, list(removed), list(plans), branches, folds, measure) if complete else ""
    with left:
        _ours(removed, unjudged, titles, measure, script)
    if right is not None:
        with right:
            _published(titles)


def _controls(choice: Choice) -> tuple[str, int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        branches = "datasets"
        if access.dataset(choice.source).n_folds > 1:
            branches = (
                st.segmented_control(
                    "Branches",
                    BRANCHES,
                    default="datasets",
                    required=True,
                    key="spider_branches",
                    bind="query-params",
                    help="Every dataset of the catalogue that is ready, or the folds of the chosen one.",
                )
                or "datasets"
            )
        folds = "one fold each"
        if branches == "datasets":
            folds = (
                st.segmented_control(
                    "Of each dataset",
                    list(FOLDS),
                    default=folds,
                    required=True,
                    key="spider_folds",
                    bind="query-params",
                    help="One fold is quick. The papers average over all of them.",
                )
                or folds
            )
        beside = st.toggle(
            "Show the published ones",
            key="spider_published",
            bind="query-params",
            help=f"The sparsity ratios of {SOURCE}, drawn in the same way.",
        )
    return branches, FOLDS[folds], beside


def _removed(
    plans: Mapping[str, Sequence[FoldPlan]], methods: Sequence[str], measure: str
) -> tuple[Removed, list[str]]:
    """1 − sparsity ratio by method and branch, the mean over its folds; and the branches without validation part."""
    removed: dict[str, dict[str, float]] = {method: {} for method in methods}
    unjudged = []
    for branch, row in plans.items():
        done = fold_batch.complete_folds(row)
        if not done:
            continue
        for method in methods:
            keys = [path.key for plan in done for path in plan.paths if path.method == method]
            fronts = [pareto_front(fold_batch.fold_results()[key], measure) for key in keys]
            best = [front[-1] for front in fronts if front]
            if best:
                removed[method][branch] = 1.0 - sum(point.sparsity for point in best) / len(best)
            if best and "vali" not in best[0].values and branch not in unjudged:
                unjudged.append(branch)
    return {method: row for method, row in removed.items() if row}, unjudged


def _script(
    choice: Choice, methods: Sequence[str], names: Sequence[str], branches: str, most_folds: int, measure: str
) -> str:
    points = fold_batch.GRIDS["quick"]
    if branches == "folds":
        described = [scripts.method_of(choice, method) for method in methods]
        data = scripts.data_of(choice.source, choice.fold_number)
        return removed_by_fold_script(data, described, measure=measure, points=points)
    datasets = [scripts.data_of(access.usual_source(name), 1) for name in names]
    return removed_by_dataset_script(datasets, methods, measure=measure, points=points, most_folds=most_folds)


def _ours(removed: Removed, unjudged: Sequence[str], titles: Mapping[str, str], measure: str, script: str) -> None:
    if not removed:
        st.markdown(
            "How many features does each method remove, at the C that ranks best on the validation part? Press "
            "**Compute** to compare the methods above on every branch of the spider."
        )
        return
    title = words.spider_title(removed, titles)
    subtitle = f"1 − sparsity ratio, C best by {measure} on validation"
    figure = spider_figure(removed, titles, title=title, subtitle=subtitle)
    live_chart(figure, "spider", alt=title, table=removed_table(removed), script=script)
    st.caption("The further out, the sparser. As Fig. 2 of Laporte et al. (2014).")
    if unjudged:
        st.caption(
            f"{', '.join(unjudged)}: there is no validation part, so C is the best on the training part, which favours "
            "models with many features."
        )


def _published(titles: Mapping[str, str]) -> None:
    removed = {
        method: {name: 1.0 - ratio for name, ratio in row.items()} for method, row in published_sparsity().items()
    }
    names = {**titles, **PUBLISHED_TITLES}
    title = words.spider_title(removed, names)
    figure = spider_figure(removed, names, title=title, subtitle=f"as published: {SOURCE}")
    live_chart(figure, "published", alt=title, table=removed_table(removed))
