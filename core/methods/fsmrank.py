"""FSMRank: feature selection during learning, by importance and similarity of the features."""

from collections.abc import Mapping

import numpy as np

from core.data import DataError
from core.methods.base import DEFAULT_RATIOS, Method, Variant
from core.methods.refit import REFITTING
from core.methods.sources import LAI_2013_FSMRANK, LOSS_LATEX
from core.methods.training import FloatArray, Training
from core.metrics import Measure
from core.metrics.feature_scores import pearson_matrix, relevance_correlation, scores_alone
from core.metrics.kendall import kendall_within_queries
from core.penalties import ImportanceSimilarity, Parameter, lifted
from core.solvers import Fista, NesterovNemirovski, Problem, Stop, Subgradient
from core.solvers.problem import pull_back

LAMBDA1 = Parameter(
    "lambda1", "λ₁", 0.03, 0.0, 1e6,
    "The price of keeping similar features together; at 0 only the importance-weighted ℓ1 penalty is left. It is in "
    "units of the loss and does not depend on the importance, which sets the scale of λ₂ only. The default was chosen "
    "on MQ2008's validation parts; wherever C is chosen, so is λ₁.",
    tried=(0.003, 0.03, 0.3),
)  # fmt: skip
IMPORTANCE = Parameter.choice(
    "importance", "s", ("pearson", "ndcg@10", "none"),
    "The importance of a feature; an important one pays a smaller penalty. It is the correlation with relevance (as in "
    "the paper), the NDCG@10 of the ranking by the feature alone in its better direction, or 1 for every feature "
    "(none; s = 1 in the paper's Table III). A constant feature has importance 0 and never enters.",
)  # fmt: skip
SIMILARITY = Parameter.choice(
    "similarity", "A", ("pearson", "kendall", "none"),
    "The similarity of two features: the correlation of their values (as in the paper), Kendall's τ of the orders that "
    "they give within queries, or 0 for any two features (none; A = I in the paper's Table III).",
)  # fmt: skip
NONE = float(IMPORTANCE.choices.index("none"))
TABLE_III = (
    Variant("λ₁ = 0", {"lambda1": 0.0}, "With importance, without similarity: the upper rows of Table III."),
    Variant(
        "λ₁ = 0, s = 1", {"lambda1": 0.0, "importance": NONE}, "With neither: what Table III compares importance with."
    ),
    Variant("A = I", {"similarity": NONE}, "No feature is similar to another: what similarity is compared with."),
)
PAPERS_STOP = Stop(max_steps=400, change=1e-4, papers_limit=True)
STOPPING = (
    "where a step changes the objective by at most 1e-4 of its value, which says nothing about the distance to the "
    "optimum, or after 400 steps. We measured the difference at λ₂ of 0.1, 0.01, 0.001 and 0.0001 of the largest. On "
    "fold 1 of MQ2008 it stops with 7, 13, 24 and 25 features where the optimum has 2, 9, 17 and 19; its objective is "
    "0.05 to 0.18 % above the optimum, and its duality gap 0.4 to 1.7 %. On fold 1 of python-docs it stops with 3, 5, "
    "9 and 14 features where the optimum has 3, 5, 9 and 13; its objective is 0.01 to 0.17 % above the optimum, and "
    "its duality gap 0.9 to 3.2 %. Continue on the Fit page, or another tolerance, goes on until the certificate "
    "holds."
)


MOST_COMPARED = 5000
"""Features whose similarities are computed: the matrix takes 200 MB, and its smallest eigenvalue half a minute."""


def importance_of(training: Training, kind: str) -> FloatArray:
    """Compute s, shape (n_features,), in [0, 1]; ``kind`` is one of the choices of ``IMPORTANCE``."""
    data = training.data
    match kind:
        case "pearson":
            return training.once("relevance correlation", lambda: relevance_correlation(data))
        case "ndcg@10":
            measure, convention = Measure("NDCG", 10), training.convention
            return training.once("NDCG@10", lambda: scores_alone(data, measure, convention, "better"))
        case _:
            return np.ones(data.n_features)


def similarity_of(training: Training, kind: str) -> FloatArray:
    """Compute A of `ImportanceSimilarity`; ``kind`` is one of the choices of ``SIMILARITY``.

    Raises a `DataError` if there are too many features to compare them in pairs.
    """
    data = training.data
    if kind != "none" and data.n_features > MOST_COMPARED:
        msg = (
            f"FSMRank compares every pair of features; {data.n_features:,} are too many for that (at most "
            f"{MOST_COMPARED:,}): set its similarity to none, or leave features out"
        )
        raise DataError(msg)
    match kind:
        case "pearson":
            return training.once("|PC|", lambda: lifted(pearson_matrix(data.features)))
        case "kendall":
            return training.once("|tau|", lambda: lifted(kendall_within_queries(data)))
        case _:
            return np.ones(1)


def fsmrank_problem(training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
    """Make the problem of eq. 2 with lambda_2 = lam."""
    penalty = ImportanceSimilarity(
        importance_of(training, IMPORTANCE.text(parameters["importance"])),
        similarity_of(training, SIMILARITY.text(parameters["similarity"])),
        parameters["lambda1"] / lam,
    )
    return training.problem(penalty, lam)


def largest_lambda2(training: Training, importance: FloatArray) -> float:
    """Compute max_j s_j |dL/dw_j at 0|: at or above it the model is empty.

    It is at most lambda_max of l1, because no s_j exceeds 1.
    """
    data = training.data
    slope = pull_back(training.features, training.loss.evaluate(np.zeros(data.n_documents)).gradient)
    return float((importance * np.abs(slope)).max())


def _grid(training: Training, parameters: Mapping[str, float]) -> FloatArray:
    """Return values of lambda_2, descending from the smallest one with an empty model under the chosen importance.

    Multiplying all importances multiplies this scale, and the models at the same shares of it stay the same. So the
    rows of Table III, whose importances differ tenfold in size, choose among the same shares, at the same lambda_1.
    """
    importance = importance_of(training, IMPORTANCE.text(parameters["importance"]))
    training.lam_at(1.0)  # which refuses data in which no feature varies
    return largest_lambda2(training, importance) * DEFAULT_RATIOS


FSMRANK = Method(
    id="fsmrank",
    title="FSMRank",
    source=f"{LAI_2013_FSMRANK}, eq. 2, Algorithm 1",
    objective=LOSS_LATEX
    + r" + \lambda_2 \sum_j \frac{|w_j|}{s_j} + \frac{\lambda_1}{2} \sum_{i,j} |w_i|\,A_{ij}\,|w_j|",
    explanation=(
        "ℓ1 with two additions from the data. A feature that says little about relevance by itself (small s) pays a "
        "higher penalty, and two similar features (large A) pay an extra penalty if the model keeps both. λ is the "
        "paper's λ₂. A matrix A of absolute correlations may not be positive semi-definite, and then the problem is "
        "not convex; so its diagonal is raised by just enough to make it convex. The paper chooses λ₁ and λ₂ together "
        "on the validation part."
    ),
    make_penalty=lambda parameters, c: ImportanceSimilarity(np.ones(1), np.ones(1), parameters["lambda1"]),
    make_problem=fsmrank_problem,
    parameters=(LAMBDA1, IMPORTANCE, SIMILARITY, *REFITTING),
    solvers=(NesterovNemirovski(), Fista(), Subgradient(scale=0.1)),  # the price of unimportant features is steep
    make_grid=_grid,
    path_start="zero",
    stop=PAPERS_STOP,
    stopping=STOPPING,
    variants=TABLE_III,
)  # fmt: skip
