"""The picture of what A changes for every query."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.analysis.queries.changes import QueryChanges
from core.figures.look.style import MUTED, method_style
from core.figures.queries.changes import BINS, MOST_BARS, changes_figure


def drawn(delta: list[float]) -> tuple[go.Figure, QueryChanges]:
    a = np.array(delta)
    ones = np.ones(len(a), dtype=np.int64)
    changes = QueryChanges("MAP", np.clip(a, 0, None), np.clip(-a, 0, None), 5 * ones, ones)
    ids = [str(k) for k in range(len(a))]
    figure = changes_figure(changes, ids, ids, "l1", "AP", title="What is seen")
    go.Figure(figure.to_dict())  # raises at an unknown property
    return figure, changes


def test_bars_rise_from_the_greatest_loss_and_name_their_queries() -> None:
    figure, _ = drawn([0.5, -0.25, 0.0])
    bars = figure.data[0]
    assert list(bars.y) == [-0.25, 0.0, 0.5]
    assert [one[0] for one in bars.customdata] == ["1", "2", "0"]
    assert list(bars.marker.color) == [MUTED, MUTED, method_style("l1").colour]
    assert figure.layout.annotations[0].text == f"mean {0.25 / 3:+.4f}"
    assert figure.layout.annotations[0].xanchor == "left"


def test_the_distribution_counts_every_query_and_keeps_those_that_stay_apart() -> None:
    figure, changes = drawn([0.5, -0.25, 0.0, 0.0, 1.0, -1.0])
    spread = figure.data[1]
    assert sum(spread.x) == len(changes.delta)
    middle = int(np.argmin(np.abs(np.array(spread.y))))
    assert abs(spread.y[middle]) < 1e-9
    assert spread.x[middle] == 2
    assert len(BINS) % 2 == 0


def test_of_many_queries_the_middle_is_left_out_of_the_bars() -> None:
    figure, _ = drawn(np.linspace(-1, 1, MOST_BARS + 50).tolist())
    assert len(figure.data[0].y) == MOST_BARS
    assert min(figure.data[0].y) == -1.0
    assert max(figure.data[0].y) == 1.0
    assert sum(figure.data[1].x) == MOST_BARS + 50
