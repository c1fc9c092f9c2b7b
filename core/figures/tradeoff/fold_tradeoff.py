"""Figure of quality against sparsity over folds: means, with bars for the differences between folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import plotly.graph_objects as go

from core.analysis.tradeoff.fold_tradeoff import FoldSummary, Spread
from core.figures.look.drawing import Drawing
from core.figures.look.style import method_style, seconds
from core.figures.tradeoff.axes import FRONT, end_labels, finish, reference_lines
from core.figures.tradeoff.tradeoff import View
from core.names.numbers import short

Bars = Literal["standard error", "min–max", "none"]
BARS: tuple[Bars, ...] = ("standard error", "min–max", "none")
Marks = Literal["number of features", "λ/λ_max"]
MARKS: tuple[Marks, ...] = ("number of features", "λ/λ_max")


def fold_tradeoff_figure(
    summaries: Mapping[str, Sequence[FoldSummary]],
    view: View,
    titles: Mapping[str, str],
    *,
    marks: Marks,
    bars: Bars,
    front: Sequence[FoldSummary] = (),
    references: Mapping[str, Spread] | None = None,
    opens: Mapping[tuple[str, float], float] | None = None,
    limit: int | None = None,
    less: str = "",
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw means over folds.

    Parameters
    ----------
    summaries : mapping
        Summaries by method, in the order of their marks.
    view : View
    titles : mapping
        A method's name for people.
    marks : {"number of features", "λ/λ_max"}
        The quantity that models of different folds share at a mark.
    bars : {"standard error", "min–max", "none"}
    front : sequence of FoldSummary
        The best summaries over all methods, drawn as a grey band.
    references : mapping, optional
        Horizontal lines by their label.
    opens : mapping, optional
        The C that a click on a method's mark opens.
    limit : int, optional
        Largest number of features, drawn as a vertical line.
    less : str
        What has been subtracted from the values, in words.
    """
    figure = Drawing()
    every = [*front, *(summary for row in summaries.values() for summary in row)]
    ends_across = view.across.ends([_across(summary, view, marks) for summary in every])
    if front:
        figure.add_scatter(
            x=[_across(summary, view, marks) for summary in front],
            y=[summary.value.mean for summary in front],
            mode="lines",
            line={"color": FRONT, "width": 10},
            name="Pareto front",
            hoverinfo="skip",
        )
    ends = {}
    for method, row in summaries.items():
        if row:
            _add_curve(figure, row, view, titles[method], marks, bars, opens or {})
            ends[titles[method]] = (row[-1].value.mean, method_style(method).colour)
    lines = {label: spread.mean for label, spread in (references or {}).items()}
    reaches = [reach for summary in every for reach in _reach(summary.value, bars)]
    reference_lines(figure, lines, *ends_across)
    end_labels(figure, ends, reaches, list(lines.values()))
    view.across.draw(figure, ends_across, limit)
    if marks == "number of features" and view.across.horizontal == "features kept":
        figure.update_xaxes(title=f"features kept at most (of {view.across.n_features})")
    up = f"mean {view.up}" if not less else f"{view.measure} − {less}, mean ({view.part})"
    return finish(figure, up, title=title, subtitle=subtitle).figure()


def _add_curve(
    figure: Drawing,
    row: Sequence[FoldSummary],
    view: View,
    name: str,
    marks: Marks,
    bars: Bars,
    opens: Mapping[tuple[str, float], float],
) -> None:
    style = method_style(row[0].method)
    exact = marks == "number of features" and view.across.horizontal == "features kept"
    figure.add_scatter(
        x=[_across(summary, view, marks) for summary in row],
        y=[summary.value.mean for summary in row],
        mode="lines+markers",
        line={"color": style.colour, "width": 2.4, "dash": style.dash},
        marker={"size": 9, "symbol": style.marker, "color": style.colour},
        error_y=_bars([summary.value for summary in row], bars),
        error_x=None if exact else _bars([_sideways(summary, view) for summary in row], bars),
        name=name,
        customdata=[[summary.method, opens.get((summary.method, summary.at))] for summary in row],
        hovertext=[_hover(summary, view, marks) for summary in row],
        hovertemplate=f"<b>{name}</b><br>%{{hovertext}}<extra></extra>",
    )


def _across(summary: FoldSummary, view: View, marks: Marks) -> float:
    if view.across.horizontal == "features kept" and marks == "number of features":
        return summary.at
    return _sideways(summary, view).mean


def _sideways(summary: FoldSummary, view: View) -> Spread:
    return summary.kept if view.across.horizontal == "features kept" else summary.sparsity


def _reach(spread: Spread, bars: Bars) -> tuple[float, float]:
    if bars == "min–max":
        return spread.low, spread.high
    error = spread.reach if bars == "standard error" else 0.0
    return spread.mean - error, spread.mean + error


def _bars(spreads: Sequence[Spread], bars: Bars) -> dict[str, Any]:
    reaches = [_reach(spread, bars) for spread in spreads]
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - spread.mean for spread, (_, high) in zip(spreads, reaches, strict=True)],
        "arrayminus": [spread.mean - low for spread, (low, _) in zip(spreads, reaches, strict=True)],
        "visible": bars != "none",
        "thickness": 1.2,
        "width": 4,
    }


def _hover(summary: FoldSummary, view: View, marks: Marks) -> str:
    value, kept = summary.value, summary.kept
    mark = f"at most {summary.at:.0f} features" if marks == "number of features" else f"λ/λ_max = {short(summary.at)}"
    return (
        f"{mark}<br>{view.measure} {value.words}, {value.low:.4f} to {value.high:.4f}<br>"
        f"{kept.mean:.1f} features kept, {kept.low:.0f} to {kept.high:.0f}<br>{seconds(summary.seconds.mean)} a fit"
    )
