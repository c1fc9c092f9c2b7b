"""Models cut down as drawn: their own values, beside those of models fitted with as few; sentences that are so.

The sentence over means of folds names the best, and who is within its standard error.
Methods side by side as drawn: a mark each, larger where it took longer.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.tradeoff.fold_tradeoff import SizeCurve, SizeMean, Spread, truncations
from core.analysis.tradeoff.tradeoff import MEASURES
from core.analysis.tuning.method_bench import BenchRow
from core.api import pictures
from core.data import Fold
from core.experiments.results.difference import Difference
from core.figures.look.style import METHOD_STYLES, method_style
from core.figures.papers.registry import best_at_sentence, size_figure
from core.figures.picture import Words
from core.figures.tradeoff.methods_picture import Comparison, mark_sizes, time_sentence
from core.figures.tradeoff.truncation import Cut, truncation_sentence
from core.methods import Fit, get_method
from core.methods.registry import full_title
from core.metrics import evaluate_ranking
from core.solvers import Certificate, FitResult
from tests.figures.samples.sample import fold, path
from tests.says import assert_says

NAMES = ("a", "b", "c", "d", "e")


def cut(name: str, method: str, values: list[float], fitted: dict[int, float] | None = None) -> Cut:
    """The k largest weights of a model are those of its first k features."""
    weights = np.where(np.arange(5) < len(values), 5.0 - np.arange(5), 0.0)
    result = FitResult(weights, 1.0, Certificate("duality gap", 0.0, 0.0, among=""), "converged", 0.1, 10.0, ())
    fit = Fit(method, "newton", {}, 0.1, 1.0, 1.0, NAMES, result)
    curves = (dict(enumerate(values, start=1)), fitted or {})
    return Cut(name, fit, *(SizeCurve({k: {"test": {"MAP": x}} for k, x in one.items()}) for one in curves))


FSMRANK = cut("FSMRank", "fsmrank", [0.2, 0.3, 0.38, 0.4], {1: 0.25, 3: 0.41})


def drawn(*cuts: Cut, limit: int | None = None) -> go.Figure:
    return pictures.truncation([path("l1")], limit=limit).drawing(cuts, Words(""))


def by_name(figure: go.Figure) -> dict[str, go.Scatter]:
    return {trace.name: trace for trace in figure.data}


def test_a_model_is_a_line_over_its_largest_weights_and_a_step_line_of_what_was_fitted() -> None:
    lines = by_name(drawn(FSMRANK, cut("ℓ1", "l1", [0.1, 0.2])))
    assert set(lines) == {"FSMRank, cut", "FSMRank, fitted", "ℓ1, cut"}
    solid, dotted = lines["FSMRank, cut"], lines["FSMRank, fitted"]
    assert (list(solid.x), list(solid.y)) == ([1, 2, 3, 4], [0.2, 0.3, 0.38, 0.4])
    assert (list(dotted.x), list(dotted.y), dotted.line.shape) == ([1, 3], [0.25, 0.41], "hv")
    assert {solid.line.color, dotted.line.color} == {method_style("fsmrank").colour}
    assert (solid.line.dash, dotted.line.dash) == (None, "dot")


@pytest.mark.parametrize("k", [1, 2, 4])
def test_each_has_the_metrics_of_its_own_scores(k: int) -> None:
    (best,) = pictures.truncation([path("l1")]).found
    weights, data = dict(truncations(best.fit.weights))[k], fold().test
    assert best.cut.values[k]["test"] == evaluate_ranking(data, data.features @ weights, "standard")


def test_hover_names_the_share_and_the_feature_that_came_last() -> None:
    third = by_name(drawn(FSMRANK))["FSMRank, cut"].hovertext[2]
    assert_says(third, "3 of 4 weights")
    assert_says(third, "test MAP", "0.3800", "95.0 %")
    assert "with c +3" in third
    lines = by_name(drawn(cut("the chosen FSMRank", "fsmrank", [0.3]), FSMRANK))
    assert lines["the chosen FSMRank, cut"].opacity > lines["FSMRank, cut"].opacity


def test_the_limit_is_a_line_up_on_a_log_axis() -> None:
    figure = drawn(FSMRANK, limit=2)
    assert figure.layout.xaxis.type == "log"
    assert 2 in {shape.x0 for shape in figure.layout.shapes}
    assert [note.text for note in figure.layout.annotations] == [" FSMRank"]


@pytest.mark.parametrize(
    ("limit", "facts"),
    [
        (2, ("2 largest", "FSMRank", "4 weights", "75.0 %", "test MAP", "fitted", "62.5 %")),
        (3, ("3 largest", "FSMRank", "4 weights", "95.0 %", "test MAP", "fitted", "102.5 %")),
        (1, ("The largest", "FSMRank", "4 weights", "50.0 %", "test MAP", "fitted", "62.5 %")),
        (9, ("3 largest", "FSMRank", "4 weights", "95.0 %", "test MAP", "fitted", "102.5 %")),
    ],
)
def test_the_sentence_is_about_the_number_asked_for_or_else_about_what_is_enough(
    limit: int, facts: tuple[str, ...]
) -> None:
    assert_says(truncation_sentence(FSMRANK, "test", "MAP", limit), *facts)


def test_enough_is_where_it_stays_enough() -> None:
    wobbling = cut("ℓ1", "l1", [0.4, 0.2, 0.39, 0.4])
    assert wobbling.enough("test", "MAP") == 3
    assert_says(truncation_sentence(wobbling, "test", "MAP", 9), "3 largest", "ℓ1", "4 weights", "97.5 %")
    steep = cut("the chosen ℓ1", "l1", [0.1, 0.4])
    said = truncation_sentence(steep, "test", "MAP", 9)
    assert_says(said, "The chosen ℓ1", "all", "2 weights", "smallest", "test MAP", "below 95 %")


def test_one_weight_and_a_worthless_model_have_a_sentence() -> None:
    said = truncation_sentence(cut("ℓ1", "l1", [0.3]), "test", "MAP", 5)
    assert_says(said, "ℓ1", "one weight", "nothing")
    assert "%" not in said
    assert_says(truncation_sentence(cut("ℓ1", "l1", [0.0, 0.0, 0.0]), "test", "MAP", 2), "2 largest", "ℓ1", "100.0 %")


TITLES = {"fsmrank": "FSMRank", "gas-e:c=0.1": "GAS-E (c=0.1)"}


def means(*values: float, error: float) -> tuple[SizeMean, ...]:
    return tuple(SizeMean(k, Spread(v, error, v - 2 * error, v + 2 * error), 5) for k, v in enumerate(values, start=1))


WITHIN = ("GAS-E (c=0.1)", "within", "standard error")
MEANS = {"fsmrank": means(0.2, 0.5, 0.6, error=0.05), "gas-e:c=0.1": means(0.4, 0.47, 0.5, error=0.01)}


@pytest.mark.parametrize(
    ("size", "facts"),
    [
        (1, ("at most 1 feature", "GAS-E (c=0.1)", "highest mean MAP", "0.4000")),
        (2, ("at most 2 features", "FSMRank", "highest mean MAP", "0.5000", *WITHIN)),
        (7, ("at most 7 features", "FSMRank", "highest mean MAP", "0.6000")),
        (0, ("No method", "at most 0 features", "every fold")),
    ],
)
def test_the_sentence_names_the_best_and_who_is_within_its_error(size: int, facts: tuple[str, ...]) -> None:
    words = best_at_sentence(MEANS, TITLES, "MAP", size)
    assert_says(words, *facts)
    assert [title in words for title in TITLES.values()] == [title in facts for title in TITLES.values()]


def test_the_name_of_a_dataset_is_text_over_its_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    curves = [SizeCurve({1: {"test": {"MAP": 0.5, "NDCG@10": 0.5}}})]
    monkeypatch.setattr("core.figures.papers.registry.size_curves", lambda _: {"a <b>": {"fsmrank": curves}})
    assert all("a &lt;b&gt;, " in note.text for note in size_figure([]).layout.annotations)


NAMED = {method: full_title(get_method(method)) for method in ("l1", "log", "l2", "fsmrank")}


def row(method: str, kept: int, quality: float, seconds: float, vali: float | None = None) -> BenchRow:
    """``vali``: the value on validation, else as on test."""
    weights = np.zeros(60)
    weights[:kept] = 1.0
    result = FitResult(weights, 1.0, Certificate("duality gap", 0.0, 0.0, among=""), "converged", seconds, 10.0, ())
    fit = Fit(method, "newton", {}, 0.1, 1.0, 1.0, tuple(map(str, range(60))), result)
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali or quality), ("test", quality))}
    return BenchRow(method, fit, Judgement(values), kept / 60, seconds, 10.0, 1, 1)


ROWS = [row("l1", 5, 0.5, 0.01), row("log", 2, 0.496, 0.1), row("l2", 20, 0.4, 1.0)]
REFUSED = BenchRow("fsmrank", refusal="there is no model")


def bench(rows: list[BenchRow]) -> go.Figure:
    return pictures.methods(fold(), list(NAMED)).drawing(Comparison(rows, {}), Words(""))


def test_each_method_stands_where_it_is_and_carries_its_id() -> None:
    marks = [trace for trace in bench([*ROWS, REFUSED, row("fsmrank", 0, 0.9, 0.1)]).data if trace.mode == "markers"]
    assert [(mark.name, mark.x[0], mark.y[0]) for mark in marks] == [
        (NAMED["l1"], 5, 0.5), (NAMED["log"], 2, 0.496), (NAMED["l2"], 20, 0.4),
    ]  # fmt: skip
    assert [list(mark.customdata[0]) for mark in marks] == [["l1"], ["log"], ["l2"]]
    assert [mark.marker.color for mark in marks] == [METHOD_STYLES[m].colour for m in ("l1", "log", "l2")]
    sizes = [mark.marker.size for mark in marks]
    assert sizes[1] - sizes[0] == pytest.approx(sizes[2] - sizes[1])
    assert sizes[0] < sizes[1]
    assert len(set(mark_sizes([0.02, 0.02]))) == 1
    labels = [note.text for note in bench([row("l1", 3, 0.5, 0.01), row("l2", 20, 0.9, 0.5)]).layout.annotations]
    assert labels == [f" {NAMED['l1']} · 10 ms", f" {NAMED['l2']} · 500 ms"]
    assert_says(bench([REFUSED]).layout.annotations[0].text, "No method")
    assert said([REFUSED]) == time_sentence([], NAMED)


def said(rows: list[BenchRow], differences: Mapping[str, Difference] = MappingProxyType({})) -> str:
    return pictures.methods(fold(), list(NAMED)).sentence(Comparison(rows, differences))


def test_the_sentence_names_the_one_picked_and_the_sparsest_without_a_clear_difference() -> None:
    best, sparser = ("test MAP", "0.5000", "5 of 60 features"), ("log", "2")
    assert_says(said(ROWS), "Validation", "ℓ1", "3 methods", *best)
    assert "difference" not in said(ROWS)
    differences = {"log": Difference(-0.004, 40, (-0.02, 0.01))}
    verdict = ("−0.0040", "no clear difference")
    assert_says(said(ROWS, differences), "Validation", "ℓ1", "3 methods", *best, *sparser, *verdict)
    none_sparser = said([ROWS[0], row("log", 1, 0.49, 0.1)])
    assert_says(none_sparser, "Validation", "ℓ1", "2 methods", *best)
    assert "log" not in none_sparser
    alone = said([ROWS[2], REFUSED])
    assert_says(alone, "ℓ2", "test MAP", "0.4000", "20 of 60 features")
    assert "Validation" not in alone


def test_the_method_is_picked_on_validation_not_on_the_part_that_is_quoted_and_among_equals_is_the_sparsest() -> None:
    rows = [row("l1", 5, 0.5, 0.01, vali=0.6), row("log", 2, 0.9, 0.1, vali=0.4)]
    assert_says(said(rows), "Validation", "ℓ1", "2 methods", "test MAP", "0.5000", "5 of 60 features")
    tied = [row("l2", 20, 0.5, 0.1), row("l1", 4, 0.5, 0.1)]
    assert_says(said(tied), "Validation", "ℓ1", "2 methods", "4 of 60 features")


def test_the_time_sentence_compares_the_slowest_with_the_fastest() -> None:
    assert_says(time_sentence(ROWS, NAMED), "ℓ2", "100 times", "ℓ1", "1 s", "10 ms")
    alone = time_sentence(ROWS[:1], NAMED)
    assert_says(alone, "ℓ1", "5 features", "10 ms")
    assert "times" not in alone


def test_the_notebooks_comparison_says_how_c_was_set_and_the_budget() -> None:
    at_ratio = pictures.methods(fold(), ["l1", "log"], ratio=0.1, seconds=30.0)
    assert_says(at_ratio.words(at_ratio.found).subtitle, "Fold1", "λ/λ_max = 0.1", "30 s", "larger the mark")
    assert_says(at_ratio.words(at_ratio.found).title, "Validation", "2 methods at λ/λ_max = 0.1", "test MAP")
    no_validation = Fold("two parts", fold().train, test=fold().test)
    chosen = pictures.methods(no_validation, ["l1"], measure="NDCG@10")
    words = chosen.words(Comparison([REFUSED], {}))
    assert_says(words.subtitle, "C by training NDCG@10", "5 s")


def test_of_a_comparison_under_way_nothing_is_said_that_a_method_to_come_could_deny() -> None:
    picture = pictures.methods(fold(), ["l1", "log", "l2"])
    found = picture.result({"rows": ROWS[:2]})
    assert_says(picture.words(found).title, "2 of 3 methods")
    assert found.differences is None
