"""The pictures of a budget: the limit, the best within it, the next better one, and who loses."""

from __future__ import annotations

import plotly.graph_objects as go

from core.analysis.tradeoff.query_changes import QueryChange
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, budget
from core.figures.tradeoff.axes import COST, Across
from core.figures.tradeoff.budget import budget_figure
from core.figures.tradeoff.query_changes import LOSS, query_changes_figure
from core.figures.tradeoff.tradeoff import View
from tests.says import assert_says

COSTS = (1.0, 2.0, 4.0, 8.0)


def model(selected: tuple[int, ...], vali: float) -> TradeoffPoint:
    values = {part: dict.fromkeys(MEASURES, vali) for part in ("train", "vali", "test")}
    return TradeoffPoint("l1", len(selected), len(selected) / 4, values, 0.01, 1.0, 0.1, selected)


def mark(figure: go.Figure, *facts: str) -> tuple[float, float]:
    """Return the place of the only mark whose name says this."""
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    (found,) = [trace for trace in marks if all(fact in trace.name for fact in facts)]
    return found.x[0], found.y[0]


def test_marks_stand_where_the_cost_of_the_models_is() -> None:
    points = [model((0,), 0.3), model((0, 1), 0.5), model((0, 1, 2), 0.6), model((0, 1, 2, 3), 0.7)]
    across = Across(COST, 4, True, COSTS)
    found = budget(points, 6.5, "MAP", across.of)
    assert found is not None
    assert (found.chosen, found.next_better) == (points[1], points[2])
    figure = budget_figure({"l1": points}, View("test", "MAP", across, "standard"), {"l1": "ℓ1"}, 6.5, found)
    assert mark(figure, "best model", "within") == (3.0, 0.5)
    assert mark(figure, "next better model") == (7.0, 0.6)
    assert sum(trace.mode == "markers" for trace in figure.data) == 2
    assert [shape.x0 for shape in figure.layout.shapes] == [6.5]


def test_the_best_subset_has_a_mark_of_its_own_that_is_no_choice() -> None:
    points = [model((0,), 0.3), model((0, 1), 0.5)]
    across = Across("features kept", 4, True)
    drawn = budget_figure({"l1": points}, View("test", "MAP", across, "standard"), {"l1": "ℓ1"}, 2,
                          budget(points, 2, "MAP"), certified=(points[0], True))  # fmt: skip
    assert mark(drawn, "best subset", "within", "proven") == (1, 0.3)
    assert mark(drawn, "best model", "within") == (2, 0.5)


def test_a_subset_without_a_proof_is_not_called_the_best() -> None:
    points = [model((0,), 0.3)]
    view = View("test", "MAP", Across("features kept", 4, True), "standard")
    drawn = budget_figure({"l1": points}, view, {"l1": "ℓ1"}, 2, None, certified=(points[0], False))
    (name,) = [trace.name for trace in drawn.data if trace.mode == "markers"]
    assert_says(name, "subset", "found", "within")
    assert "proven" not in name


def test_only_queries_that_lose_are_coloured() -> None:
    changes = [QueryChange(name, 0.5, 0.5 + change, 10, 2) for name, change in (("a", -0.2), ("b", 0.0), ("c", 0.3))]
    bars = query_changes_figure(changes, "MAP", marked=2).data[0]
    assert [colour == LOSS for colour in bars.marker.color] == [True, False, False]
    assert [row[0] for row in bars.customdata] == ["a", "b", "c"]
