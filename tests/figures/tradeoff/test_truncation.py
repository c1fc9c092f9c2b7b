"""Models cut down as drawn: their own values, beside those of models fitted with as few; sentences that are so.

The sentence over means of folds names the best, and who is within its standard error.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.analysis.tradeoff.truncation import SizeCurve, SizedModel, SizeMean
from core.api import pictures
from core.figures.look.style import method_style
from core.figures.papers.registry import best_at_sentence, size_figure
from core.figures.picture import Words
from core.figures.tradeoff.truncation import Cut, truncation_sentence
from core.methods import Fit
from core.solvers import Certificate, FitResult
from tests.figures.samples.sample import path
from tests.says import assert_says

NAMES = ("a", "b", "c", "d", "e")


def cut(name: str, method: str, values: list[float], fitted: dict[int, float] | None = None) -> Cut:
    """The k largest weights of a model are those of its first k features."""
    weights = np.where(np.arange(5) < len(values), 5.0 - np.arange(5), 0.0)
    result = FitResult(weights, 1.0, Certificate("duality gap", 0.0, 0.0, among=""), "converged", 0.1, 10.0, ())
    fit = Fit(method, "newton", {}, 0.1, 1.0, 1.0, NAMES, result)
    models = [
        SizedModel(k, np.where(np.arange(5) < k, weights, 0.0), {"test": {"MAP": value}})
        for k, value in enumerate(values, start=1)
    ]
    return Cut(name, fit, models, [(k, {"test": {"MAP": value}}) for k, value in (fitted or {}).items()])


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


def test_hover_names_the_share_and_the_feature_that_came_last() -> None:
    third = by_name(drawn(FSMRANK))["FSMRank, cut"].hovertext[2]
    assert_says(third, "3 of 4 weights")
    assert_says(third, "test MAP", "0.3800", "95.0 %")
    assert "with c +3" in third


def test_two_models_of_a_method_are_told_apart() -> None:
    other = cut("the chosen FSMRank", "fsmrank", [0.3])
    lines = by_name(drawn(other, FSMRANK))
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


MEANS = {"fsmrank": means(0.2, 0.5, 0.6, error=0.05), "gas-e:c=0.1": means(0.4, 0.47, 0.5, error=0.01)}


@pytest.mark.parametrize(
    ("size", "facts"),
    [
        (1, ("at most 1 feature", "GAS-E (c=0.1)", "highest mean MAP", "0.4000")),
        (
            2,
            (
                "at most 2 features",
                "FSMRank",
                "highest mean MAP",
                "0.5000",
                "GAS-E (c=0.1)",
                "within",
                "standard error",
            ),
        ),
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
