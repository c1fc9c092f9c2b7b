"""Figures 1 to 3 of Rakotomamonjy (2012) on the page: the toy problem, and what fitting it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from core.experiments.infinite_push import push_timing, toy_study
from core.experiments.infinite_push.choosing_by_top import ELIMINATION_WORDS, GRID_WORDS
from core.experiments.infinite_push.push_timing import Timing
from core.experiments.infinite_push.toy_study import (
    METHODS,
    Setting,
    ToyOutcome,
    ToyPoint,
    ToyStudy,
    in_paper_order,
)
from core.experiments.results.signed_rank import LEVEL, smallest_p
from core.figures.picture import Picture
from core.figures.top.push_times_picture import PushTimes
from core.figures.top.toy_pictures import ToyFeatures, ToyTop
from pages.shared.show import numbers, show
from pages.shared.work.cell_batch import experiment_table

Found = TypeVar("Found")


def against_examples(setting: Setting) -> None:
    """Figure 1: the rate on top against the number of training examples."""
    _toy_top(ToyTop("training examples", setting=setting), toy_study.sizes_study(setting))


def against_noise(setting: Setting) -> None:
    """Figure 1 the other way: the rate on top against the number of noisy features."""
    _toy_top(ToyTop("noisy features", setting=setting), toy_study.noise_study(setting))


def _toy_top(picture: ToyTop, study: ToyStudy) -> None:
    _toy_words(study)

    def draw(outcomes: Sequence[ToyOutcome]) -> None:
        if points := _draw(picture, {"outcomes": outcomes}, "Press Start to draw the first trial."):
            st.markdown(_order_words(points))

    experiment_table("toy", study.cells, toy_study.toy_outcome, draw)


def features_found(setting: Setting) -> None:
    """Figure 2: precision, recall and F-measure of the retrieved features."""
    study, picture = toy_study.noise_study(setting), ToyFeatures(setting=setting)
    _toy_words(study)

    def draw(outcomes: Sequence[ToyOutcome]) -> None:
        _draw(picture, {"outcomes": outcomes}, "Press Start to draw the first trial.")

    experiment_table("toy", study.cells, toy_study.toy_outcome, draw)


def _draw(picture: Picture[Found], known: Mapping[str, Any], hint: str) -> Found | None:
    """Render what is known of an experiment; without any result that can be drawn, what to do."""
    if not numbers(picture, known):
        st.info(hint)
        return None
    return show(picture, (), known=known)


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
    study, picture = push_timing.times_study(setting), PushTimes(setting=setting)
    admm = next(system for system in study.systems if system.solver == "admm")
    st.markdown(
        f"One fit of the toy problem at {push_timing.RATIO:g} λ_max to a relative duality gap of {push_timing.TOL:g}. "
        f"ADMM stores a number for every pair: it runs on at most {admm.most_pairs:,} pairs and is stopped after "
        f"{admm.most_seconds:g} s; larger problems are then skipped."
    )

    def draw(timings: Sequence[Timing]) -> None:
        _draw(picture, {"timings": timings}, "Press Start to time the first fit.")

    experiment_table("push_times", study.cells, push_timing.timing, draw)
