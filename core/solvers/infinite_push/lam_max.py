"""lambda_max of the infinite push: there the l1 model is empty. The barrier of the l1 ball finds it."""

from dataclasses import replace

import numpy as np

from core.data import RankingData
from core.losses import InfinitePush
from core.losses.base import IntArray
from core.penalties import L1
from core.solvers.infinite_push.barriers import L1Barrier, longest_step
from core.solvers.infinite_push.hinge_rows import HingeRows
from core.solvers.infinite_push.interior_point import follow_central_path
from core.solvers.problem import FloatArray, Problem, units_of, without_offsets


class L1Ball(L1Barrier):
    """The constraint sum_j beta_j (p_j + n_j) + room = 1 with w = p - n, and its multiplier lam.

    It is the l1 barrier at prices lam beta, which follow lam at each linearisation; room is >= 0, and its slack is lam.
    Features cannot join.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Each finite and above 0.
    lam : float
        Starting value of the multiplier, above 0.
    """

    _d_room: float

    def __init__(self, beta: FloatArray, lam: float) -> None:
        super().__init__(beta, np.zeros(len(beta)), product=0.0)
        self.beta, self.lam, self.room = beta, lam, 0.5
        self.parts, self.slacks = np.tile(0.25 / (len(beta) * beta), (2, 1)), np.tile(lam * beta, (2, 1))

    def complementarity(self) -> tuple[float, int]:
        total, count = super().complementarity()
        return total + self.room * self.lam, count + 1

    def linearise(self, gradient: FloatArray) -> None:
        self.kappa = self.lam * self.beta
        super().linearise(gradient)

    def border(self) -> FloatArray:
        """Return the amount by which the pull falls when lam rises by 1, shape (n_features,)."""
        ratio = self.parts / self.slacks
        border: FloatArray = self.beta * (ratio[0] - ratio[1]) / ratio.sum(axis=0)
        return border

    def aim(self, target: float, *, correct: bool) -> FloatArray:
        self._wanted_room = target - self.room * self.lam - (self._d_room * self.further if correct else 0.0)
        return super().aim(target, correct=correct)

    def move(self, change: FloatArray, side: FloatArray | None) -> float:
        assert side is not None
        border = self.border()
        self.further = lam = self._change_of_lam(change, side, border)
        self.change = change - lam * side
        slope = self._pull - lam * border - self.diagonal * self.change  # how the gradient changes
        self._d_slacks = np.stack([slope, -slope]) + self._residual + lam * self.beta
        self._d_parts = (self._wanted - self.parts * self._d_slacks) / self.slacks
        self._d_room = (self._wanted_room - self.room * lam) / self.lam
        return min(
            longest_step(self.parts, self._d_parts),
            longest_step(self.slacks, self._d_slacks),
            longest_step(np.array([self.room, self.lam]), np.array([self._d_room, lam])),
        )

    def _change_of_lam(self, change: FloatArray, side: FloatArray, border: FloatArray) -> float:
        """Compute the change of lam with which the constraint still holds after the step."""

        def used(pull: FloatArray, change: FloatArray, known: float) -> float:
            slope = pull - self.diagonal * change
            slacks = np.stack([slope, -slope]) + known * self._residual + (1.0 - known) * self.beta
            return float((self.beta * (known * self._wanted - self.parts * slacks) / self.slacks).sum())

        left = 1.0 - float((self.beta * self.parts).sum()) - self.room
        fixed = used(self._pull, change, 1.0) + self._wanted_room / self.lam - left
        # The border has a minus sign, in the pull and in the solution for it.
        rate = used(-border, -side, 0.0) - self.room / self.lam
        return -fixed / rate

    def promise(self, length: float) -> float:
        product = (self.room + length * self._d_room) * (self.lam + length * self.further)
        return super().promise(length) + product

    def take(self, length: float) -> None:
        super().take(length)
        self.room += length * self._d_room
        self.lam += length * self.further


TOLERANCE = 1e-9  # between the bounds of lambda_max, relative
NOTHING = 1e-8  # of a feature's range: a slope this small is rounding
LINEAR = 0.4  # no score further from 0: then no slack vanishes, and the loss is linear on the way
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)


def largest_lambda(data: RankingData, loss: InfinitePush, beta: FloatArray | None = None) -> float:
    """Compute the smallest lambda at which w = 0 minimises loss + lambda sum_j beta_j |w_j|.

    Near zero all slacks are positive, and the loss is 1 + mean over queries of (mean of the k highest scores of
    negatives - mean score of positives). lambda_max is the steepest descent of this function, a linear program. Its
    dual is the smallest max_j |X^T g|_j / beta_j over the subgradients g at 0.

    Parameters
    ----------
    loss : InfinitePush
        The loss of these documents.
    beta : ndarray, shape (n_features,), optional
        Each above 0; an infinite one forbids the feature. Ones by default.

    Returns
    -------
    float
        Exactly 0 where w = 0 is optimal at every lambda.
    """
    return steepest_fall(Problem(without_offsets(data), loss, L1(), 1.0, units=units_of(data)), beta)


def steepest_fall(problem: Problem, beta: FloatArray | None = None) -> float:
    """Compute `largest_lambda` from the features and the `InfinitePush` loss of a problem.

    Its penalty and lambda are ignored.
    """
    beta = np.ones(problem.n_features) if beta is None else beta
    if problem.units is not None:
        beta = beta / problem.units.powers
        problem = replace(problem, features=problem.units.features, units=None)
    x, loss = problem.features, problem.loss
    assert isinstance(loss, InfinitePush)
    columns = np.flatnonzero(np.isfinite(beta))
    beta = beta[columns]
    if len(columns) == 0:
        return 0.0
    fixed, rows, starts, cap, share = _negatives(loss)
    linear = problem.pull_back(fixed)[columns]
    nothing = NOTHING * (x.max(axis=0) - x.min(axis=0))[columns].astype(np.float64)

    def steepest(slopes: FloatArray) -> float:
        return float((np.where(np.abs(slopes) > nothing, np.abs(slopes), 0.0) / beta).max())

    if len(rows) == 0:
        return steepest(linear)
    features = x[rows] if len(columns) == problem.n_features else np.ascontiguousarray(x[rows][:, columns])
    within = replace(problem, features=features)
    hinges = HingeRows(starts, np.ones(len(rows)), np.zeros(len(rows)), cap, share)
    at_start = linear + within.pull_back(share)
    ball = L1Ball(beta, max(steepest(at_start), float((nothing / beta).max())))
    upper, lower = np.inf, 0.0
    for point in follow_central_path(within, hinges, ball, linear):
        gradient = linear + within.pull_back(point.score_gradient)
        upper = min(upper, steepest(gradient))
        lower = max(lower, _fall(problem, columns, beta, point.weights))
        if upper - lower <= TOLERANCE * upper:
            break
    return upper


def _fall(problem: Problem, columns: IntArray, beta: FloatArray, weights: FloatArray) -> float:
    """How steeply the loss falls from w = 0 towards these weights, for sum_j beta_j |w_j| = 1; not above lambda_max."""
    w = np.zeros(problem.n_features)
    w[columns] = weights
    scores = problem.scores(w)
    largest = float(np.abs(scores).max())
    if largest == 0.0:
        return 0.0
    near = LINEAR / largest
    fall = 1.0 - problem.loss.evaluate(near * scores).value
    return fall / (near * float((beta * np.abs(weights)).sum()))


def _negatives(loss: InfinitePush) -> tuple[FloatArray, IntArray, IntArray, FloatArray, FloatArray]:
    """Split the documents: multipliers of those without a choice; rows, starts, caps and a start of the others.

    A positive has the multiplier -1 / (m Q). A negative of a query whose k is all of them has 1 / (n Q).
    """
    groups = loss.groups
    n_queries = loss.n_queries_used
    sizes = np.diff(groups.group_start)
    n = sizes[1::2]
    k = loss.top
    of_position = np.repeat(np.arange(len(sizes)), sizes)
    mass = np.where(np.arange(len(sizes)) % 2 == 0, -1.0, 1.0) / (n_queries * sizes)
    chosen = (of_position % 2 == 1) & (k < n)[of_position // 2]
    fixed = np.zeros(loss.n_documents)
    fixed[groups.order] = np.where(chosen, 0.0, mass[of_position])
    query = of_position[chosen] // 2
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    return fixed, groups.order[chosen], starts, 1.0 / (n_queries * k[query]), 1.0 / (n_queries * n[query])


def smallest_useful_share(data: RankingData) -> float | None:
    """Return the smallest of a few top shares at which some model beats the empty one; None if none does."""
    for share in SHARES:
        if largest_lambda(data, InfinitePush.of(data, share)) > 0.0:
            return share
    return None
