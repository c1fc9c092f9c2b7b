"""The picture of what a model changes for every query against another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.queries.side_by_side import (
    QueryChanges,
    ideal_scores,
    query_changes,
    ranks_better_reversed,
    single_feature_weights,
)
from core.data.naming import columns
from core.data.ranking_data import FloatArray
from core.experiments.results.difference import Difference
from core.figures.look.drawing import assembled
from core.figures.look.labels import count_axis, narrow
from core.figures.look.style import AXIS, INK, MUTED, layout_parts, method_style
from core.figures.of_paths import OfPart
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.figures.picture import Words, aside, option, said
from core.methods import get_method
from core.methods.registry import model_title
from core.models import Model, one_fold
from core.names.numbers import short
from core.names.plain import in_plotly
from core.solvers.problem import pair_scores

HEIGHT = 420
MOST_BARS = 2000
BINS = np.linspace(-1.0, 1.0, 42)  # an odd number: the middle bin has what stays as it is
SORTED, SPREAD = [0.0, 0.70], [0.77, 1.0]

QUERY_MEASURES = {"MAP": "AP", "NDCG@10": "NDCG@10", "Top": "Top"}
"""Measures that queries are compared by, and what they are called for one query."""


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign; 0 has none."""
    text = f"{value:+.{digits}f}".replace("-", "−")
    return "0" if not text.strip("+−0.") else text


def _ends(order: np.ndarray) -> np.ndarray:
    """The queries that change most, either way."""
    if len(order) <= MOST_BARS:
        return order
    return np.concatenate([order[: MOST_BARS // 2], order[-MOST_BARS // 2 :]])


IDEAL = "ideal"


@dataclass(frozen=True, eq=False)
class ComparedQueries:
    """What A changes for every query of a part against B."""

    by_measure: Mapping[str, QueryChanges]
    """Changes by measure."""
    differences: Mapping[str, Difference]
    """Of the means, by measure."""
    other: str
    """Title of B."""


@dataclass(frozen=True, eq=False)
class QueriesPicture(OfPart[ComparedQueries]):
    """Draw what a model A changes for every query against B.

    On the part that models are chosen on, documents with the same score count in expectation over their orders; on the
    others they keep the order of the file. The table has a row a query, the greatest loss in average precision first.

    Parameters
    ----------
    model : Model
        A.
    other : Model, str or int
        B: another model of the fold; a feature, by name or by number counting from 1, in the direction in which it
        ranks the training part better; or ``"ideal"`` for the ideal order.
    part : {"train", "vali", "test"}
    measure : {"MAP", "NDCG@10"}
        The one that is drawn; the table has both.
    texts : mapping, optional
        Of queries, by id, as ``dataset.query_texts`` has them.

    Raises
    ------
    ValueError
        If there is no such feature, part or measure, or the models are not of one fold.
    """

    model: Model
    other: Model | str | int
    _: KW_ONLY
    measure: str = option("MAP", titles=QUERY_MEASURES, looks=True)
    texts: Mapping[str, str] | None = option(None)
    edited: bool = aside(False)
    other_title: str = aside("")
    hint: str = aside("")

    name, chart = "queries", "query_changes"

    def check(self) -> None:
        super().check()
        one_fold([self.model, self.other] if isinstance(self.other, Model) else [self.model])
        if not isinstance(self.other, Model) and self.other != IDEAL:
            self._column(self.other)

    @property
    def query_names(self) -> list[str]:
        """The queries by their ids, with their texts where these are known."""
        texts = self.texts or {}
        return [f"{query}: {texts[query]}" if query in texts else f"query {query}" for query in self.data.query_ids]

    def subject(self) -> str:
        title = get_method(self.model.fit.method).title
        return f"Queries of the {PART_WORDS[self.part]} part that gain and lose under {title}"

    def _column(self, feature: str | int) -> int:
        return columns([feature], self.model.fold.train.feature_names)[0]

    def _other_and_title(self) -> tuple[FloatArray, str]:
        """Scores of B, and its title."""
        if isinstance(self.other, Model):
            fit = self.other.fit
            title = f"{model_title(get_method(fit.method), fit.parameters)}, C = {short(fit.c)}"
            return pair_scores(self.data, fit.weights), title
        if self.other == IDEAL:
            return ideal_scores(self.data), "the ideal order"
        train, column = self.model.fold.train, self._column(self.other)
        reverse = ranks_better_reversed(train, self.model.convention, column)
        weights = single_feature_weights(train.n_features, column, reverse=reverse)
        title = f"{train.feature_names[column]} alone{', smallest value first' if reverse else ''}"
        return pair_scores(self.data, weights), title

    def result(self, needed: Mapping[str, Any]) -> ComparedQueries:
        a, (b, title) = pair_scores(self.data, self.model.fit.weights), self._other_and_title()
        changes = {name: query_changes(self.data, a, b, self.model.convention, name) for name in QUERY_MEASURES}
        return ComparedQueries(changes, {name: Difference.of(one.a, one.b) for name, one in changes.items()}, title)

    def rows(self, found: ComparedQueries) -> pd.DataFrame:
        one = found.by_measure["MAP"]
        table: dict[str, object] = {"query": list(self.data.query_ids), "text": self.query_names}
        for measure, changes in found.by_measure.items():
            name = QUERY_MEASURES[measure]
            table |= {f"{name} under A": changes.a, f"{name} under B": changes.b, f"Δ{name}": changes.delta}
        table |= {"documents": one.n_documents, "relevant": one.n_relevant}
        return pd.DataFrame(table).sort_values("ΔAP", kind="stable")

    def sentence(self, found: ComparedQueries) -> str:
        """Say how many queries lose and gain, and whether the difference is clear."""
        name, b = QUERY_MEASURES[self.measure], self.other_title or found.other
        lose, gain, same = found.by_measure[self.measure].counts
        if not lose and not gain:
            return f"No {PART_WORDS[self.part]} query changes its {name}: A and B ({b}) rank alike"
        difference, unchanged = found.differences[self.measure], f" ({same:,} unchanged)" if same else ""
        counted = f"{lose:,} queries lose {name} and {gain:,} gain under A, against {b}"
        return f"{counted}; mean {signed(difference.value)}, {difference.verdict}{unchanged}"

    def words(self, found: ComparedQueries) -> Words:
        fit = self.model.fit
        a = f"A: {model_title(get_method(fit.method), fit.parameters)}{', edited' if self.edited else ''}"
        where = f"{self.where_words}, {PART_TITLES[self.part]}"
        subtitle = said(where, a, f"B: {self.other_title or found.other}")
        delta = found.by_measure[self.measure].delta
        low, high = (signed(float(value), 3) for value in (delta.min(), delta.max()))
        title = f"Δ{QUERY_MEASURES[self.measure]} of {len(delta):,} queries, from {low} to {high}"
        return Words(title, subtitle, self.sentence(found))

    def drawing(self, found: ComparedQueries, words: Words) -> go.Figure:
        """Draw the changes of one measure, from the greatest loss to the greatest gain, and their distribution.

        Gains have the colour of A's method, losses are grey; both also tell by the side of 0. The customdata of a bar
        begins with the number of its query in the part, from 0; of many queries the middle ones have no bar.
        """
        changes, names = found.by_measure[self.measure], self.query_names
        name = QUERY_MEASURES[self.measure]
        shown = _ends(changes.order)
        delta = changes.delta[shown]
        colour = method_style(self.model.fit.method).colour
        counts, edges = np.histogram(changes.delta, bins=BINS)
        middles = (edges[:-1] + edges[1:]) / 2.0
        used = np.flatnonzero(counts)
        low, high = min(float(delta.min()), -0.05) * 1.08, max(float(delta.max()), 0.05) * 1.08
        mean = float(changes.delta.mean())
        counted = (changes.n_relevant, changes.n_documents)
        told = (shown, *(values[shown] for values in (changes.a, changes.b, *counted)))
        bars = {
            "type": "bar",
            "x": np.arange(1, len(shown) + 1),
            "y": delta,
            "marker": {"color": [colour if value > 0 else MUTED for value in delta], "line": {"width": 0}},
            "customdata": [[value.item() for value in row] for row in zip(*told, strict=True)],
            "text": [in_plotly(names[q]) for q in shown],
            "textposition": "none",
            "hovertemplate": f"<b>%{{text}}</b><br>Δ{name} %{{y:+.4f}}: %{{customdata[1]:.4f}} under A, "
            "%{customdata[2]:.4f} under B<br>"
            "%{customdata[3]:,} of %{customdata[4]:,} documents relevant"
            f"{'<br>' * bool(self.hint)}{self.hint}<extra></extra>",
        }
        spread = {
            "type": "bar",
            "orientation": "h",
            "xaxis": "x2",
            "yaxis": "y2",
            "x": counts[used],
            "y": middles[used],
            "width": float(edges[1] - edges[0]) * 0.92,
            "marker": {"color": [colour if value > 1e-9 else MUTED for value in middles[used]], "line": {"width": 0}},
            "hovertemplate": f"Δ{name} about %{{y:+.2f}}: %{{x:,}} queries<extra></extra>",
        }
        axes = {
            "xaxis": AXIS | {"title": {"text": "queries, from the greatest loss to the greatest gain"}}
            | {"domain": SORTED, "showgrid": False, "range": [0.4, len(shown) + 0.6]},
            "yaxis": AXIS | {"title": {"text": f"Δ{name}, A − B"}, "range": [low, high], "zeroline": True},
            "xaxis2": AXIS | {"domain": SPREAD, "title": {"text": "queries"}, "rangemode": "tozero", "nticks": 4}
            | count_axis(0, int(counts.max())),
            "yaxis2": AXIS | {"anchor": "x2", "matches": "y", "showticklabels": False, "zeroline": True},
        }  # fmt: skip
        line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": mean, "y1": mean, "yref": "y"}
        note = {
            "text": f"mean {mean:+.4f}".replace("-", "−"), "xref": "paper", "y": mean, "yref": "y",
            # Where no bar is: those on the left lie beneath 0, those on the right above.
            "x": 0.005 if mean >= 0 else SORTED[1], "xanchor": "left" if mean >= 0 else "right",
            "yanchor": "bottom" if mean >= 0 else "top", "showarrow": False, "font": {"size": 13, "color": INK},
        }  # fmt: skip
        common = {
            "shapes": [line | {"line": {"color": INK, "width": 1.4, "dash": "dash"}}],
            "annotations": [note],
            "bargap": 0.12 if len(shown) < 200 else 0.0,
            "uirevision": "changes",
            "margin": {"l": 70, "r": 24, "t": 70, "b": 52},
        }
        parts = layout_parts(words, HEIGHT)
        narrower = {"xaxis": {"title": {"text": "queries, by gain"}}, "xaxis2": {"title": {"text": ""}}}
        return assembled([bars, spread], parts | common | axes | {"meta": parts["meta"] | narrow({}, narrower)})
