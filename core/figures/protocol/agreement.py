"""Heat map of how far the methods of a run keep the same features, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.agreement import Agreement, agreement, keeps_all
from core.experiments.results.summary import MethodLine
from core.figures.look.labels import name_labels
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

    def rows(self, found: Lines) -> pd.DataFrame:
        """A pair once, including methods that keep every feature."""
        titles = self.run.titles
        agreed = agreement(found)
        return pd.DataFrame(
            [
                {
                    "method": titles.get(agreed.labels[i], agreed.labels[i]),
                    "and": titles.get(agreed.labels[j], agreed.labels[j]),
                    "agreement": float(agreed.jaccard[i, j]),
                    "by chance": float(agreed.chance[i, j]),
                }
                for i, j in _pairs(agreed)
                if not np.isnan(agreed.jaccard[i, j])
            ]
        )

    def sentence(self, found: Lines) -> str:
        """Say how far the methods that leave features out agree, compared with chance, and which two agree most."""
        agreed = agreement([line for line in found if not keeps_all(line)])
        pairs = [(i, j) for i, j in _pairs(agreed) if not np.isnan(agreed.jaccard[i, j])]
        if not pairs:
            return "No two methods leave features out"
        shared = 100.0 * float(np.mean([agreed.jaccard[pair] for pair in pairs]))
        chance = 100.0 * float(np.mean([agreed.chance[pair] for pair in pairs]))
        either = f"{shared:.0f} % of the features that either keeps"
        sentence = f"Two methods share {either}, where chance would give {chance:.0f} %"
        if len(pairs) == 1:
            return sentence
        i, j = max(pairs, key=lambda pair: float(agreed.jaccard[pair]))
        closest = " and ".join(self.run.titles.get(agreed.labels[k], agreed.labels[k]) for k in (i, j))
        return f"{sentence}; {closest} most: {100.0 * agreed.jaccard[i, j]:.0f} %"

    def words(self, found: Lines) -> Words:
        title = self.sentence(found)
        return Words(title, f"{self.shown} · {READING}", title)

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        """Draw methods by methods: below the diagonal their Jaccard agreement, above it the expectation by chance.

        Methods that keep every feature agree with others as chance would, and are left out unless all do.
        """
        titles = self.run.titles
        agreed = agreement(telling(found))
        n = len(agreed.labels)
        names = name_labels([titles.get(label, label) for label in agreed.labels], range(n), LONGEST_HEAD)
        values = np.where(np.tri(n, k=-1, dtype=bool), agreed.jaccard, agreed.chance)
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
                hovertext=[[_hover(agreed, i, j, titles) for j in range(n)] for i in range(n)],
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
        drawn = layout(figure, words, height=AROUND + ROW * max(n, 3))
        return drawn.update_xaxes(showgrid=False).update_yaxes(showgrid=False)


def has_pair(lines: Sequence[MethodLine]) -> bool:
    """Tell whether two methods have a fold in common, so that their features can be compared."""
    folds = [set(line.results) for line in lines]
    return any(one & other for k, one in enumerate(folds) for other in folds[:k])


def _pairs(found: Agreement) -> list[tuple[int, int]]:
    n = len(found.labels)
    return [(i, j) for i in range(n) for j in range(i + 1, n)]


def _hover(found: Agreement, i: int, j: int, titles: Mapping[str, str]) -> str:
    both = " and ".join(titles.get(found.labels[k], found.labels[k]) for k in (i, j))
    return f"<b>{both}</b><br>agreement {found.jaccard[i, j]:.2f}, by chance {found.chance[i, j]:.2f}"
