"""Examples of the pictures of paths and of choosing C on them."""

from __future__ import annotations

from core.api import pictures
from core.export.scripts.description import MethodDescription
from tests.figures.samples.sample import FITTING, Sample, fold, path

SAMPLES: dict[str, Sample] = {
    "paths": Sample(
        lambda: pictures.paths([path("l1"), path("mcp")], ratio=0.1),
        lambda: {
            "drawn": [path("l1")],
            "measure": "NDCG@10",
            "measures": ("MAP",),
            "across": "features",
            "ratio": 0.2,
        },
        {"drawn": [MethodDescription("l1", {}), MethodDescription("mcp", {})]},
    ),
    "tuning": Sample(
        lambda: pictures.tuning(fold(), choose="one-se"),
        lambda: FITTING | {"solver": "fista", "measure": "RR", "choose": "average", "widen": True},
    ),
    "choice_noise": Sample(
        lambda: pictures.choice_noise([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")], "measure": "RR", "margin": 0.05},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})]},
    ),
}
