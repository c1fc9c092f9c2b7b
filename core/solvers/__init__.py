"""Solvers: algorithms that know neither papers nor pictures."""

from core.solvers.admm import Admm, AdmmExactProx
from core.solvers.base import (
    FIRST_ROUND_TOL,
    Certificate,
    FitResult,
    Iterate,
    Problem,
    Solver,
    SolverRun,
    Stop,
    StopReason,
    TracePoint,
    solve,
)
from core.solvers.empty_model import EmptyModel
from core.solvers.fista import Fista, FistaFixed
from core.solvers.newton import Newton
from core.solvers.proximal_newton import ProximalNewton
from core.solvers.recursive_elimination import RecursiveElimination
from core.solvers.reweighted_l1 import ReweightedFista, ReweightedFistaFixed, ReweightedL1
from core.solvers.subgradient import Subgradient

__all__ = [
    "FIRST_ROUND_TOL",
    "Admm",
    "AdmmExactProx",
    "Certificate",
    "EmptyModel",
    "Fista",
    "FistaFixed",
    "FitResult",
    "Iterate",
    "Newton",
    "Problem",
    "ProximalNewton",
    "RecursiveElimination",
    "ReweightedFista",
    "ReweightedFistaFixed",
    "ReweightedL1",
    "Solver",
    "SolverRun",
    "Stop",
    "StopReason",
    "Subgradient",
    "TracePoint",
    "solve",
]
