"""Examples of the pictures of single queries."""

from __future__ import annotations

from core.api import pictures
from core.export.scripts.description import MethodDescription, PathModelDescription
from tests.figures.samples.sample import Sample, path

SAMPLES: dict[str, Sample] = {
    "queries": Sample(
        lambda: pictures.queries(path("l1").with_as_many_features(9), path("l1").with_as_many_features(5), texts={}),
        lambda: {
            "model": path("l1").with_as_many_features(13),
            "other": 3,
            "part": "vali",
            "measure": "NDCG@10",
            "texts": {"5": "five"},
        },
        {
            "model": PathModelDescription(MethodDescription("l1", {}), n_features=9),
            "other": PathModelDescription(MethodDescription("l1", {}), n_features=5),
        },
    ),
}
