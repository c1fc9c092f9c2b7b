"""A path as frames: models so close together along lambda that a picture of them can follow a hand.

Between two neighbours of an l1 path are models with a proof of how near each is to its optimum (`between`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.path import PathPoint, without_trace
from core.methods import Fit, Method, Training, get_method
from core.methods.refit import is_refitted
from core.penalties import L1
from core.solvers import Certificate

FINER = 4
"""Frames from one model of an interpolated path to the next."""
WIDEST = 1e-3
"""A relative gap that no model between two others exceeds."""
MOST_ADDED = 100


@dataclass(frozen=True, eq=False)
class Frame:
    """A model of a path, fitted or between two fitted ones.

    Attributes
    ----------
    lam, ratio, c : float
        lambda, its share of lambda_max, and C.
    weights : ndarray, shape (n_features,)
    certificate : Certificate
        Of a model between two others: the bound that their certificates give.
    ends : tuple of ndarray, or None
        Of a model between two others: their weights, largest lambda first. It has the features of either, while the
        optimum may lack some of those that only one has. None for a fitted model.
    share : float
        Of a model between two others: how far it is from the first towards the second, from 0 to 1, linear in lambda.
    """

    lam: float
    ratio: float
    c: float
    weights: FloatArray
    judgement: Judgement
    certificate: Certificate
    ends: tuple[FloatArray, FloatArray] | None = None
    share: float = 0.0

    @property
    def fewest(self) -> int | None:
        """Number of features that both neighbours keep, of a model between two others; None for a fitted model."""
        return None if self.ends is None else int(np.count_nonzero((self.ends[0] != 0.0) & (self.ends[1] != 0.0)))

    @property
    def most(self) -> int:
        """Number of features with a weight. Between two fitted models it counts the features of either."""
        return int(np.count_nonzero(self.weights))

    @property
    def size(self) -> str:
        """The number of features in words: a range between two models with different ones."""
        return range_words(str(self.most if self.fewest is None else self.fewest), str(self.most))

    def placed(self, of: Callable[[FloatArray], float]) -> float:
        """Where the model is drawn by something that counts its features.

        Between two fitted models that is not known, and the features of either are more than any of the three may
        have: there it is on the straight line, in lambda, from the number of the one to that of the other.

        Parameters
        ----------
        of : callable
            From weights to the number.
        """
        if self.ends is None:
            return of(self.weights)
        left, right = map(of, self.ends)
        return (1.0 - self.share) * left + self.share * right


def frames_of(points: Sequence[PathPoint], judge: FoldJudge, finer: int = FINER) -> Iterator[Frame]:
    """The frames of a path, largest lambda first.

    Between two models of an l1 path there are ``finer - 1`` more, evenly spaced in log lambda, each with its bound
    (`between`). Any other path has its fitted models only: between two of them there is nothing that can
    be said.

    Parameters
    ----------
    points : sequence of PathPoint
        Of one method, falling in lambda; judged.
    judge : FoldJudge
        Measures the models between.
    finer : int
        At least 1.
    """
    for left, right in pairwise(points):
        yield fitted_frame(left)
        if can_follow(left.fit) and can_follow(right.fit):
            lams = np.geomspace(left.fit.lam, right.fit.lam, finer + 1)[1:-1]
            yield from (_between(left.fit, right.fit, float(lam), judge) for lam in lams)
    if points:
        yield fitted_frame(points[-1])


def extremes_along(frames: Sequence[Frame], values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The lowest and the highest value of each thing that is measured at every frame, as far as they are known there.

    At a fitted model both are its own value. Between two of them they are those of the frames from one to the other,
    both included: the optimum there may be like any.

    Parameters
    ----------
    frames : sequence of Frame
        Of one path, as `frames_of` gives them.
    values : ndarray, shape (n_frames, n_things)

    Returns
    -------
    tuple of ndarray, shape (n_frames, n_things)
    """
    low, high = values.copy(), values.copy()
    for left, right in pairwise(k for k, frame in enumerate(frames) if frame.fewest is None):
        around = values[left : right + 1]
        low[left + 1 : right], high[left + 1 : right] = around.min(axis=0), around.max(axis=0)
    return low, high


def counts_along(frames: Sequence[Frame], there: NDArray[np.bool_]) -> list[str]:
    """How many of some things are there at each frame; a range between two fitted models, as `Frame.size` has.

    Parameters
    ----------
    frames : sequence of Frame
        Of one path, as `frames_of` gives them.
    there : ndarray of bool, shape (n_frames, n_things)
    """
    low, high = (ends.sum(axis=1) for ends in extremes_along(frames, there))
    return [range_words(f"{least:,}", f"{most:,}") for least, most in zip(low, high, strict=True)]


def counts_among(frames: Sequence[Frame], columns: Sequence[int]) -> dict[float, str]:
    """How many of some features (columns from 0) each frame keeps, by its C; between two fitted models a range."""
    if not frames:
        return {}
    kept = np.array([frame.weights[list(columns)] != 0.0 for frame in frames])
    return dict(zip((frame.c for frame in frames), counts_along(frames, kept), strict=True))


def count_features(weights: FloatArray) -> float:
    """The number of features with a weight, for `Frame.placed`."""
    return float(np.count_nonzero(weights))


def range_words(low: str, high: str) -> str:
    """A range of two numbers, or the number that both are."""
    return low if low == high else f"{low}–{high}"


def refined(
    points: Sequence[PathPoint], training: Training, judge: FoldJudge, widest: float = WIDEST, most: int = MOST_ADDED
) -> list[PathPoint]:
    """An l1 path with more models where those between two neighbours could be farther from optimal than ``widest``.

    Each one added is half-way between two neighbours (in log lambda) and starts from the left one; that quarters the
    bound. Any other path is given back as it is.

    Parameters
    ----------
    points : sequence of PathPoint
        Of one method and parameters, falling in lambda.
    training : Training
        That they were fitted on.
    widest : float
        A relative gap.
    most : int
        Models added at most: a path whose ends are not certified to ``widest`` would never be done.
    """
    found = list(points)
    if not all(can_follow(point.fit) for point in found):
        return found
    for _ in range(most):
        gaps = [widest_gap(left.fit, right.fit) for left, right in pairwise(found)]
        worst = int(np.argmax(gaps)) if gaps else 0
        if not gaps or gaps[worst] <= widest:
            break
        left, right = found[worst].fit, found[worst + 1].fit
        fit = get_method(left.method).fit(
            training,
            float(np.sqrt(left.lam * right.lam)),
            solver=left.solver,
            parameters=left.parameters,
            start=left.weights,
        )
        found.insert(worst + 1, PathPoint(without_trace(fit), judge.judgement(fit.weights)))
    return found


def can_follow(fit: Fit) -> bool:
    """Whether what lies between it and its neighbour on the path can be certified; not under rules for features."""
    certificate = fit.result.certificate
    certified = certificate.kind == "duality gap" and not certificate.among
    return certified and not fit.under_rules and interpolates(get_method(fit.method), fit.parameters)


def fitted_frame(point: PathPoint) -> Frame:
    """A fitted model as a frame, the same object for the same point, so that its digest is computed once."""
    frame = _fitted.get(point)
    if frame is None:
        fit = point.fit
        frame = Frame(fit.lam, fit.lam / fit.lam_max, fit.c, fit.weights, point.judgement, fit.result.certificate)
        _fitted[point] = frame
    return frame


_fitted: WeakKeyDictionary[PathPoint, Frame] = WeakKeyDictionary()


def _between(left: Fit, right: Fit, lam: float, judge: FoldJudge) -> Frame:
    weights, certificate = between(left, right, lam)
    c = left.c * left.lam / lam  # C lambda is the same all along a path
    share = (left.lam - lam) / (left.lam - right.lam)
    ends = (left.weights, right.weights)
    return Frame(lam, lam / left.lam_max, c, weights, judge.judgement(weights), certificate, ends, share)


def interpolates(method: Method, settings: Mapping[str, float]) -> bool:
    """Whether `between` holds for its models: a convex loss plus lambda times the l1 norm, and no refit after it."""
    if not method.convex or method.make_problem is not None or is_refitted(settings):
        return False
    return type(method.make_penalty(settings, 1.0)) is L1


def between(left: Fit, right: Fit, lam: float) -> tuple[FloatArray, Certificate]:
    """The weights at ``lam`` between two fits of an l1 path, linear in lambda, and a bound of their gap.

    With t = (left.lam - lam) / (left.lam - right.lam) the weights are (1 - t) w + t w'. Its gap is bounded without
    another look at the data. Let a and a' be the dual points that certify the two fits. As the dual constraint
    ``|X^T a| <= lambda`` is convex in (a, lambda), (1 - t) a + t a' is feasible at ``lam``; as the dual is concave, its
    value is at least the mean of the two. As the loss and the norm are convex, the objective is at most
    (1 - t) L + t L' + lam ((1 - t) N + t N') for the losses L and the norms N. The difference is

        (1 - t) gap + t gap' + t (1 - t) (left.lam - right.lam) (N' - N).

    Raises a `ValueError` if a fit has no duality gap among all models or is under rules, or ``lam`` does not lie
    between theirs.

    Parameters
    ----------
    left, right : Fit
        Of a method of which `interpolates` holds, on the same data, without rules for features, with duality gaps, at
        ``left.lam > right.lam``.
    lam : float
        From ``right.lam`` to ``left.lam``.
    """
    if not right.lam <= lam <= left.lam or right.lam == left.lam:
        msg = f"lambda = {lam:g} does not lie between {right.lam:g} and {left.lam:g}"
        raise ValueError(msg)
    t = (left.lam - lam) / (left.lam - right.lam)
    if t in (0.0, 1.0):
        end = right if t else left
        return end.weights, Certificate("duality gap", _gap(end), _gap(end) / end.result.objective, among="")
    weights = (1.0 - t) * left.weights + t * right.weights
    norms = np.abs(left.weights).sum(), np.abs(right.weights).sum()
    gap = (1.0 - t) * _gap(left) + t * _gap(right) + t * (1.0 - t) * (left.lam - right.lam) * (norms[1] - norms[0])
    # The objective is at least the optimum, and that at least the mean of the two dual values.
    lowest = (1.0 - t) * _bound(left) + t * _bound(right)
    gap = max(float(gap), 0.0)
    return weights, Certificate("duality gap", gap, gap / lowest if lowest > 0.0 else np.inf, among="")


def widest_gap(left: Fit, right: Fit) -> float:
    """The largest relative gap of any model between two neighbours; see `between`."""
    norm = np.abs(right.weights).sum() - np.abs(left.weights).sum()
    bend = max((left.lam - right.lam) * norm, 0.0) / 4.0
    lowest = min(_bound(left), _bound(right))
    return (max(_gap(left), _gap(right)) + float(bend)) / lowest if lowest > 0.0 else np.inf


def _bound(fit: Fit) -> float:
    """The dual value."""
    return fit.result.objective - _gap(fit)


def _gap(fit: Fit) -> float:
    certificate = fit.result.certificate
    if fit.under_rules:
        msg = (
            "under rules for features the penalty is not the l1 norm, of which alone the bound between two models holds"
        )
        raise ValueError(msg)
    if certificate.kind != "duality gap" or certificate.among:
        msg = "only a duality gap among all models says how good a model between two others is"
        raise ValueError(msg)
    return certificate.value
