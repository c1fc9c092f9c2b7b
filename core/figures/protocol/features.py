"""The features that the methods of a run keep: how many folds keep each, and how far two methods agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.experiments.results.agreement import (
    Agreement,
    agreement,
    feature_names,
    keeps_all,
    kept_in_folds,
    strongest_over_folds,
)
from core.experiments.results.single_scores import n_strong, training_scores
from core.experiments.results.summary import MethodLine
from core.figures.look.labels import name_labels, row_labels, row_layout, told
from core.figures.look.style import layout
from core.figures.picture import Words, refuse
from core.figures.protocol.marks import DatasetPicture, Lines, line_styles
from core.names.plain import in_plotly

SMALLEST, LARGEST = 4.0, 15.0  # of a mark, in pixels
LONGEST_HEAD, TILT = 20, -50
HEAD_ROOM = 112  # pixels for the tilted names
MOST_NAMED = 3
MOST_ROWS = 40


@dataclass(frozen=True, eq=False)
class RunFeatures:
    """The features that the methods of a run keep on a dataset."""

    lines: Sequence[MethodLine]
    names: Mapping[int, str]
    """Of the features that any line keeps, by number from 1."""
    strong: Collection[int]
    """Features (from 1) that rank best alone; empty where that would take long to tell."""


@dataclass(frozen=True, eq=False)
class ProtocolFeatures(DatasetPicture[RunFeatures]):
    """Draw in how many folds of a dataset each method keeps a feature; strong ones are bold.

    The table has a row a feature that is kept.

    Parameters
    ----------
    run : Run
    dataset : str, optional
        By default the first.
    """

    name, chart = "protocol_features", "reproduce_features"

    def needs(self) -> dict[str, Ingredient[Any]]:
        return {"single": training_scores(self.run.plan)}

    def result(self, needed: Mapping[str, Any]) -> RunFeatures:
        single, lines = needed["single"], self.lines
        known = self.shown in single
        strong = strongest_over_folds(single[self.shown], n_strong(single, self.shown)) if known else ()
        return RunFeatures(lines, feature_names(lines), strong)

    def rows(self, found: RunFeatures) -> pd.DataFrame:
        return pd.DataFrame(protocol_features_rows(found.lines, found.names, self.run.titles))

    def sentence(self, found: RunFeatures) -> str:
        """Say which features most models keep."""
        shown, names = telling(found.lines), found.names
        counts = kept_in_folds(shown)
        rows = _by_models(counts)
        models = sum(len(line.results) for line in shown)
        if not rows:
            return "No model keeps a feature"
        totals = _totals(counts)
        half = [j for j in rows if 2 * totals[j] >= models]
        if not half:
            first = rows[0]
            return f"No feature is kept by half the models; {_name(first, names)} by most: {totals[first]} of {models}"
        named = ", ".join(_name(j, names) for j in half[:MOST_NAMED])
        others = f" and {len(half) - MOST_NAMED} more" if len(half) > MOST_NAMED else ""
        are = "is" if len(half) == 1 else "are"
        return f"{named}{others} {are} kept by at least half of {models} models"

    def words(self, found: RunFeatures) -> Words:
        title = self.sentence(found)
        bold = f"; bold: the {len(found.strong)} that rank best alone" if found.strong else ""
        return Words(title, f"{self.shown} · the larger a dot, the more folds keep the feature{bold}", title)

    def drawing(self, found: RunFeatures, words: Words) -> go.Figure:
        """Draw features in rows, those that most models keep on top, and methods in columns.

        Methods that keep every feature carry no information here, and are left out unless all do.
        """
        names, titles = found.names, self.run.titles
        shown = telling(found.lines)
        counts = kept_in_folds(shown)
        rows = _by_models(counts)[:MOST_ROWS]
        styles = line_styles([line.choice.label for line in found.lines])
        figure = go.Figure()
        for place, line in enumerate(shown):
            label, folds = line.choice.label, len(line.results)
            here = [(y, j, counts[label][j]) for y, j in enumerate(rows) if j in counts[label]]
            style = styles[label]
            kept = [
                f"{in_plotly(_name(j, names))} (feature {j})<br>kept in {count} of {folds} folds"
                for _, j, count in here
            ]
            figure.add_scatter(
                x=[place] * len(here),
                y=[y for y, _, _ in here],
                mode="markers",
                marker={
                    "size": [SMALLEST + (LARGEST - SMALLEST) * count / folds for _, _, count in here],
                    "color": style.colour,
                    "symbol": "circle-open" if style.marker.endswith("-open") else "circle",
                    "opacity": 1.0,
                    "line": {"width": 1.5 if style.marker.endswith("-open") else 0},
                },
                name=titles.get(label, label),
                customdata=[[label, j, count] for _, j, count in here],
                **told(in_plotly(titles.get(label, label)), kept),
                cliponaxis=False,
            )
        known = [*names.values(), *(_name(j, names) for j in rows if j not in names)]
        labels = row_labels(known, [known.index(_name(j, names)) for j in rows])
        labels = [f"<b>{label}</b>" if j in found.strong else label for j, label in zip(rows, labels, strict=True)]
        heads = [titles.get(line.choice.label, line.choice.label) for line in shown]
        drawn = row_layout(figure, labels, words)
        height, top = drawn.layout.height, drawn.layout.margin.t
        drawn.update_layout(height=height + HEAD_ROOM, margin={"t": top + HEAD_ROOM, "r": 70})
        return drawn.update_xaxes(
            range=[-0.6, max(len(shown), 1) - 0.4],
            tickvals=list(range(len(shown))),
            ticktext=name_labels(heads, range(len(shown)), LONGEST_HEAD),
            tickangle=TILT,
            tickfont={"size": 12},
            side="top",
        )


def telling(lines: Sequence[MethodLine]) -> list[MethodLine]:
    """Return the lines that leave a feature out; all lines if none does."""
    return [line for line in lines if not keeps_all(line)] or list(lines)


def protocol_features_rows(
    lines: Sequence[MethodLine], names: Mapping[int, str], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """List every kept feature, most kept first, with the number of folds by method (a column each)."""
    counts = kept_in_folds(lines)
    return [
        {"feature": j, "name": _name(j, names)}
        | {titles.get(label, label): folds.get(j, 0) for label, folds in counts.items()}
        for j in _by_models(counts)
    ]


def _by_models(counts: Mapping[str, Mapping[int, int]]) -> list[int]:
    """Sort features by how many models keep them, then how many methods, then their number."""
    totals = _totals(counts)
    methods = {j: sum(j in folds for folds in counts.values()) for j in totals}
    return sorted(totals, key=lambda j: (-totals[j], -methods[j], j))


def _totals(counts: Mapping[str, Mapping[int, int]]) -> Counter[int]:
    return sum(map(Counter, counts.values()), Counter())


def _name(j: int, names: Mapping[int, str]) -> str:
    return names.get(j, f"feature {j}")


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
        refuse(not has_pair(self.lines), f"no two methods of the run have finished the same fold of {self.shown}")

    def rows(self, found: Lines) -> pd.DataFrame:
        """A pair once, including methods that keep every feature."""
        titles = self.run.titles
        agreed = agreement(found)
        return pd.DataFrame(
            {name: titles.get(agreed.labels[k], agreed.labels[k]) for name, k in (("method", i), ("and", j))}
            | {"agreement": float(agreed.jaccard[i, j]), "by chance": float(agreed.chance[i, j])}
            for i, j in _pairs(agreed)
        )

    def sentence(self, found: Lines) -> str:
        """Say how far the methods that leave features out agree, compared with chance, and which two agree most."""
        agreed = agreement([line for line in found if not keeps_all(line)])
        pairs = _pairs(agreed)
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
    """Those that have a fold in common."""
    n = len(found.labels)
    return [(i, j) for i in range(n) for j in range(i + 1, n) if not np.isnan(found.jaccard[i, j])]


def _hover(found: Agreement, i: int, j: int, titles: Mapping[str, str]) -> str:
    both = " and ".join(titles.get(found.labels[k], found.labels[k]) for k in (i, j))
    return f"<b>{both}</b><br>agreement {found.jaccard[i, j]:.2f}, by chance {found.chance[i, j]:.2f}"
