"""What a solver, a chart and a control panel may ask of a penalty."""

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
    """A number a person may set; the app builds its control from this.

    Attributes
    ----------
    name : str
        As in ``--set NAME=VALUE`` and in the constructor.
    symbol : str
        The papers' letter.
    default, minimum, maximum : float
        Inclusive range.
    help : str
        One sentence on what a larger value does.
    choices : tuple of str
        Names of the values 0, 1, …, where the parameter is a choice among a few things.
    ends : tuple of str
        What the minimum and the maximum mean, where the parameter is a scale between two things.
    tried : tuple of float
        Values, rising, from which the validation part chooses wherever it chooses C and nobody has given one; empty for
        a parameter that keeps its default then.
    counts : bool
        Whether it is a number of features: whole, and above as many as there are the same as all of them.
    needs : tuple of (str, float), optional
        Another parameter and the value without which this one has no effect.
    pictured : float, optional
        The value that pictures of the penalty begin with, if the default would bend the curve where nobody sees it.
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
        """One of a few named things; the first is the default."""
        return cls(name, symbol, 0.0, 0.0, len(choices) - 1.0, help, choices)

    def matters(self, settings: Mapping[str, float]) -> bool:
        """Whether it has an effect among these values of parameters, by name."""
        return self.needs is None or settings.get(self.needs[0]) == self.needs[1]

    def text(self, value: float) -> str:
        """The value as people write it: by its name where it has one."""
        return self.choices[int(value)] if self.choices else f"{value:g}"

    def check(self, value: float | str) -> float:
        """The value, or that of the name, if it lies in the range.

        Raises
        ------
        ValueError
            Naming the parameter and its range or names, or that a number of features is a whole one.
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
            msg = f"{self.name} is a number of features, so a whole one, not {value:g}"
            raise ValueError(msg)
        return float(value)


class Penalty(ABC):
    """Omega(w) = sum_j g_j(|w_j|), each g_j increasing from g_j(0) = 0.

    All arrays have shape (n_features,) unless said otherwise.

    Attributes
    ----------
    among : str
        Outside which models it is infinite, in words that follow "no model": what a certificate of a problem with it
        is silent about. Empty where any model may be weighed against the others.
    """

    title: str
    convex: bool
    sparse: bool = True
    among: str = ""
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @abstractmethod
    def curve(self, t: FloatArray) -> FloatArray:
        """g(t) for t >= 0, elementwise; the last axis runs over features."""

    @abstractmethod
    def weights(self, w: FloatArray) -> FloatArray:
        """g'(|w|), the weight of each |w_j| in the next round of reweighting; may be infinite at 0."""

    def curvature(self, w: FloatArray) -> FloatArray:
        """g''(|w|) where w is not 0, and 0 where it is; <= 0 for a concave penalty."""
        return np.zeros_like(w)

    @abstractmethod
    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """The global minimiser u of (u - v)^2 / 2 + step * g(|u|), elementwise; one step for all or one a feature."""

    def first_weights(self, n_features: int) -> FloatArray:
        """beta of the first round of reweighting, which knows no weights yet (Laporte et al. 2014, Algorithm 2)."""
        return np.ones(n_features)

    def value(self, w: FloatArray) -> float:
        """Omega(w)."""
        return float(self.curve(np.abs(w)).sum())

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance of 0 from gradient_j + lam * subdifferential of g(|.|) at w_j, elementwise.

        Parameters
        ----------
        gradient : ndarray
            Of the loss with respect to w.
        """
        slope = lam * self.weights(w)
        at_zero = np.maximum(np.abs(gradient) - slope, 0.0)
        with np.errstate(invalid="ignore"):  # infinite slope where w is 0
            elsewhere = np.abs(gradient + np.sign(w) * slope)
        return np.where(w == 0.0, at_zero, elsewhere)

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Largest dual value on the ray theta * alpha, or None where the penalty offers no bound.

        Parameters
        ----------
        slope, curvature, limit : float
            The loss's part of the dual value is ``theta * slope - theta**2 * curvature`` for theta up to the limit
            (`LossEvaluation`).
        gradient : ndarray
            Of the loss with respect to w; minus the features' product with alpha.
        """
        return None

    def support(self, w: FloatArray) -> tuple[Penalty, float]:
        """A penalty that, with the constant added, lies nowhere above this one and touches it at w.

        Where features are coupled, this is the one whose dual bound is known; of any other it is the penalty itself.
        """
        return self, 0.0


def best_on_ray(slope: float, curvature: float, longest: float) -> float:
    """Maximum of theta * slope - theta^2 * curvature over 0 <= theta <= longest."""
    if slope <= 0.0:
        return 0.0
    theta = longest if curvature <= 0.0 else min(longest, slope / (2.0 * curvature))
    return theta * slope - theta * theta * curvature if np.isfinite(theta) else np.inf
