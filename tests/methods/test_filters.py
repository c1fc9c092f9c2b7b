"""Filters choose what a plain re-implementation chooses, and fit RankSVM-Primal to that and nothing else."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.data import DataError, RankingData
from core.methods import Method, Training
from core.methods.filters import FS_RANK, FSMSVM, GAS_E, greedy
from core.methods.fsmrank import FSMRANK
from core.metrics import evaluate_ranking
from tests.oracles import RankSvm, ranking_problem

DATA = ranking_problem(1)
PAIRS = RankSvm.of(DATA)
D = DATA.n_features
LAM = 0.01


@pytest.fixture(scope="module")
def training() -> Training:
    return FS_RANK.training(DATA)


def chosen(method: Method, training: Training, **parameters: float | str) -> set[int]:
    penalty = method.problem(training, LAM, method.settings(parameters)).penalty
    for _ in penalty.select():
        pass
    return set(penalty.columns.tolist())


@cache
def mean_tau(i: int, j: int) -> float:
    """Of two features over all queries, by SciPy; turning one round turns its sign."""
    ends = zip(DATA.query_offsets[:-1], DATA.query_offsets[1:], strict=True)
    return float(np.mean([kendalltau(DATA.features[a:b, i], DATA.features[a:b, j]).statistic for a, b in ends]))


def alone(measure: str, *signs: int) -> list[float]:
    return [max(evaluate_ranking(DATA, sign * x, "standard")[measure] for sign in signs) for x in DATA.features.T]


@pytest.mark.parametrize("k", [1, 5, 10, 15, 25])
def test_fs_rank_keeps_the_k_best_by_ndcg_at_10_of_their_falling_values(k: int, training: Training) -> None:
    worth = alone("NDCG@10", 1)
    best = sorted(range(D), key=lambda j: -worth[j])[:k]
    assert chosen(FS_RANK, training, k=k) == set(best)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize(("t", "c"), [(1, 0.5), (4, 0.0), (4, 0.05), (6, 0.3), (D, 0.1)])
def test_gas_e_takes_what_a_plain_greedy_takes(measure: str, t: int, c: float, training: Training) -> None:
    falling, rising = alone(measure, 1), alone(measure, -1)
    worth = np.maximum(falling, rising)
    sign = np.where(np.array(falling) >= rising, 1.0, -1.0)

    def tau(i: int, j: int) -> float:
        return float(sign[i] * sign[j] * mean_tau(min(i, j), max(i, j)))

    taken: list[int] = []
    while len(taken) < t:
        best = max(set(range(D)) - set(taken), key=lambda j: worth[j])
        taken.append(best)
        for j in set(range(D)) - set(taken):
            worth[j] -= 2.0 * c * tau(best, j)
    assert chosen(GAS_E, training, t=t, c=c, importance=measure) == set(taken)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
@pytest.mark.parametrize("mirrored", [False, True], ids=["copy", "mirror image"])
def test_gas_e_leaves_a_copy_or_mirror_image_that_costs_more_than_it_is_worth(mirrored: bool, measure: str) -> None:
    """1 - u ranks as u does, in the other direction: it brings nothing that is new."""
    best = int(np.argmax(alone(measure, 1, -1)))
    others = [j for j in range(D) if j != best][:6]
    u = DATA.features[:, best]
    x = np.column_stack([u, 1.0 - u if mirrored else u, DATA.features[:, others]])
    training = GAS_E.training(DATA.with_features(x, list("abcdefgh")))
    assert {0, 1} == chosen(GAS_E, training, t=2, c=0.0, importance=measure)
    for t in (3, 7):
        kept = chosen(GAS_E, training, t=t, c=10.0, importance=measure) & {0, 1}
        assert len(kept) == 1 if mirrored else kept == {0}


@pytest.mark.parametrize(("method", "count"), [(FS_RANK, "k"), (GAS_E, "t")], ids=["fs-rank", "gas-e"])
def test_features_are_judged_as_the_dataset_counts(method: Method, count: str) -> None:
    """Lists of fewer than ten documents have no NDCG@10 in LETOR 4.0: the first feature ranks those, the second others.

    In the convention of LETOR the second is the better one, in the standard one the first.
    """
    label = np.tile([2, 1, 0, 0, 0, 0, 0, 0], 6).tolist() + np.tile([2, 1, *([0] * 10)], 3).tolist()
    offsets = [*range(0, 49, 8), *range(60, 85, 12)]
    rng = np.random.default_rng(0)
    short = np.arange(len(label)) < 48
    noise = rng.random(len(label))
    columns = np.column_stack([np.where(short, label, noise), np.where(short, noise, label)])
    data = RankingData.build(columns, label, offsets)
    settings = {count: 1.0} | ({"importance": "NDCG@10"} if method is GAS_E else {})
    assert chosen(method, method.training(data), **settings) == {0}
    assert chosen(method, method.training(data, convention="letor4"), **settings) == {1}


def test_features_of_equal_worth_are_taken_by_their_number() -> None:
    columns = DATA.features[:, [3, 5, 5, 5]]
    training = FS_RANK.training(DATA.with_features(columns, list("abcd")))
    better = 0 if alone("NDCG@10", 1)[3] > alone("NDCG@10", 1)[5] else 1
    assert chosen(FS_RANK, training, k=2) == ({0, 1} if better == 0 else {1, 2})


def test_greedy_takes_the_first_of_features_whose_worth_differs_by_rounding_only() -> None:
    third = 0.1 + 0.2 + 0.3  # above 0.6 by its last bit
    assert third > 0.6
    apart = np.eye(2)
    assert greedy(np.array([0.6, third]), apart, np.arange(2), 1, 0.1).tolist() == [0]
    assert greedy(np.array([third, 0.6]), apart, np.arange(2), 1, 0.1).tolist() == [0]
    # After what their likeness to the taken one costs, too: 0.4 - 0.1 falls short of 0.3.
    like = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert 0.4 - 0.1 != 0.3
    assert greedy(np.array([0.9, 0.4, 0.1 + 0.2]), like, np.arange(3), 2, 0.1).tolist() == [0, 1]


def test_fsmsvm_keeps_the_heaviest_of_fsmranks_model(training: Training) -> None:
    settings = {"lambda1": 0.05, "importance": 0.0, "similarity": 0.0}
    slope = np.abs(PAIRS.gradient(np.zeros(D)))
    importance = np.abs([np.corrcoef(x, DATA.relevance)[0, 1] for x in DATA.features.T])
    lam = 0.02 * float((slope * importance).max())
    w = np.abs(FSMRANK.fit(training, lam, parameters=settings).weights)
    assert chosen(FSMSVM, training, t=3, ratio=0.02, **settings) == set(np.argsort(-w)[:3])
    assert chosen(FSMSVM, training, t=D, ratio=0.02, **settings) == set(np.flatnonzero(w))


@pytest.mark.parametrize("method", [FS_RANK, GAS_E, FSMSVM], ids=lambda m: m.id)
def test_the_model_keeps_what_is_chosen(method: Method, training: Training) -> None:
    settings = {method.parameters[0].name: 4.0}
    weights = method.fit(training, LAM, parameters=settings).weights
    assert set(np.flatnonzero(weights)) == chosen(method, training, **settings)


@pytest.mark.parametrize("method", [FS_RANK, GAS_E, FSMSVM], ids=lambda m: m.id)
def test_a_constant_feature_is_not_worth_a_place_though_the_file_is_sorted(method: Method) -> None:
    order = np.lexsort([-DATA.relevance, DATA.query_of_document])
    by_query = DATA.query_of_document.astype(float)  # constant, too, where it could rank
    columns = np.column_stack([np.ones(DATA.n_documents), by_query, DATA.features[order][:, :4]])
    training = method.training(RankingData.build(columns, DATA.relevance[order], DATA.query_offsets))
    assert not {0, 1} & chosen(method, training, **{method.parameters[0].name: 3.0})


def test_the_filter_works_once_for_all_c(training: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(FSMSVM, training, t=2)
    monkeypatch.setattr("core.methods.filters.SolverRun", None)
    assert len(chosen(FSMSVM, training, t=3)) == 3


def test_gas_e_refuses_more_features_than_it_can_compare(training: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.methods.filters.MOST_COMPARED", D - 1)
    with pytest.raises(DataError, match=rf"every pair of features.*\b{D}\b.*too many"):
        chosen(GAS_E, training, t=2)


def test_half_a_feature_is_refused(training: Training) -> None:
    with pytest.raises(ValueError, match=r"\bt\b.*number of features.*whole.*\b2\.5"):
        GAS_E.fit(training, LAM, parameters={"t": 2.5})
