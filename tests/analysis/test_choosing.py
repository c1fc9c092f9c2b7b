"""Choosing among models: what wins, what ties, and how much of it is the draw of the validation queries.

A model's metrics on every part of a fold.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import open_dataset
from core.analysis.choosing import ChoiceTable, check_rule, highest
from core.analysis.evaluation import FoldJudge
from core.analysis.tuning.choice_noise import ByChoice, choice_noise

LAMS = np.array([8.0, 4.0, 2.0, 1.0])


def table(values: list[list[float]], sizes: tuple[int, ...] = (1, 2, 3, 4)) -> ChoiceTable:
    return ChoiceTable(np.array(values), LAMS[: len(values)], np.array(sizes[: len(values)]))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([1.0, 2.0]), st.integers(0, 3)), min_size=1, max_size=8))
def test_the_highest_wins_then_the_largest_lambda_then_the_fewest_features_then_the_first(models):
    values, lams, sizes = zip(*models, strict=True)
    place = highest(values, lams, sizes)
    assert place == max(range(len(models)), key=lambda i: (values[i], lams[i], -sizes[i], -i))
    rounded = [value + 1e-15 * (-1) ** i for i, value in enumerate(values)]  # as another processor adds
    assert highest(rounded, lams, sizes) == place


def test_within_one_standard_error_is_of_the_paired_difference():
    rng = np.random.default_rng(1)
    best = rng.random(50)
    # Below the best by .01 in every query: its values vary as much, the difference does not.
    steadily_below, sometimes_below = best - 0.01, best - np.where(np.arange(50) == 0, 0.4, 0.0)
    assert table([sometimes_below, best], (1, 2)).choose("one-se") == 0  # .008 ± .008
    assert table([steadily_below, best], (1, 2)).choose("one-se") == 1  # .010 ± 0
    difference = best - sometimes_below
    assert difference.mean() <= difference.std(ddof=1) / np.sqrt(50) * (1 + 1e-9)


def test_among_equally_sparse_models_within_one_standard_error_the_best_is_taken():
    noise = np.tile([0.1, -0.1], 20)
    values = [np.full(40, 0.50) + noise, np.full(40, 0.505) - noise, np.full(40, 0.51)]
    assert ChoiceTable(np.array(values), LAMS[:3], np.array([2, 2, 5])).choose("one-se") == 1


def test_the_average_lies_between_the_choices_of_the_bootstraps():
    # Half of the queries speak for the first model, half for the last; the one between is never the best.
    first, last = np.tile([1.0, 0.0], 20), np.tile([0.0, 1.0], 20)
    values = np.array([first, np.full(40, 0.3), last])
    found = ChoiceTable(values, np.array([4.0, 2.0, 1.0]), np.array([1, 2, 3]))
    assert set(found.resampled(200).tolist()) == {0, 2}
    assert found.choose("average") == 1
    # Places on the grid count, not the values of lambda, which may be uneven or only names.
    assert ChoiceTable(values, np.array([4.0, 1e-6, 1e-7]), found.sizes).choose("average") == 1
    # With settings the mean is taken among those chosen most often.
    with_settings = ChoiceTable(values, found.lams, found.sizes, [("a",), ("a",), ("b",)])
    assert with_settings.choose("average") in (0, 2)


def flat_table() -> ChoiceTable:
    """Models that differ by little on average and by much on single queries, as along a path."""
    rng = np.random.default_rng(7)
    values = np.cumsum(rng.normal(size=(30, 60)), axis=0) / 10
    return ChoiceTable(values, np.arange(30, 0, -1.0), np.arange(30))


def test_the_average_does_not_depend_on_its_own_draw_or_says_so():
    found = flat_table()
    few = {found.middle(50, seed=seed).model for seed in range(25)}
    many = [found.middle(seed=seed) for seed in range(25)]
    assert len(few) > 2
    taken = {middle.model for middle in many}
    assert max(taken) - min(taken) <= (0 if all(middle.settled for middle in many) else 1)
    # Its Monte Carlo error is that of its place from draw to draw.
    places = np.array([middle.place for middle in many])
    assert places.std() == pytest.approx(many[0].error, rel=0.5)
    assert found.choose("average") == found.middle().model


def test_the_average_is_the_expectation_over_all_resamples_of_few_queries():
    rng = np.random.default_rng(8)
    found = ChoiceTable(rng.random((6, 4)), np.arange(6, 0, -1.0), np.arange(6))
    chosen = [int(found.values[:, list(queries)].mean(axis=1).argmax()) for queries in product(range(4), repeat=4)]
    middle = found.middle()
    assert len(set(chosen)) > 1
    assert abs(middle.place - 1.0 - np.mean(chosen)) < 4.0 * middle.error < 0.2


def test_a_mean_between_two_places_and_an_even_vote_are_not_settled():
    first, last = np.tile([1.0, 0.0], 50), np.tile([0.0, 1.0], 50)
    lead = np.concatenate([np.linspace(0.5, 0.6, 50), -np.linspace(0.5, 0.6, 50)])  # symmetric, and hardly ever 0
    even = ChoiceTable(np.array([lead, -lead]), LAMS[:2], np.array([1, 2]))
    assert not even.averaged.settled
    between = ChoiceTable(np.array([first, np.full(100, 0.3), last]), LAMS[:3], np.array([1, 2, 3]))
    assert between.averaged.settled
    settings = ChoiceTable(even.values, LAMS[:2], even.sizes, [("a",), ("b",)])
    assert not settings.averaged.settled
    assert ChoiceTable(np.array([first, first / 2]), LAMS[:2], even.sizes, [("a",), ("b",)]).averaged.settled


def test_the_average_on_a_resample_is_that_of_its_queries_written_out():
    rng = np.random.default_rng(9)
    found = ChoiceTable(np.cumsum(rng.normal(size=(12, 20)), axis=0), np.arange(12, 0, -1.0), np.arange(12))
    rows = np.random.default_rng(5).multinomial(20, np.full(20, 1 / 20), size=12)
    drawn = found.resampled(12, "average", seed=5)
    for row, place in zip(rows, drawn.tolist(), strict=True):
        there = ChoiceTable(np.repeat(found.values, row, axis=1), found.lams, found.sizes).middle(200)
        assert abs(there.place - 1.0 - place) <= 0.5 + 4.0 * there.error


def test_the_error_of_a_spread_is_what_other_resamples_would_change_it_by():
    found = flat_table()
    values = np.linspace(0.0, 1.0, 30) ** 3
    noises = [choice_noise(found, "best", seed=seed, n_resamples=200) for seed in range(200)]
    spreads = [noise.over(values) for noise in noises if noise is not None]
    between = np.std([spread.deviation for spread in spreads])
    assert np.mean([spread.deviation_error for spread in spreads]) == pytest.approx(between, rel=0.2)


def test_resampling_is_drawing_queries_with_replacement_and_choosing_anew():
    rng = np.random.default_rng(3)
    found = ChoiceTable(rng.random((4, 9)), LAMS, np.array([1, 2, 3, 4]))
    counts = np.random.default_rng(5).multinomial(9, np.full(9, 1 / 9), size=40)
    for rule in ("best", "one-se"):
        by_hand = [ChoiceTable(np.repeat(found.values, row, axis=1), LAMS, found.sizes).choose(rule) for row in counts]
        assert found.resampled(40, rule, seed=5).tolist() == by_hand


def test_the_noise_of_a_choice_is_the_spread_over_the_draws():
    rng = np.random.default_rng(6)
    found = table(rng.random((4, 25)).tolist())
    noise = choice_noise(found, "best", seed=2, n_resamples=300)
    tests = np.array([0.1, 0.2, 0.3, np.nan])
    tests[noise.places] = [0.1, 0.2, 0.3, 0.4][: len(noise.places)]
    drawn = tests[noise.drawn]
    assert noise.over(tests) == ByChoice.of(drawn)
    assert (ByChoice.of(drawn).mean, ByChoice.of(drawn).deviation) == (drawn.mean(), drawn.std(ddof=1))
    assert noise.shares.sum() == pytest.approx(1.0)
    assert dict(zip(noise.places.tolist(), noise.shares.tolist(), strict=True)) == {
        place: pytest.approx(float((noise.drawn == place).mean())) for place in noise.places.tolist()
    }
    assert noise.chosen in noise.places
    clear = choice_noise(table([[0.1] * 20, [0.9] * 20]), "best", seed=0)
    assert clear is not None
    assert clear.over([3.0, 7.0]) == ByChoice(7.0, 0.0)


def test_of_a_single_list_the_noise_is_not_known_rather_than_0():
    assert choice_noise(table([[0.3], [0.9]]), "best", seed=0) is None


def test_a_rule_that_is_not_there_and_a_choice_among_nothing_are_refused():
    assert check_rule("one-se") == "one-se"
    with pytest.raises(ValueError, match=r"'median'.*best, one-se, average"):
        check_rule("median")
    with pytest.raises(ValueError, match="no model to choose from"):
        highest([], [], [])


def test_metrics_are_those_of_the_judgement_whether_scores_are_tied_or_not() -> None:
    judge = FoldJudge(open_dataset("planted").fold(1), "letor4")
    tied = np.zeros(judge.fold.train.n_features)
    untied = np.linspace(-1.0, 1.0, len(tied))
    assert judge.judgement(tied).in_file_order.keys() == judge.judgement(tied).expected_over_ties.keys() != set()
    assert FoldJudge(judge.fold, "standard").judgement(tied).in_file_order == {}, "no number depends on the file"
    for weights in (tied, untied):
        assert judge.metrics(weights) == judge.judgement(weights).metrics
