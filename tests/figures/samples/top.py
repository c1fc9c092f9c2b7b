"""Examples of the pictures of the top of lists, and of the experiments on it."""

from __future__ import annotations

from core.api import pictures
from core.export.scripts.description import MethodDescription, PathModelDescription
from tests.figures.samples.sample import Sample, path

SAMPLES: dict[str, Sample] = {
    "top_along": Sample(
        lambda: pictures.top_along([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")]},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})]},
    ),
    "top_of_lists": Sample(
        lambda: pictures.top_of_lists([path("l1").with_as_many_features(9), path("log").model(20)], path=path("l1")),
        lambda: {"models": [path("l1").with_as_many_features(5)], "part": "vali", "path": None},
        {
            "models": [
                PathModelDescription(MethodDescription("l1", {}), n_features=9),
                PathModelDescription(MethodDescription("log", {}), n_features=path("log").model(20).fit.result.nonzero),
            ],
            "path": MethodDescription("l1", {}),
        },
    ),
    "top_of_one_list": Sample(
        lambda: pictures.top_of_one_list(path("l1").with_as_many_features(9), path=path("l1")),
        lambda: {"model": path("l1").with_as_many_features(5), "query": "10", "part": "vali", "path": None},
        {
            "model": PathModelDescription(MethodDescription("l1", {}), n_features=9),
            "path": MethodDescription("l1", {}),
        },
    ),
}
