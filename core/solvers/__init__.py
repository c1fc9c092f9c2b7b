"""Solvers: iterative algorithms for a `Problem`; they know nothing of papers' settings or of figures."""

from core.solvers.admm.admm import Admm, AdmmExactProx
from core.solvers.ball.frank_wolfe import AwaySteps, FrankWolfe, FrankWolfeShortStep
from core.solvers.ball.fully_corrective import FullyCorrective
from core.solvers.base import FIRST_ROUND_TOL, Certificate, FirstStage, Iterate, Solver, StopReason
from core.solvers.best_subset.best_subset import BranchAndBound
from core.solvers.empty_model import EmptyModel
from core.solvers.first_order.fista import Fista, FistaFixed
from core.solvers.first_order.nesterov import NesterovNemirovski
from core.solvers.first_order.subgradient import Subgradient
from core.solvers.first_order.truncated_gradient import (
    ImportanceTruncatedGradient,
    TruncatedGradient,
    TruncatedGradientDecaying,
)
from core.solvers.infinite_push.exact import ExactPush
from core.solvers.infinite_push.lam_max import largest_lambda, smallest_useful_share
from core.solvers.infinite_push.recursive_elimination import RecursiveElimination
from core.solvers.liblinear import Liblinear
from core.solvers.newton.along_path import along_path
from core.solvers.newton.chosen_features import OnChosenFeatures
from core.solvers.newton.newton import Newton
from core.solvers.newton.proximal_newton import ProximalNewton
from core.solvers.problem import Problem
from core.solvers.refit import RefitOnSupport
from core.solvers.reweighting.reweighted_l1 import ReweightedFista, ReweightedFistaFixed, ReweightedL1, ReweightedPush
from core.solvers.reweighting.reweighted_l2 import AROM, TOWARDS_L0, TOWARDS_L1, ReweightedL2
from core.solvers.run import LIFTED_BY_EXTENDING, FitResult, SolverRun, Stop, TracePoint, solve

__all__ = [
    "AROM",
    "FIRST_ROUND_TOL",
    "LIFTED_BY_EXTENDING",
    "TOWARDS_L0",
    "TOWARDS_L1",
    "Admm",
    "AdmmExactProx",
    "AwaySteps",
    "BranchAndBound",
    "Certificate",
    "EmptyModel",
    "ExactPush",
    "FirstStage",
    "Fista",
    "FistaFixed",
    "FitResult",
    "FrankWolfe",
    "FrankWolfeShortStep",
    "FullyCorrective",
    "ImportanceTruncatedGradient",
    "Iterate",
    "Liblinear",
    "NesterovNemirovski",
    "Newton",
    "OnChosenFeatures",
    "Problem",
    "ProximalNewton",
    "RecursiveElimination",
    "RefitOnSupport",
    "ReweightedFista",
    "ReweightedFistaFixed",
    "ReweightedL1",
    "ReweightedL2",
    "ReweightedPush",
    "Solver",
    "SolverRun",
    "Stop",
    "StopReason",
    "Subgradient",
    "TracePoint",
    "TruncatedGradient",
    "TruncatedGradientDecaying",
    "along_path",
    "largest_lambda",
    "smallest_useful_share",
    "solve",
]
