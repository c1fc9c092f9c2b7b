"""Filters choose what a plain re-implementation chooses, and fit RankSVM-Primal to that and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.data import RankingData
from core.methods import Method, Training
from core.methods.filters import FS_RANK, FSMSVM, GAS_E
from core.methods.fsmrank import FSMRANK
from core.metrics import evaluate_ranking
from core.solvers import Stop
from tests.oracles import RankSvm, optimum_l2, ranking_problem

DATA = ranking_problem(1)
PAIRS = RankSvm.of(DATA)
D = DATA.n_features
LAM = 0.01


@pytest.fixture(scope="module")
def training() -> Training:
    return FS_RANK.training(DATA)


def chosen(method: Method, training: Training, **parameters: float | str) -> set[int]:
    return set(method.problem(training, LAM, method.settings(parameters)).penalty.columns.tolist())


def alone(measure: str, *signs: int) -> list[float]:
    return [max(evaluate_ranking(DATA, sign * x, "standard")[measure] for sign in signs) for x in DATA.features.T]


@pytest.mark.parametrize("method", [FS_RANK, GAS_E, FSMSVM], ids=lambda m: m.id)
def test_the_model_is_the_l2_model_of_the_chosen_features(method: Method, training: Training) -> None:
    count = method.parameters[0].name
    fit = method.fit(training, LAM, parameters={count: 4.0}, stop=Stop(tol=1e-10))
    columns = np.flatnonzero(fit.weights)
    assert set(columns) == chosen(method, training, **{count: 4.0})
    assert len(columns) == 4
    w, objective = optimum_l2(RankSvm(PAIRS.differences[:, columns]), LAM)
    assert fit.result.stop == "converged"
    assert fit.result.certificate.kind == "duality gap"
    assert fit.result.objective == pytest.approx(objective, rel=1e-9)
    np.testing.assert_allclose(fit.weights[columns], w, atol=1e-6)


@pytest.mark.parametrize("k", [1, 5, 10, 15, 25])
def test_fs_rank_keeps_the_k_best_by_ndcg_at_10_of_their_falling_values(k: int, training: Training) -> None:
    worth = alone("NDCG@10", 1)
    best = sorted(range(D), key=lambda j: -worth[j])[:k]
    assert chosen(FS_RANK, training, k=k) == set(best)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize(("t", "c"), [(1, 0.5), (4, 0.0), (4, 0.05), (6, 0.3), (D, 0.1)])
def test_gas_e_takes_what_a_plain_greedy_takes(measure: str, t: int, c: float, training: Training) -> None:
    worth = alone(measure, 1, -1)
    ends = list(zip(DATA.query_offsets[:-1], DATA.query_offsets[1:], strict=True))

    def tau(i: int, j: int) -> float:
        x, y = DATA.features[:, i], DATA.features[:, j]
        return float(np.mean([kendalltau(x[a:b], y[a:b]).statistic for a, b in ends]))

    taken: list[int] = []
    while len(taken) < t:
        best = max(set(range(D)) - set(taken), key=lambda j: worth[j])
        taken.append(best)
        for j in set(range(D)) - set(taken):
            worth[j] -= 2.0 * c * tau(best, j)
    assert chosen(GAS_E, training, t=t, c=c, importance=measure) == set(taken)


def test_gas_e_leaves_a_copy_that_costs_more_than_it_is_worth() -> None:
    best = int(np.argmax(alone("MAP", 1, -1)))
    others = [j for j in range(D) if j != best][:6]
    x = DATA.features
    data = DATA.with_features(np.column_stack([x[:, best], x[:, best], x[:, others]]), list("abcdefgh"))
    training = GAS_E.training(data)
    assert {0, 1} <= chosen(GAS_E, training, t=3, c=0.0)
    assert chosen(GAS_E, training, t=3, c=10.0) & {0, 1} == {0}


def test_fsmsvm_keeps_the_heaviest_of_fsmranks_model(training: Training) -> None:
    settings = {"lambda1": 0.05, "importance": 0.0, "similarity": 0.0}
    slope = np.abs(PAIRS.gradient(np.zeros(D)))
    importance = np.abs([np.corrcoef(x, DATA.relevance)[0, 1] for x in DATA.features.T])
    lam = 0.02 * float((slope * importance).max())
    w = np.abs(FSMRANK.fit(training, lam, parameters=settings).weights)
    assert chosen(FSMSVM, training, t=3, ratio=0.02, **settings) == set(np.argsort(-w)[:3])
    assert chosen(FSMSVM, training, t=D, ratio=0.02, **settings) == set(np.flatnonzero(w))


@pytest.mark.parametrize("method", [FS_RANK, GAS_E, FSMSVM], ids=lambda m: m.id)
def test_a_feature_that_equals_the_label_is_taken_first(method: Method) -> None:
    label = DATA.relevance.astype(float) / DATA.relevance.max()
    training = method.training(DATA.with_features(np.column_stack([DATA.features, label]), list("abcdefghijklmnop")))
    assert chosen(method, training, **{method.parameters[0].name: 1.0}) == {D}


@pytest.mark.parametrize("method", [FS_RANK, GAS_E, FSMSVM], ids=lambda m: m.id)
def test_a_constant_feature_is_not_worth_a_place_though_the_file_is_sorted(method: Method) -> None:
    order = np.lexsort([-DATA.relevance, DATA.query_of_document])
    columns = np.column_stack([np.ones(DATA.n_documents), DATA.features[order][:, :4]])
    training = method.training(RankingData.build(columns, DATA.relevance[order], DATA.query_offsets))
    assert 0 not in chosen(method, training, **{method.parameters[0].name: 3.0})


def test_the_filter_works_once_for_all_c(training: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(FSMSVM, training, t=2)
    monkeypatch.setattr("core.methods.filters.solve", None)
    assert len(chosen(FSMSVM, training, t=3)) == 3


def test_half_a_feature_is_refused(training: Training) -> None:
    with pytest.raises(ValueError, match=r"t is a number of features, so a whole one, not 2\.5"):
        GAS_E.fit(training, LAM, parameters={"t": 2.5})
