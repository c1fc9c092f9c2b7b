"""A picture for a projector: larger letters and lines, the same places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from core.figures.look.large import SCALE, SMALLEST, enlarged


def figure() -> go.Figure:
    made = go.Figure(
        go.Scatter(x=[1, 10], y=[0.1, 0.2], line={"width": 2}, marker={"size": [3, 4]}, textfont={"size": 9})
    )
    made.add_bar(x=[1], y=[2], width=[0.55], marker={"line": {"width": 1}})
    made.update_layout(margin={"l": 10, "r": 20}, width=640, height=400, title={"text": "T", "font": {"size": 17}})
    made.update_xaxes(type="log", exponentformat="e", title="λ", tickfont={"size": 10}, dtick=1)
    made.add_annotation(x=1, y=0.1, text="end", xshift=4, font={"size": 11})
    made.add_annotation(x=1, y=0.2, text="plain")
    return made


def letters(part: Any, inside: str = "") -> Iterator[float]:
    """Every size of letters that a figure names."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "size" and "font" in inside:
                yield value
            yield from letters(value, name)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from letters(item, inside)


def test_no_letters_are_smaller_than_can_be_read_and_every_text_names_its_size() -> None:
    drawn = enlarged(figure()).to_dict()
    assert min(letters(drawn)) >= SMALLEST
    layout = drawn["layout"]
    assert layout["xaxis"]["title"]["font"]["size"] >= SMALLEST
    assert layout["yaxis"]["tickfont"]["size"] >= SMALLEST
    assert all(note["font"]["size"] >= SMALLEST for note in layout["annotations"])
    assert layout["title"]["font"]["size"] == 17 * SCALE


def test_the_numbers_between_powers_of_ten_can_be_read_where_plotly_may_write_them() -> None:
    made = figure()
    powers_only = enlarged(made).layout.xaxis.tickfont.size
    made.update_xaxes(dtick=None)
    assert enlarged(made).layout.xaxis.tickfont.size * 0.75 >= SMALLEST > powers_only * 0.75
    made.update_xaxes(tickvals=[1, 2, 5])  # written as they are
    assert enlarged(made).layout.xaxis.tickfont.size == powers_only


def test_lines_marks_and_margins_grow_and_places_stay() -> None:
    before, after = figure(), enlarged(figure())
    assert after.data[0].line.width == 2 * SCALE
    assert list(after.data[0].marker.size) == [3 * SCALE, 4 * SCALE]
    assert after.layout.margin.l == 10 * SCALE
    assert after.layout.annotations[0].xshift == 4 * SCALE
    assert list(after.data[0].x) == list(before.data[0].x)
    assert list(after.data[1].width) == [0.55], "a bar's width is a place on the axis"
    assert (after.layout.width, after.layout.height) == (640, 400)
    assert before == figure(), "the figure itself is left alone"
