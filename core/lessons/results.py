"""What a lesson may ask core to compute: each kind of result with its options and the facts that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of
from core.lessons.computing import (
    facts_of_data,
    facts_of_fit,
    facts_of_list,
    facts_of_margins,
    facts_of_path,
    facts_of_penalty,
    facts_of_rivals,
    facts_of_similarity,
    facts_of_single,
    facts_of_stability,
)
from core.lessons.declared import (
    Facts,
    LessonData,
    method_of,
    number,
    parameters_of,
    points_of,
    samples_of,
)
from core.lessons.lesson import Result
from core.metrics import Measure

OptionType = Literal["method", "text", "number", "count", "numbers", "parameters"]


@dataclass(frozen=True)
class Kind:
    """A kind of result.

    Attributes
    ----------
    about : str
        What is computed.
    options : mapping
        Type of each option that a declaration may have.
    facts : mapping
        Meaning of each fact.
    compute : callable
        Yields None after each step of the work but the last, and then the facts. It takes the declaration and the data,
        None for a kind without data.
    steps : callable
        How many steps that are.
    needed : tuple of str
        Options that must be given.
    of_data : bool
        Whether it needs data.
    """

    about: str
    options: Mapping[str, OptionType]
    facts: Mapping[str, str]
    compute: Callable[[Result, LessonData | None], Iterator[Facts | None]]
    steps: Callable[[Result], int] = lambda declared: 1
    needed: tuple[str, ...] = ()
    of_data: bool = True


_FIT: Mapping[str, OptionType] = {"method": "method", "solver": "text", "tol": "number", "parameters": "parameters"}
_MEASURED = {
    f"{name}_{part}": f"{measure} on the {part} part"
    for part in ("train", "vali", "test")
    for name, measure in (("map", "MAP"), ("ndcg", "NDCG@10"), ("top", "Top"))
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
        facts_of_data,
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
        facts_of_fit,
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
        facts_of_path,
        lambda declared: points_of(declared) + 1,
    ),
    "single": Kind(
        "each feature alone, on the training part",
        {},
        {
            "ndcg": "NDCG@10 by feature name, in the better direction",
            "best": "name of the best feature",
            "best_ndcg": "NDCG@10 of the best feature",
        },
        facts_of_single,
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
        facts_of_similarity,
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
        facts_of_stability,
        lambda declared: samples_of(declared) + 1,
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
        facts_of_rivals,
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
        facts_of_list,
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
        facts_of_margins,
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
        facts_of_penalty,
        needed=("at",),
        of_data=False,
    ),
}


def check_methods(declared: Result) -> None:
    """Refuse a method, solver, parameter or place that cannot be, before anything is computed.

    Raises
    ------
    ValueError
        If one of them cannot be.
    """
    given = declared.options
    if KINDS[declared.kind].options.get("method") is None:
        return
    method = method_of(declared)
    if declared.kind == "penalty":
        if method not in penalty_methods():
            msg = f"{method.id} has no penalty of one weight; take {', '.join(one.id for one in penalty_methods())}"
            raise ValueError(msg)
        penalty_of(method, parameters_of(declared))
        return
    method.settings(parameters_of(declared))
    method.solver(None if "solver" not in given else str(given["solver"]))
    if sum(name in given for name in ("C", "ratio", "tune")) > 1:
        msg = "give only one of C, ratio and tune"
        raise ValueError(msg)
    if "tune" in given:
        Measure.parse(str(given["tune"]))
    for name in ("C", "ratio", "tol", "smallest_ratio"):
        if name in given and not (number(given[name]) or 0.0) > 0.0:
            msg = f"{name} is above 0, not {given[name]}"
            raise ValueError(msg)
