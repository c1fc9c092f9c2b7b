"""Sentences about a trade-off say what its numbers are."""

from __future__ import annotations

from typing import get_args

from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread
from core.analysis.tradeoff.tradeoff import MEASURES, Budget, TradeoffPoint, budget
from core.experiments.results.alike import Alike
from core.experiments.results.difference import Difference, Verdict
from core.figures.tradeoff import words
from pages.views.tradeoff.best_sets import RANKING
from tests.says import assert_says

TITLES = {"l1": "ℓ1", "log": "log", "mcp": "MCP"}


def model(method: str, kept: int, vali: float, test: float, seconds: float = 0.01) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali), ("test", test))}
    return TradeoffPoint(method, kept, kept / 20, values, seconds, 0.5, 0.1, tuple(range(kept)))


def differ(first: TradeoffPoint, second: TradeoffPoint, part: str) -> Difference:
    """With an interval that contains 0 on test only."""
    value = first.value(part, "MAP") - second.value(part, "MAP")
    width = 0.05 if part == "test" else 0.005
    return Difference(value, 40, (value - width, value + width))


def found(limit: int, *points: TradeoffPoint) -> Budget:
    result = budget(points, limit, "MAP")
    assert result is not None
    return result


FEW, MORE, BEST = model("log", 3, 0.60, 0.57), model("log", 4, 0.61, 0.56), model("l1", 9, 0.64, 0.60)


def test_among_methods_whose_means_differ_by_rounding_only_the_first_is_called_the_best() -> None:
    flat = Spread.of([0.0])

    def summary(method: str, *values: float) -> FoldSummary:
        return FoldSummary(method, 5.0, Spread.of([3.0]), flat, Spread.of(values), flat)

    first, second = summary("log", 0.3), summary("mcp", 0.1 + 0.2)
    assert second.value.mean > first.value.mean
    title = words.folds_title({"log": [first], "mcp": [second]}, "test MAP", TITLES)
    assert_says(title, "Highest mean", "test MAP", "0.3000, ", "log", "3 features", "average")
    assert "MCP" not in title
    assert "±" not in title, "one fold has no error"


def test_a_title_names_the_part_that_picks_and_quotes_the_other_beside_the_pick_of_any_size() -> None:
    title = words.budget_title(found(3, FEW, BEST), "test", "MAP", 20, TITLES, differ)
    assert_says(title, "Validation", "log", "3 of 20 features", "test MAP", "0.5700")
    assert_says(title, "0.5700", "without the limit", "ℓ1", "9", "0.6000", "no clear difference", "these queries")
    title = words.budget_title(found(3, FEW, BEST), "vali", "MAP", 20, TITLES, differ)
    assert_says(title, "validation MAP", "0.6000", "without the limit", "ℓ1", "9", "0.6400", "clearly higher")
    title = words.budget_title(found(9, FEW, BEST), "test", "MAP", 20, TITLES, differ)
    assert_says(title, "Validation", "ℓ1", "9 of 20 features", "with or without the limit", "test MAP", "0.6000")
    assert "log" not in title


def test_without_validation_part_a_title_says_that_training_picks() -> None:
    point = TradeoffPoint("l1", 2, 0.1, {"train": {"MAP": 0.7}}, 0.01, 0.5, 0.1, (0, 1))
    title = words.budget_title(found(2, point), "train", "MAP", 20, TITLES, differ)
    assert_says(title, "Training", "ℓ1", "2 of 20 features", "with or without the limit", "training MAP", "0.7000")


def test_the_next_feature_is_worth_what_the_best_with_one_more_gains() -> None:
    text = words.budget_words(found(3, FEW, MORE, BEST), "test", "MAP", TITLES, differ)
    picked = ("log", "3 features", "validation part", "MAP", "0.6000 on validation", "0.5700 on test")
    assert_says(text, *picked, "ℓ1", "9 features")
    lead = ("validation", "+0.0400", "95 % interval", "+0.0350", "+0.0450", "40 queries", "clearly higher")
    quoted = ("test", "+0.0300", "95 % interval", "-0.0200", "+0.0800", "40 queries", "no clear difference")
    assert_says(text, "9 features", "lead", *lead, *quoted)
    more = ("validation", "+0.0100", "95 % interval", "+0.0050", "+0.0150")
    assert_says(text, "no clear difference", "Feature number 4", *more)


def test_where_the_next_brings_nothing_the_sentence_names_the_number_that_does() -> None:
    text = words.budget_words(found(4, MORE, BEST), "vali", "MAP", TITLES, differ)
    assert_says(text, "lead", "validation", "+0.0300", "Feature number 5", "nothing", "validation")
    assert_says(text, "Feature number 5", "nothing", "9 features", "validation", "+0.0300")
    assert text.count("lead") == 1
    assert "test +" not in text


def test_without_validation_part_the_sentence_admits_it() -> None:
    point = TradeoffPoint("l1", 2, 0.1, {"train": {"MAP": 0.7}}, 0.01, 0.5, 0.1, (0, 1))
    text = words.budget_words(found(2, point), "train", "MAP", TITLES, differ)
    assert_says(text, "the training part", "no validation part", "MAP", "0.7000 on train", "No other", "better")


def test_a_title_says_with_how_few_features_each_method_is_not_clearly_different() -> None:
    star = ("ℓ1 with 9", "test MAP", "0.6000")
    alike = Alike(BEST, {"l1": BEST, "log": MORE, "mcp": None}, (0.56, 0.6))
    said = words.alike_title(BEST, alike, "test", "MAP", TITLES)
    assert_says(said, "Fewest features", *star, "log 4", "ℓ1 9", "MCP clearly differs")
    assert_says(words.alike_title(BEST, None, "test", "MAP", TITLES), *star, "too few queries")


def test_times_are_compared_where_each_method_is_best() -> None:
    curves = {"log": [model("log", 2, 0.1, 0, 9.0), model("log", 3, 0.6, 0, 0.02)], "l1": [BEST]}
    assert_says(words.time_title(curves, "MAP", TITLES), "10 ms", "ℓ1", "20 ms", "log")


def test_a_better_objective_has_words_for_every_verdict_on_the_ranking() -> None:
    assert set(RANKING) == set(get_args(Verdict))
