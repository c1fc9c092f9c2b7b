"""The facts of each kind of result, computed by core."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.analysis.best_subset.alternatives import NearOptimalSets
from core.analysis.features.resampling import SelectedOnSamples, Selection
from core.analysis.features.similarity import pearson
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.fitting import FittedModel, Fitting, OnValidation, fitted
from core.analysis.path import PathPoint
from core.analysis.penalties.penalty_shape import penalty_of, penalty_shape
from core.analysis.tuning.choice_noise import path_choice
from core.data import RankingData
from core.lessons.declared import (
    Fact,
    Facts,
    LessonData,
    fitting,
    keywords,
    method_of,
    number,
    numbers,
    parameters_of,
    place_of,
    points_of,
    samples_of,
)
from core.lessons.lesson import Result
from core.losses.infinite_push import InfinitePush
from core.losses.squared_hinge import SquaredHinge
from core.metrics import JudgedLists, Measure

REACHED = 0.999
"""Share of resamples from which on a feature counts as kept in all of them."""


def facts_of_data(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``data``, after None for each step before."""
    assert source is not None
    train = source.fold.train
    longest = int(np.diff(train.query_offsets).max())
    yield {
        "documents": train.n_documents,
        "queries": train.n_queries,
        "features": train.n_features,
        "pairs": train.n_pairs,
        "longest": longest,
    }


def facts_of_fit(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``fit``, after None for each step before."""
    how = fitting(declared, source)
    given = declared.options
    at: Any = OnValidation(str(Measure.parse(str(given["tune"])))) if "tune" in given else place_of(given)
    yield _model_facts(fitted(how, at), how)


def _model_facts(found: FittedModel, how: Fitting) -> Facts:
    fit, result = found.fit, found.fit.result
    names = fit.feature_names
    sizes = np.abs(fit.weights[fit.selected])
    facts: dict[str, Fact] = {
        "c": fit.c,
        "ratio": fit.lam / fit.lam_max,
        "features": len(names),
        "kept": result.nonzero,
        "names": tuple(names[j] for j in fit.selected.tolist()),
        "weights": {name: float(weight) for name, weight in zip(names, fit.weights.tolist(), strict=True)},
        "largest": float(sizes[0]) if len(sizes) else 0.0,
        "smallest": float(sizes[-1]) if len(sizes) else 0.0,
        "total": float(sizes.sum()),
        "objective": result.objective,
        "gap": result.certificate.relative,
        "steps": result.steps,
        "passes": result.passes,
        "step_numbers": tuple(point.step for point in result.trace),
        "objectives": tuple(point.objective for point in result.trace),
        "gaps": tuple(point.certificate.relative for point in result.trace),
        "sizes": tuple(point.nonzero for point in result.trace),
    }
    for part in how.judge.fold.parts():
        for name, measure in (("map", "MAP"), ("ndcg", "NDCG@10"), ("top", "Top")):
            facts[f"{name}_{part}"] = found.judgement.metrics[part][measure]
    return facts


def facts_of_path(declared: Result, source: LessonData | None) -> Iterator[Facts | None]:
    """Yield the facts of a declared result of kind ``path``, after None for each step before."""
    how = fitting(declared, source)
    given = declared.options
    points: list[PathPoint] = []
    for point in how.path(points_of(declared), number(given.get("smallest_ratio"))):
        points.append(point)
        yield None
    fits = [point.fit for point in points]
    facts: dict[str, Fact] = {
        "c": tuple(fit.c for fit in fits),
        "ratio": tuple(fit.lam / fit.lam_max for fit in fits),
        "kept": tuple(fit.result.nonzero for fit in fits),
        "kept_share": tuple(fit.result.nonzero / len(fit.feature_names) for fit in fits),
        "objective": tuple(fit.result.objective for fit in fits),
    }
    for part in how.judge.fold.parts():
        for name, measure in (("map", "MAP"), ("ndcg", "NDCG@10"), ("top", "Top")):
            facts[f"{name}_{part}"] = tuple(point.judgement.metrics[part][measure] for point in points)
    if how.judge.fold.vali is not None:
        choice = path_choice(points, how.judge, "MAP")
        facts["chosen"] = choice.chosen
        if choice.noise is not None:
            low, _, high = choice.noise.c
            facts |= {
                "chosen_c_low": low,
                "chosen_c_high": high,
                "chosen_kept_deviation": choice.noise.n_features.deviation,
                "chosen_map_deviation": choice.noise.reported["MAP"].deviation,
            }
    yield facts


def facts_of_single(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``single``, after None for each step before."""
    assert source is not None
    scores = SingleFeatureScores(source.fold.train, source.convention).made()
    best = max(scores, key=lambda one: max(one.ndcg_at_10, one.reversed_ndcg_at_10))
    values = {one.name: max(one.ndcg_at_10, one.reversed_ndcg_at_10) for one in scores}
    yield {"ndcg": values, "best": best.name, "best_ndcg": values[best.name]}


def facts_of_similarity(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``similarity``, after None for each step before."""
    assert source is not None
    found = pearson(source.fold.train)
    threshold = float(number(declared.options.get("threshold")) or 0.9)
    first = found.closest()[0]
    names = source.fold.train.feature_names
    yield {
        "twins": len(found.with_twin(threshold)),
        "features": len(names),
        "closest": first.similarity,
        "closest_names": (names[first.first], names[first.second]),
    }


def facts_of_stability(declared: Result, source: LessonData | None) -> Iterator[Facts | None]:
    """Yield the facts of a declared result of kind ``stability``, after None for each step before."""
    assert source is not None
    given = declared.options
    selection = Selection(source.fold, method_of(declared), place_of(given), 1, keywords(declared, source))
    samples = SelectedOnSamples(selection, "halves", 0, samples_of(declared))
    run = samples.work()
    for _ in range(samples_of(declared)):
        run.advance()
        yield None
    shares = samples.result(run).probabilities
    yield {
        "samples": samples_of(declared),
        "frequencies": {n: float(s) for n, s in zip(source.fold.train.feature_names, shares.tolist(), strict=True)},
        "ever": int((shares > 0.0).sum()),
        "always": int((shares >= REACHED).sum()),
        "sometimes": int(((shares > 0.0) & (shares < REACHED)).sum()),
        "mean_kept": float(samples.result(run).mean_selected),
    }


def facts_of_rivals(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``rivals``, after None for each step before."""
    assert source is not None
    given = declared.options
    ridge, k, within = number(given["ridge"]), int(number(given["k"]) or 1), number(given["within"])
    assert ridge is not None
    assert within is not None
    found = NearOptimalSets(source.fold, source.convention, ridge, k, within).made()
    values = found.values("test" if source.fold.test is not None else "train", "MAP")
    yield {
        "sets": len(found.found.sets),
        "k": k,
        "within": within,
        "in_every": len(found.in_every),
        "in_any": int((found.shares > 0.0).sum()),
        "map_lowest": float(values.min()),
        "map_highest": float(values.max()),
    }


def facts_of_list(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``list``, after None for each step before."""
    relevance = [int(level) for level in numbers(declared.options["relevance"])]
    scores = np.array(numbers(declared.options["scores"])) if "scores" in declared.options else np.zeros(len(relevance))
    data = RankingData.build(np.zeros((len(relevance), 1)), relevance, [0, len(relevance)])
    ranked = JudgedLists(data, "standard").rank(scores)
    better = np.array(relevance)[:, None] > np.array(relevance)[None, :]
    yield {
        "documents": len(relevance),
        "pairs": data.n_pairs,
        "swapped": int((better & (scores[:, None] < scores[None, :])).sum()),
        "map": ranked.mean(Measure.parse("MAP")),
        "ndcg": ranked.mean(Measure.parse("NDCG@10")),
        "top": ranked.mean(Measure.parse("Top")),
        "squared_hinge": SquaredHinge.of(data).value(scores),
        "hinge": InfinitePush.of(data, 1.0).value(scores),
        "push": InfinitePush.of(data, 0.0).value(scores),
    }


def facts_of_margins(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``margins``, after None for each step before."""
    at = numbers(declared.options["at"])
    data = RankingData.build(np.zeros((2, 1)), [1, 0], [0, 2])
    squared, plain = SquaredHinge.of(data), InfinitePush.of(data, 1.0)
    both = [np.array([margin, 0.0]) for margin in at]
    yield {
        "margin": tuple(at),
        "hinge": tuple(plain.value(scores) for scores in both),
        "squared_hinge": tuple(squared.value(scores) for scores in both),
        "hinge_pull": tuple(float(-plain.gradient(scores)[0]) for scores in both),
        "squared_hinge_pull": tuple(float(-squared.gradient(scores)[0]) for scores in both),
    }


def facts_of_penalty(declared: Result, source: LessonData | None) -> Iterator[Facts]:
    """Yield the facts of a declared result of kind ``penalty``, after None for each step before."""
    at = np.array(numbers(declared.options["at"]))
    penalty = penalty_of(method_of(declared), parameters_of(declared))
    step = number(declared.options.get("step")) or 0.5
    shape = penalty_shape(penalty, step)
    yield {
        "at": tuple(at.tolist()),
        "step": step,
        "price": tuple(penalty.curve(np.abs(at)).tolist()),
        "pull": tuple(penalty.weights(at).tolist()),
        "prox": tuple(penalty.prox(at, step).tolist()),
        "threshold": shape.threshold,
        "leap": shape.leap,
    }
