"""The trade-off over all folds of a dataset: means with bars, worked out as one job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread, by_limit, by_ratio, marked_limits
from core.analysis.tradeoff.references import dense_reference
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, best_within
from core.api.fold_tables import fold_tradeoff_table
from core.export.scripts.over_folds import over_folds_script
from core.figures.tradeoff import words
from core.figures.tradeoff.axes import reference_labels
from core.figures.tradeoff.fold_tradeoff import BARS, MARKS, Bars, Marks, fold_tradeoff_figure
from core.figures.tradeoff.tradeoff import View
from pages.shared import keys, scripts
from pages.shared.choice import access, link
from pages.shared.choice.choice import Choice
from pages.shared.live_chart import live_chart
from pages.shared.wording import PART_WORDS
from pages.shared.work import fold_batch

THIS, ALL = "this one", "all"
FOLD_WORDS = {THIS: "this fold", ALL: "all"}
GRIDS = fold_batch.GRIDS

Fold = Mapping[str, Sequence[TradeoffPoint]]


def folds_control(choice: Choice) -> bool:
    """Whether all folds are wanted; no control where there is one only."""
    if access.dataset(choice.source).n_folds == 1:
        return False
    link.spell("tradeoff_folds", FOLD_WORDS)
    folds = st.segmented_control(
        "Folds",
        (THIS, ALL),
        default=THIS,
        required=True,
        key="tradeoff_folds",
        bind="query-params",
        label_visibility="collapsed",
        format_func=FOLD_WORDS.__getitem__,
        help="All: the same paths on every fold, with means and bars that show how much folds differ. This takes a "
        "while and continues while you use other pages.",
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
    marks = st.segmented_control(
        "Join folds at a",
        MARKS,
        default=MARKS[0],
        required=True,
        key="tradeoff_marks",
        bind="query-params",
        help="What the models of different folds have in common where they are averaged.",
    )
    bars = st.segmented_control(
        "Bars",
        BARS,
        default=BARS[0],
        required=True,
        key="tradeoff_bars",
        bind="query-params",
        help="Standard error of the mean over folds, or the worst and the best fold.",
    )
    grid = st.segmented_control(
        "Models a path",
        list(GRIDS),
        default="quick",
        required=True,
        format_func=lambda name: f"{name}: {GRIDS[name]}",
        key=keys.TRADEOFF_GRID,
        bind="query-params",
        help="Values of C on each path, over the same range. Quick takes a third of the time.",
    )
    paired = st.toggle(
        "minus ℓ2",
        key="tradeoff_paired",
        bind="query-params",
        help="Subtracts what all features reach on the same fold. Some folds are harder for every method; the bars "
        "then show only how much the cost of sparsity differs.",
    )
    return FoldOptions(marks, bars, grid, paired)


def folds_picture(
    choice: Choice,
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
    marks, bars, paired = options.marks, options.bars, options.paired
    points = GRIDS[options.grid]
    plans = fold_batch.plans_of_folds(choice, [*methods, dense], points)
    fold_batch.fit_folds(plans, points, "tradeoff_batch")
    done = fold_batch.complete_folds(plans)
    if not done:
        return False
    folds = [{path.method: fold_batch.fold_results()[path.key] for path in plan.paths} for plan in done]
    limits = marked_limits(
        max((point.kept for fold in folds for method in methods for point in fold[method]), default=0)
    )
    whole = _values([dense_reference(fold[dense], view.measure) for fold in folds], view)
    alone = _values([fold_batch.fold_results()[plan.single][MEASURES.index(view.measure)] for plan in done], view)
    less = whole if paired else None
    summaries = {method: _summaries([fold[method] for fold in folds], marks, limits, view, less) for method in methods}
    together = [[point for method in methods for point in fold[method]] for fold in folds]
    front = by_limit(together, limits, view.part, view.measure, less) if marks == MARKS[0] else ()
    value = f"{PART_WORDS[view.part]} {view.measure}{' minus that of ℓ2' * paired}"
    title = words.folds_title(summaries, value, titles)
    if len(done) < len(plans):
        title = f"{value[:1].upper()}{value[1:]} of the folds that are complete"
    count = f"{len(done)} of {len(plans)} folds so far" if len(done) < len(plans) else f"{len(plans)} folds"
    figure = fold_tradeoff_figure(
        summaries,
        view,
        titles,
        marks=marks,
        bars=bars,
        front=front,
        references=dict(zip(reference_labels("vali"), (_spread(whole, less), _spread(alone, less)), strict=True)),
        opens=_opens(summaries, here, marks, view.measure),
        limit=limit,
        less="ℓ2" if paired else "",
        title=title,
        subtitle=f"{choice.source.name} · {count} · bars: {bars} over folds",
    )
    script = over_folds_script(
        scripts.data_of(choice.source, choice.fold_number),
        [scripts.method_of(choice, method) for method in methods],
        measure=view.measure,
        part=view.part,
        points=points,
        marks=marks,
        bars=bars,
        paired=paired,
        against=view.across.horizontal,
    )
    # The chart of one fold has the same key: a click means the same on both.
    with stage:
        table = fold_tradeoff_table(summaries)
        live_chart(figure, "tradeoff", alt=title, table=table, script=script, on_click=on_click, main=True)
    st.caption(
        "At a number of features, each fold takes the best model with at most so many, chosen on its own validation "
        "part; at a λ/λ_max, the model there. The standard error is that of the mean over folds, min–max the worst "
        "and the best fold. Grey: the best of all methods. Click a mark to use that model, on the chosen fold, on "
        "every page."
    )
    for method in methods:
        if empty := [plan.name for plan, fold in zip(done, folds, strict=True) if not fold[method]]:
            st.caption(f"{titles[method]} keeps no feature at any λ on {', '.join(empty)}: the empty model is optimal.")
    return True


def _summaries(
    folds: Sequence[Sequence[TradeoffPoint]],
    marks: Marks,
    limits: Sequence[int],
    view: View,
    less: Sequence[float] | None,
) -> tuple[FoldSummary, ...]:
    if marks == MARKS[0]:
        return by_limit(folds, limits, view.part, view.measure, less)
    return by_ratio(folds, view.part, view.measure, less)


def _values(points: Sequence[TradeoffPoint | None], view: View) -> list[float]:
    return [point.value(view.part, view.measure) for point in points if point is not None]


def _spread(values: Sequence[float], less: Sequence[float] | None) -> Spread:
    return Spread.of(v - off for v, off in zip(values, less or [0.0] * len(values), strict=True))


def _opens(
    summaries: Mapping[str, Sequence[FoldSummary]], here: Fold, marks: Marks, measure: str
) -> dict[tuple[str, float], float]:
    """The C, on the chosen fold, of the model that a mark stands for."""
    found = {}
    for method, row in summaries.items():
        for summary in row:
            if marks == MARKS[0]:
                point = best_within(here[method], int(summary.at), measure)
            else:
                point = min(here[method], key=lambda p: abs(p.ratio / summary.at - 1.0), default=None)
            if point is not None:
                found[(method, summary.at)] = point.c
    return found
