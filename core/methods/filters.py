"""Filters: features are selected first, and RankSVM-Primal is fitted on the selected features."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from core.data import DataError
from core.methods.base import Method
from core.methods.fsmrank import (
    IMPORTANCE,
    LAMBDA1,
    MOST_COMPARED,
    PAPERS_STOP,
    SIMILARITY,
    fsmrank_problem,
    importance_of,
    largest_lambda2,
)
from core.methods.sources import GENG_2007, LAI_2013_FENCHELRANK, LAI_2013_FSMRANK, LOSS_LATEX
from core.methods.training import FloatArray, IntArray, Training
from core.metrics import Measure
from core.metrics.equal_values import first_highest
from core.metrics.feature_scores import oriented_scores, scores_alone, varying_within_queries
from core.metrics.kendall import kendall_within_queries
from core.penalties import L2On, L2OnSelected, Parameter
from core.solvers import NesterovNemirovski, OnChosenFeatures, Problem, SolverRun

Choose = Callable[[Training, Mapping[str, float]], Iterator[IntArray]]
"""Takes training data and parameters, yields features (from 0); the last that it yields are the selected ones, best
first. What it yields before them only gives the solver time to look at the clock."""

SECOND_STAGE_LATEX = (
    LOSS_LATEX + r" + \frac\lambda2 \lVert w\rVert_2^2 \quad \text{with } w_j = 0 \text{ unless } j \in S"
)


# Defaults of k, t and c: the best mean validation MAP over MQ2008's folds, which are other folds' test parts. No table
# of the protocol rests on them, as all three are chosen anew wherever C is. Of the values tried, those of k are the
# paper's; for t and c the papers name none: t runs over the axis of FSMRank's Figs. 1-3, c around its default.
def _count(name: str, help: str, tried: tuple[float, ...]) -> Parameter:
    return Parameter(name, name, 20.0, 1.0, 1e6, help, tried=tried, counts=True)


K_TRIED = (5.0, 10.0, 15.0, 20.0, 25.0)
T_TRIED = (5.0, 10.0, 15.0, 20.0, 30.0, 40.0)


def best_alone(training: Training, parameters: Mapping[str, float]) -> Iterator[IntArray]:
    """FS-Rank's selection: the k features whose descending values rank the training data with the highest NDCG@10.

    NDCG@10 follows the convention of the training data. Among equal features (to 12 decimals, as in `scores_alone`) the
    first wins.
    """
    k, convention = int(parameters["k"]), training.convention
    worth = training.once(
        "NDCG@10, falling", lambda: scores_alone(training.data, Measure("NDCG", 10), convention, "descending")
    )
    yield np.argsort(-worth, kind="stable")[:k]


def greedy(importance: FloatArray, similarity: FloatArray, candidates: IntArray, t: int, c: float) -> IntArray:
    """Take the most important feature, lower the others by 2c times their similarity to it, and repeat.

    This is GAS of Geng et al. (2007); it takes t features.

    Parameters
    ----------
    importance : ndarray, shape (n_features,)
    similarity : ndarray, shape (n_features, n_features)
    candidates : ndarray of int
        The features to choose from; among equals (to 12 decimals) the first wins.

    Returns
    -------
    ndarray of int, shape (min(t, n_candidates),)
        The features in the order of selection.
    """
    worth, left = importance.copy(), candidates.tolist()
    taken: list[int] = []
    while left and len(taken) < t:
        best = left.pop(first_highest(worth[left]))
        taken.append(best)
        worth -= 2.0 * c * similarity[best]
    return np.array(taken, dtype=np.int64)


def important_and_different(training: Training, parameters: Mapping[str, float]) -> Iterator[IntArray]:
    """GAS-E's selection: `greedy` by quality alone and Kendall's tau within queries, among features that can rank.

    Both quantities look at a feature in its better direction, so a feature and its mirror image are one feature.
    Kendall's tau changes its sign if one of two features is reversed.
    """
    t, data = int(parameters["t"]), training.data
    if data.n_features > MOST_COMPARED:
        msg = (
            f"GAS-E compares every pair of features; {data.n_features:,} are too many for that (at most "
            f"{MOST_COMPARED:,}): leave features out"
        )
        raise DataError(msg)
    measure = Measure.parse(GAS_IMPORTANCE.text(parameters["importance"]))
    importance, signs = training.once(measure, lambda: oriented_scores(data, measure, training.convention))
    similarity = training.once("tau", lambda: kendall_within_queries(data)) * np.outer(signs, signs)
    yield greedy(importance, similarity, np.flatnonzero(varying_within_queries(data)), t, parameters["c"])


def heaviest_of_fsmrank(training: Training, parameters: Mapping[str, float]) -> Iterator[IntArray]:
    """FSMSVM's selection: the t features with the largest non-zero weights in FSMRank's model.

    FSMRank is fitted by the paper's algorithm and stop, at a share of the smallest lambda_2 with an empty model.
    """
    t = int(parameters["t"])
    first_stage = {name: value for name, value in parameters.items() if name != "t"}
    for w in training.in_parts(tuple(first_stage.items()), lambda: _fsmrank_weights(training, first_stage)):
        yield np.argsort(-np.abs(w), kind="stable")[: min(t, np.count_nonzero(w))]


def _fsmrank_weights(training: Training, parameters: Mapping[str, float]) -> Iterator[FloatArray]:
    importance = importance_of(training, IMPORTANCE.text(parameters["importance"]))
    lam = parameters["ratio"] * largest_lambda2(training, importance)
    run = SolverRun(NesterovNemirovski(), fsmrank_problem(training, lam, parameters), PAPERS_STOP)
    while run.reason is None:
        run.advance()
        yield run.weights


def _filter(choose: Choose, count: str, **row: Any) -> Method:
    """Make the method that fits RankSVM-Primal on the features that ``choose`` selects.

    ``count`` names the parameter for their number.
    """

    def problem(training: Training, lam: float, settings: Mapping[str, float]) -> Problem:
        return training.problem(L2OnSelected(choose(training, settings)), lam)

    return Method(
        objective=SECOND_STAGE_LATEX,
        make_penalty=lambda settings, c: L2On(np.arange(int(settings[count]))),  # which ones, the data tells
        make_problem=problem,
        solvers=(OnChosenFeatures(),),
        **row,
    )


FS_RANK = _filter(
    best_alone,
    count="k",
    id="fs-rank",
    title="FS-Rank",
    source=f"{LAI_2013_FENCHELRANK}, Section 8.5.2",
    explanation=(
        "Keeps the k features with the highest NDCG@10 by themselves (on the training part, by the dataset's "
        "convention), and fits the ℓ2 model of these. It ignores redundancy: the best single features are often near "
        "copies of one another. The paper takes k = 5, 10, 15, 20, 25."
    ),
    parameters=(_count("k", "The number of features kept: those with the highest NDCG@10 by themselves.", K_TRIED),),
)

GAS_IMPORTANCE = Parameter.choice(
    "importance", "w", ("MAP", "NDCG@10"),
    "The measure of a feature's importance: the quality of the ranking by it alone, in its better direction.",
)  # fmt: skip
SIMILARITY_PRICE = Parameter(
    "c", "c", 0.03, 0.0, 1e6, "The price of similarity to a feature already kept; at 0 only importance counts.",
    tried=(0.01, 0.03, 0.1),
)  # fmt: skip
GAS_E = _filter(
    important_and_different,
    count="t",
    id="gas-e",
    title="GAS-E",
    source=f"{GENG_2007}; with RankSVM-Primal as in {LAI_2013_FSMRANK}",
    explanation=(
        "Selects features one by one. First it takes the feature that ranks best by itself. Then it lowers the "
        "importance of every other feature by 2c times its similarity to this one (Kendall's τ within queries), takes "
        "the best of these, and so on until it has t features. Every feature counts in its better direction. Finally "
        "it fits the ℓ2 model of the t features. It weighs importance against redundancy, but never looks at the "
        "model. Lai et al. choose t on the validation part."
    ),
    parameters=(
        _count("t", "The number of features kept.", T_TRIED),
        SIMILARITY_PRICE,
        GAS_IMPORTANCE,
    ),
)

RATIO = Parameter(
    "ratio", "λ₂/λ_max", 1e-5, 1e-6, 1.0,
    "λ₂ of the FSMRank model that selects the features, as a share of the smallest λ₂ at which that model is empty. C "
    "belongs to the second model. The default is about as good as the best value by validation MAP on sets other than "
    "LETOR's. It is so small that t alone decides how many features are left.",
)  # fmt: skip
FSMSVM = _filter(
    heaviest_of_fsmrank,
    count="t",
    id="fsmsvm",
    title="FSMSVM",
    source=f"{LAI_2013_FSMRANK}, Section IV-D",
    explanation=(
        "Keeps the t features with the largest weights in FSMRank's model, and fits the ℓ2 model of these: ℓ1 selects "
        "without shrinking the final weights. The paper uses it to find out whether one stage is better than two. It "
        "chooses t on the validation part."
    ),
    parameters=(
        _count("t", "The number of features kept: those with the largest weights in FSMRank's model.", T_TRIED),
        RATIO,
        LAMBDA1,
        IMPORTANCE,
        SIMILARITY,
    ),
)
