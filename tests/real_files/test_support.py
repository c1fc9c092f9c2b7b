"""What is kept is kept: no weight that rounding made, or that another feature says as well, counts as a feature."""

import numpy as np
import pytest

from core import fit
from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.data import Fold, RankingData
from core.methods import get_method
from core.penalties import L1, FeatureWeighted
from core.solvers.support import cleaned
from tests.oracles import RankSvm, ranking_problem

FEWER = ranking_problem(5, n_queries=15, n_documents=12, n_features=4)
DATA = ranking_problem(5, n_queries=15, n_documents=180, n_features=4)


def with_columns(data: RankingData, x: np.ndarray) -> RankingData:
    """The same documents with other features."""
    return data.with_features(x, [f"f{j}" for j in range(x.shape[1])])


def explicit_objective(data: RankingData, w: np.ndarray, lam: float) -> float:
    """The mean of squared hinges over pairs, one by one, and the penalty."""
    return RankSvm.of(data).loss(w) + lam * float(np.abs(w).sum())


def rank_of_pairs(data: RankingData, kept: np.ndarray) -> int:
    """How many of these features pairs tell apart: the rank of the columns, each less its query's mean."""
    centred = [
        data.features[a:b] - data.features[a:b].mean(axis=0)
        for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)
    ]
    return int(np.linalg.matrix_rank(np.concatenate(centred)[:, kept], tol=1e-8))


def complementary(x: np.ndarray) -> np.ndarray:
    stock = (x[:, :1] > 0.2).astype(float)
    return np.hstack([stock, 1.0 - stock, x])


def one_hot(x: np.ndarray) -> np.ndarray:
    group = np.digitize(x[:, 0], [-0.5, 0.0, 0.5])
    return np.hstack([(group[:, None] == np.arange(4)).astype(float), x[:, 1:]])


def copies(x: np.ndarray) -> np.ndarray:
    return np.hstack([x, x[:, ::-1], -x[:, :1]])


def sums(x: np.ndarray) -> np.ndarray:
    x = np.round(x * 64) / 64
    return np.hstack([x, x[:, :1] + x[:, 1:2], x[:, 2:3] - x[:, 3:4]])


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
@pytest.mark.parametrize("solver", ["proximal-newton", "fista", "fista-fixed"])
@pytest.mark.parametrize("ratio", [0.3, 0.03])
def test_kept_features_tell_pairs_apart_each_in_its_own_way(make, solver: str, ratio: float) -> None:
    data = with_columns(DATA, make(DATA.features))
    found = fit(data, "l1", lambda_ratio=ratio, solver=solver).fit
    kept = found.selected
    assert rank_of_pairs(data, kept) == len(kept) == found.result.nonzero
    objective = explicit_objective(data, found.weights, found.lam)
    assert found.result.objective == pytest.approx(objective, rel=1e-10)
    best = fit(with_columns(data, data.features[:, kept]), "l1", C=found.c, tol=1e-10).fit
    assert objective <= best.result.objective * (1.0 + 2e-6), "none of those left out was needed"
    gap = found.result.certificate
    assert objective - gap.value <= best.result.objective * (1.0 + 1e-9), "the gap is one of the model that is shown"


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
def test_the_order_of_columns_changes_neither_objective_nor_number(make) -> None:
    x = make(DATA.features)
    told = set()
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(x.shape[1])
        data = DATA.with_features(x[:, order], [f"f{j}" for j in order])
        found = fit(data, "l1", lambda_ratio=0.1).fit.result
        told.add((found.nonzero, round(found.objective, 7)))
    assert len(told) == 1


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
@pytest.mark.parametrize(
    ("method", "solver", "ratio"),
    [
        ("infinite-push-l1", "interior-point", 0.1),
        ("infinite-push-l0.5", "reweighted-interior-point", 0.03),
        ("fenchelrank", "fully-corrective", 0.1),
        ("liblinear-l1", "liblinear", 0.03),
        ("mcp", "reweighted-fista", 0.03),
        ("scad", "proximal-newton", 0.03),
        ("scad", "reweighted-fista", 0.03),
        ("l0.5", "reweighted-fista", 0.03),
    ],
)
def test_every_method_keeps_features_that_tell_pairs_apart_each_in_its_own_way(make, method, solver, ratio) -> None:
    """Features' directions that no pair sees cost a concave penalty least at an end, so none is left at an optimum."""
    data = with_columns(FEWER, make(FEWER.features))
    found = fit(data, method, lambda_ratio=ratio, solver=solver).fit
    assert found.result.nonzero > 0
    assert rank_of_pairs(data, found.selected) == found.result.nonzero == found.result.trace[-1].nonzero
    assert found.result.stop == "converged"


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e9])
def test_a_refit_and_a_path_have_no_more_features_than_the_model_in_any_unit(unit: float) -> None:
    x = complementary(DATA.features)
    x[:, 1] *= unit
    data = with_columns(DATA, x)
    refitted = fit(data, "l1", lambda_ratio=0.1, parameters={"refit": "yes"}).fit
    assert rank_of_pairs(data.with_features(x / [1, unit, 1, 1, 1, 1]), refitted.selected) == refitted.result.nonzero
    method, judge = get_method("l1"), FoldJudge(Fold("all", data), "standard")
    training = method.training(data)
    for point in regularization_path(method, training, lambda_grid(training.lam_max, 6), judge):
        assert len({0, 1} & set(point.fit.selected)) <= 1


def test_which_copy_stays_does_not_depend_on_how_weight_is_shared() -> None:
    x = DATA.features[:, [0, 1, 2]]
    data = with_columns(DATA, np.hstack([x, -x]))
    training = get_method("l1").training(data)
    problem = training.problem(L1(), 0.1 * training.lam_max)
    w = np.array([0.5, 0.2, -0.3, 0.0, 0.0, 0.0])
    objective = explicit_objective(data, w, problem.lam)
    for share in (1e-12, 0.3, 1.0 - 1e-12):
        shared = np.concatenate([w[:3] * (1.0 - share), -w[:3] * share])
        found, value = cleaned(problem, shared, objective)
        assert found == pytest.approx(w, abs=1e-12)
        assert list(np.flatnonzero(found)) == [0, 1, 2]
        assert value == pytest.approx(objective, rel=1e-12)
    must = FeatureWeighted(L1(), np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0]))
    found, _ = cleaned(training.problem(must, problem.lam), np.array([0.3, 0.2, -0.3, -0.2, 0.0, 0.0]), objective)
    assert list(np.flatnonzero(found)) == [1, 2, 3], "the one that pays nothing stays"


def test_what_nearly_repeats_another_feature_keeps_its_weight() -> None:
    """A sum with noise a millionth as large is another feature: its optimum is its own."""
    noise = 1e-4 * np.random.default_rng(2).normal(size=len(DATA.features))
    data = with_columns(DATA, np.column_stack([DATA.features, DATA.features[:, 0] + noise]))
    training = get_method("l1").training(data)
    w = np.array([0.5, 0.2, -0.3, 0.1, 0.4])
    problem = training.problem(L1(), 0.1 * training.lam_max)
    found, _ = cleaned(problem, w, explicit_objective(data, w, problem.lam))
    assert np.array_equal(found, w)


@pytest.mark.parametrize("make", [complementary, one_hot, copies, sums])
def test_no_model_of_the_same_objective_has_fewer_features(make) -> None:
    """By enumeration: the optimum on every smaller set of the kept features is higher."""
    x = make(FEWER.features)
    found = fit(with_columns(FEWER, x), "l1", lambda_ratio=0.1, tol=1e-10).fit
    for left in found.selected:
        kept = found.selected[found.selected != left]
        fewer = fit(with_columns(FEWER, x[:, kept]), "l1", C=found.c, tol=1e-10).fit
        assert fewer.result.objective > found.result.objective * (1.0 + 1e-7)
