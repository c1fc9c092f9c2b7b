"""Tables of how models are found: solvers in a race, and the models that validation chooses among."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.choosing import RULE_TITLES, ChoiceRule
from core.analysis.convergence_rates import rate_of
from core.analysis.endings import reason_words
from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.analysis.solver_race import Standing
from core.analysis.tuning.choice_noise import PathNoise
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.methods import Fit, Method


def race_table(method: Method, known: Sequence[Standing]) -> pd.DataFrame:
    """A row a solver, in the order of the standings."""
    return pd.DataFrame(
        [
            {
                "solver": standing.solver.title,
                "reached the tolerance": standing.reached,
                "seconds": standing.seconds,
                "steps": standing.steps,
                "passes over X": standing.fit.result.passes,
                "certificate": standing.certificate.relative,
                "kind": standing.certificate.kind,
                "objective": standing.fit.result.objective,
                "features": standing.fit.result.nonzero,
                "ended": reason_words(standing.fit.result),
                "in theory": rate_of(method, standing.solver).order,
            }
            for standing in known
        ]
    )


def tuning_table(points: Sequence[PathPoint], measure: str) -> pd.DataFrame:
    """A row a model: its settings, and the measure on every part; on the one that chooses, in expectation over ties."""
    return pd.DataFrame(
        [
            {**point.fit.parameters, "C": point.fit.c, "λ/λ_max": ratio_of(point), "features": point.fit.result.nonzero}
            | {f"{measure}, {PART_TITLES[part]}": point.judgement.shown(part, measure) for part in point.metrics}
            for point in points
        ]
    )


def weights_table(fit: Fit) -> pd.DataFrame:
    """A row a feature that is kept, the largest weight first."""
    kept = fit.selected[np.argsort(-np.abs(fit.weights[fit.selected]), kind="stable")]
    return pd.DataFrame(
        {"feature": kept + 1, "name": [fit.feature_names[j] for j in kept], "weight": fit.weights[kept]}
    )


def choice_noise_table(
    paths: Mapping[str, Sequence[PathPoint]],
    found: Mapping[str, Mapping[ChoiceRule, PathNoise]],
    measure: str,
    titles: Mapping[str, str],
) -> pd.DataFrame:
    """A row a method and rule: the model that it takes, and the choices on resampled validation queries."""
    rows = []
    for method, by_rule in found.items():
        for rule, noise in by_rule.items():
            chosen = paths[method][noise.noise.chosen]
            part, over = PART_WORDS[noise.part], noise.reported[measure]
            rows.append(
                {
                    "method": titles[method],
                    "rule": RULE_TITLES[rule],
                    "features": chosen.fit.result.nonzero,
                    f"{measure}, {part}": chosen.metrics[noise.part][measure],
                    "features, mean": noise.n_features.mean,
                    "features ± choice": noise.n_features.deviation,
                    f"{measure}, mean": over.mean,
                    f"{measure} ± choice": over.deviation,
                    "C, 5 %": noise.c[0],
                    "C, 95 %": noise.c[2],
                }
            )
    return pd.DataFrame(rows)
