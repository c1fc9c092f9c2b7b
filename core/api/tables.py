"""The tables of pictures: what the app offers beneath them, and what a notebook gets."""

from __future__ import annotations

import pandas as pd

from core.methods import Fit


def trace_table(fit: Fit) -> pd.DataFrame:
    """The way of a solver, one row a step."""
    return pd.DataFrame(
        [
            {
                "step": point.step,
                "objective": point.objective,
                point.certificate.kind: point.certificate.relative,
                "among models": point.certificate.among,
                "features": point.nonzero,
                "seconds": point.seconds,
                "passes": point.passes,
                "inside a round": point.provisional,
            }
            for point in fit.result.trace
        ]
    )
