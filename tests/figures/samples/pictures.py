"""An example of every picture."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import core
from core.api import pictures
from core.experiments.results.run import Run
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.store.file import default_store_path
from core.experiments.run.store.store import RunStore
from core.export.scripts.description import MethodDescription, PathModelDescription, ProtocolDescription
from core.figures.picture import Picture
from tests.experiments import made_up
from tests.figures.samples.sample import FITTING, PLANTED, Sample, at, fold, model, path


@cache
def without_3() -> core.Model:
    return core.fit(fold(), "l1", lambda_ratio=0.1, off=[3])


def two_others() -> dict[str, Any]:
    """Other values of what all pictures of two features have."""
    pair = pictures.FeaturePair(features=(2, 1))
    return {"method": "mcp", "parameters": {"epsilon": 0.3}, "pair": pair}


@cache
def protocol() -> Run:
    """A run in the store, where its script finds it."""
    methods = ("l1", "log")
    plan = plan_protocol([DatasetSource("planted")], list(map(MethodChoice, methods)), points=5)
    with RunStore(default_store_path()) as store:
        for cell in plan.cells:
            store.claim(cell)
            store.put(cell, cell_result(cell, core.open_dataset("planted").fold(cell.fold)))
    return core.run_protocol(["planted"], methods, points=5)


def another_run() -> Run:
    lines = [made_up.line(label, {1: made_up.result(0.5, [1, 2])}, dataset="planted") for label in ("l1", "log")]
    return Run(*made_up.run(lines), {}, None)


def of_run(picture: Callable[[], Picture[Any]], **changed: Any) -> Sample:
    ran = ProtocolDescription((PLANTED,), ("l1", "log"), {"points": 5})
    return Sample(picture, lambda: {"run": another_run(), **changed}, {"run": ran}, data=())


L1, LOG = MethodDescription("l1", {}), MethodDescription("log", {})


def l1(kept: int) -> core.Model:
    return path("l1").with_as_many_features(kept)


def l1_with(kept: int) -> PathModelDescription:
    return PathModelDescription(L1, n_features=kept)


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
        lambda: pictures.features([l1(9)]),
        lambda: {"models": [path("log").with_as_many_features(9)], "measure": "MAP"},
        {"models": [l1_with(9)]},
    ),
    "entry_order": Sample(
        lambda: pictures.entry_order([path("l1"), path("log")]), lambda: {"paths": [path("l1")]}, {"paths": [L1, LOG]}
    ),
    "kept_similarity": Sample(lambda: pictures.kept_similarity(l1(9)), lambda: {"model": l1(5)}, {"model": l1_with(9)}),
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
    "tradeoff": Sample(
        lambda: pictures.tradeoff(
            [path("l1"), path("log")], measure="NDCG@10", part="test", limit=10, dense=path("l2")
        ),
        lambda: {"paths": [path("l1")], "part": "vali", "dense": None, "costs": tuple(range(1, 61))},
        {"paths": [L1, LOG], "dense": MethodDescription("l2", {})},
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
        {"paths": [L1, MethodDescription("fs-rank", {})]},
    ),
    "budget": Sample(
        lambda: pictures.budget([path("l1"), path("log")], dense=path("l2"), limit=5),
        lambda: {"paths": [path("l1")], "dense": None, "costs": tuple(range(1, 61))},
        {"paths": [L1, LOG], "dense": MethodDescription("l2", {})},
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
    "penalty_curves": Sample(
        lambda: pictures.penalty_curves("mcp", step=0.7),
        lambda: {"studied": "log", "parameters": {"log": {"epsilon": 0.5}}},
        data=(),
    ),
    "two_features": Sample(
        lambda: pictures.two_features("log", ratio=0.05, pair=pictures.FeaturePair(fold().train, (51, 10))), two_others
    ),
    "reweighting": Sample(lambda: pictures.reweighting("log", ratio=0.05, number=2), two_others, data=()),
    "starts": Sample(lambda: pictures.starts("log", ratio=0.1, n=6), two_others, data=()),
    "protocol_tradeoff": of_run(lambda: pictures.protocol_tradeoff(protocol())),
    "protocol_spider": of_run(lambda: pictures.protocol_spider(protocol())),
    "protocol_time": of_run(lambda: pictures.protocol_time(protocol())),
    "protocol_features": of_run(lambda: pictures.protocol_features(protocol(), "planted"), dataset=None),
    "protocol_agreement": of_run(lambda: pictures.protocol_agreement(protocol(), "planted"), dataset=None),
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
        {"drawn": [L1, MethodDescription("mcp", {})]},
    ),
    "tuning": Sample(
        lambda: pictures.tuning(fold(), choose="one-se"), lambda: FITTING | {"solver": "fista", "measure": "RR"}
    ),
    "choice_noise": Sample(
        lambda: pictures.choice_noise([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")], "measure": "RR"},
        {"paths": [L1, LOG]},
    ),
    "queries": Sample(
        lambda: pictures.queries(l1(9), l1(5), texts={}),
        lambda: {"model": l1(13), "other": 3, "texts": {"5": "five"}},
        {"model": l1_with(9), "other": l1_with(5)},
    ),
    "top_of_lists": Sample(
        lambda: pictures.top_of_lists([l1(9), path("log").model(20)], path=path("l1")),
        lambda: {"models": [l1(5)], "path": None},
        {
            "models": [l1_with(9), PathModelDescription(LOG, n_features=path("log").model(20).fit.result.nonzero)],
            "path": L1,
        },
    ),
    "top_of_one_list": Sample(
        lambda: pictures.top_of_one_list(l1(9), path=path("l1")),
        lambda: {"model": l1(5), "query": "10", "path": None},
        {"model": l1_with(9), "path": L1},
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
