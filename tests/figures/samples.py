"""A small example of every declared picture, and for each of its fields another value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import core
from core.api import pictures
from core.experiments.results.run import Run
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.store.place import default_store_path
from core.experiments.run.store.store import RunStore
from core.export.scripts.description import (
    DataDescription,
    MethodDescription,
    ModelDescription,
    PathModelDescription,
    ProtocolDescription,
)
from core.export.scripts.picture import Described, Fitted, Opened
from core.figures.picture import Picture
from tests.experiments import made_up

PLANTED = DataDescription("planted", 1, "planted, Fold1", core.Reading())


@dataclass(frozen=True)
class Sample:
    """How an example is made, other values of its fields, and how a script fits the models among them."""

    picture: Callable[[], Picture[Any]]
    changed: Callable[[], Mapping[str, Any]]
    described: Mapping[str, Described | Sequence[Fitted]] = field(default_factory=dict)
    data: Opened = PLANTED
    timed: bool = False
    """Whether its words tell seconds of this machine."""
    unprinted: bool = False
    """Whether it compares with print, which has nothing of these data: a test of its own has the numbers."""

    @property
    def others(self) -> Mapping[str, Any]:
        return self.changed()


@cache
def fold() -> core.Fold:
    return core.open_dataset("planted").fold(1)


@cache
def path(method: str, number: int = 1) -> core.ModelPath:
    return core.fit_path(core.open_dataset("planted").fold(number), method, points=50, smallest_ratio=1e-4)


@cache
def model(method: str, ratio: float = 0.1) -> core.Model:
    return core.fit(fold(), method, lambda_ratio=ratio)


@cache
def without_3() -> core.Model:
    return core.fit(fold(), "l1", lambda_ratio=0.1, off=[3])


def at(fitted: core.Model) -> ModelDescription:
    return ModelDescription(MethodDescription(fitted.fit.method, {}), fitted.fit.c, fitted.fit.solver)


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
    return Run.of(*made_up.run(lines), {}, None)


def two_others() -> dict[str, Any]:
    """Other values of what all pictures of two features have."""
    pair = pictures.FeaturePair(features=(2, 1))
    return {"method": "mcp", "ratio": 0.2, "parameters": {"epsilon": 0.3}, "pair": pair}


def of_run(picture: Callable[[], Picture[Any]], **changed: Any) -> Sample:
    ran = ProtocolDescription((PLANTED,), ("l1", "log"), {"points": 5})
    return Sample(picture, lambda: {"run": another_run(), **changed}, {"run": ran}, data=())


FITTING: dict[str, Any] = {
    "fold": core.open_dataset("planted").fold(2),
    "method": "log",
    "tol": 1e-3,
    "parameters": {"refit": 1},
    "rules": core.FeatureRules(off=[1]),
    "off": [1],
    "must": [2],
    "helps": [3],
    "hurts": [4],
    "costs": {5: 2.0},
    "convention": "letor4",
}
"""Other ways to fit ℓ1."""

SAMPLES: dict[str, Sample] = {
    "relevance_levels": Sample(lambda: pictures.relevance_levels(fold().train), lambda: {"data": fold().test}),
    "feature_values": Sample(
        lambda: pictures.feature_values(fold().train, 3),
        lambda: {"data": fold().vali, "feature": 4, "shape": "histogram"},
    ),
    "similarity": Sample(
        lambda: pictures.similarity(fold().train),
        lambda: {"data": fold().test, "kind": "kendall", "threshold": 0.6, "every_name": False},
    ),
    "single_features": Sample(
        lambda: pictures.single_features(fold().train, convention="standard"),
        lambda: {"data": fold().test, "measure": "MAP", "convention": "letor4", "most": 5},
    ),
    "tradeoff": Sample(
        lambda: pictures.tradeoff(
            [path("l1"), path("log")], measure="NDCG@10", part="test", limit=10, dense=path("l2")
        ),
        lambda: {
            "paths": [path("l1")],
            "measure": "MAP",
            "part": "vali",
            "dense": None,
            "limit": 5,
            "against": "sparsity ratio",
            "log_across": False,
            "costs": tuple(range(1, 61)),
            "ridge": 0.01,
            "most": 3,
        },
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})], "dense": MethodDescription("l2", {})},
    ),
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
    "tradeoff_over_folds": Sample(
        lambda: pictures.tradeoff_over_folds(core.open_dataset("planted"), {"l1": {}, "log": {}}, points=6),
        lambda: {
            "dataset": core.open_dataset("python-docs"),
            "methods": {"l1": {}},
            "measure": "NDCG@10",
            "part": "vali",
            "points": 5,
            "marks": "λ/λ_max",
            "bars": "min–max",
            "paired": True,
            "against": "sparsity ratio",
            "log_across": False,
            "limit": 10,
            "rules": core.FeatureRules(off=[1]),
            "convention": "letor4",
        },
    ),
    "truncation": Sample(
        lambda: pictures.truncation([path("l1"), path("fs-rank")], limit=5),
        lambda: {
            "paths": [path("log")],
            "model": path("l1").model(20),
            "measure": "NDCG@10",
            "part": "vali",
            "limit": 3,
        },
        {"paths": [MethodDescription("l1", {}), MethodDescription("fs-rank", {})]},
    ),
    "truncation_over_folds": Sample(
        lambda: pictures.truncation_over_folds(core.open_dataset("planted"), ["l1"], points=4, limit=5),
        lambda: {
            "dataset": core.open_dataset("python-docs"),
            "methods": ["log"],
            "measure": "NDCG@10",
            "part": "vali",
            "points": 5,
            "sizes": (2, 4),
            "limit": 3,
            "convention": "letor4",
        },
    ),
    "removed_by_fold": Sample(
        lambda: pictures.removed_by_fold(core.open_dataset("planted"), ["l1", "log"], points=4),
        lambda: {
            "dataset": core.open_dataset("python-docs"),
            "methods": ["l1"],
            "measure": "NDCG@10",
            "points": 5,
            "rules": core.FeatureRules(off=[1]),
        },
    ),
    "removed_by_dataset": Sample(
        lambda: pictures.removed_by_dataset([core.open_dataset("planted")], ["l1", "log"], points=4),
        lambda: {
            "datasets": [core.open_dataset("python-docs")],
            "methods": ["l1"],
            "measure": "NDCG@10",
            "points": 5,
            "most_folds": 2,
        },
        data=[PLANTED],
    ),
    "features": Sample(
        lambda: pictures.features([path("l1").with_as_many_features(9)]),
        lambda: {
            "models": [path("log").with_as_many_features(9)],
            "part": "vali",
            "measure": "MAP",
            "most": 5,
        },
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
            FITTING
            | {
                "C": 0.01,
                "lambda_ratio": 0.1,
                "dataset": core.open_dataset("python-docs"),
                "samples": 5,
                "sampling": "halves",
                "seed": 4,
                "points": 3,
                "threshold": 0.6,
                "solver": "fista",
            }
        ),
    ),
    "best_subsets": Sample(
        lambda: pictures.best_subsets(fold(), ridge=0.5, most=2),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "ridge": 0.03,
            "most": 1,
            "paths": [path("l1")],
            "view": "how far",
            "seconds": 10.0,
            "convention": "letor4",
        },
    ),
    "near_optimal_sets": Sample(
        lambda: pictures.near_optimal_sets(fold(), ridge=0.5, k=2, within=0.05),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "ridge": 0.03,
            "k": 1,
            "within": 0.02,
            "part": "vali",
            "measure": "MAP",
            "view": "shares",
            "convention": "letor4",
        },
    ),
    "budget": Sample(
        lambda: pictures.budget([path("l1"), path("log")], dense=path("l2"), limit=5),
        lambda: {
            "paths": [path("l1")],
            "dense": None,
            "limit": 3,
            "measure": "MAP",
            "against": "cost of features",
            "costs": tuple(range(1, 61)),
        },
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})], "dense": MethodDescription("l2", {})},
    ),
    "budget_queries": Sample(
        lambda: pictures.budget_queries([path("l1"), path("log")], path("l2"), limit=5),
        lambda: {
            "paths": [path("l1")],
            "dense": core.fit_path(fold(), "l2", points=3),
            "limit": 3,
            "measure": "MAP",
            "against": "cost of features",
            "costs": tuple(range(1, 61)),
            "texts": {"1": "a"},
        },
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})], "dense": MethodDescription("l2", {})},
    ),
    "search_tree": Sample(
        lambda: pictures.search_tree(fold(), C=1e-3, parameters={"k": 1}),
        lambda: {
            "fold": core.open_dataset("planted").fold(2),
            "C": 1e-2,
            "parameters": {"k": 2},
            "rules": core.FeatureRules(off=[1]),
            "convention": "letor4",
        },
    ),
    "top_along": Sample(
        lambda: pictures.top_along([path("l1"), path("log")]),
        lambda: {"paths": [path("l1")], "across": "features"},
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
    "penalty_curves": Sample(
        lambda: pictures.penalty_curves("mcp", step=0.7),
        lambda: {
            "studied": "log",
            "look": "prox",
            "parameters": {"log": {"epsilon": 0.5}},
            "step": 0.5,
            "together": True,
        },
        data=(),
    ),
    "two_features": Sample(
        lambda: pictures.two_features("log", ratio=0.05, pair=pictures.FeaturePair(fold().train, (51, 10))),
        lambda: {"ground": "objective"} | two_others(),
    ),
    "reweighting": Sample(
        lambda: pictures.reweighting("log", ratio=0.05, number=2),
        lambda: {"number": 1, "look": "tangents"} | two_others(),
        data=(),
    ),
    "starts": Sample(
        lambda: pictures.starts("log", ratio=0.1, n=6),
        lambda: {"n": 5, "seed": 2} | two_others(),
        data=(),
    ),
    "protocol_tradeoff": of_run(
        lambda: pictures.protocol_tradeoff(protocol()), measure="NDCG@10", bars="standard deviation"
    ),
    "protocol_spider": of_run(lambda: pictures.protocol_spider(protocol())),
    "protocol_published": replace(of_run(lambda: pictures.protocol_published(protocol())), unprinted=True),
    "protocol_time": of_run(lambda: pictures.protocol_time(protocol())),
    "protocol_features": of_run(lambda: pictures.protocol_features(protocol(), "planted"), dataset=None),
    "protocol_agreement": of_run(lambda: pictures.protocol_agreement(protocol(), "planted"), dataset=None),
    "toy_top": Sample(
        lambda: pictures.toy_top(),
        lambda: {"across": "noisy features", "setting": "as in the paper"},
        data=(),
    ),
    "toy_features": Sample(lambda: pictures.toy_features(), lambda: {"setting": "as in the paper"}, data=()),
    "push_times": Sample(lambda: pictures.push_times(), lambda: {"setting": "as in the paper"}, data=(), timed=True),
    "top_sets": Sample(
        lambda: pictures.top_sets({"breast": core.open_dataset("breast-cancer")}),
        lambda: {
            "sets": {"cancer": core.open_dataset("breast-cancer")},
            "setting": "as in the paper",
            "adjusted": True,
        },
        data={"breast": DataDescription("breast-cancer", 1, "breast-cancer", core.Reading())},
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
            "ratio": None,
            "seconds": 50.0,
            "convention": "letor4",
        },
        timed=True,
    ),
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
    "what_if": Sample(
        lambda: pictures.what_if(model("l1"), without_3(), costs={1: 2.0}),
        lambda: {"before": model("l1", 0.2), "after": model("l1", 0.2), "costs": {2: 3.0}, "most": 5},
        {
            "before": at(model("l1")),
            "after": replace(at(without_3()), method=MethodDescription("l1", {}, without_3().rules)),
        },
    ),
    "fit_times": Sample(
        lambda: pictures.fit_times([path("l1"), path("log")]),
        lambda: {
            "paths": [path("l1")],
            "measure": "NDCG@10",
            "part": "vali",
            "against": "sparsity ratio",
            "log_across": False,
            "costs": tuple(range(1, 61)),
        },
        {"paths": [MethodDescription("l1", {}), MethodDescription("log", {})]},
        timed=True,
    ),
    "elimination": Sample(
        lambda: pictures.elimination(model("rwfs-l0", 0.01)),
        lambda: {"model": model("rwfs-l0", 0.02)},
        {"model": at(model("rwfs-l0", 0.01))},
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
    "radii": Sample(
        lambda: pictures.radii(model("fenchelrank")),
        lambda: {"model": model("fenchelrank", 0.2)},
        {"model": at(model("fenchelrank"))},
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
