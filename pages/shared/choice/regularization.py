"""How strongly a model is regularized, as one value: C, lambda and its share of lambda_max say the same.

The session and the address name it by the text of a C, where one has been typed or taken from a picture, else by a step
of the slider.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from core.data.numbers import read_number
from core.methods import Training
from core.methods.training import lam_of_c

STEPS_A_DECADE = 20
LOWEST_DECADE = 5
LAST_STEP = LOWEST_DECADE * STEPS_A_DECADE
DEFAULT_STEP = 30  # lambda / lambda_max = 10^-1.5


@dataclass(frozen=True)
class Regularization:
    """The weight of a penalty, for the loss of one method on one training part.

    Attributes
    ----------
    lam : float
    lam_max : float
        The smallest lambda at which the l1 model is empty.
    n_terms : int
        Of the loss: C = 1 / (lambda n_terms).
    """

    lam: float
    lam_max: float = field(compare=False)
    n_terms: int = field(compare=False)

    @classmethod
    def of(cls, training: Training, lam: float) -> Regularization:
        """A lambda for these training data."""
        return cls(lam, training.lam_max, training.n_terms)

    @classmethod
    def at_step(cls, training: Training, step: int) -> Regularization:
        """A step of the slider.

        Raises
        ------
        DataError
            If lambda_max is 0; an `EmptyOptimumError` if that is a result and not an error in the data.
        """
        return cls.of(training, training.lam_at(ratio_at(step)))

    @property
    def c(self) -> float:
        """C."""
        return 1.0 / (self.lam * self.n_terms)

    @property
    def ratio(self) -> float:
        """lambda / lambda_max."""
        return self.lam / self.lam_max

    @property
    def step(self) -> int:
        """The nearest one of the slider."""
        return step_at(min(max(self.ratio, ratio_at(LAST_STEP)), 1.0))

    def at_c(self, c: float) -> Regularization:
        """The same data at another C.

        Raises
        ------
        ValueError
            If C is not a positive number, or beyond the range of double precision.
        """
        return replace(self, lam=lam_of_c(c, self.n_terms))

    def typed(self, text: str) -> Regularization:
        """The same data at a C that somebody has typed; as it is where nothing is typed.

        Raises
        ------
        ValueError
            If it is not a positive number.
        """
        return self.at_c(read_number(text.replace(",", "."))) if text.strip() else self


def ratio_at(step: int) -> float:
    """lambda / lambda_max at a step of the slider."""
    return float(10.0 ** (-step / STEPS_A_DECADE))


def step_at(ratio: float) -> int:
    """The slider's step nearest to a ratio.

    Raises
    ------
    ValueError
        If it is not a positive number.
    OverflowError
        If it is infinite.
    """
    return min(max(round(-STEPS_A_DECADE * math.log10(ratio)), 0), LAST_STEP)
