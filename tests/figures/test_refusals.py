"""What a picture cannot draw is refused at the call, with what is wrong and what there is instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import core
from core.api import pictures
from core.data import RankingData
from tests.figures.samples.sample import fold, model, path

CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: pictures.stability(fold(), "l2"), "keeps every feature"),
    (lambda: pictures.stability(fold(), "l1", C=0.1, lambda_ratio=0.1), "only one of C"),
    (lambda: pictures.stability(fold(), "l1", threshold=1.5), "threshold"),
    (lambda: pictures.stability(fold(), "l1", samples=0), "samples"),
    (lambda: pictures.budget_queries([path("l1")], path("l2"), limit=0), "no model is within"),
    (lambda: pictures.budget([path("l1")], against="cost of features", costs=[1.0]), "a cost for each of 60"),
    (lambda: pictures.budget([path("l1")], against="sparsity ratio"), "against is one of"),
    (lambda: pictures.budget_queries(*(one_list(method) for method in ("l1", "l2"))), "one list"),
    (lambda: pictures.truncation([path("l1")], part="nowhere"), "no part 'nowhere'"),
    (lambda: pictures.fit_times([path("l1")], part="nowhere"), "no part 'nowhere'"),
    (lambda: pictures.methods(fold(), ["l1", "l1"]), "twice"),
    (lambda: pictures.methods(fold(), ["l1", "none"]), "none"),
    (lambda: pictures.methods(fold(), ["l1"], measure="F9"), "F9"),
    (lambda: pictures.elimination(model("l1")), "ℓ1 does not drop features"),
    (lambda: pictures.elimination(core.fit(fold(), "rwfs-l0", C=1e-12)), "empty"),
    (lambda: pictures.tuning(fold(), solver="x"), "no solver 'x'"),
    (lambda: pictures.tuning(fold(), measure="x"), "no measure 'x'"),
    (lambda: pictures.tuning(core.Fold("alone", fold().train)), "no validation part"),
    (lambda: pictures.choice_noise([path("l1"), path("l1")]), "one path of each method; ℓ1 has 2"),
    (lambda: pictures.choice_noise([replace(path("l1"), fold=few_queries())]), "fewer than 10 queries"),
    (lambda: pictures.best_subsets(wide(), ridge=0.1), "at most 200 features"),
    (lambda: pictures.near_optimal_sets(wide(), ridge=0.1, k=1, part="train"), "at most 200 features"),
    (lambda: pictures.near_optimal_sets(core.Fold("alone", fold().train), ridge=0.1, k=1), "no part 'test'"),
    (lambda: pictures.near_optimal_sets(fold(), ridge=0.1, k=0), "k 1 or more"),
    (lambda: pictures.best_subsets(fold(), ridge=0.1, paths=[path("l1", 2)]), "paths of the fold"),
    (lambda: pictures.top_of_lists([model("l1")], path=path("l1", 2)), "path of the model's method"),
    (lambda: pictures.top_of_lists([model("l1")], path=path("log")), "path of the model's method"),
    (lambda: pictures.top_of_lists([on(lists([1, 0]))], part="vali"), "no part 'vali'"),
    (lambda: pictures.top_of_one_list(on(lists([0, 0], [1])), part="train"), "no list of the train part"),
    (lambda: pictures.top_of_one_list(on(lists([0, 0], [1, 0])), "1", part="train"), "'1'.*only.*with both is '2'"),
    (lambda: pictures.queries(model("l1"), core.fit(path("l1", 2).fold, "l1", lambda_ratio=0.1)), "all of one fold"),
    (lambda: pictures.queries(model("l1"), "no such"), "no such"),
    (lambda: pictures.queries(model("l1"), 1, measure="P@5"), "P@5"),
    (lambda: pictures.penalty_curves("fenchelrank"), "no penalty of one weight"),
    (lambda: pictures.penalty_curves(parameters={"soup": {}}), "soup"),
    (lambda: pictures.penalty_curves(parameters={"log": {"knee": 1.0}}), "knee"),
    (lambda: pictures.penalty_curves(step=0.0), "step"),
    (lambda: pictures.two_features("l1", ratio=2.0), "ratio"),
    (lambda: pictures.two_features("fs-rank", ratio=0.1), "no penalty of one weight"),
    (lambda: pictures.two_features("l1", ratio=0.1, pair=pictures.FeaturePair(features=(1, 3))), "no feature 3"),
    (lambda: pictures.starts("log", ratio=0.1, pair=pictures.FeaturePair(features=(2, 2))), "two different features"),
    (lambda: pictures.starts("log", ratio=0.1, n=0), "at least one start"),
    (lambda: pictures.reweighting("l1", ratio=0.1), "convex"),
    (lambda: pictures.reweighting("log", ratio=0.1, number=99), "rounds 1 to"),
]


def one_list(method: str) -> Any:
    """A path on data of a single list, in place of a sequence of paths where the method is l1."""
    rng = np.random.default_rng(0)
    rows = RankingData.build(rng.normal(size=(30, 3)), np.arange(30) % 2, [0, 30], query_ids=["g-against-b"])
    found = core.fit_path(core.Fold("one", rows), method, points=3)
    return [found] if method == "l1" else found


def few_queries() -> core.Fold:
    """The fold with one query for validation."""
    vali = fold().vali
    one = vali.query_of_document == np.unique(vali.query_of_document)[0]
    single = core.ranking_data(vali.features[one], vali.relevance[one], np.zeros(one.sum(), dtype=int))
    return replace(fold(), vali=single)


def wide() -> core.Fold:
    return core.Fold("wide", RankingData.build(np.eye(201), np.arange(201) % 2, [0, 201]))


def lists(*relevance: list[int]) -> core.Fold:
    labels = np.concatenate([np.array(one) for one in relevance])
    offsets = np.cumsum([0, *map(len, relevance)])
    ids = [str(k + 1) for k in range(len(relevance))]
    return core.Fold("lists", RankingData.build(np.ones((len(labels), 60)), labels, offsets, query_ids=ids))


def on(few: core.Fold) -> core.Model:
    return replace(model("l1"), fold=few)


@pytest.mark.parametrize(("call", "why"), CALLS, ids=[f"{k}: {why}" for k, (_, why) in enumerate(CALLS)])
def test_what_cannot_be_drawn_is_refused_at_the_call(call: Callable[[], Any], why: str) -> None:
    with pytest.raises((ValueError, core.DataError), match=why):
        call()
