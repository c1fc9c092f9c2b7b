"""FSMRank as a method: its advice from the data, its ablations, its stop."""

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from core.data import Convention, RankingData, open_dataset
from core.methods import Training
from core.methods.fsmrank import FSMRANK
from core.metrics import evaluate_ranking
from core.penalties import ImportanceSimilarity
from core.solvers import Fista, Problem, Stop, solve
from tests.oracles import RankSvm, ranking_problem
from tests.says import assert_says

DATA = ranking_problem()
PAIRS = RankSvm.of(DATA)
D = DATA.n_features


@pytest.fixture(scope="module")
def training() -> Training:
    return FSMRANK.training(DATA)


def penalty_of(training: Training, **parameters: float | str) -> ImportanceSimilarity:
    penalty = FSMRANK.problem(training, 0.01, FSMRANK.settings(parameters)).penalty
    return penalty


def test_the_objective_is_eq_2_from_pairs_and_correlations(training: Training) -> None:
    fit = FSMRANK.fit(training, 0.01, parameters={"lambda1": 0.2}, stop=Stop(max_steps=20))
    s = [abs(pearsonr(column, DATA.relevance).statistic) for column in DATA.features.T]
    a = np.abs([[pearsonr(x, y).statistic for x in DATA.features.T] for y in DATA.features.T])
    assert np.linalg.eigvalsh(a)[0] > 0.0  # or it would be lifted
    t = np.abs(fit.weights)
    expected = PAIRS.loss(fit.weights) + 0.01 * np.sum(t / s) + 0.1 * t @ a @ t
    assert np.count_nonzero(t) > 3
    assert fit.result.objective == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("convention", ["standard", "letor4"])
def test_importance_can_be_the_ndcg_alone_as_the_dataset_counts_it_or_nothing(convention: Convention) -> None:
    training = FSMRANK.training(DATA, convention=convention)
    alone = [max(evaluate_ranking(DATA, sign * x, convention)["NDCG@10"] for sign in (1, -1)) for x in DATA.features.T]
    assert 1.0 / penalty_of(training, importance="ndcg@10").price == pytest.approx(np.array(alone), rel=1e-12)
    assert penalty_of(training, importance="none").price.tolist() == [1.0] * D


@pytest.mark.parametrize("importance", ["pearson", "ndcg@10", "none"])
def test_the_grid_begins_where_the_model_with_this_importance_becomes_empty(
    importance: str, training: Training
) -> None:
    settings = FSMRANK.settings({"importance": importance, "lambda1": 0.0})
    grid = FSMRANK.grid(training, settings)
    slope = np.abs(PAIRS.gradient(np.zeros(D)))
    assert grid[0] == pytest.approx((slope / penalty_of(training, importance=importance).price).max(), rel=1e-12)
    fits = [
        FSMRANK.fit(training, share * grid[0], parameters=settings, stop=Stop(tol=1e-9)) for share in (1.0001, 0.97)
    ]
    assert fits[0].result.nonzero == 0 < fits[1].result.nonzero
    assert grid / grid[0] == pytest.approx(FSMRANK.grid(training) / FSMRANK.grid(training)[0])


def test_the_size_of_importances_changes_no_model_at_the_same_share_of_the_grid(training: Training) -> None:
    """So lambda_1 means the same for every importance: only lambda_2 is measured in it."""
    given = penalty_of(training)
    ends = []
    for size in (1.0, 0.1):
        importance = size / given.price
        largest = float((importance * np.abs(PAIRS.gradient(np.zeros(D)))).max())
        lam = 0.05 * largest
        penalty = ImportanceSimilarity(importance, given.similarity, 0.03 / lam)
        ends.append(solve(Fista(), Problem(DATA.features, training.loss, penalty, lam), Stop(tol=1e-10)))
    assert ends[0].nonzero > 3
    assert ends[1].objective == pytest.approx(ends[0].objective, rel=1e-9)
    np.testing.assert_allclose(ends[1].weights, ends[0].weights, atol=1e-5)


def test_similarity_can_be_kendalls_or_nothing(training: Training) -> None:
    found = penalty_of(training, similarity="kendall", lambda1=0.01).coupling(D)
    ends = zip(DATA.query_offsets[:-1], DATA.query_offsets[1:], strict=True)
    mean = np.mean([kendalltau(DATA.features[a:b, 0], DATA.features[a:b, 1]).statistic for a, b in ends])
    assert found[0, 1] == pytest.approx(abs(mean), abs=1e-12)
    np.testing.assert_array_equal(penalty_of(training, similarity="none", lambda1=0.01).coupling(D), np.eye(D))


def test_a_constant_feature_never_enters_and_the_label_itself_does() -> None:
    """0/0 is importance 0, a price without end."""
    columns = np.column_stack([DATA.features[:, :3], np.full(DATA.n_documents, 0.1), DATA.relevance])
    data = RankingData.build(columns, DATA.relevance, DATA.query_offsets)
    training = FSMRANK.training(data)
    assert penalty_of(training).price[3] == np.inf
    assert penalty_of(training).price[4] == pytest.approx(1.0)
    for importance in ("pearson", "ndcg@10", "none"):
        w = FSMRANK.fit(training, 0.01, parameters=FSMRANK.settings({"importance": importance})).weights
        assert np.all(np.isfinite(w))
        assert w[3] == 0.0
        assert np.argmax(np.abs(w)) == 4


def test_it_stops_as_its_paper_does_and_goes_on_where_a_tolerance_is_asked_for(training: Training) -> None:
    papers = FSMRANK.fit(training, 0.001).result
    assert papers.stop == "the paper's rule"
    assert papers.steps < 400
    assert papers.certificate.relative > 1e-6
    before, last = (point.objective for point in papers.trace[-2:])
    assert abs(last - before) <= 1e-4 * before
    longer = FSMRANK.fit(training, 0.001, stop=FSMRANK.stop_at(1e-7)).result
    assert longer.certificate.relative <= 1e-7


@pytest.mark.parametrize("dataset", ["python-docs", pytest.param("MQ2008", marks=pytest.mark.more)])
def test_what_the_papers_stop_leaves_undone_is_what_the_card_says(
    dataset: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dataset == "MQ2008":
        monkeypatch.setenv("SPARSE_RANK_DATA", str(request.getfixturevalue("shared_data")))
    training = FSMRANK.training(open_dataset(dataset).fold(1).train)
    largest = FSMRANK.grid(training)[0]
    kept, best, excess, gap = [], [], [], []
    for share in (0.1, 0.01, 0.001, 0.0001):
        papers = FSMRANK.fit(training, share * largest).result
        optimum = FSMRANK.fit(training, share * largest, solver="fista", stop=Stop(tol=1e-9)).result
        assert (papers.stop, optimum.stop) == ("the paper's rule", "converged")
        kept.append(str(papers.nonzero))
        best.append(str(optimum.nonzero))
        excess.append(100.0 * (papers.objective / optimum.objective - 1.0))
        gap.append(100.0 * papers.certificate.relative)
    said = FSMRANK.stopping.partition(f"fold 1 of {dataset} ")[2].partition("fold 1 of ")[0]
    assert_says(said, f"{', '.join(kept[:3])} and {kept[3]} features", f"{', '.join(best[:3])} and {best[3]}")
    assert_says(said, "objective", f"{min(excess):.2f} to {max(excess):.2f} %", "above")
    assert_says(said, "duality gap", f"{min(gap):.1f} to {max(gap):.1f} %")


def test_a_choice_goes_by_its_name_or_its_number() -> None:
    assert FSMRANK.settings({"importance": "none"}) == FSMRANK.settings({"importance": 2.0})
    with pytest.raises(ValueError, match=r"importance.*pearson, ndcg@10, none.*'x'"):
        FSMRANK.settings({"importance": "x"})
    with pytest.raises(ValueError, match=r"importance.*pearson, ndcg@10, none"):
        FSMRANK.settings({"importance": 0.5})
    with pytest.raises(ValueError, match=r"lambda1.*number.*'x'"):
        FSMRANK.settings({"lambda1": "x"})
