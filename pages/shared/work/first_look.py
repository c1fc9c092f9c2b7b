"""The first picture of large data: the paths of a sample of whole queries, until its own are complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.choosing import choosing_part
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.path import PathPoint
from core.content import Series
from core.data.sample import SampledFold, is_large
from core.experiments.results.difference import mean_words
from pages.shared import frame, headline
from pages.shared.cache import cached
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.wording import PART_WORDS
from pages.shared.work.jobs import wait_a_moment
from pages.shared.work.paths import complete, known_job, known_points, path_job, path_key, paths

PATIENCE = 3.0
"""Seconds that a page waits for the paths of a sample, before it shows how far they are."""


def on_sample(choice: Loaded, method_ids: Sequence[str]) -> Loaded:
    """The choice to draw: where its data is large and its own paths are not there yet, the same on a sample.

    Call it from a page's script, before `first_paths`. It waits a moment for the paths of the sample.
    """
    if not is_large(choice.fold) or all(_is_there(choice, method_id) for method_id in method_ids):
        return choice
    sample = access.sampled(choice)
    jobs = [path_job(sample, method_id) for method_id in method_ids]
    for job in jobs:
        wait_a_moment(job, PATIENCE)
    nothing = any(job.state == "failed" or (job.run is not None and job.run.empty is not None) for job in jobs)
    return choice if nothing else sample


def first_paths(shown: Loaded, choice: Loaded, method_ids: Sequence[str]) -> Mapping[str, Series[PathPoint]]:
    """The paths of what `on_sample` has found, as `pages.shared.work.paths.paths`.

    The paths of the whole data begin once those of the sample have ended; the page is drawn again at their end.
    """
    if shown is choice or not complete(shown, method_ids):
        return paths(shown, method_ids)
    paths(choice, method_ids)
    if all(_is_there(choice, method_id) for method_id in method_ids):
        st.rerun()  # they have ended since `on_sample` looked: nothing would draw the page again
    return {method_id: known_points(shown, method_id) for method_id in method_ids}


def _is_there(choice: Loaded, method_id: str) -> bool:
    job = known_job(choice, method_id)
    return job is not None and job.state == "finished"


def is_sample(choice: Loaded) -> bool:
    """Whether a choice is on a sample of its data."""
    return isinstance(choice.fold, SampledFold)


def model_on(choice: Loaded) -> headline.Shown | None:
    """The fitted model of a page's choice, or of the same choice on a sample; None where there is none."""
    return headline.shown(choice) if is_sample(choice) else frame.model()


def zoom_key(choice: Loaded, method_id: str) -> str:
    """The same for the path of a sample and that of its whole data: a zoom outlives the change."""
    if is_sample(choice):
        choice = replace(choice, fold=access.fold(choice.source, choice.fold_number))
    return path_key(choice, method_id)


def whole_where(choice: Loaded) -> str:
    """Dataset and fold in words, without those of a sample."""
    return choice.where.removesuffix(f", {choice.fold.words}") if isinstance(choice.fold, SampledFold) else choice.where


def sample_words(choice: Loaded, best: PathPoint | None, measure: str) -> str:
    """The measure of the best model with its interval over the sample's queries; empty where nothing is sampled."""
    if best is None or not is_sample(choice):
        return ""
    part = choosing_part(choice.fold.parts())
    return f"{PART_WORDS[part]} {measure} {_mean_words(choice.judge, best.fit.weights, part, measure)}"


@cached()
def _mean_words(judge: FoldJudge, weights: FloatArray, part: str, measure: str) -> str:
    return mean_words(judge.per_query(weights, part, measure))
