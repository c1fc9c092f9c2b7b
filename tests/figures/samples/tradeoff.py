"""Examples of the pictures of the trade-off, truncation and budgets."""

import core
from core.api import pictures
from core.export.scripts.description import MethodDescription
from tests.figures.samples.sample import Sample, fold, path

SAMPLES: dict[str, Sample] = {
    "tradeoff": Sample(
        lambda: pictures.tradeoff(
            [path("l1"), path("log")], measure="NDCG@10", part="test", limit=10, dense=path("l2")
        ),
        lambda: {"paths": [path("l1")], "part": "vali", "dense": None, "costs": tuple(range(1, 61))},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})], "dense": MethodDescription("l2", {})},
    ),
    "tradeoff_over_folds": Sample(
        lambda: pictures.tradeoff_over_folds(core.open_dataset("planted"), {"l1": {}}, points=4),
        lambda: {
            "dataset": core.open_dataset("python-docs"),
            "methods": {"log": {}},
            "limit": 10,
            "rules": core.FeatureRules(off=[1]),
            "convention": "letor4",
        },
    ),
    "truncation": Sample(
        lambda: pictures.truncation([path("l1"), path("fs-rank")], limit=5),
        lambda: {"paths": [path("log")], "model": path("l1").model(20), "part": "vali"},
        {"paths": [MethodDescription("l1", {}), MethodDescription("fs-rank", {})]},
    ),
    "budget": Sample(
        lambda: pictures.budget([path("l1"), path("log")], dense=path("l2"), limit=5),
        lambda: {"paths": [path("l1")], "dense": None, "costs": tuple(range(1, 61))},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})], "dense": MethodDescription("l2", {})},
    ),
    "methods": Sample(
        lambda: pictures.methods(
            fold(), ["l1", pictures.BenchMethod("log", "proximal-newton", tol=1e-3), "l2"], ratio=0.1, seconds=60.0
        ),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "wanted": ["l1", pictures.BenchMethod("log", tol=1e-3), "l2"],
            "measure": "NDCG@10",
            "measures": ("MAP",),
            "convention": "letor4",
        },
        timed=True,
    ),
}
