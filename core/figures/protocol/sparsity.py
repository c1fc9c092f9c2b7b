"""How long the methods of a run take, and how many features they remove."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import caveat_numbers, signs
from core.experiments.results.summary import MethodLine
from core.figures.look.labels import PERCENT
from core.figures.look.style import layout, seconds
from core.figures.picture import Words
from core.figures.protocol.marks import Lines, RunPicture, Upwards, by_dataset, line_styles, marks_figure, with_legend
from core.names.plain import in_plotly

SHORTEST = 1e-6  # seconds; a log axis has no 0
TICKS = [m * 10.0**e for e in range(-6, 6) for m in (1, 2, 5)]
TIME_READING = (
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

    name, chart = "protocol_time", "reproduce_time"

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(
            {"dataset": line.dataset, "method": self.run.titles.get(line.choice.label, line.choice.label)}
            | {"sparsity ratio": line.sparsity_ratio.mean, "± sparsity ratio": line.sparsity_ratio.deviation}
            | {"seconds": line.seconds.mean, "fastest fold": min(line.seconds.folds)}
            | {"slowest fold": max(line.seconds.folds), "folds": len(line.results), **caveat_numbers(line)}
            for line in found
        )

    def sentence(self, found: Lines) -> str:
        """Say how much longer the slowest method takes than the fastest, over all datasets."""
        titles = self.run.titles
        times: dict[str, list[float]] = {}
        for line in found:
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
        longer = f"{ratio:,.{0 if ratio >= 10 else 1}f} times as long as {titles[fastest]}"
        whole = f"for the whole grid of a fold: {seconds(slow)} against {seconds(fast)}"
        return f"{titles[slowest]} takes {longer} {whole}"

    def words(self, found: Lines) -> Words:
        title, what = self.sentence(found), f"Means over folds · {self.run.about}\n{TIME_READING}"
        return Words(f"{self.run.where}: {title}", with_legend(what, found), title)

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        """Draw `marks_figure`; vertical bars reach from the fastest fold to the slowest."""
        up = Upwards(_time, _bar, _hover, _axis, log=True)
        return marks_figure(found, self.run.titles, up, list(by_dataset(found)), words=words)


def _time(line: MethodLine) -> float:
    return max(line.seconds.mean, SHORTEST)


def _bar(line: MethodLine, _: Lines) -> dict[str, Any]:
    fast, mean_time, slow = min(line.seconds.folds), line.seconds.mean, max(line.seconds.folds)
    return {"type": "data", "symmetric": False, "array": [slow - mean_time], "arrayminus": [mean_time - fast]}


def _hover(line: MethodLine) -> str:
    times = f"{seconds(min(line.seconds.folds))} to {seconds(max(line.seconds.folds))}"
    return f"{seconds(_time(line))}, {times}<br>sparsity ratio {line.sparsity_ratio.words(2)}"


def _axis(lines: Lines) -> dict[str, Any]:
    """The axis that all folds are on; its ends are decimal logarithms."""
    low = math.log10(max(min(min(line.seconds.folds) for line in lines), SHORTEST))
    high = math.log10(max(max(max(line.seconds.folds) for line in lines), SHORTEST))
    room = 0.08 * max(high - low, 0.5)
    ticks = {"tickvals": TICKS, "ticktext": [seconds(tick) for tick in TICKS]}
    return {"type": "log", "range": [low - room, high + room], "title": "time of a fold"} | ticks


HEIGHT = 560
FEWEST_BRANCHES = 3
_GRID = "rgba(128,128,128,0.25)"
READING = "1 − sparsity ratio: the further out, the sparser"


@dataclass(frozen=True, eq=False)
class ProtocolSpider(RunPicture[Lines]):
    """Draw the features that methods remove, on each dataset or fold: Fig. 2 of Laporte et al. (2014).

    The table has a row a method and branch.

    Parameters
    ----------
    run : Run
    """

    name, chart = "protocol_spider", "reproduce_spider"

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(
            {"method": self.run.titles.get(label, label), "branch": branch}
            | {"removed": value, "sparsity ratio": 1.0 - value}
            for label, row in removed_features(found).items()
            for branch, value in row.items()
        )

    def sentence(self, found: Lines) -> str:
        """Say which method removes most and which least, over the branches that all methods have."""
        removed = {label: row for label, row in removed_features(found).items() if row}
        most = max(map(len, removed.values()), default=0)
        shares = {label: mean(row.values()) for label, row in removed.items() if len(row) == most}
        if not shares:
            return "No method is complete on all folds yet"
        sparsest, densest = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
        sentence = f"{self.run.titles[sparsest]} removes {100.0 * shares[sparsest]:.0f} % of the features on average"
        return (
            sentence if len(shares) == 1 else f"{sentence}, {self.run.titles[densest]} {100.0 * shares[densest]:.0f} %"
        )

    def words(self, found: Lines) -> Words:
        title = self.sentence(found)
        branches = "A branch a fold" if len(by_dataset(found)) == 1 else "Means over folds, a branch a dataset"
        return Words(
            f"{self.run.where}: {title}", with_legend(f"{branches} · {self.run.about}\n{READING}", found), title
        )

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        """Draw 1 − sparsity ratio as in Fig. 2 of Laporte et al. (2014): a larger polygon is a sparser method.

        With fewer than three branches there is no polygon; the same numbers are then marks on parallel lines.
        """
        titles = self.run.titles
        removed = {
            label: {in_plotly(branch): value for branch, value in row.items()}
            for label, row in removed_features(found).items()
        }
        marks = {label: signs(*(line for line in found if line.choice.label == label)) for label in removed}
        shown = {label: " ".join(filter(None, [titles.get(label, label), mark])) for label, mark in marks.items()}
        styles = line_styles(list(removed))
        branches = list(dict.fromkeys(branch for row in removed.values() for branch in row))
        figure, polygon = go.Figure(), len(branches) >= FEWEST_BRANCHES
        along, out = ("theta", "r") if polygon else ("y", "x")
        for method, row in removed.items():
            style = styles[method]
            here = [branch for branch in branches if branch in row]
            here += here[:1] if polygon else []  # it closes on itself
            (figure.add_scatterpolar if polygon else figure.add_scatter)(
                **{along: here, out: [row[branch] for branch in here]},
                mode="lines+markers",
                line={"color": style.colour, "dash": style.dash, "width": 2.4},
                marker={"symbol": style.marker, "size": 9, "color": style.colour},
                name=shown[method],
                hovertemplate=f"{shown[method]} removes %{{{out}:.0%}} on %{{{along}}}<extra></extra>",
            )
        figure.update_polars(
            bgcolor="rgba(0,0,0,0)",
            radialaxis={"range": [0, 1], "tickformat": PERCENT, "angle": 90, "tickangle": 90, "gridcolor": _GRID},
            angularaxis={"gridcolor": _GRID, "direction": "clockwise", "rotation": 90}
            | {"categoryorder": "array", "categoryarray": branches},
        )
        figure.update_xaxes(range=[0, 1.02], tickformat=PERCENT, title="features removed")
        # Lines that close on themselves have no end to be named at.
        legend = {"orientation": "h", "y": -0.16, "x": 0.5, "xanchor": "center"}
        margin = {"l": 84, "r": 84, "b": 90}
        drawn = layout(figure, words, height=HEIGHT, showlegend=True, legend=legend, margin=margin)
        return drawn.update_layout(margin_t=drawn.layout.margin.t + 26)


def removed_features(lines: Sequence[MethodLine]) -> dict[str, dict[str, float]]:
    """Compute 1 − sparsity ratio by label, then by branch: datasets (means over folds), or the folds of a single one.

    With several datasets only complete lines are included.
    """
    removed: dict[str, dict[str, float]] = {}
    one_dataset = len(by_dataset(lines)) == 1
    for line in lines:
        if one_dataset:
            removed[line.choice.label] = {
                f"fold {fold}": 1.0 - line.results[fold].sparsity_ratio for fold in sorted(line.results)
            }
        elif line.complete:
            removed.setdefault(line.choice.label, {})[line.dataset] = 1.0 - line.sparsity_ratio.mean
    return removed
