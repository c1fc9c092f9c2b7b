"""What a lesson may ask core to compute: each kind of result with its options, its facts, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.analysis.best_subset.certified_path import NearOptimalSets
from core.analysis.features.resampling import SelectedOnSamples, Selection
from core.analysis.features.similarity import pearson
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.fit_keywords import FitKeywords, at_lambda, fitting_of
from core.analysis.fitting import AtC, AtRatio, Fitting, OnValidation
from core.analysis.path import PathPoint
from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of, penalty_shape
from core.analysis.tuning.choice_noise import path_choice
from core.data import RankingData
from core.data.errors import refuse
from core.lessons.lesson import Fact, Facts, LessonData, Result
from core.losses.infinite_push import InfinitePush
from core.losses.squared_hinge import SquaredHinge
from core.methods import EmptyOptimumError, Method, get_method
from core.metrics import JudgedLists, Measure

OptionType = Literal["method", "text", "number", "count", "numbers", "parameters"]


@dataclass(frozen=True)
class Kind:
    """A kind of result."""

    about: str  # what is computed
    options: Mapping[str, OptionType]  # type of each option that a declaration may have
    facts: Mapping[str, str]  # meaning of each fact
    # Returns the facts, or yields None after each step of the work but the last, and then the facts. It takes the
    # declaration and the data, None for a kind without data.
    compute: Callable[[Result, Any], Facts | Iterator[Facts | None]]
    steps: Callable[[Result], int] = lambda declared: 1  # how many steps that are
    needed: tuple[str, ...] = ()  # options that must be given
    of_data: bool = True  # whether it needs data

    def work(self, declared: Result, source: LessonData | None) -> Iterator[Facts | None]:
        """Yield None after each step of the work but the last, and then the facts."""
        found = self.compute(declared, source)
        return found if isinstance(found, Iterator) else iter([found])


_QUALITY = (("map", "MAP"), ("ndcg", "NDCG@10"), ("top", "Top"))
_FIT: Mapping[str, OptionType] = {"method": "method", "solver": "text", "tol": "number", "parameters": "parameters"}
_MEASURED = {
    f"{name}_{part}": f"{measure} on the {part} part"
    for part in ("train", "vali", "test")
    for name, measure in _QUALITY
}

REACHED = 0.999
"""Share of resamples from which on a feature counts as kept in all of them."""


STEPS_A_DECADE = 20
"""Of the app's slider of C."""


def _fitting(declared: Result, source: LessonData) -> Fitting:
    """Prepare the fit of a model or a path."""
    return fitting_of(source.fold, _method_of(declared), _keywords(declared, source))


def _keywords(declared: Result, source: LessonData) -> FitKeywords:
    """How the method is fitted, as keywords of core."""
    found: FitKeywords = {"convention": source.convention, "parameters": _parameters_of(declared)}
    if "solver" in declared.options:
        found["solver"] = declared.options["solver"]
    if "tol" in declared.options:
        found["tol"] = declared.options["tol"]
    return found


def _method_of(declared: Result) -> Method:
    """The method; ℓ1 if none is given."""
    return get_method(declared.options.get("method", "l1"))


def _parameters_of(declared: Result) -> dict[str, float]:
    """The parameters that are given."""
    return dict(declared.options.get("parameters", {}))


def _place_of(declared: Result) -> AtC | AtRatio:
    """Where a model is: at C, or at a ratio of the slider."""
    ratio = declared.options.get("ratio")
    return at_lambda(declared.options.get("C"), None if ratio is None else slider_ratio(ratio))


def slider_ratio(ratio: float) -> float:
    """Return the ratio at which the app's slider stands for an address with this one: the page then has this model."""
    return float(10.0 ** (-round(-STEPS_A_DECADE * np.log10(ratio)) / STEPS_A_DECADE))


def _data(declared: Result, source: LessonData) -> Facts:
    train = source.fold.train
    longest = int(np.diff(train.query_offsets).max())
    return {
        "documents": train.n_documents,
        "queries": train.n_queries,
        "features": train.n_features,
        "pairs": train.n_pairs,
        "longest": longest,
    }


def _fit(declared: Result, source: LessonData) -> Facts:
    how = _fitting(declared, source)
    measure = declared.options.get("tune")
    try:
        chosen = None if measure is None else how.tune(OnValidation(str(Measure.parse(measure))))
        found = how.model(how.lam(_place_of(declared))) if chosen is None else chosen.point
    except EmptyOptimumError:
        found = how.model(1.0)  # the same at every lambda
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
        for name, measure in _QUALITY:
            facts[f"{name}_{part}"] = found.judgement.metrics[part][measure]
    return facts


def _points(declared: Result) -> int:
    """Models of a path."""
    return declared.options.get("points") or len(_method_of(declared).ratios)


def _path(declared: Result, source: LessonData) -> Iterator[Facts | None]:
    how = _fitting(declared, source)
    points: list[PathPoint] = []
    for point in how.path(_points(declared), declared.options.get("smallest_ratio")):
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
        for name, measure in _QUALITY:
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


def _single(declared: Result, source: LessonData) -> Facts:
    scores = SingleFeatureScores(source.fold.train, source.convention).made()
    best = max(scores, key=lambda one: max(one.ndcg_at_10, one.reversed_ndcg_at_10))
    values = {one.name: max(one.ndcg_at_10, one.reversed_ndcg_at_10) for one in scores}
    return {"ndcg": values, "best": best.name, "best_ndcg": values[best.name]}


def _similarity(declared: Result, source: LessonData) -> Facts:
    found = pearson(source.fold.train)
    threshold = declared.options.get("threshold") or 0.9
    first = found.closest()[0]
    names = source.fold.train.feature_names
    return {
        "twins": len(found.with_twin(threshold)),
        "features": len(names),
        "closest": first.similarity,
        "closest_names": (names[first.first], names[first.second]),
    }


def _samples(declared: Result) -> int:
    """Halves of the training queries."""
    return declared.options.get("samples") or 20


def _stability(declared: Result, source: LessonData) -> Iterator[Facts | None]:
    n_samples = _samples(declared)
    selection = Selection(source.fold, _method_of(declared), _place_of(declared), 1, _keywords(declared, source))
    samples = SelectedOnSamples(selection, "halves", 0, n_samples)
    run = samples.work()
    for _ in range(n_samples):
        run.advance()
        yield None
    shares = samples.result(run).probabilities
    yield {
        "samples": n_samples,
        "frequencies": {n: float(s) for n, s in zip(source.fold.train.feature_names, shares.tolist(), strict=True)},
        "ever": int((shares > 0.0).sum()),
        "always": int((shares >= REACHED).sum()),
        "sometimes": int(((shares > 0.0) & (shares < REACHED)).sum()),
        "mean_kept": float(samples.result(run).mean_selected),
    }


def _rivals(declared: Result, source: LessonData) -> Facts:
    given = declared.options
    k, within = given["k"], given["within"]
    found = NearOptimalSets(source.fold, source.convention, given["ridge"], k, within).made()
    values = found.values("test" if source.fold.test is not None else "train", "MAP")
    return {
        "sets": len(found.found.sets),
        "k": k,
        "within": within,
        "in_every": len(found.in_every),
        "in_any": int((found.shares > 0.0).sum()),
        "map_lowest": float(values.min()),
        "map_highest": float(values.max()),
    }


def _list(declared: Result, _: None) -> Facts:
    relevance = [int(level) for level in declared.options["relevance"]]
    scores = np.array(declared.options.get("scores", [0.0] * len(relevance)))
    data = RankingData.build(np.zeros((len(relevance), 1)), relevance, [0, len(relevance)])
    ranked = JudgedLists(data, "standard").rank(scores)
    better = np.array(relevance)[:, None] > np.array(relevance)[None, :]
    return {
        "documents": len(relevance),
        "pairs": data.n_pairs,
        "swapped": int((better & (scores[:, None] < scores[None, :])).sum()),
        **{name: ranked.mean(Measure.parse(measure)) for name, measure in _QUALITY},
        "squared_hinge": SquaredHinge.of(data).evaluate(scores).value,
        "hinge": InfinitePush.of(data, 1.0).evaluate(scores).value,
        "push": InfinitePush.of(data, 0.0).evaluate(scores).value,
    }


def _margins(declared: Result, _: None) -> Facts:
    at = declared.options["at"]
    data = RankingData.build(np.zeros((2, 1)), [1, 0], [0, 2])
    squared, plain = SquaredHinge.of(data), InfinitePush.of(data, 1.0)
    both = [np.array([margin, 0.0]) for margin in at]
    return {
        "margin": at,
        "hinge": tuple(plain.evaluate(scores).value for scores in both),
        "squared_hinge": tuple(squared.evaluate(scores).value for scores in both),
        "hinge_pull": tuple(float(-plain.evaluate(scores).gradient[0]) for scores in both),
        "squared_hinge_pull": tuple(float(-squared.evaluate(scores).gradient[0]) for scores in both),
    }


def _penalty(declared: Result, _: None) -> Facts:
    at = np.array(declared.options["at"])
    method = _method_of(declared)
    shown = {one.name: one.shown for one in penalty_of(method, {}).parameters}  # as its pictures begin
    penalty = penalty_of(method, shown | _parameters_of(declared))
    step = declared.options.get("step") or 0.5
    shape = penalty_shape(penalty, step)
    return {
        "at": tuple(at.tolist()),
        "step": step,
        "price": tuple(penalty.curve(np.abs(at)).tolist()),
        "pull": tuple(penalty.weights(at).tolist()),
        "prox": tuple(penalty.prox(at, step).tolist()),
        "threshold": shape.threshold,
        "leap": shape.leap,
    }


_AT: Mapping[str, OptionType] = {"C": "number", "ratio": "number"}
KINDS: Mapping[str, Kind] = {
    "data": Kind(
        "the training part of a fold",
        {},
        {
            "documents": "number of documents",
            "queries": "number of queries",
            "features": "number of features",
            "pairs": "number of preference pairs",
            "longest": "documents of the longest list",
        },
        _data,
    ),
    "fit": Kind(
        "one model: at C, at a ratio λ / λ_max as in an address, or where validation chooses (tune: map)",
        {**_FIT, **_AT, "tune": "text"},
        {
            "c": "its C",
            "ratio": "λ / λ_max",
            "features": "number of features of the data",
            "kept": "number of features with a weight",
            "names": "names of these, the largest weight first",
            "weights": 'weight by feature name: model.weights["BM25 of all"]',
            "largest": "largest absolute weight",
            "smallest": "smallest absolute weight that is not 0",
            "total": "sum of all absolute weights",
            "objective": "objective",
            "gap": "relative certificate: the gap of a convex method, else the stationarity residual",
            "steps": "steps of the solver",
            "passes": "passes over the data",
            "step_numbers": "numbers of the steps, from 0",
            "objectives": "objective after each step",
            "gaps": "relative certificate after each step",
            "sizes": "features kept after each step",
            **_MEASURED,
        },
        _fit,
    ),
    "path": Kind(
        "the models of a method at falling λ, as the app's paths have them if nothing else is given",
        {**_FIT, "points": "count", "smallest_ratio": "number"},
        {
            "c": "C of each model",
            "ratio": "λ / λ_max of each model",
            "kept": "features of each model",
            "kept_share": "the same as a share of all features",
            "objective": "objective of each model",
            **{name: f"{about}, of each model" for name, about in _MEASURED.items()},
            "chosen": "position of the model that validation MAP chooses",
            "chosen_c_low": "5 % quantile of the C that resampled validation queries choose",
            "chosen_c_high": "95 % quantile of it",
            "chosen_kept_deviation": "standard deviation of the number of features over these choices",
            "chosen_map_deviation": "standard deviation of MAP over these choices",
        },
        _path,
        lambda declared: _points(declared) + 1,
    ),
    "single": Kind(
        "each feature alone, on the training part",
        {},
        {
            "ndcg": "NDCG@10 by feature name, in the better direction",
            "best": "name of the best feature",
            "best_ndcg": "NDCG@10 of the best feature",
        },
        _single,
    ),
    "similarity": Kind(
        "correlations of the features of the training part",
        {"threshold": "number"},
        {
            "twins": "features that correlate with another one above the threshold (0.9 if not given)",
            "features": "number of features",
            "closest": "the largest absolute correlation",
            "closest_names": "the two features that have it",
        },
        _similarity,
    ),
    "stability": Kind(
        "how often a method keeps each feature on random halves of the training queries",
        {**_FIT, **_AT, "samples": "count"},
        {
            "samples": "number of halves",
            "frequencies": "share of the halves by feature name",
            "ever": "features kept in at least one half",
            "always": "features kept in every half",
            "sometimes": "features kept in some halves and not in others",
            "mean_kept": "features kept, on average",
        },
        _stability,
        lambda declared: _samples(declared) + 1,
    ),
    "rivals": Kind(
        "all sets of at most k features whose objective comes near the best one",
        {"k": "count", "ridge": "number", "within": "number"},
        {
            "sets": "number of sets",
            "k": "k",
            "within": "how near, as a share of the objective",
            "in_every": "features that all sets have",
            "in_any": "features that at least one set has",
            "map_lowest": "lowest test MAP of a set",
            "map_highest": "highest test MAP of a set",
        },
        _rivals,
        needed=("k", "ridge", "within"),
    ),
    "list": Kind(
        "one small list that the file gives: relevance and scores of its documents",
        {"relevance": "numbers", "scores": "numbers"},
        {
            "documents": "number of documents",
            "pairs": "number of preference pairs",
            "swapped": "pairs in the wrong order",
            "map": "average precision",
            "ndcg": "NDCG@10, standard convention",
            "top": "share of relevant documents above every irrelevant one",
            "squared_hinge": "mean squared hinge loss over the pairs",
            "hinge": "mean hinge loss over pairs of a relevant and an irrelevant document",
            "push": "infinite push loss",
        },
        _list,
        needed=("relevance",),
        of_data=False,
    ),
    "margins": Kind(
        "the loss of one pair at given margins",
        {"at": "numbers"},
        {
            "margin": "the margins",
            "hinge": "hinge loss at each",
            "squared_hinge": "squared hinge loss at each",
            "hinge_pull": "how hard the hinge pulls the better document up, at each",
            "squared_hinge_pull": "how hard the squared hinge pulls it up, at each",
        },
        _margins,
        needed=("at",),
        of_data=False,
    ),
    "penalty": Kind(
        "the penalty of a method on one weight",
        {"method": "method", "parameters": "parameters", "step": "number", "at": "numbers"},
        {
            "at": "the weights that are given",
            "step": "step of the proximal operator",
            "price": "penalty of each",
            "pull": "slope of the penalty at each",
            "prox": "weight after one proximal step from each",
            "threshold": "largest weight that the proximal step sets to 0",
            "leap": "weight to which it jumps there",
        },
        _penalty,
        needed=("at",),
        of_data=False,
    ),
}


def check_methods(declared: Result) -> None:
    """Refuse a method, solver, parameter or place that cannot be, before anything is computed.

    Raises a `ValueError` if one of them cannot be.
    """
    given = declared.options
    if KINDS[declared.kind].options.get("method") is None:
        return
    method = _method_of(declared)
    if declared.kind == "penalty":
        if method not in penalty_methods():
            refuse(f"{method.id} has no penalty of one weight; take {', '.join(one.id for one in penalty_methods())}")
        penalty_of(method, _parameters_of(declared))
        return
    method.settings(_parameters_of(declared))
    method.solver(given.get("solver"))
    if sum(name in given for name in ("C", "ratio", "tune")) > 1:
        refuse("give only one of C, ratio and tune")
    if "tune" in given:
        Measure.parse(given["tune"])
    for name in ("C", "ratio", "tol", "smallest_ratio"):
        if name in given and not given[name] > 0.0:
            refuse(f"{name} is above 0, not {given[name]}")
