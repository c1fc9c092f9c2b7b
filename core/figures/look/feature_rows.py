"""Layout of charts with a row a feature: names on the left, first row on top, titles that wrap on a narrow screen."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.look.labels import name_labels
from core.figures.look.style import ABOVE, SUBTITLE_LINE, TITLE_LINE, Picture, Words, layout, wrapped

CHARACTERS = (72, 100)  # a line of title and subtitle, where the chart is 560 pixels wide; the page's own words wrap
ROW = 21
LEGEND = 26
BELOW = 66  # room for an axis with its title, with or without one: charts side by side align


def row_labels(names: Sequence[str], rows: Sequence[int]) -> list[str]:
    """Return short names of features for their rows; all names of the data decide what tells them apart."""
    return [f"{label} " for label in name_labels(names, rows)]


def heading_height(words: Words) -> int:
    """Return the height of a wrapped title and subtitle, in pixels."""
    titles, subtitles = map(wrapped, (words.title, words.subtitle), CHARACTERS)
    return ABOVE + TITLE_LINE * len(titles) + SUBTITLE_LINE * len(subtitles)


def row_layout(
    figure: Picture,
    labels: Sequence[str],
    words: Words,
    *,
    heading: int | None = None,
    above: float = 0.6,
    legend: bool = False,
) -> Picture:
    """Lay out rows 0, 1, … from the top down under a heading that wraps, and return the figure.

    Parameters
    ----------
    figure : plotly Figure or Drawing
    labels : sequence of str
        One label a row, made by `row_labels`.
    words : Words
    heading : int, optional
        Pixels for heading and top axis; by default those of the heading. Charts side by side align if it is equal.
    above : float
        Space above the first row, in rows.
    legend : bool
        Whether to leave a line for a legend between heading and rows.
    """
    top = (heading_height(words) if heading is None else heading) + (LEGEND if legend else 0)
    body = ROW * (max(len(labels), 3) + above)
    drawn = layout(figure, words, height=round(top + body + BELOW), characters=CHARACTERS)
    figure.update_yaxes(
        range=[len(labels) - 0.4, -above],
        tickvals=list(range(len(labels))),
        ticktext=list(labels),
        tickfont={"size": 12},
        automargin=True,
    )
    return drawn.update_layout(
        title={"y": 1.0, "yref": "container", "yanchor": "top", "pad": {"t": 12}},
        margin={"t": top, "r": 14, "l": 8, "b": BELOW},
        meta=drawn.layout["meta"] | {"rows": True},  # never so low that their names meet
        showlegend=legend,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemclick": False},
    )
