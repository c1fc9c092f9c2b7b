"""Heat map of how far the methods of a run keep the same features, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.agreement import Agreement, agreement, keeps_all
from core.experiments.results.summary import MethodLine
from core.figures.look.names import name_labels
from core.figures.look.style import layout
from core.figures.picture import Words
from core.figures.protocol.features import LONGEST_HEAD, telling
from core.figures.protocol.of_run import DatasetPicture, Lines

# Strength is opacity, so that nothing is seen where there is nothing, and never so strong that numbers cannot be read.
SCALE = [[0.0, "rgba(31,119,200,0.03)"], [1.0, "rgba(31,119,200,0.75)"]]
READING = (
    "below the diagonal: |A ∩ B| / |A ∪ B| of what two methods keep on a fold, mean over folds; above it: what as many "
    "features drawn at random would give"
)
MOST_NUMBERED = 14
ROW, AROUND = 40, 230  # pixels


@dataclass(frozen=True, eq=False)
class ProtocolAgreement(DatasetPicture[Lines]):
    """Draw how far methods keep the same features of a dataset, compared with chance.

    The table has a row a pair of methods that have a fold in common; without a pair there is no picture.

    Parameters
    ----------
    run : Run
    dataset : str, optional
        By default the first.
    """

    name, chart = "protocol_agreement", "reproduce_agreement"

    def check(self) -> None:
        super().check()
        if not has_pair(self.lines):
            msg = f"no two methods of the run have finished the same fold of {self.shown}"
            raise ValueError(msg)

    def result(self, needed: Mapping[str, Any]) -> Lines:
        return self.lines

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(protocol_agreement_rows(found, self.run.titles))

    def words(self, found: Lines) -> Words:
        title = protocol_agreement_sentence(found, self.run.titles)
        return Words(title, f"{self.shown} · {READING}", title)

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        return protocol_agreement_figure(found, self.run.titles, title=words.title, subtitle=words.subtitle)


def has_pair(lines: Sequence[MethodLine]) -> bool:
    """Tell whether two methods have a fold in common, so that their features can be compared."""
    folds = [set(line.results) for line in lines]
    return any(one & other for k, one in enumerate(folds) for other in folds[:k])


def protocol_agreement_figure(
    lines: Sequence[MethodLine], titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw methods by methods: below the diagonal their Jaccard agreement, above it the expectation by chance.

    Methods that keep every feature agree with others as chance would, and are left out unless all do.

    Parameters
    ----------
    lines : sequence of MethodLine
        Lines of one dataset.
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    """
    shown = telling(lines)
    found = agreement(shown)
    n = len(found.labels)
    names = name_labels([titles.get(label, label) for label in found.labels], range(n), LONGEST_HEAD)
    values = np.where(np.tri(n, k=-1, dtype=bool), found.jaccard, found.chance)
    np.fill_diagonal(values, np.nan)
    figure = go.Figure(
        go.Heatmap(
            z=values,
            colorscale=SCALE,
            zmin=0.0,
            zmax=1.0,
            showscale=False,
            xgap=2,
            ygap=2,
            hoverongaps=False,
            hovertext=[[_hover(found, i, j, titles) for j in range(n)] for i in range(n)],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    if n <= MOST_NUMBERED:
        figure.update_layout(
            annotations=[
                {"x": int(j), "y": int(i), "text": f"{values[i, j]:.2f}", "showarrow": False, "font": {"size": 12}}
                for i, j in zip(*np.nonzero(~np.isnan(values)), strict=True)
            ]
        )
    ticks = {"tickvals": list(range(n)), "ticktext": names, "tickfont": {"size": 12}}
    figure.update_yaxes(autorange="reversed", automargin=True, **ticks)
    figure.update_xaxes(tickangle=-50, automargin=True, **ticks)
    drawn = layout(figure, title=title, subtitle=subtitle, height=AROUND + ROW * max(n, 3))
    return drawn.update_xaxes(showgrid=False).update_yaxes(showgrid=False)


def protocol_agreement_sentence(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> str:
    """Say how far the methods that leave features out agree, compared with chance, and which two agree most."""
    found = agreement([line for line in lines if not keeps_all(line)])
    pairs = [(i, j) for i, j in _pairs(found) if not np.isnan(found.jaccard[i, j])]
    if not pairs:
        return "No two methods leave features out"
    shared = 100.0 * float(np.mean([found.jaccard[pair] for pair in pairs]))
    chance = 100.0 * float(np.mean([found.chance[pair] for pair in pairs]))
    sentence = (
        f"Two methods share {shared:.0f} % of the features that either keeps, where chance would give {chance:.0f} %"
    )
    if len(pairs) == 1:
        return sentence
    i, j = max(pairs, key=lambda pair: float(found.jaccard[pair]))
    closest = " and ".join(titles.get(found.labels[k], found.labels[k]) for k in (i, j))
    return f"{sentence}; {closest} most: {100.0 * found.jaccard[i, j]:.0f} %"


def protocol_agreement_rows(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """List every pair once, including methods that keep every feature."""
    found = agreement(lines)
    return [
        {
            "method": titles.get(found.labels[i], found.labels[i]),
            "and": titles.get(found.labels[j], found.labels[j]),
            "agreement": float(found.jaccard[i, j]),
            "by chance": float(found.chance[i, j]),
        }
        for i, j in _pairs(found)
        if not np.isnan(found.jaccard[i, j])
    ]


def _pairs(found: Agreement) -> list[tuple[int, int]]:
    n = len(found.labels)
    return [(i, j) for i in range(n) for j in range(i + 1, n)]


def _hover(found: Agreement, i: int, j: int, titles: Mapping[str, str]) -> str:
    both = " and ".join(titles.get(found.labels[k], found.labels[k]) for k in (i, j))
    return f"<b>{both}</b><br>agreement {found.jaccard[i, j]:.2f}, by chance {found.chance[i, j]:.2f}"
