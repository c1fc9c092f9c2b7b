"""Common parts of a protocol run's figures: one mark a method and dataset, with names beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.results.caveats import caveats_legend, grid_end_words, signs, unfinished_words
from core.experiments.results.summary import MethodLine, OverFolds
from core.figures.look.line_labels import spread_labels
from core.figures.look.names import name_labels
from core.figures.look.style import METHOD_STYLES, MUTED, MethodStyle, layout
from core.names.plain import in_plotly

REFERENCE_STYLE = MethodStyle(MUTED, "dot", "circle-cross")
"""Style of rows that are no method of the registry: a neutral grey."""
LINE = 21  # pixels of a label
LEAST_HEIGHT, AROUND = 430, 150  # pixels: of a picture with one panel, and of what stands around its plot
PANEL_HEIGHT, MOST_ACROSS = 330, 3
BETWEEN, BELOW = 96, 66  # pixels: between rows of panels, and of the axis below the last one
LETTER, WIDEST = 7.2, 235  # pixels: of a letter, and of the room for names
LONGEST_NAME = 30


def line_styles(labels: Sequence[str]) -> dict[str, MethodStyle]:
    """Return the style of every method by its label; further settings of the same method have open marks."""
    styles: dict[str, MethodStyle] = {}
    seen: set[str] = set()
    for label in dict.fromkeys(labels):
        method = label.partition(":")[0]
        style = METHOD_STYLES.get(method, REFERENCE_STYLE)
        if method in seen:
            style = MethodStyle(style.colour, "dot", f"{style.marker.removesuffix('-open')}-open")
        styles[label] = style
        seen.add(method)
    return styles


def by_dataset(lines: Sequence[MethodLine]) -> dict[str, list[MethodLine]]:
    """Group the lines by dataset, in their order."""
    found: dict[str, list[MethodLine]] = {}
    for line in lines:
        found.setdefault(line.dataset, []).append(line)
    return found


def marked_name(line: MethodLine, titles: Mapping[str, str]) -> str:
    """Return the title with the signs of its caveats, and with the number of folds if some are missing."""
    title = " ".join(filter(None, [titles.get(line.choice.label, line.choice.label), signs(line)]))
    return title if line.complete else f"{title}, {len(line.results)} of {line.n_folds} folds"


def with_legend(subtitle: str, lines: Sequence[MethodLine]) -> str:
    """Return the subtitle with the meaning of the signs that `marked_name` gives."""
    return "\n".join(filter(None, [subtitle, caveats_legend(lines)]))


def caveats_hover(line: MethodLine) -> str:
    """Return further lines of a mark's text on hover: unfinished models, and choices at the end of their grid."""
    unfinished, ends = unfinished_words(line), grid_end_words(line)
    found = [f"unfinished: {unfinished}"] if unfinished else []
    found += [f"chosen at the grid's end: {ends}"] if ends else []
    return "".join(f"<br>{in_plotly(words)}" for words in found)


def one_unit(values: OverFolds, digits: int) -> str:
    """Write mean ± standard deviation over folds."""
    return values.words(digits)


def panels(names: Sequence[str]) -> tuple[go.Figure, list[tuple[int, int]]]:
    """Make a figure with a named panel each, and return the row and column of each."""
    down = panel_rows(len(names))
    across = math.ceil(len(names) / down) or 1
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=list(map(in_plotly, names)) if len(names) > 1 else None,
        horizontal_spacing=0.09,
        vertical_spacing=BETWEEN / (PANEL_HEIGHT * down),
    )
    return figure, [(k // across + 1, k % across + 1) for k in range(len(names))]


def panel_rows(n_datasets: int) -> int:
    """Return the number of rows of panels, at least one."""
    return max(math.ceil(n_datasets / MOST_ACROSS), 1)


def add_names(
    figure: go.Figure,
    lines: Sequence[MethodLine],
    titles: Mapping[str, str],
    place: Callable[[MethodLine], tuple[float, float]],
    right: float,
    low: float,
    high: float,
    *,
    log: bool = False,
) -> None:
    """Write names at the right edge of the only panel, each with a line to its mark and in its colour.

    Parameters
    ----------
    place : callable
        Returns the position of a line's mark.
    right, low, high : float
        Ends of the axes; on a log axis ``low`` and ``high`` are decimal logarithms.
    """
    styles = line_styles([line.choice.label for line in lines])
    marks = [place(line) for line in lines]
    heights = [math.log10(y) if log else y for _, y in marks]
    height = figure_height(len(lines))
    spread = spread_labels(heights, LINE / (height - AROUND) * (high - low), low, high)
    names = name_labels([marked_name(line, titles) for line in lines], range(len(lines)), LONGEST_NAME)
    for line, (x, y), label, name in zip(lines, marks, spread, names, strict=True):
        style = styles[line.choice.label]
        figure.add_scatter(
            x=[x, right],
            y=[y, 10.0**label if log else label],
            mode="lines",
            line={"color": style.colour, "width": 1, "dash": style.dash},
            opacity=0.35,
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="left",
            y=label,
            text=f" {name}",
            showarrow=False,
            font={"color": style.colour, "size": 13},
        )


def figure_height(n_lines: int) -> int:
    """Return the height of a figure with one panel, in pixels, so that all names fit beside it."""
    return max(LEAST_HEIGHT, AROUND + LINE * n_lines)


def finish(
    figure: go.Figure, lines: Sequence[MethodLine], titles: Mapping[str, str], *, title: str, subtitle: str
) -> go.Figure:
    """Apply the common look: space for names beside one panel, a legend below several."""
    datasets = by_dataset(lines)
    if len(datasets) <= 1:
        longest = max((min(len(marked_name(line, titles)), LONGEST_NAME) for line in lines), default=3)
        drawn = layout(figure, title=title, subtitle=subtitle, height=figure_height(len(lines)))
        return drawn.update_layout(margin_r=min(24 + LETTER * longest, WIDEST))
    down = panel_rows(len(datasets))
    drawn = layout(figure, title=title, subtitle=subtitle, height=AROUND + PANEL_HEIGHT * down)
    legend = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": -BELOW / (PANEL_HEIGHT * down)}
    return drawn.update_layout(showlegend=True, legend=legend, margin={"t": drawn.layout.margin.t + 36, "b": 90})
