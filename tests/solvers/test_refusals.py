"""A solver refuses a problem that it cannot solve in a sentence which says what it is for, or what to choose."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import ImportanceWeightedHuber, InfinitePush, Loss, SquaredHinge
from core.penalties import L1, L2, MCP, L1Ball, L2Budget, Penalty, Refitted, Signed
from core.solvers import (
    AROM,
    Admm,
    AwaySteps,
    BranchAndBound,
    ExactPush,
    Fista,
    FistaFixed,
    FrankWolfe,
    FrankWolfeShortStep,
    FullyCorrective,
    ImportanceTruncatedGradient,
    Liblinear,
    NesterovNemirovski,
    Newton,
    OnChosenFeatures,
    Problem,
    ProximalNewton,
    RecursiveElimination,
    RefitOnSupport,
    ReweightedL1,
    ReweightedL2,
    ReweightedPush,
    Solver,
    Subgradient,
    TruncatedGradient,
    solve,
)
from tests.oracles import ranking_problem

HELP = np.ones(15)
HINGE, PUSH, HUBER = SquaredHinge.of, InfinitePush.of, ImportanceWeightedHuber.of
REFUSED = [
    (ProximalNewton(), HINGE, L2(), "needs a sparse penalty"),
    (Newton(), HINGE, L1(), "only for the ℓ2 penalty"),
    (Newton(), PUSH, L2(), "needs a smooth loss"),
    (OnChosenFeatures(), HINGE, L2(), "ℓ2 penalty on chosen features"),
    *((solver, HINGE, MCP(), "needs a convex penalty") for solver in (Fista(), FistaFixed(), Subgradient())),
    (Subgradient(), HINGE, Signed(L1(), HELP), "does not support signs"),
    (RefitOnSupport(ProximalNewton(), HINGE(ranking_problem())), HINGE, Refitted(Signed(L1(), HELP), 1.0), "signs"),
    (ReweightedL1(), HINGE, L1(), "for the non-convex penalties"),
    (ReweightedPush(), PUSH, L1(), "for the non-convex penalties"),
    (ReweightedL2(AROM), HINGE, L2(), "that survive"),
    (Liblinear(), HINGE, L2(), "ℓ1 penalty"),
    (NesterovNemirovski(), HINGE, L1(), "FSMRank's penalty"),
    (RecursiveElimination(Newton()), HINGE, L2(), "at most k features"),
    *((solver, HINGE, L1(), "for weights in an ℓ1 ball")
      for solver in (FrankWolfe(), FrankWolfeShortStep(), AwaySteps(), FullyCorrective())),
    (FrankWolfe(), PUSH, L1Ball(1.0), "needs a smooth loss"),
    *((solver, loss, penalty, "convex sparse penalty") for penalty in (L2(), MCP())
      for solver, loss in ((TruncatedGradient(), HINGE), (ImportanceTruncatedGradient(), HUBER))),
    (TruncatedGradient(), HUBER, L1(), "needs a smooth loss"),
    (ImportanceTruncatedGradient(), HINGE, L1(), r"importances.*ranking"),
    (BranchAndBound(), HINGE, L2(), "within a budget"),
    (BranchAndBound(), PUSH, L2Budget(2), "squared hinge"),
    (ExactPush(), HINGE, L1(), "for the infinite push"),
    (ExactPush(), PUSH, MCP(), "use reweighting"),
    (Admm(), HINGE, L1(), "infinite push"),
    (Admm(), PUSH, MCP(), "ℓ1 or ℓ2"),
]  # fmt: skip


@pytest.mark.parametrize(("solver", "loss", "penalty", "words"), REFUSED, ids=lambda x: getattr(x, "id", ""))
def test_a_problem_of_another_kind_is_refused(solver: Solver, loss: type[Loss], penalty: Penalty, words: str) -> None:
    data: RankingData = ranking_problem()
    with pytest.raises(ValueError, match=words):
        solve(solver, Problem(data.features, loss(data), penalty, 0.1))
