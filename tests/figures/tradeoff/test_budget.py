"""The pictures of a budget: the limit, the best within it, the next better one, and who loses.

The pictures of a budget, alike in a notebook and on the page.
Sentences about a trade-off say what its numbers are.
"""

from dataclasses import replace

import plotly.graph_objects as go

from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread
from core.analysis.tradeoff.tradeoff import Budget, TradeoffRow, budget
from core.api import pictures
from core.experiments.results.difference import Alike, Difference
from core.figures.picture import Words
from core.figures.tradeoff import words
from core.figures.tradeoff.axes import COST
from core.figures.tradeoff.budget_picture import BudgetFound, BudgetPicture
from tests.figures.samples.sample import path, sized
from tests.says import assert_says

COSTS = (1.0, 2.0, 4.0, 8.0, *[1.0] * 56)


def mark(figure: go.Figure, *facts: str) -> tuple[float, float]:
    """Return the place of the only mark whose name says this."""
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    (found,) = [trace for trace in marks if all(fact in trace.name for fact in facts)]
    return found.x[0], found.y[0]


def drawn(picture: BudgetPicture, points: list[TradeoffRow], best: Budget | None) -> go.Figure:
    return picture.drawing(BudgetFound({"l1": points}, best, None, None), Words(""))


def test_marks_stand_where_the_cost_of_the_models_is() -> None:
    points = [sized("l1", 1, 0.3), sized("l1", 2, 0.5), sized("l1", 3, 0.6), sized("l1", 4, 0.7)]
    picture = pictures.budget([path("l1")], limit=6.5, measure="MAP", against=COST, costs=COSTS)
    found = budget(points, 6.5, "MAP", picture.view.across.of)
    assert (found.chosen, found.next_better) == (points[1], points[2])
    figure = drawn(picture, points, found)
    assert mark(figure, "best model", "within") == (3.0, 0.5)
    assert mark(figure, "next better model") == (7.0, 0.6)
    assert sum(trace.mode == "markers" for trace in figure.data) == 2
    assert [shape.x0 for shape in figure.layout.shapes] == [6.5]


def test_the_best_subset_has_a_mark_of_its_own_that_is_no_choice_and_without_a_proof_is_not_called_the_best() -> None:
    points = [sized("l1", 1, 0.3), sized("l1", 2, 0.5)]
    proven = BudgetPicture([path("l1")], limit=2, measure="MAP", certified=(points[0], True))
    figure = drawn(proven, points, budget(points, 2, "MAP"))
    assert mark(figure, "best subset", "within", "proven") == (1, 0.3)
    assert "◇ the best subset within the budget, proven" in proven.words(BudgetFound({}, None, None, None)).subtitle
    assert mark(figure, "best model", "within") == (2, 0.5)
    figure = drawn(replace(proven, certified=(points[0], False)), points[:1], None)
    (name,) = [trace.name for trace in figure.data if trace.mode == "markers"]
    assert_says(name, "subset", "found", "within")
    assert "proven" not in name


def test_the_title_compares_with_all_features_and_the_subtitle_says_who_chose() -> None:
    picture = pictures.budget([path("l1"), path("log")], dense=path("l2"), limit=5)
    found, words = picture.found, picture.words(picture.found)
    values = (f"{point.value('test', 'NDCG@10'):.4f}" for point in (found.best.chosen, found.whole))
    assert_says(words.title, *values, f"{found.differs.value:+.4f}".replace("-", "−"))
    assert_says(words.subtitle, "Fold1", "at most 5 features", "2 methods", "validation NDCG@10", "ties in expectation")
    none = pictures.budget([path("l1")], limit=0)
    assert "No model" in none.words(none.found).title


TITLES = {"l1": "ℓ1", "log": "log", "mcp": "MCP"}


def differ(first: TradeoffRow, second: TradeoffRow, part: str) -> Difference:
    """With an interval that contains 0 on test only."""
    value = first.value(part, "MAP") - second.value(part, "MAP")
    width = 0.05 if part == "test" else 0.005
    return Difference(value, 40, (value - width, value + width))


def found(limit: int, *points: TradeoffRow) -> Budget:
    result = budget(points, limit, "MAP")
    assert result is not None
    return result


FEW, MORE, BEST = (sized("log", 3, 0.60, 0.57), sized("log", 4, 0.61, 0.56), sized("l1", 9, 0.64, 0.60))


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


def test_without_validation_part_title_and_sentence_say_that_training_picks() -> None:
    point = TradeoffRow("l1", 2, 0.1, {"train": {"MAP": 0.7}}, 0.01, 0.5, 0.1, (0, 1))
    title = words.budget_title(found(2, point), "train", "MAP", 20, TITLES, differ)
    assert_says(title, "Training", "ℓ1", "2 of 20 features", "with or without the limit", "training MAP", "0.7000")
    text = words.budget_words(found(2, point), "train", "MAP", TITLES, differ)
    assert_says(text, "the training part", "no validation part", "MAP", "0.7000 on train", "No other", "better")


def test_the_next_feature_is_worth_what_the_best_with_one_more_gains() -> None:
    text = words.budget_words(found(3, FEW, MORE, BEST), "test", "MAP", TITLES, differ)
    picked = ("log", "3 features", "validation part", "MAP", "0.6000 on validation", "0.5700 on test")
    assert_says(text, *picked, "ℓ1", "9 features")
    lead = ("validation", "+0.0400", "95 % interval", "+0.0350", "+0.0450", "40 queries", "clearly higher")
    quoted = ("test", "+0.0300", "95 % interval", "−0.0200", "+0.0800", "40 queries", "no clear difference")
    assert_says(text, "9 features", "lead", *lead, *quoted)
    more = ("validation", "+0.0100", "95 % interval", "+0.0050", "+0.0150")
    assert_says(text, "no clear difference", "Feature number 4", *more)


def test_where_the_next_brings_nothing_the_sentence_names_the_number_that_does() -> None:
    text = words.budget_words(found(4, MORE, BEST), "vali", "MAP", TITLES, differ)
    assert_says(text, "lead", "validation", "+0.0300", "Feature number 5", "nothing", "validation")
    assert_says(text, "Feature number 5", "nothing", "9 features", "validation", "+0.0300")
    assert text.count("lead") == 1
    assert "test +" not in text


def test_a_title_says_with_how_few_features_each_method_is_not_clearly_different() -> None:
    star = ("ℓ1 with 9", "test MAP", "0.6000")
    alike = Alike(BEST, {"l1": BEST, "log": MORE, "mcp": None}, (0.56, 0.6))
    said = words.alike_title(BEST, alike, "test", "MAP", TITLES)
    assert_says(said, "Fewest features", *star, "log 4", "ℓ1 9", "MCP clearly differs")
    assert_says(words.alike_title(BEST, None, "test", "MAP", TITLES), *star, "too few lists")
