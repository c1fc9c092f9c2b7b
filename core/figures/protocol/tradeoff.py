"""Figure of MAP or NDCG@10 against sparsity ratio, one mark a method (Fig. 3 of Laporte et al. 2014)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any, Literal

import plotly.graph_objects as go

from core.experiments.results.caveats import caveat_numbers
from core.experiments.results.summary import MethodLine, OverFolds
from core.figures.look.style import MUTED, counting
from core.figures.look.ticks import NUMBER
from core.figures.protocol.marks import (
    add_names,
    by_dataset,
    caveats_hover,
    finish,
    line_styles,
    marked_name,
    one_unit,
    panels,
)
from core.figures.tradeoff.axes import FRONT

NEARLY = 0.99  # of the best
Bars = Literal["less the fold's level", "standard deviation", "none"]
BARS: tuple[Bars, ...] = ("less the fold's level", "standard deviation", "none")
BARS_WORDS: Mapping[Bars, str] = {
    "less the fold's level": "bars: standard deviation over folds; upright, without what a fold adds to all alike",
    "standard deviation": "bars: standard deviation over folds",
    "none": "bars: standard deviation of the sparsity ratio over folds",
}
READING = "grey: Pareto front; dotted: mean of the methods"


def protocol_tradeoff_figure(
    lines: Sequence[MethodLine],
    measure: str,
    titles: Mapping[str, str],
    *,
    bars: Bars = "less the fold's level",
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw one panel a dataset; a mark carries the method's label as ``customdata``.

    The grey staircase is the Pareto front: methods that no other beats in both. Dotted: the mean over methods, as in
    the paper. Marks of methods with missing folds are faint and count in neither.

    Parameters
    ----------
    lines : sequence of MethodLine
    measure : {"MAP", "NDCG@10"}
        Measure on the test parts.
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    bars : {"less the fold's level", "standard deviation", "none"}
        The vertical bars; the horizontal ones are always the standard deviation. Folds differ in difficulty by more
        than methods differ in quality: "less the fold's level" subtracts each fold's mean.
    """
    datasets = by_dataset(lines)
    several = len(datasets) > 1
    figure, places = panels([f"{name} ({counting(here[0].convention)})" for name, here in datasets.items()])
    styles = line_styles([line.choice.label for line in lines])
    named: set[str] = set()
    for (name, here), (row, column) in zip(datasets.items(), places, strict=True):
        reaches = {line.choice.label: _reach(line, here, measure, bars) for line in here}
        right = 1.06 * max(_reaching(line.sparsity_ratio) for line in here) or 1.0
        _add_front(figure, here, measure, right, row, column)
        for line in here:
            style, value = styles[line.choice.label], line.measure(measure)
            figure.add_scatter(
                x=[line.sparsity_ratio.mean],
                y=[value.mean],
                mode="markers",
                marker={"size": 12, "symbol": style.marker, "color": style.colour, "line": {"width": 1.5,
                        "color": style.colour}},
                error_x={"array": [line.sparsity_ratio.deviation], "thickness": 1, "width": 3, "color": style.colour},
                error_y={"array": [reaches[line.choice.label]], "thickness": 1, "width": 3, "color": style.colour},
                opacity=1.0 if line.complete else 0.45,
                name=titles.get(line.choice.label, line.choice.label),
                legendgroup=line.choice.label,
                showlegend=line.choice.label not in named,
                customdata=[[line.choice.label, name]],
                hovertext=[_hover(line, measure)],
                hovertemplate=f"<b>{marked_name(line, titles)}</b><br>%{{hovertext}}<extra></extra>",
                row=row,
                col=column,
            )  # fmt: skip
            named.add(line.choice.label)
        low, high = _heights(here, measure, reaches)
        figure.update_xaxes(title="sparsity ratio", range=[0.0, right], tickformat=NUMBER, row=row, col=column)
        figure.update_yaxes(
            title=f"{measure} (test{'' if several else f', {counting(here[0].convention)}'})" if column == 1 else None,
            range=[low, high],
            row=row,
            col=column,
        )
        if not several:
            add_names(figure, here, titles, lambda line: (line.sparsity_ratio.mean, line.measure(measure).mean),
                      right, low, high)  # fmt: skip
    return finish(figure, lines, titles, title=title, subtitle=subtitle)


def protocol_front(lines: Sequence[MethodLine], measure: str) -> list[MethodLine]:
    """Return the complete lines of one dataset that no other beats in both sparsity and quality, sparsest first."""
    complete = [line for line in lines if line.complete]
    front: list[MethodLine] = []
    for line in sorted(complete, key=lambda line: (line.sparsity_ratio.mean, -line.measure(measure).mean)):
        if not front or line.measure(measure).mean > front[-1].measure(measure).mean:
            front.append(line)
    return front


def protocol_tradeoff_sentence(lines: Sequence[MethodLine], measure: str, titles: Mapping[str, str]) -> str:
    """Say which method has the highest mean on test, and which is the sparsest that reaches 99 % of it.

    Methods without all of their folds are left out, which is said: their means could still be higher.
    """
    datasets = {name: [line for line in here if line.complete] for name, here in by_dataset(lines).items()}
    datasets = {name: here for name, here in datasets.items() if here}
    if not datasets:
        return "No method is complete on all folds yet"
    sparse = {name: sparsest_nearly_best(here, measure) for name, here in datasets.items()}
    best = {name: max(here, key=lambda line: line.measure(measure).mean) for name, here in datasets.items()}
    if len(datasets) > 1:
        shares = [sparse[name].sparsity_ratio.mean / max(best[name].sparsity_ratio.mean, 1e-12) for name in datasets]
        share = f"{100.0 * mean(shares):.0f} %"
        return (
            f"On {len(datasets)} datasets 99 % of the best {measure} can be had with {share} of the best method's "
            "features on average"
        )
    (name,) = datasets
    top, other = best[name], sparse[name]
    complete = all(line.complete for line in lines)
    reaches = f"{titles[top.choice.label]} has the highest mean test {measure}{'' if complete else ' so far'}, "
    reaches += f"{top.measure(measure).mean:.4f} with {top.n_features.mean:.1f} features"
    if other is top:
        return f"{reaches}; no sparser method reaches {100 * NEARLY:g} % of it"
    percent = math.floor(1000.0 * other.measure(measure).mean / max(top.measure(measure).mean, 1e-12)) / 10.0
    return f"{reaches}; {titles[other.choice.label]} reaches {percent:.1f} % of it with {other.n_features.mean:.1f}"


def sparsest_nearly_best(lines: Sequence[MethodLine], measure: str) -> MethodLine:
    """Return the sparsest of the complete lines of one dataset that reaches 99 % of the best."""
    enough = NEARLY * max(line.measure(measure).mean for line in lines)
    near = [line for line in lines if line.measure(measure).mean >= enough]
    return min(near, key=lambda line: (line.sparsity_ratio.mean, -line.measure(measure).mean))


def protocol_tradeoff_rows(
    lines: Sequence[MethodLine], measure: str, titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the numbers drawn: means, deviations over folds with and without the fold's level, and the front."""
    datasets = by_dataset(lines)
    front = {(name, line.choice) for name, here in datasets.items() for line in protocol_front(here, measure)}
    return [
        {
            "dataset": line.dataset,
            "method": titles.get(line.choice.label, line.choice.label),
            "sparsity ratio": line.sparsity_ratio.mean,
            "± sparsity ratio": line.sparsity_ratio.deviation,
            measure: line.measure(measure).mean,
            f"± {measure}": line.measure(measure).deviation,
            "± less the fold's level": _reach(line, datasets[line.dataset], measure, "less the fold's level"),
            "features": line.n_features.mean,
            "Pareto front": "yes" if (line.dataset, line.choice) in front else "no",
            "folds": len(line.results),
            **caveat_numbers(line),
        }
        for line in lines
    ]


def _reach(line: MethodLine, lines: Sequence[MethodLine], measure: str, bars: Bars) -> float:
    """Return the length of a vertical bar; without a second complete method there is no fold's level to subtract."""
    values = line.measure(measure)
    complete = [other for other in lines if other.complete]
    if bars == "none":
        return 0.0
    if bars == "standard deviation" or len(complete) < 2 or not line.complete:
        return values.deviation
    levels = [mean(other.results[fold].test(measure) for other in complete) for fold in line.results]
    return OverFolds(tuple(value - level for value, level in zip(values.folds, levels, strict=True))).deviation


def _reaching(values: OverFolds) -> float:
    return min(values.mean + values.deviation, 1.0)


def _heights(lines: Sequence[MethodLine], measure: str, reaches: Mapping[str, float]) -> tuple[float, float]:
    values = [(line.measure(measure).mean, reaches[line.choice.label]) for line in lines]
    low, high = min(value - reach for value, reach in values), max(value + reach for value, reach in values)
    room = max(high - low, 1e-3)
    return low - 0.06 * room, high + 0.06 * room


def _add_front(
    figure: go.Figure, lines: Sequence[MethodLine], measure: str, right: float, row: int, column: int
) -> None:
    front = protocol_front(lines, measure)
    if not front:
        return
    heights = [line.measure(measure).mean for line in front]
    figure.add_scatter(
        x=[*(line.sparsity_ratio.mean for line in front), right], y=[*heights, heights[-1]], mode="lines",
        line={"color": FRONT, "width": 10, "shape": "hv"}, name="Pareto front", hoverinfo="skip", showlegend=False,
        row=row, col=column,
    )  # fmt: skip
    level = mean(line.measure(measure).mean for line in lines if line.complete)
    figure.add_scatter(
        x=[0.0, right], y=[level, level], mode="lines", line={"color": MUTED, "width": 1.2, "dash": "dot"},
        name="mean of the methods", hoverinfo="skip", showlegend=False, row=row, col=column,
    )  # fmt: skip


def _hover(line: MethodLine, measure: str) -> str:
    return (
        f"{measure} {one_unit(line.measure(measure), 4)}<br>sparsity ratio {one_unit(line.sparsity_ratio, 2)}<br>"
        f"{one_unit(line.n_features, 1)} features<br>± is the standard deviation over {len(line.results)} folds"
        f"{caveats_hover(line)}"
    )
