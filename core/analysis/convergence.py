"""Convergence of the solvers: rates as theory states them, and a certified lower bound of the lowest objective."""

from collections.abc import Mapping
from dataclasses import dataclass

from core import solvers
from core.analysis.features.rules import Rules
from core.analysis.ingredient import made_at_once
from core.methods import Method, Training, get_method
from core.methods.refit import is_refitted
from core.solvers import Certificate, Solver, Stop, solve


@dataclass(frozen=True)
class Rate:
    """A convergence rate, as a symbol and in words.

    Attributes
    ----------
    order : str
        The rate of F - F* after k steps: "O(1/k²)", "linear", "quadratic"; or what holds instead.
    words : str
        One sentence: its conditions and its meaning.
    """

    order: str
    words: str


_DESCENT = Rate(
    "monotone", "no round raises the objective, and where it ends no direction leads down; rounds have no bound"
)
_MOMENTUM = "momentum makes the gap fall with the square of the steps, the best that gradients alone can promise"
_TENFOLD = "ten times the steps for each further digit"
_RATES: Mapping[type, Rate] = {
    solvers.ProximalNewton: Rate(
        "quadratic", "once the active pairs and features have settled, every step doubles the correct digits"
    ),
    solvers.Newton: Rate("finite", "a handful of steps, whatever the accuracy asked for"),
    solvers.OnChosenFeatures: Rate("finite", "the filter chooses once, and Newton takes as few steps at any accuracy"),
    solvers.Fista: Rate("O(1/k²)", f"{_MOMENTUM}; linear once the selected features have settled"),
    solvers.FistaFixed: Rate("O(1/k²)", _MOMENTUM),
    solvers.NesterovNemirovski: Rate("O(1/k²)", f"{_MOMENTUM} (Theorem 2 of its paper)"),
    solvers.Subgradient: Rate("O(1/√k)", "a hundred times the steps for each further digit"),
    solvers.TruncatedGradient: Rate("O(1/k)", _TENFOLD),
    solvers.TruncatedGradientDecaying: Rate("O(1/√k)", "its shrinking steps make it as slow as subgradient descent"),
    solvers.ImportanceTruncatedGradient: Rate("none proven", "the objective itself changes from step to step"),
    solvers.FrankWolfe: Rate("O(1/k)", f"{_TENFOLD} (eq. 33 of its paper bounds every one)"),
    solvers.FrankWolfeShortStep: Rate("O(1/k)", f"{_TENFOLD} (eq. 33 of its paper holds for these steps, too)"),
    solvers.AwaySteps: Rate("linear", "every so many steps the gap falls by a constant factor"),
    solvers.FullyCorrective: Rate("quadratic", "little more than one step for each feature of the optimum"),
    solvers.ExactPush: Rate("linear", "every step multiplies the gap by a factor below one"),
    solvers.Admm: Rate("O(1/k)", f"soon near the optimum, and then {_TENFOLD}"),
    solvers.AdmmExactProx: Rate("O(1/k)", f"soon near the optimum, and then {_TENFOLD}"),
    solvers.RecursiveElimination: Rate("finite", "at most as many rounds as there are features to drop"),
    solvers.BranchAndBound: Rate(
        "finite", "the sets of features run out, though there may be exponentially many; the gap holds at every step"
    ),
    solvers.ReweightedL1: _DESCENT,
    solvers.ReweightedFista: _DESCENT,
    solvers.ReweightedFistaFixed: _DESCENT,
    solvers.ReweightedPush: _DESCENT,
    solvers.ReweightedL2: Rate("finite", "features are only ever removed, so it must end"),
    solvers.Liblinear: Rate("linear", "once the features have settled, every iteration gains a constant factor"),
}
_CONCAVE = Rate(
    "monotone",
    "no step raises the objective, and where it ends no direction leads down, which need not be the lowest place",
)


def rate_of(method: Method, solver: Solver) -> Rate:
    """Return the rate of one of a method's solvers.

    On a concave penalty, proximal Newton reweights inside every step, so only descent is certain.
    """
    if isinstance(solver, solvers.ProximalNewton) and not method.convex:
        return _CONCAVE
    return _RATES[type(solver)]


EXACT = Stop(tol=1e-12, max_steps=200, max_seconds=20.0)


@dataclass(frozen=True)
class Optimum:
    """What is known of the lowest objective.

    Attributes
    ----------
    bound : float or None
        A lower bound; None where none is known.
    certificate : Certificate or None
        How far the bound may be below the optimum.
    """

    bound: float | None = None
    certificate: Certificate | None = None


@made_at_once("Certifying the optimum")
def certified_optimum(
    training: Training, method_id: str, lam: float, parameters: Mapping[str, float], rules: Rules | None = None
) -> Optimum:
    """Find the best lower bound of a convex method's optimum; it is unknown for other methods, and for a refit.

    The method's first solver fits as exactly as is possible within a short time.
    """
    method = get_method(method_id) if rules is None else rules.applied(get_method(method_id))
    if not method.convex or is_refitted(parameters):
        return Optimum()
    problem = method.run(training, lam, parameters=parameters).steps.problem
    found = solve(method.solver(), problem, EXACT)
    if found.certificate.kind != "duality gap":
        return Optimum()
    return Optimum(found.objective - found.certificate.value, found.certificate)
