"""Examples of the pictures of fits, paths, subsets, queries and the top of lists."""

import core
from core.api import pictures
from core.export.scripts.description import MethodDescription, PathModelDescription
from tests.figures.samples.sample import FITTING, Sample, at, fold, model, path

SAMPLES: dict[str, Sample] = {
    "convergence": Sample(
        lambda: pictures.convergence(model("l1")),
        lambda: {"model": model("log"), "log_up": True},
        {"model": at(model("l1"))},
    ),
    "weights": Sample(
        lambda: pictures.weights(model("l1")), lambda: {"model": model("log")}, {"model": at(model("l1"))}
    ),
    "race": Sample(
        lambda: pictures.race(fold(), "infinite-push-log", C=0.002, seconds=5.0),  # of one solver: no places to change
        lambda: FITTING | {"log_up": False},
        timed=True,
    ),
    "paths": Sample(
        lambda: pictures.paths([path("l1"), path("mcp")], ratio=0.1),
        lambda: {"drawn": [path("l1")], "measure": "NDCG@10", "measures": ("MAP",)},
        {"drawn": [MethodDescription("l1", {}), MethodDescription("mcp", {})]},
    ),
    "tuning": Sample(
        lambda: pictures.tuning(fold(), choose="one-se"), lambda: FITTING | {"solver": "fista", "measure": "RR"}
    ),
    "choice_noise": Sample(
        lambda: pictures.choice_noise([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")], "measure": "RR"},
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})]},
    ),
    "queries": Sample(
        lambda: pictures.queries(path("l1").with_as_many_features(9), path("l1").with_as_many_features(5), texts={}),
        lambda: {"model": path("l1").with_as_many_features(13), "other": 3, "texts": {"5": "five"}},
        {
            "model": PathModelDescription(MethodDescription("l1", {}), n_features=9),
            "other": PathModelDescription(MethodDescription("l1", {}), n_features=5),
        },
    ),
    "top_of_lists": Sample(
        lambda: pictures.top_of_lists([path("l1").with_as_many_features(9), path("log").model(20)], path=path("l1")),
        lambda: {"models": [path("l1").with_as_many_features(5)], "path": None},
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
        lambda: {"model": path("l1").with_as_many_features(5), "query": "10", "path": None},
        {"model": PathModelDescription(MethodDescription("l1", {}), n_features=9), "path": MethodDescription("l1", {})},
    ),
    "best_subsets": Sample(
        lambda: pictures.best_subsets(fold(), ridge=0.5, most=2),
        lambda: {"fold": core.open_dataset("planted").fold(2), "paths": [path("l1")], "convention": "letor4"},
    ),
    "near_optimal_sets": Sample(
        lambda: pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=0.05),
        lambda: {"fold": core.open_dataset("planted").fold(2), "convention": "letor4"},
    ),
}
