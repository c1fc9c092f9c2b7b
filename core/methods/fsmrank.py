"""FSMRank: features are chosen while the ranking is learned, by their importance and their similarity."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.methods.base import DEFAULT_RATIOS, Method, Variant
from core.methods.sources import LAI_2013_FSMRANK, LOSS_LATEX
from core.methods.training import FloatArray, Training
from core.metrics import Measure
from core.metrics.feature_scores import relevance_correlation, scores_alone
from core.metrics.feature_similarity import kendall_within_queries, pearson_matrix
from core.penalties import ImportanceSimilarity, Parameter, lifted
from core.solvers import Fista, NesterovNemirovski, Problem, Stop, Subgradient

LAMBDA1 = Parameter(
    "lambda1", "λ₁", 0.03, 0.0, 1e6,
    "How much similar features pay for coming together; 0 leaves the importance-weighted ℓ1 alone. The default has the "
    "best validation MAP on MQ2008.",
    tried=(0.003, 0.03, 0.3),
)  # fmt: skip
IMPORTANCE = Parameter.choice(
    "importance", "s", ("pearson", "ndcg@10", "none"),
    "What makes a feature cheap: its correlation with relevance (the paper's), the NDCG@10 of the ranking by it alone, "
    "in its better direction, or nothing (s = 1 in the paper's Table III). A constant feature has importance 0 and "
    "never enters.",
)  # fmt: skip
SIMILARITY = Parameter.choice(
    "similarity", "A", ("pearson", "kendall", "none"),
    "What makes two features alike: the correlation of their values (the paper's), Kendall's τ of the orders they make "
    "within queries, or nothing (A = I in the paper's Table III).",
)  # fmt: skip
NONE = float(IMPORTANCE.choices.index("none"))
TABLE_III = (
    Variant("λ₁ = 0", {"lambda1": 0.0}, "Importance without similarity: the upper rows of Table III."),
    Variant("λ₁ = 0, s = 1", {"lambda1": 0.0, "importance": NONE}, "Neither: what Table III compares importance with."),
    Variant("A = I", {"similarity": NONE}, "Every feature like itself only: what similarity is compared with."),
)
PAPERS_STOP = Stop(max_steps=400, change=1e-4)


def importance_of(training: Training, kind: str) -> FloatArray:
    """s, shape (n_features,), in [0, 1]; ``kind`` is one of the choices of ``IMPORTANCE``."""
    data = training.data
    match kind:
        case "pearson":
            return training.once("relevance correlation", lambda: relevance_correlation(data))
        case "ndcg@10":
            return training.once("NDCG@10", lambda: scores_alone(data, Measure("NDCG", 10), "standard", "better"))
        case _:
            return np.ones(data.n_features)


def similarity_of(training: Training, kind: str) -> FloatArray:
    """A of `ImportanceSimilarity`; ``kind`` is one of the choices of ``SIMILARITY``."""
    data = training.data
    match kind:
        case "pearson":
            return training.once("|PC|", lambda: lifted(pearson_matrix(data.features)))
        case "kendall":
            return training.once("|tau|", lambda: lifted(kendall_within_queries(data)))
        case _:
            return np.ones(1)


def fsmrank_problem(training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
    """Eq. 2 with lambda_2 = lam."""
    penalty = ImportanceSimilarity(
        importance_of(training, IMPORTANCE.text(parameters["importance"])),
        similarity_of(training, SIMILARITY.text(parameters["similarity"])),
        parameters["lambda1"] / lam,
    )
    return Problem(training.data.features, training.loss, penalty, lam)


def largest_lambda2(training: Training, importance: FloatArray) -> float:
    """max_j s_j |dL/dw_j at 0|: at or above it the model is empty. Below lambda_max of l1, as no s_j exceeds 1."""
    data = training.data
    slope = data.features.T @ training.loss.evaluate(np.zeros(data.n_documents)).gradient
    return float((importance * np.abs(slope)).max())


FSMRANK = Method(
    id="fsmrank",
    title="FSMRank",
    source=f"{LAI_2013_FSMRANK}, eq. 2, Algorithm 1",
    objective=LOSS_LATEX
    + r" + \lambda_2 \sum_j \frac{|w_j|}{s_j} + \frac{\lambda_1}{2} \sum_{i,j} |w_i|\,A_{ij}\,|w_j|",
    explanation=(
        "ℓ1 with two pieces of advice from the data: a feature that says little of relevance by itself (small s) is "
        "dear, and two that say the same (large A) are charged for coming together. λ is the paper's λ₂. Absolute "
        "correlations need not make a positive semi-definite A, and then the problem is not convex; its diagonal is "
        "raised by the little that makes it so. The paper chooses λ₁ on the validation part, together with λ₂."
    ),
    make_penalty=lambda parameters, c: ImportanceSimilarity(np.ones(1), np.ones(1), parameters["lambda1"]),
    make_problem=fsmrank_problem,
    parameters=(LAMBDA1, IMPORTANCE, SIMILARITY),
    solvers=(NesterovNemirovski(), Fista(), Subgradient(scale=0.1)),  # the price of unimportant features is steep
    make_grid=lambda training: largest_lambda2(training, importance_of(training, "pearson")) * DEFAULT_RATIOS,
    path_start="zero",
    stop=PAPERS_STOP,
    variants=TABLE_III,
)  # fmt: skip
