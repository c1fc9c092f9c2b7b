from .admm.admm import Admm, AdmmExactProx
from .ball.frank_wolfe import AwaySteps, FrankWolfe, FrankWolfeShortStep, FullyCorrective
from .base import FIRST_ROUND_TOL, Certificate, EmptyModel, FirstStage, Iterate, Solver, StopReason
from .best_subset.best_subset import BranchAndBound
from .first_order.fista import Fista, FistaFixed, NesterovNemirovski
from .first_order.subgradient import (
    ImportanceTruncatedGradient,
    Subgradient,
    TruncatedGradient,
    TruncatedGradientDecaying,
)
from .infinite_push.exact import ExactPush
from .infinite_push.lam_max import largest_lambda, smallest_useful_share
from .infinite_push.recursive_elimination import RecursiveElimination
from .liblinear import Liblinear
from .newton.along_path import along_path
from .newton.newton import Newton
from .newton.proximal_newton import ProximalNewton
from .problem import Problem
from .refit import OnChosenFeatures, RefitOnSupport
from .reweighting.reweighted_l1 import ReweightedFista, ReweightedFistaFixed, ReweightedL1, ReweightedPush
from .reweighting.reweighted_l2 import AROM, TOWARDS_L0, TOWARDS_L1, ReweightedL2
from .run import LIFTED_BY_EXTENDING, FitResult, SolverRun, Stop, TracePoint, solve

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
