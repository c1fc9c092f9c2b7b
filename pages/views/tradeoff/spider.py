"""The spider plot of removed features: over datasets or over folds, beside the published one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.tradeoff.fold_curves import FoldCurves, complete_curves
from core.experiments.results.published.sparsity import SOURCE, published_sparsity
from core.figures.tradeoff import words
from core.figures.tradeoff.removed import RemovedByDataset, RemovedByFold, removed_table
from core.figures.tradeoff.spider import spider_figure
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.live_chart import live_chart
from pages.shared.show import show
from pages.shared.work import fold_batch
from pages.views.tradeoff.folds import rules_written

_SPIDER_ASKED = "spider_asked"
BRANCHES = ("datasets", "folds")
FOLDS = {"one fold each": 1, "all folds": 99}
PUBLISHED_TITLES = {"fenchelrank": "FenchelRank", "fsmrank": "FSMRank", "mcp": "MCP (γ = 2)"}
"""What a title of ours would not say; the paper's MCP is ``mcp:gamma=2`` here."""


def spider_panel(choice: Loaded, methods: Sequence[str], measure: str, titles: Mapping[str, str]) -> None:
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
    known_paths = {
        branch: complete_curves(row, fold_batch.fold_results()) if known else () for branch, row in plans.items()
    }
    left, right = st.columns(2) if beside else (st.container(), None)
    complete = len(fold_batch.complete_folds(wanted)) == len(wanted)
    with left:
        if any(known_paths.values()):
            _ours(choice, methods, measure, branches, folds, known_paths, complete=complete)
        else:
            st.markdown(
                "How many features does each method remove, at the C that ranks best on the validation part? Press "
                "**Compute** to compare the methods above on every branch of the spider."
            )
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


def _ours(
    choice: Loaded,
    methods: Sequence[str],
    measure: str,
    branches: str,
    most_folds: int,
    known: Mapping[str, Sequence[FoldCurves]],
    *,
    complete: bool,
) -> None:
    points = fold_batch.GRIDS["quick"]
    picture: RemovedByFold | RemovedByDataset
    if branches == "folds":
        described = [scripts.method_of(choice, method) for method in methods]
        picture = RemovedByFold(
            access.dataset(choice.source),
            {one.id: one.options.get("parameters", {}) for one in described},
            measure=measure,
            points=points,
            rules=rules_written(described),
        )
        given: dict[str, object] = {"folds": tuple(fold for folds in known.values() for fold in folds)}
        found = show(
            picture, scripts.data_of(choice.source, choice.fold_number), choice.fold, known=given, scripted=complete
        )
    else:
        sources = {name: access.usual_source(name) for name in known}
        picture = RemovedByDataset(
            [access.dataset(source) for source in sources.values()],
            list(methods),
            measure=measure,
            points=points,
            most_folds=most_folds,
        )
        given = {name: tuple(folds) for name, folds in known.items()}
        data = [scripts.data_of(source, 1) for source in sources.values()]
        found = show(picture, data, choice.fold, known=given, scripted=complete)
    assert found is not None, "what it needs is known"
    st.caption("The further out, the sparser. As Fig. 2 of Laporte et al. (2014).")
    if found.unjudged:
        st.caption(
            f"{', '.join(found.unjudged)}: there is no validation part, so C is the best on the training part, which "
            "favours models with many features."
        )


def _published(titles: Mapping[str, str]) -> None:
    removed = {
        method: {name: 1.0 - ratio for name, ratio in row.items()} for method, row in published_sparsity().items()
    }
    names = {**titles, **PUBLISHED_TITLES}
    title = words.spider_title(removed, names)
    figure = spider_figure(removed, names, title=title, subtitle=f"as published: {SOURCE}")
    live_chart(figure, "published", alt=title, table=removed_table(removed))
