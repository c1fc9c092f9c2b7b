"""Solvers: algorithms that know neither papers nor pictures."""

from core.solvers.admm import Admm, AdmmExactProx
from core.solvers.base import FIRST_ROUND_TOL, Certificate, FirstStage, Iterate, Solver, StopReason
from core.solvers.chosen_features import OnChosenFeatures
from core.solvers.empty_model import EmptyModel
from core.solvers.fista import Fista, FistaFixed
from core.solvers.frank_wolfe import AwaySteps, FrankWolfe, FrankWolfeShortStep
from core.solvers.fully_corrective import FullyCorrective
from core.solvers.infinite_push_exact import ExactPush
from core.solvers.infinite_push_lam_max import largest_lambda, smallest_useful_share
from core.solvers.liblinear import Liblinear
from core.solvers.nesterov import NesterovNemirovski
from core.solvers.newton import Newton
from core.solvers.problem import Problem
from core.solvers.proximal_newton import ProximalNewton
from core.solvers.recursive_elimination import RecursiveElimination
from core.solvers.refit import RefitOnSupport
from core.solvers.reweighted_l1 import ReweightedFista, ReweightedFistaFixed, ReweightedL1, ReweightedPush
from core.solvers.reweighted_l2 import AROM, TOWARDS_L0, TOWARDS_L1, ReweightedL2
from core.solvers.run import LIFTED_BY_EXTENDING, FitResult, SolverRun, Stop, TracePoint, solve
from core.solvers.subgradient import Subgradient
from core.solvers.truncated_gradient import (
    ImportanceTruncatedGradient,
    TruncatedGradient,
    TruncatedGradientDecaying,
)

__all__ = [
    "AROM",
    "FIRST_ROUND_TOL",
    "LIFTED_BY_EXTENDING",
    "TOWARDS_L0",
    "TOWARDS_L1",
    "Admm",
    "AdmmExactProx",
    "AwaySteps",
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
    "largest_lambda",
    "smallest_useful_share",
    "solve",
]
