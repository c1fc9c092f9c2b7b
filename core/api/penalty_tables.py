"""Tables of what penalties do: to one weight, to two of them, from round to round, and from start to start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.penalties.penalty_shape import PenaltyShape
from core.analysis.penalties.reweighting import Round
from core.analysis.penalties.several_starts import Minimum
from core.analysis.penalties.two_features import RATIOS
from core.data.ranking_data import FloatArray
from core.figures.look.style import certificate_label, short
from core.figures.penalties.penalties import PenaltyCurve
from core.figures.penalties.two_features import letters
from core.methods import Fit

Names = tuple[str, str]
"""Of the two features."""


def penalty_table(curves: Sequence[PenaltyCurve], shapes: Mapping[str, PenaltyShape], step: float) -> pd.DataFrame:
    """A row a penalty: its price, its pull, and what a step of its proximal operator does."""
    return pd.DataFrame(
        {
            "penalty": [c.title for c in curves],
            "g(1)": [f"{c.scale * shapes[c.method].at_one:.4g}" for c in curves],
            "g′(0)": [short(c.scale * shapes[c.method].slope_at_zero) for c in curves],
            "g′(1)": [f"{c.scale * shapes[c.method].slope_at_one:.4g}" for c in curves],
            "dropped up to |v|": [f"{shapes[c.method].threshold:.4g}" for c in curves],
            "v = 3 becomes": [f"{shrunk(c, step, 3.0):.4g}" for c in curves],
        }
    )


def shrunk(curve: PenaltyCurve, step: float, v: float) -> float:
    """Return what a weight becomes by one step."""
    return float(curve.penalty.prox(np.array([v]), step * curve.scale)[0])


def minima_table(names: Names, path: Sequence[Sequence[Fit]]) -> pd.DataFrame:
    """A row for each of `RATIOS`: how many minima there are, and the lowest."""
    return pd.DataFrame(
        {
            "λ / λ_max": RATIOS,
            "minima": [len(found) for found in path],
            names[0]: [float(found[0].weights[0]) for found in path],
            f"{names[1]} ": [float(found[0].weights[1]) for found in path],
            "F": [found[0].result.objective for found in path],
        }
    )


def rounds_table(names: Names, rounds: Sequence[Round], number: int) -> pd.DataFrame:
    """A row a round of reweighting; an arrow stands at the one with the number."""
    a, b = names
    return pd.DataFrame(
        {
            "": ["▶" if r.number == number else "" for r in rounds],
            "round": [r.number for r in rounds],
            f"β of {a}": [short(r.beta[0]) for r in rounds],
            f"β of {b} ": [short(r.beta[1]) for r in rounds],
            f"weight of {a}": [f"{r.weights[0]:.5f}" for r in rounds],
            f"weight of {b} ": [f"{r.weights[1]:.5f}" for r in rounds],
            "F": [f"{r.objective:.8f}" for r in rounds],
        }
    )


def starts_table(names: Names, minima: Sequence[Minimum]) -> pd.DataFrame:
    """A row a minimum: how many starts end in it, and what it keeps."""
    return pd.DataFrame(
        {
            "minimum": letters(len(minima)),
            "starts": [len(m.starts) for m in minima],
            "keeps": [kept_of_two(names, m.fit.weights) for m in minima],
            "F": [f"{m.fit.result.objective:.6f}" for m in minima],
            "certificate": [certificate_of(m) for m in minima],
        }
    )


def kept_of_two(names: Names, weights: FloatArray) -> str:
    """Say which of the two features a model keeps."""
    kept = weights != 0.0
    if kept.all():
        return "both features"
    return f"{names[0]} only" if kept[0] else f"{names[1]} only" if kept[1] else "no feature"


def certificate_of(minimum: Minimum) -> str:
    """Write the certificate of a minimum in a few words."""
    certificate = minimum.fit.result.certificate
    label = certificate_label(certificate.kind, certificate.share_of, certificate.among)
    return f"{label}: {short(certificate.relative)}"
