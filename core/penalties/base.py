"""The interface of a penalty, and the description of its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Parameter:
    """A parameter that a person may set; the app builds its control from this description.

    Attributes
    ----------
    name : str
        Name in ``--set NAME=VALUE`` and in the constructor.
    symbol : str
        The papers' letter.
    default, minimum, maximum : float
        Inclusive range.
    help : str
        One sentence on the effect of its value.
    choices : tuple of str
        Names of the values 0, 1, … of a parameter that is a choice among a few things.
    ends : tuple of str
        Meaning of the minimum and of the maximum, for a parameter that is a scale between two things.
    tried : tuple of float
        Ascending values among which the validation part chooses, together with C, if no value is given; empty
        for a parameter that then keeps its default.
    counts : bool
        Whether it is a number of features: a whole number; one above the number of features means all of them.
    needs : tuple of (str, float), optional
        Another parameter and the value without which this one has no effect.
    pictured : float, optional
        The value that pictures of the penalty begin with, if the default would bend the curve out of sight.
    """

    name: str
    symbol: str
    default: float
    minimum: float
    maximum: float
    help: str
    choices: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None
    tried: tuple[float, ...] = ()
    counts: bool = False
    needs: tuple[str, float] | None = None
    pictured: float | None = None

    @property
    def shown(self) -> float:
        """The value that pictures of the penalty begin with."""
        return self.default if self.pictured is None else self.pictured

    @classmethod
    def choice(cls, name: str, symbol: str, choices: tuple[str, ...], help: str) -> Parameter:
        """Make a parameter that is one of a few named things; the first is the default."""
        return cls(name, symbol, 0.0, 0.0, len(choices) - 1.0, help, choices)

    def matters(self, settings: Mapping[str, float]) -> bool:
        """Tell whether the parameter has an effect among these parameter values, by name."""
        return self.needs is None or settings.get(self.needs[0]) == self.needs[1]

    def text(self, value: float) -> str:
        """Write the value for people: by its name where it has one."""
        return self.choices[int(value)] if self.choices else f"{value:g}"

    def check(self, value: float | str) -> float:
        """Return the value, or the value that a name stands for, if it lies in the range.

        Raises a `ValueError` if the value is out of range, no known name, or a number of features that is not whole.
        """
        if isinstance(value, str) and value in self.choices:
            return float(self.choices.index(value))
        if isinstance(value, str) or (self.choices and value != round(value)):
            wanted = f"one of {', '.join(self.choices)}" if self.choices else "a number"
            msg = f"{self.name} must be {wanted}, not {value!r}"
            raise ValueError(msg)
        if not self.minimum <= value <= self.maximum:
            msg = f"{self.name} must lie between {self.minimum:g} and {self.maximum:g}, not {value:g}"
            raise ValueError(msg)
        if self.counts and value != round(value):
            msg = f"{self.name} is a number of features and must be whole, not {value:g}"
            raise ValueError(msg)
        return float(value)


@dataclass(frozen=True, eq=False)
class DualRay:
    """Dual points theta * alpha, 0 <= theta <= dual_limit, of a loss at one vector of scores.

    The loss contributes ``theta * dual_slope - theta**2 * dual_curvature`` to the dual value. The limit is infinite for
    a loss whose dual points form a cone.
    """

    dual_slope: float
    dual_curvature: float
    dual_limit: float = np.inf


class Penalty(ABC):
    """Interface of a penalty Omega(w) = sum_j g_j(|w_j|), each g_j increasing from g_j(0) = 0.

    Attributes
    ----------
    among : str
        The models among which a certificate with this penalty holds, in words that follow "no model"; the penalty is
        infinite outside them. Empty where a certificate holds among all models.
    same_for_all : bool
        Whether all g_j are one function: then features are fitted in units in which they are alike.
    """

    title: str
    convex: bool
    sparse: bool = True
    among: str = ""
    same_for_all: bool = False
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @abstractmethod
    def curve(self, t: FloatArray) -> FloatArray:
        """Compute g(t) for t >= 0, elementwise; the last axis runs over features."""

    @abstractmethod
    def weights(self, w: FloatArray) -> FloatArray:
        """Compute g'(|w|), the weight of each |w_j| in the next round of reweighting; may be infinite at 0."""

    def curvature(self, w: FloatArray) -> FloatArray:
        """Compute g''(|w|) where w is not 0, and 0 where it is; <= 0 for a concave penalty."""
        return np.zeros_like(w)

    @abstractmethod
    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the global minimiser u of (u - v)^2 / 2 + step * g(|u|), elementwise.

        ``step`` is one number for all features, or one number a feature.
        """

    def first_weights(self, n_features: int) -> FloatArray:
        """Return the weights of the first round of reweighting (Laporte et al. 2014, Alg. 2)."""
        return np.ones(n_features)

    def signs(self, n_features: int) -> FloatArray:
        """Return the sign that each weight is to have if it is not 0; 0 where it may be either (see `Signed`)."""
        return np.zeros(n_features)

    def exempt(self, n_features: int) -> NDArray[np.bool_]:
        """Return which features pay nothing, whatever their weight (see `FeatureWeighted`)."""
        return np.zeros(n_features, dtype=np.bool_)

    def value(self, w: FloatArray) -> float:
        """Compute Omega(w)."""
        return float(self.curve(np.abs(w)).sum())

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Compute the distance of 0 from gradient_j + lam * subdifferential of g(|.|) at w_j, elementwise.

        Parameters
        ----------
        gradient : ndarray
            Gradient of the loss with respect to w.
        """
        slope = lam * self.weights(w)
        at_zero = np.maximum(np.abs(gradient) - slope, 0.0)
        with np.errstate(invalid="ignore"):  # infinite slope where w is 0
            elsewhere = np.abs(gradient + np.sign(w) * slope)
        return np.where(w == 0.0, at_zero, elsewhere)

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        """Return the largest dual value on the ray theta * alpha; None where the penalty offers no bound.

        Parameters
        ----------
        gradient : ndarray
            Gradient of the loss with respect to w; it is minus the product of the pair differences with alpha.
        """
        return None

    def support(self, w: FloatArray) -> tuple[Penalty, float]:
        """Return a penalty and a constant whose sum bounds this one from below and touches it at w.

        A penalty that couples features returns one with a known dual bound; any other penalty returns itself.
        """
        return self, 0.0


def best_on_ray(slope: float, curvature: float, longest: float) -> float:
    """Maximise theta * slope - theta^2 * curvature over 0 <= theta <= longest, and return the value."""
    if slope <= 0.0:
        return 0.0
    theta = longest if curvature <= 0.0 else min(longest, slope / (2.0 * curvature))
    return theta * slope - theta * theta * curvature if np.isfinite(theta) else np.inf
