"""Figures 1 to 3 of Rakotomamonjy (2012) on the page: the toy problem, and what fitting it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.api.experiment_tables import timings_table, toy_table
from core.experiments.infinite_push import push_timing, toy_study
from core.experiments.infinite_push.choosing_by_top import ELIMINATION_WORDS, GRID_WORDS
from core.experiments.infinite_push.push_timing import Timing, timing_curves
from core.experiments.infinite_push.toy_study import (
    METHODS,
    TITLES,
    ToyOutcome,
    ToyPoint,
    ToyStudy,
    in_paper_order,
    toy_points,
)
from core.experiments.results.signed_rank import LEVEL, smallest_p
from core.export.scripts.top import experiment_script
from core.figures.top.push_timing import timing_figure, timing_sentence
from core.figures.top.toy_study import (
    Across,
    retrieval_panels,
    retrieval_sentence,
    top_panels,
    top_sentence,
    toy_figure,
)
from pages.shared.live_chart import live_chart
from pages.shared.work.cell_batch import experiment_table

Setting = Literal["quick", "as in the paper"]


def against_examples(setting: Setting) -> None:
    """Figure 1: the rate on top against the number of training examples."""
    study = toy_study.QUICK_SIZES if setting == "quick" else toy_study.PAPER_SIZES
    _toy_words(study)
    experiment_table(
        "toy", study.cells, toy_study.toy_outcome, lambda outcomes: _draw_top(outcomes, "training examples", setting)
    )


def against_noise(setting: Setting) -> None:
    """Figure 1 the other way: the rate on top against the number of noisy features."""
    study = toy_study.QUICK_NOISE if setting == "quick" else toy_study.PAPER_NOISE
    _toy_words(study)
    experiment_table(
        "toy", study.cells, toy_study.toy_outcome, lambda outcomes: _draw_top(outcomes, "noisy features", setting)
    )


def features_found(setting: Setting) -> None:
    """Figure 2: precision, recall and F-measure of the retrieved features."""
    study = toy_study.QUICK_NOISE if setting == "quick" else toy_study.PAPER_NOISE
    _toy_words(study)
    experiment_table("toy", study.cells, toy_study.toy_outcome, lambda outcomes: _draw_retrieval(outcomes, setting))


def _toy_words(study: ToyStudy) -> None:
    st.markdown(
        "Two Gaussian classes that differ in ten features; the others are noise. Each method chooses its settings by "
        "the rate on top of a random 30 % of the training examples, is then fitted to all of them, and tested on "
        f"{toy_study.N_TEST:,} more. {study.trials} trials, seeds 0 to {study.trials - 1}."
    )
    st.caption(
        f"Grid: {GRID_WORDS}; {ELIMINATION_WORDS}; among equals the largest λ, then the fewest features. "
        "The paper leaves open the covariances' distribution (here Wishart with ten degrees of freedom), its grids, "
        "and how ties are broken."
    )


def _draw_top(outcomes: Sequence[ToyOutcome], across: Across, setting: Setting) -> None:
    points = toy_points(outcomes)
    if not points:
        st.info("Press Start to draw the first trial.")
        return
    title = top_sentence(points, across)
    figure = toy_figure(
        top_panels(points, across), across, "rate of positives on top", title=title,
        subtitle=f"toy problem, mean of {_trials(points)}, bars: one standard error · p: Wilcoxon's signed-rank test "
        f"against the {TITLES[toy_study.REFERENCE]}, two-sided, equal pairs dropped",
    )  # fmt: skip
    script = experiment_script(
        "toy_top", across, setting=setting, subject=f"Rate of positives on top against {across}, toy problem"
    )
    live_chart(figure, "toy_top", alt=title, table=toy_table(points), script=script)
    st.markdown(_order_words(points))


def _draw_retrieval(outcomes: Sequence[ToyOutcome], setting: Setting) -> None:
    points = toy_points(outcomes)
    if not points:
        st.info("Press Start to draw the first trial.")
        return
    title = retrieval_sentence(points)
    figure = toy_figure(
        retrieval_panels(points), "noisy features", "share", title=title,
        subtitle=f"toy problem, {points[0].n_train} training examples, mean of {_trials(points)}, bars: one standard "
        "error · ten features are relevant; the ℓ2 model retrieves all there are",
    )  # fmt: skip
    script = experiment_script("toy_features", setting=setting, subject="Features found in the toy problem")
    live_chart(figure, "toy_features", alt=title, table=toy_table(points), script=script)


def _trials(points: Sequence[ToyPoint]) -> str:
    least, most = min(p.n_trials for p in points), max(p.n_trials for p in points)
    number = f"{most}" if least == most else f"{least} to {most}"
    return f"{number} trial{'s' if number != '1' else ''}"


def _order_words(points: Sequence[ToyPoint]) -> str:
    sizes = [[q for q in points if (q.n_train, q.n_noisy) == at] for at in {(p.n_train, p.n_noisy) for p in points}]
    told = [at for at in sizes if {p.method for p in at} >= set(METHODS)]  # the others are under way
    if not told:
        return ""
    words = (
        "The paper's order, ℓ1 infinite push above the one with recursive elimination above ℓ1 RankSVM, holds at "
        f"**{sum(map(in_paper_order, told))} of {len(told)}** sizes of the problem."
    )
    least = smallest_p(max(p.n_trials for p in points))
    if least > LEVEL:
        words += f" So few trials cannot tell: the smallest p-value they can reach is {least:.2g}."
    return words


def running_time(setting: Setting) -> None:
    """Figure 3: running time against the number of pairs."""
    study = push_timing.QUICK_TIMES if setting == "quick" else push_timing.PAPER_TIMES
    admm = next(system for system in study.systems if system.solver == "admm")
    st.markdown(
        f"One fit of the toy problem at {push_timing.RATIO:g} λ_max to a relative duality gap of {push_timing.TOL:g}. "
        f"ADMM stores a number for every pair: it runs on at most {admm.most_pairs:,} pairs and is stopped after "
        f"{admm.most_seconds:g} s; larger problems are then skipped."
    )
    experiment_table("push_times", study.cells, push_timing.timing, lambda timings: _draw_times(timings, setting))


def _draw_times(timings: Sequence[Timing], setting: Setting) -> None:
    curves = timing_curves(timings)
    if not curves:
        st.info("Press Start to time the first fit.")
        return
    title = timing_sentence(curves)
    figure = timing_figure(
        curves, title=title,
        subtitle=
            "exponents are fitted to the filled marks; open ones were given up · fastest of up to "
            f"{push_timing.MOST_REPEATS} fits, on this machine under its present load",
    )  # fmt: skip
    script = experiment_script("push_times", setting=setting, subject="Time of a fit against pairs, on this machine")
    live_chart(figure, "push_times", alt=title, table=timings_table(timings), script=script)
