"""Spider plot of a run: removed features by dataset, or by fold if there is one dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import signs
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.figures.look.style import MethodStyle, layout, method_style
from core.figures.look.ticks import PERCENT
from core.figures.picture import Words
from core.figures.protocol.marks import by_dataset, line_styles, with_legend
from core.figures.protocol.of_run import Lines, RunPicture

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

    run: Run

    name, chart = "protocol_spider", "reproduce_spider"

    def result(self, needed: Mapping[str, Any]) -> Lines:
        return self.run.lines

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(protocol_spider_rows(found, self.run.titles))

    def words(self, found: Lines) -> Words:
        title = protocol_spider_sentence(found, self.run.titles)
        branches = "A branch a fold" if len(by_dataset(found)) == 1 else "Means over folds, a branch a dataset"
        return Words(
            f"{self.run.where}: {title}", with_legend(f"{branches} · {self.run.about}\n{READING}", found), title
        )

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        return protocol_spider_figure(found, self.run.titles, title=words.title, subtitle=words.subtitle)


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


def protocol_spider_figure(
    lines: Sequence[MethodLine], titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw Fig. 2 of Laporte et al. (2014) for this run.

    Parameters
    ----------
    lines : sequence of MethodLine
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    """
    removed = removed_features(lines)
    marks = {label: signs(*(line for line in lines if line.choice.label == label)) for label in removed}
    names = {label: " ".join(filter(None, [titles.get(label, label), mark])) for label, mark in marks.items()}
    figure = spider_figure(removed, names, styles=line_styles(list(removed)), title=title, subtitle=subtitle)
    return figure.update_layout(height=HEIGHT)


def spider_figure(
    removed: Mapping[str, Mapping[str, float]],
    titles: Mapping[str, str],
    *,
    styles: Mapping[str, MethodStyle] | None = None,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw 1 − sparsity ratio as in Fig. 2 of Laporte et al. (2014): a larger polygon is a sparser method.

    With fewer than three branches there is no polygon; the same numbers are then marks on parallel lines.

    Parameters
    ----------
    removed : mapping
        Values by method, then by branch, in [0, 1]; a line omits branches that its method lacks.
    titles : mapping
        A method's name for people.
    styles : mapping, optional
        Styles of methods that differ from their usual style.
    """
    branches = list(dict.fromkeys(branch for row in removed.values() for branch in row))
    figure = go.Figure()
    for method, row in removed.items():
        style = (styles or {}).get(method) or method_style(method)
        here = [branch for branch in branches if branch in row]
        values = [row[branch] for branch in here]
        look = {
            "mode": "lines+markers",
            "line": {"color": style.colour, "dash": style.dash, "width": 2.4},
            "marker": {"symbol": style.marker, "size": 9, "color": style.colour},
            "name": titles[method],
        }
        if len(branches) >= FEWEST_BRANCHES:
            closed = [*here, *here[:1]]
            figure.add_scatterpolar(
                theta=closed,
                r=[*values, *values[:1]],
                hovertemplate=f"{titles[method]} removes %{{r:.0%}} on %{{theta}}<extra></extra>",
                **look,
            )
        else:
            figure.add_scatter(
                x=values, y=here, hovertemplate=f"{titles[method]} removes %{{x:.0%}} on %{{y}}<extra></extra>", **look
            )
    figure.update_polars(
        bgcolor="rgba(0,0,0,0)",
        radialaxis={"range": [0, 1], "tickformat": PERCENT, "angle": 90, "tickangle": 90, "gridcolor": _GRID},
        angularaxis={
            "gridcolor": _GRID,
            "direction": "clockwise",
            "rotation": 90,
            "categoryorder": "array",
            "categoryarray": branches,
        },
    )
    figure.update_xaxes(range=[0, 1.02], tickformat=PERCENT, title="features removed")
    drawn = layout(figure, title=title, subtitle=subtitle, height=470)
    # Lines that close on themselves have no end to be named at.
    drawn.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": -0.16, "x": 0.5, "xanchor": "center"},
        margin={"l": 84, "r": 84, "b": 90, "t": drawn.layout.margin.t + 26},
    )
    return drawn


def protocol_spider_sentence(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> str:
    """Say which method removes most and which least, over the branches that all methods have."""
    removed = {label: row for label, row in removed_features(lines).items() if row}
    most = max(map(len, removed.values()), default=0)
    shares = {label: mean(row.values()) for label, row in removed.items() if len(row) == most}
    if not shares:
        return "No method is complete on all folds yet"
    sparsest, densest = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    sentence = f"{titles[sparsest]} removes {100.0 * shares[sparsest]:.0f} % of the features on average"
    return sentence if len(shares) == 1 else f"{sentence}, {titles[densest]} {100.0 * shares[densest]:.0f} %"


def protocol_spider_rows(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the numbers drawn."""
    return [
        {"method": titles.get(label, label), "branch": branch, "removed": value, "sparsity ratio": 1.0 - value}
        for label, row in removed_features(lines).items()
        for branch, value in row.items()
    ]
