"""Methods side by side as drawn: a mark each, larger where it took longer, and sentences that are so."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.tradeoff.tradeoff import MEASURES
from core.analysis.tuning.method_bench import BenchRow
from core.api import pictures
from core.data import Fold
from core.experiments.results.difference import Difference
from core.figures.look.style import METHOD_STYLES
from core.figures.picture import Words
from core.figures.tradeoff.method_bench import bench_sentence, mark_sizes, time_sentence
from core.figures.tradeoff.methods_picture import Comparison
from core.methods import Fit, get_method
from core.methods.registry import full_title
from core.solvers import Certificate, FitResult
from tests.figures.samples.sample import fold
from tests.says import assert_says

TITLES = {method: full_title(get_method(method)) for method in ("l1", "log", "l2", "fsmrank")}

USABLE = np.ones(20, dtype=bool)


def row(method: str, kept: int, quality: float, seconds: float, vali: float | None = None) -> BenchRow:
    """``vali``: the value on validation, else as on test."""
    weights = np.zeros(20)
    weights[:kept] = 1.0
    result = FitResult(weights, 1.0, Certificate("duality gap", 0.0, 0.0, among=""), "converged", seconds, 10.0, ())
    fit = Fit(method, "newton", {}, 0.1, 1.0, 1.0, tuple(map(str, range(20))), result)
    values = {part: dict.fromkeys(MEASURES, value) for part, value in (("vali", vali or quality), ("test", quality))}
    return BenchRow(method, fit, Judgement(values), kept / 20, seconds, 10.0, 1, 1)


ROWS = [row("l1", 5, 0.5, 0.01), row("log", 2, 0.496, 0.1), row("l2", 20, 0.4, 1.0)]
REFUSED = BenchRow("fsmrank", refusal="there is no model")


def drawn(rows: list[BenchRow]) -> go.Figure:
    return pictures.methods(fold(), list(TITLES)).drawing(Comparison(rows, {}), Words(""))


def test_each_method_stands_where_it_is_and_carries_its_id() -> None:
    marks = [trace for trace in drawn([*ROWS, REFUSED, row("fsmrank", 0, 0.9, 0.1)]).data if trace.mode == "markers"]
    assert [(mark.name, mark.x[0], mark.y[0]) for mark in marks] == [
        (TITLES["l1"], 5, 0.5), (TITLES["log"], 2, 0.496), (TITLES["l2"], 20, 0.4),
    ]  # fmt: skip
    assert [list(mark.customdata[0]) for mark in marks] == [["l1"], ["log"], ["l2"]]
    assert [mark.marker.color for mark in marks] == [METHOD_STYLES[m].colour for m in ("l1", "log", "l2")]
    sizes = [mark.marker.size for mark in marks]
    assert sizes[1] - sizes[0] == pytest.approx(sizes[2] - sizes[1])
    assert sizes[0] < sizes[1]


def test_labels_say_the_time() -> None:
    labels = [note.text for note in drawn([row("l1", 3, 0.5, 0.01), row("l2", 20, 0.9, 0.5)]).layout.annotations]
    assert labels == [f" {TITLES['l1']} · 10 ms", f" {TITLES['l2']} · 500 ms"]


def test_times_that_are_alike_have_marks_that_are_alike() -> None:
    assert len(set(mark_sizes([0.02, 0.02]))) == 1
    assert mark_sizes([]) == []


def said(rows: list[BenchRow], differences: Mapping[str, Difference] = MappingProxyType({})) -> str:
    return bench_sentence(rows, TITLES, "test", "MAP", USABLE, differences)


def test_the_sentence_names_the_one_picked_and_the_sparsest_without_a_clear_difference() -> None:
    best, sparser = ("test MAP", "0.5000", "5 of 20 features"), ("log", "2")
    assert_says(said(ROWS), "Validation", "ℓ1", "3 methods", *best)
    assert "difference" not in said(ROWS)
    differences = {"log": Difference(-0.004, 40, (-0.02, 0.01))}
    verdict = ("−0.0040", "no clear difference")
    assert_says(said(ROWS, differences), "Validation", "ℓ1", "3 methods", *best, *sparser, *verdict)
    none_sparser = said([ROWS[0], row("log", 1, 0.49, 0.1)])
    assert_says(none_sparser, "Validation", "ℓ1", "2 methods", *best)
    assert "log" not in none_sparser
    alone = said([ROWS[2], REFUSED])
    assert_says(alone, "ℓ2", "test MAP", "0.4000", "20 of 20 features")
    assert "Validation" not in alone


def test_the_method_is_picked_on_validation_and_not_on_the_part_that_is_quoted() -> None:
    rows = [row("l1", 5, 0.5, 0.01, vali=0.6), row("log", 2, 0.9, 0.1, vali=0.4)]
    assert_says(said(rows), "Validation", "ℓ1", "2 methods", "test MAP", "0.5000", "5 of 20 features")


def test_among_equals_the_sparsest_is_best() -> None:
    tied = [row("l2", 20, 0.5, 0.1), row("l1", 4, 0.5, 0.1)]
    assert_says(said(tied), "Validation", "ℓ1", "2 methods", "4 of 20 features")


def test_the_time_sentence_compares_the_slowest_with_the_fastest() -> None:
    assert_says(time_sentence(ROWS, TITLES), "ℓ2", "100 times", "ℓ1", "1 s", "10 ms")
    alone = time_sentence(ROWS[:1], TITLES)
    assert_says(alone, "ℓ1", "5 features", "10 ms")
    assert "times" not in alone


def test_without_any_model_the_picture_says_so() -> None:
    figure = drawn([REFUSED])
    assert_says(figure.layout.annotations[0].text, "No method")
    assert said([REFUSED]) == time_sentence([], TITLES)


def test_the_notebooks_comparison_says_how_c_was_set_and_the_budget() -> None:
    at_ratio = pictures.methods(fold(), ["l1", "log"], ratio=0.1, seconds=30.0)
    assert_says(at_ratio.words(at_ratio.found).subtitle, "Fold1", "λ/λ_max = 0.1", "30 s", "larger the mark")
    assert_says(at_ratio.words(at_ratio.found).title, "Validation", "2 methods", "test MAP")
    no_validation = Fold("two parts", fold().train, test=fold().test)
    chosen = pictures.methods(no_validation, ["l1"], measure="NDCG@10")
    words = chosen.words(Comparison([REFUSED], {}))
    assert_says(words.subtitle, "C by training NDCG@10", "5 s")


def test_of_a_comparison_under_way_nothing_is_said_that_a_method_to_come_could_deny() -> None:
    picture = pictures.methods(fold(), ["l1", "log", "l2"])
    found = picture.result({"rows": ROWS[:2]})
    assert_says(picture.words(found).title, "2 of 3 methods")
    assert found.differences is None
