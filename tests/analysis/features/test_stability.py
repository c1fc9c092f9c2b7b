"""Stability selection against an independent loop: LIBLINEAR on the explicit pairs of every resample.

The order in which features enter a path, against a plain loop over its models.
"""

from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.svm import LinearSVC

from core.analysis.features.stability import (
    Resampling,
    SelectionRun,
    Stability,
    false_selections_bound,
    resamples,
    warm_starts,
)
from core.analysis.fit_keywords import fitting_of
from core.analysis.path_views import entry_order, with_as_many_features
from core.data import RankingData
from core.methods import Method, get_method
from tests.analysis.test_path import path_of
from tests.oracles import RankSvm, ranking_problem
from tests.work_contract import finished

DATA = ranking_problem(n_queries=16, n_documents=8, n_features=9)
RATIOS = (0.5, 0.2)
both = pytest.mark.parametrize("resampling", ["bootstrap", "halves"])


def run(method: Method, total: int, ratios: tuple[float, ...] = RATIOS, seed: int = 0) -> SelectionRun:
    starts = warm_starts(method.training(DATA), ratios)
    return SelectionRun(
        fitting_of(DATA, method, {"tol": 1e-6}), resamples(DATA, "bootstrap", seed), total, ratios, starts
    )


def finish(selection: SelectionRun) -> Stability:
    return finished(selection).result()


def liblinear_support(data: RankingData, ratio: float) -> np.ndarray:
    pairs = RankSvm.of(data)
    lam = ratio * np.abs(pairs.gradient(np.zeros(data.n_features))).max()
    signs = np.where(np.arange(len(pairs.differences)) % 2 == 0, 1.0, -1.0)
    svm = LinearSVC(
        penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, tol=1e-8, max_iter=20_000,
        C=1.0 / (lam * len(pairs.differences)), random_state=0,
    )  # fmt: skip
    weights = svm.fit(signs[:, None] * pairs.differences, signs).coef_[0]
    return np.abs(weights) > 1e-6


def test_frequencies_of_l1_are_those_of_liblinear_on_explicit_pairs() -> None:
    found = finish(run(get_method("l1"), 12))
    # The queries are drawn here once more, by hand.
    supports = []
    for number in range(12):
        rng = np.random.default_rng([0, number])
        drawn = DATA.take_queries(np.sort(rng.integers(16, size=16)))
        supports.append([liblinear_support(drawn, ratio) for ratio in RATIOS])
    kept = np.array(supports)
    assert_array_equal(found.frequencies, kept.mean(axis=0))
    assert_array_equal(found.probabilities, kept.mean(axis=0).max(axis=0))
    assert found.mean_selected == pytest.approx(np.mean([sample.any(axis=0).sum() for sample in kept]))
    assert 0.0 < found.frequencies.mean() < 1.0


@pytest.mark.parametrize("method_id", ["log", "l0.5"])
def test_a_non_convex_method_selects_what_a_fit_of_the_sample_alone_selects(method_id: str) -> None:
    """A weight of ℓ0.5 never leaves 0, so its start must be the sample's own ℓ1 model, not that of all data."""
    method = get_method(method_id)
    found = finish(run(method, 20, (0.3,)))
    alone = [
        method.fit(training, training.lam_at(0.3)).weights != 0.0
        for training in map(method.training, islice(resamples(DATA, "bootstrap", 0), 20))
    ]
    assert_array_equal(found.frequencies[0], np.mean(alone, axis=0))


def test_bootstrap_samples_repeat_queries_and_halves_do_not() -> None:
    for sample in islice(resamples(DATA, "bootstrap"), 5):
        assert sample.n_queries == 16
        assert len(set(sample.query_ids)) < 16
    for sample in islice(resamples(DATA, "halves"), 5):
        assert sample.n_queries == len(set(sample.query_ids)) == 8


@both
def test_the_same_seed_draws_the_same_samples_and_another_does_not(resampling: Resampling) -> None:
    def drawn(seed: int) -> list[str]:
        return [sample.fingerprint for sample in islice(resamples(DATA, resampling, seed), 4)]

    assert drawn(3) == drawn(3)
    assert len(set(drawn(3))) == 4
    assert drawn(3) != drawn(4)


@both
def test_data_with_one_query_has_its_documents_drawn(resampling: Resampling) -> None:
    single = DATA.take_queries([0])
    sample = next(resamples(single, resampling))
    assert sample.n_queries == 1
    assert sample.n_documents == (8 if resampling == "bootstrap" else 4)
    rows = {tuple(row): label for row, label in zip(single.features.tolist(), single.relevance, strict=True)}
    for row, label in zip(sample.features.tolist(), sample.relevance, strict=True):
        assert rows[tuple(row)] == label


def test_a_longer_run_goes_on_where_the_shorter_one_ended() -> None:
    short, long = run(get_method("l1"), 5), run(get_method("l1"), 10)
    finish(short)
    short.extend()
    assert short.total == 10
    assert_array_equal(finish(short).frequencies, finish(long).frequencies)


def test_the_folds_are_counted_the_same_way_and_cannot_be_extended() -> None:
    method = get_method("l1")
    folds = [DATA.take_queries(range(0, 8)), DATA.take_queries(range(8, 16))]
    starts = warm_starts(method.training(DATA), RATIOS)
    selection = SelectionRun(fitting_of(DATA, method, {"tol": 1e-6}), iter(folds), 2, RATIOS, starts, most=2)
    found = finish(selection)
    assert_array_equal(
        found.frequencies, np.mean([[liblinear_support(fold, r) for r in RATIOS] for fold in folds], axis=0)
    )
    selection.extend()
    assert selection.done


def test_samples_without_pairs_or_without_any_help_select_nothing() -> None:
    level = RankingData.build(DATA.features, np.ones(DATA.n_documents), DATA.query_offsets)
    flat = DATA.with_features(np.ones((DATA.n_documents, 9)))
    how = fitting_of(DATA, "l1", {"tol": 1e-6})
    selection = SelectionRun(how, iter([level, flat]), 2, RATIOS, np.zeros((2, 9)))
    found = finish(selection)
    assert not found.frequencies.any()
    assert (found.mean_selected, found.n_samples) == (0.0, 2)


def test_stable_features_reach_the_threshold_most_frequent_first() -> None:
    found = Stability(np.array([[0.5, 0.8, 0.0, 1.0], [0.9, 0.7, 0.2, 0.1]]), 2.0, 10)
    assert_array_equal(found.probabilities, [0.9, 0.8, 0.2, 1.0])
    assert found.stable(0.8).tolist() == [3, 0, 1]


def test_the_bound_is_that_of_theorem_one() -> None:
    """Meinshausen & Bühlmann (2010): q = sqrt(0.8 p) and a threshold of 0.9 leave one false selection at most."""
    assert false_selections_bound(np.sqrt(0.8 * 500), 0.9, 500) == pytest.approx(1.0)
    assert false_selections_bound(6.0, 0.75, 40) == pytest.approx(36 / 20)


@pytest.mark.parametrize("method_id", ["l1", "l0.5"])
def test_entries_are_those_that_a_walk_along_the_path_meets(method_id: str) -> None:
    points = path_of(get_method(method_id), 25)
    met: dict[int, tuple[int, float]] = {}
    for place, point in enumerate(points):
        for j in point.fit.selected:
            met.setdefault(int(j), (place, -abs(point.fit.weights[j])))
    entries = entry_order(points)
    assert [entry.feature for entry in entries] == sorted(met, key=met.__getitem__)
    assert [entry.rank for entry in entries] == list(range(1, len(met) + 1))
    for entry in entries:
        place, _ = met[entry.feature]
        assert entry.ratio == pytest.approx(points[place].fit.lam / points[0].fit.lam)
        assert entry.leaves == any(point.fit.weights[entry.feature] == 0.0 for point in points[place:])


def test_as_many_features_means_the_nearest_number_then_the_smaller_model_then_the_larger_c() -> None:
    points = path_of(get_method("l1"), 25)
    sizes = [point.fit.result.nonzero for point in points]
    for wanted in range(16):
        chosen = with_as_many_features(points, wanted)
        size = chosen.fit.result.nonzero
        assert abs(size - wanted) == min(abs(other - wanted) for other in sizes)
        assert not any(abs(other - wanted) == abs(size - wanted) and other < size for other in sizes)
        assert chosen.fit.lam == min(point.fit.lam for point in points if point.fit.result.nonzero == size)
