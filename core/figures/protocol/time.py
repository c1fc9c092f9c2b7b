"""Figure of time against sparsity ratio, one mark a method (Fig. 2 of Laporte et al., CORIA 2014)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import caveat_numbers
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.figures.look.style import MUTED, seconds
from core.figures.look.ticks import NUMBER
from core.figures.picture import Words
from core.figures.protocol.marks import (
    add_names,
    by_dataset,
    caveats_hover,
    finish,
    line_styles,
    marked_name,
    one_unit,
    panels,
    with_legend,
)
from core.figures.protocol.of_run import Lines, RunPicture

SHORTEST = 1e-6  # seconds; a log axis has no 0
TICKS = [m * 10.0**e for e in range(-6, 6) for m in (1, 2, 5)]
READING = (
    "solver time over the whole grid of a fold; bars: fastest to slowest fold, and a standard deviation of the "
    "sparsity ratio to both sides; dotted: mean of the methods"
)


@dataclass(frozen=True, eq=False)
class ProtocolTime(RunPicture[Lines]):
    """Draw the time of fits against the sparsity ratio: Fig. 2 of Laporte et al. (CORIA 2014).

    The table has a row a dataset and method.

    Parameters
    ----------
    run : Run
    """

    run: Run

    name, chart = "protocol_time", "reproduce_time"

    def result(self, needed: Mapping[str, Any]) -> Lines:
        return self.run.lines

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(protocol_time_rows(found, self.run.titles))

    def words(self, found: Lines) -> Words:
        title = protocol_time_sentence(found, self.run.titles)
        return Words(
            f"{self.run.where}: {title}", with_legend(f"Means over folds · {self.run.about}\n{READING}", found), title
        )

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        return protocol_time_figure(found, self.run.titles, title=words.title, subtitle=words.subtitle)


def protocol_time_figure(
    lines: Sequence[MethodLine], titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw one panel a dataset; a mark carries the method's label as ``customdata``.

    Vertical bars reach from the fastest fold to the slowest, horizontal ones one standard deviation of the sparsity
    ratio to both sides. Dotted: the mean time over methods, as in the paper.

    Parameters
    ----------
    lines : sequence of MethodLine
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    """
    datasets = by_dataset(lines)
    figure, places = panels(list(datasets))
    styles = line_styles([line.choice.label for line in lines])
    named: set[str] = set()
    for (name, here), (row, column) in zip(datasets.items(), places, strict=True):
        right = 1.06 * max(min(line.sparsity_ratio.mean + line.sparsity_ratio.deviation, 1.0) for line in here) or 1.0
        complete = [_time(line) for line in here if line.complete]
        if complete:
            figure.add_scatter(
                x=[0.0, right], y=[mean(complete)] * 2, mode="lines", name="mean of the methods", hoverinfo="skip",
                line={"color": MUTED, "width": 1.2, "dash": "dot"}, showlegend=False, row=row, col=column,
            )  # fmt: skip
        for line in here:
            style, time = styles[line.choice.label], _time(line)
            figure.add_scatter(
                x=[line.sparsity_ratio.mean],
                y=[time],
                mode="markers",
                marker={"size": 12, "symbol": style.marker, "color": style.colour, "line": {"width": 1.5,
                        "color": style.colour}},
                error_x={"array": [line.sparsity_ratio.deviation], "thickness": 1, "width": 3, "color": style.colour},
                error_y={"type": "data", "symmetric": False, "array": [max(line.seconds.folds) - line.seconds.mean],
                         "arrayminus": [line.seconds.mean - min(line.seconds.folds)], "thickness": 1, "width": 3,
                         "color": style.colour},
                opacity=1.0 if line.complete else 0.45,
                name=titles.get(line.choice.label, line.choice.label),
                legendgroup=line.choice.label,
                showlegend=line.choice.label not in named,
                customdata=[[line.choice.label, name]],
                hovertext=[f"{seconds(time)}, {seconds(min(line.seconds.folds))} to {seconds(max(line.seconds.folds))}"
                           f"<br>sparsity ratio {one_unit(line.sparsity_ratio, 2)}{caveats_hover(line)}"],
                hovertemplate=f"<b>{marked_name(line, titles)}</b><br>%{{hovertext}}<extra></extra>",
                row=row,
                col=column,
            )  # fmt: skip
            named.add(line.choice.label)
        low, high = _heights(here)
        figure.update_xaxes(title="sparsity ratio", range=[0.0, right], tickformat=NUMBER, row=row, col=column)
        figure.update_yaxes(
            type="log", range=[low, high], tickvals=TICKS, ticktext=[seconds(tick) for tick in TICKS],
            title="time of a fold" if column == 1 else None, row=row, col=column,
        )  # fmt: skip
        if len(datasets) == 1:
            add_names(figure, here, titles, lambda line: (line.sparsity_ratio.mean, _time(line)), right, low, high,
                      log=True)  # fmt: skip
    return finish(figure, lines, titles, title=title, subtitle=subtitle)


def protocol_time_sentence(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> str:
    """Say how much longer the slowest method takes than the fastest, over all datasets."""
    times: dict[str, list[float]] = {}
    for line in lines:
        if line.complete:
            times.setdefault(line.choice.label, []).append(_time(line))
    if not times:
        return "No method is complete on all folds yet"
    most = max(map(len, times.values()))
    means = sorted((mean(values), label) for label, values in times.items() if len(values) == most)
    (fast, fastest), (slow, slowest) = means[0], means[-1]
    if len(means) == 1:
        return f"{titles[fastest]} takes {seconds(fast)} for the whole grid of a fold"
    ratio = slow / fast
    times_as_long = f"{ratio:,.{0 if ratio >= 10 else 1}f} times as long as {titles[fastest]}"
    return (
        f"{titles[slowest]} takes {times_as_long} for the whole grid of a fold: {seconds(slow)} against {seconds(fast)}"
    )


def protocol_time_rows(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the numbers drawn."""
    return [
        {
            "dataset": line.dataset,
            "method": titles.get(line.choice.label, line.choice.label),
            "sparsity ratio": line.sparsity_ratio.mean,
            "± sparsity ratio": line.sparsity_ratio.deviation,
            "seconds": line.seconds.mean,
            "fastest fold": min(line.seconds.folds),
            "slowest fold": max(line.seconds.folds),
            "folds": len(line.results),
            **caveat_numbers(line),
        }
        for line in lines
    ]


def _time(line: MethodLine) -> float:
    return max(line.seconds.mean, SHORTEST)


def _heights(lines: Sequence[MethodLine]) -> tuple[float, float]:
    """Return the ends of the axis as decimal logarithms."""
    low = math.log10(max(min(min(line.seconds.folds) for line in lines), SHORTEST))
    high = math.log10(max(max(max(line.seconds.folds) for line in lines), SHORTEST))
    room = max(high - low, 0.5)
    return low - 0.08 * room, high + 0.08 * room
