"""Examples of the pictures of a single fit."""

from __future__ import annotations

from core.api import pictures
from tests.figures.samples.sample import FITTING, Sample, at, fold, model

SAMPLES: dict[str, Sample] = {
    "elimination": Sample(
        lambda: pictures.elimination(model("rwfs-l0", 0.01)),
        lambda: {"model": model("rwfs-l0", 0.02)},
        {"model": at(model("rwfs-l0", 0.01))},
    ),
    "convergence": Sample(
        lambda: pictures.convergence(model("l1")),
        lambda: {
            "model": model("log"),
            "against": "passes over X",
            "quantity": "suboptimality",
            "log_across": True,
            "log_up": True,
            "slopes": True,
        },
        {"model": at(model("l1"))},
    ),
    "weights": Sample(
        lambda: pictures.weights(model("l1")),
        lambda: {"model": model("log"), "most": 5},
        {"model": at(model("l1"))},
    ),
    "race": Sample(
        lambda: pictures.race(fold(), "infinite-push-log", C=0.002, seconds=5.0),  # of one solver: no places to change
        lambda: (
            FITTING
            | {
                "C": 0.003,
                "seconds": 4.0,
                "against": "steps",
                "quantity": "suboptimality",
                "log_across": False,
                "log_up": False,
                "slopes": True,
            }
        ),
        timed=True,
    ),
}
