"""One fit of every method on a small problem, for tests of what certificates and sentences about them may say."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from core.methods import METHODS, Fit, Training, get_method
from tests.oracles import ranking_problem

DATA = ranking_problem(6, n_features=8)
RATIO = 0.05
TWO: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "infinite-push-rfe": {"keep": 2.0},
        "fsmsvm": {"t": 2.0},
        "gas-e": {"t": 2.0},
        "fs-rank": {"k": 2.0},
        "l2-arom": {"share": 0.25},
        "rwfs-l1": {"share": 0.25},
        "rwfs-l0": {"share": 0.25},
    }
)
"""Parameters with which a method that chooses features keeps two of the eight."""
AMONG: Mapping[str, str] = MappingProxyType(
    {"fenchelrank": "in this ℓ1 ball", "best-subset": "with at most 5 features"}
    | dict.fromkeys(("infinite-push-rfe", "fsmsvm", "gas-e", "fs-rank"), "on these features")
    | dict.fromkeys(("forward", "rfe", "elimination", "exchange"), "on these features")
    | dict.fromkeys(("l2-arom", "rwfs-l1", "rwfs-l0"), "on the surviving features")
)
"""Among which models a method's certificate holds; of those that are not here, among all."""


@cache
def training_of(method_id: str) -> Training:
    """The eight features, as the method learns from them."""
    method = get_method(method_id)
    return method.training(DATA, TWO.get(method_id))


@cache
def fit_of(method_id: str) -> Fit:
    """The method's fit by its default solver, until its own stop."""
    training = training_of(method_id)
    return get_method(method_id).fit(training, training.lam_at(RATIO), parameters=TWO.get(method_id))


def all_fits() -> dict[str, Fit]:
    """By the method's id."""
    return {method.id: fit_of(method.id) for method in METHODS}
