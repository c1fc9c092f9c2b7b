"""Examples of the pictures of features and their values."""

from dataclasses import replace
from functools import cache

import core
from core.api import pictures
from core.export.scripts.description import MethodDescription, PathModelDescription
from tests.figures.samples.sample import FITTING, Sample, at, fold, model, path


@cache
def without_3() -> core.Model:
    return core.fit(fold(), "l1", lambda_ratio=0.1, off=[3])


SAMPLES: dict[str, Sample] = {
    "relevance_levels": Sample(lambda: pictures.relevance_levels(fold().train), lambda: {"data": fold().test}),
    "feature_values": Sample(
        lambda: pictures.feature_values(fold().train, 3), lambda: {"data": fold().vali, "feature": 4}
    ),
    "similarity": Sample(lambda: pictures.similarity(fold().train), lambda: {"data": fold().test}),
    "single_features": Sample(
        lambda: pictures.single_features(fold().train, convention="standard"),
        lambda: {"data": fold().test, "convention": "letor4"},
    ),
    "features": Sample(
        lambda: pictures.features([path("l1").with_as_many_features(9)]),
        lambda: {"models": [path("log").with_as_many_features(9)], "measure": "MAP"},
        {"models": [PathModelDescription(MethodDescription("l1", {}), n_features=9)]},
    ),
    "entry_order": Sample(
        lambda: pictures.entry_order([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")]},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})]},
    ),
    "kept_similarity": Sample(
        lambda: pictures.kept_similarity(path("l1").with_as_many_features(9)),
        lambda: {"model": path("l1").with_as_many_features(5)},
        {"model": PathModelDescription(MethodDescription("l1", {}), n_features=9)},
    ),
    "stability": Sample(
        lambda: pictures.stability(fold(), "l1", dataset=core.open_dataset("planted"), samples=4, seed=3),
        lambda: (
            FITTING | {"C": 0.01, "lambda_ratio": 0.1, "dataset": core.open_dataset("python-docs"), "solver": "fista"}
        ),
    ),
    "what_if": Sample(
        lambda: pictures.what_if(model("l1"), without_3(), costs={1: 2.0}),
        lambda: {"before": model("l1", 0.2), "after": model("l1", 0.2), "costs": {2: 3.0}},
        {
            "before": at(model("l1")),
            "after": replace(at(without_3()), method=MethodDescription("l1", {}, without_3().rules)),
        },
    ),
}
