"""Models to export: fitted as ``fit --json`` does, and written out by hand."""

from __future__ import annotations

import json
from typing import Any

from core.analysis.evaluation import FoldJudge
from core.analysis.fit_records import fit_record, training_record
from core.data import Fold, Reading
from core.methods import get_method


def fitted(name: str, scale: str, *, method: str = "l1", ratio: float = 0.005) -> tuple[dict[str, Any], Fold]:
    """The record of a fit as it stands in a file, and the fold with scaled features."""
    dataset = Reading(scale=scale).open(name)
    fold = dataset.fold(1)
    how = get_method(method)
    training = how.training(fold.train, how.settings({}), dataset.convention)
    fit = how.fit(training, training.lam_at(ratio))
    record = {"dataset": dataset.name, "fold": 1}
    record |= fit_record(fit, FoldJudge(fold, dataset.convention).judgement(fit.weights), dataset.convention)
    return json.loads(json.dumps(record | training_record(fold, fit))), fold


def by_hand(
    *rows: tuple[str, float, float, float], scaling: str = "none", ends: tuple[float, float] = (0.0, 1.0)
) -> Any:
    """A record with features (name, weight, subtract, divide), all with the same range."""
    return {
        "method": "by hand",
        "features": [{"index": j, "name": name, "weight": w} for j, (name, w, _, _) in enumerate(rows, 1)],
        "scaling": {
            "id": scaling,
            "features": [
                {"index": j, "subtract": subtract, "divide": divide, "lowest": ends[0], "highest": ends[1]}
                for j, (_, _, subtract, divide) in enumerate(rows, 1)
            ],
        },
        "feature_names": [name for name, *_ in rows],
    }
