"""The picture of what rules for features do to a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.what_if import FeatureChange, feature_changes
from core.data.naming import columns
from core.figures.look.labels import of_features, row_labels, row_layout
from core.figures.look.style import MUTED, ZERO, method_style, silent
from core.figures.picture import Picture, Words, aside, option, refuse, said
from core.methods import get_method
from core.methods.registry import model_title
from core.models import Model, one_fold
from core.names.numbers import short

SIGNS = {"in": "+ ", "out": "− ", "kept": ""}


def _labels(changes: Sequence[FeatureChange], shown: int) -> list[str]:
    names = row_labels([row.name for row in changes], range(shown))
    labels = [f"{SIGNS[row.change]}{name}" for row, name in zip(changes, names, strict=False)]
    return [label if row.change == "kept" else f"<b>{label}</b>" for row, label in zip(changes, labels, strict=False)]


_HEAD = ("feature", "name", "before", "after", "change", "cost")


@dataclass(frozen=True, eq=False)
class WhatIfPicture(Picture[Sequence[FeatureChange]]):
    """Draw what rules for features do to a model's weights.

    The table has a row a feature that either model keeps.

    Parameters
    ----------
    before, after : Model
        Of one method and fold: without the rules, and under them.
    costs : mapping, optional
        Of features, by name or number, for the table; those without one cost 1.
    most : int
        Largest number of rows drawn, at least 1.

    Raises
    ------
    ValueError
        If the models are of several methods or folds, there is no such feature, or no row would be drawn.
    """

    before: Model
    after: Model
    _: KW_ONLY
    costs: Mapping[str | int, float] | None = option(None)
    most: int = option(24, looks=True)
    invitation: str = aside("")

    name = "what_if"

    def check(self) -> None:
        super().check()
        one_fold([self.before, self.after])
        why = f"give two models of one method, not of {self.before.fit.method} and {self.after.fit.method}"
        refuse(self.before.fit.method != self.after.fit.method, why)
        refuse(self.most < 1, f"most is 1 or more, not {self.most}")
        columns(list(self.costs or ()), self.before.fit.feature_names)

    def subject(self) -> str:
        return f"Weights of {get_method(self.after.fit.method).title} under rules for features, and without them"

    def result(self, needed: Mapping[str, Any]) -> Sequence[FeatureChange]:
        return feature_changes(self.before.fit, self.after.fit)

    def rows(self, found: Sequence[FeatureChange]) -> pd.DataFrame:
        costs = np.ones(len(self.before.fit.weights))
        for feature, cost in (self.costs or {}).items():
            costs[columns([feature], self.before.fit.feature_names)] = cost
        rows = [(row.feature + 1, row.name, row.before, row.after, row.change, costs[row.feature]) for row in found]
        return pd.DataFrame(rows, columns=list(_HEAD))

    def words(self, found: Sequence[FeatureChange]) -> Words:
        fit = self.after.fit
        title = model_title(get_method(fit.method), dict(fit.parameters))
        number = {change: sum(row.change == change for row in found) for change in SIGNS}
        changed = f"{number['out']} out, {number['in']} in, {number['kept']} stay"
        what = self.invitation or (
            changed if any(row.before != row.after for row in found) else "The rules change no weight"
        )
        subtitle = said(self.where_words, title, f"C = {short(fit.c)}", "+ comes in, − goes out")
        return Words(what, subtitle, f"Weights of {title} before and after. {what}.")

    def drawing(self, found: Sequence[FeatureChange], words: Words) -> go.Figure:
        """Draw a row a feature: a ring at its weight before, a dot at its weight after."""
        rows = found[: self.most]
        colour = method_style(self.before.fit.method).colour
        before, after = [row.before for row in rows], [row.after for row in rows]
        features, words_of = (
            [row.feature for row in rows],
            "weight %{customdata[2]:.6g} before, %{customdata[3]:.6g} after",
        )
        told = of_features(self.before.fit.feature_names, features, words_of, before, after)
        places = list(range(len(rows)))
        figure = go.Figure()
        for y, row in enumerate(rows):
            figure.add_scatter(**silent([row.before, row.after], [y, y], 2, showlegend=False))
        ring = {"symbol": "circle-open", "size": 11, "color": MUTED, "line": {"width": 2}}
        dot = {"symbol": "circle", "size": 9, "color": colour}
        for name, weights, marker in (("before", before, ring), ("after", after, dot)):
            figure.add_scatter(name=name, x=weights, y=places, mode="markers", marker=marker, **told)
        figure.update_xaxes(title="weight")
        drawn = row_layout(figure, _labels(found, len(rows)), words, legend=True)
        return drawn.update_xaxes(ZERO)
