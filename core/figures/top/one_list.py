"""The picture of one list: its documents by their score above the top negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.path_frames import counts_along
from core.analysis.top_strips import TopStrips, heights_along, lists_with_a_top, reach_around, top_strips
from core.data.nouns import Nouns, nouns_of
from core.data.ranking_data import FloatArray
from core.figures.drag.drag import Dot, Drag, Hand, Text, TextAlong, along, still
from core.figures.look.drawing import Part, assembled
from core.figures.look.style import AXIS, MUTED, layout_parts, method_style
from core.figures.of_paths import OfPart
from core.figures.path.lines import PART_TITLES
from core.figures.picture import Words, aside, option, refuse, said
from core.figures.top.words import (
    GREY,
    HEIGHT,
    NEGATIVES,
    POSITIVES,
    TOP,
    below_words,
    check_path,
    lift,
    line_words,
    nearest_to_top,
    on_top_words,
    path_below_drag,
    strip_dots,
    strips_range,
    strips_title,
    strips_words,
    with_top_below,
    words_at,
)
from core.methods import get_method
from core.methods.registry import model_title
from core.models import Model, ModelPath

MOST_MOVING = 150  # documents of a strip that move with C


@dataclass(frozen=True, eq=False)
class TopOfOneList(OfPart[TopStrips]):
    """Draw the documents of one list by their score above that of the top negative. The table has a row a document.

    Parameters
    ----------
    model : Model
    query : str, optional
        Its id; by default the first of the part that has a positive and a negative.
    part : {"train", "vali", "test"}
    path : ModelPath, optional
        Of the model's method: Top on every part along it is drawn beneath, and the scores' axis has room for its other
        models.

    Raises
    ------
    ValueError
        If there is no such query, it has no positive or no negative, or the path is of another fold or method.
    """

    model: Model
    query: str | None = None
    _: KW_ONLY
    path: ModelPath | None = option(None, looks=True)
    hint: str = aside("")

    name, chart = "top_of_one_list", "strips"

    def check(self) -> None:
        super().check()
        check_path(self.path, self.model)
        ids, lists = self._ids, lists_with_a_top(self.data)
        refuse(not len(lists), f"no list of the {self.part} part has a positive and a negative")
        why = f"there is no query {self.query!r} in the {self.part} part; the first is {ids[0]!r}"
        refuse(self.query is not None and str(self.query) not in ids, why)
        why = f"query {self.query!r} has only positives or only negatives; the first with both is {ids[lists[0]]!r}"
        refuse(self.place not in lists, why)

    @property
    def place(self) -> int:
        """The number of the query in its part, from 0."""
        return int(lists_with_a_top(self.data)[0]) if self.query is None else self._ids.index(str(self.query))

    @property
    def _ids(self) -> list[str]:
        return [str(one) for one in self.data.query_ids]

    @property
    def _rows(self) -> slice:
        """The documents of the list, in the part."""
        return self.data.rows_of(self.place)

    @property
    def _top_share(self) -> float:
        return float(self.model.fit.parameters.get("top_share", 0.0))

    @property
    def _nouns(self) -> Nouns:
        return nouns_of(self.model.fold.train)

    def _strips(self, scores: FloatArray) -> TopStrips:
        return top_strips(self.data.relevance[self._rows], scores, self._top_share)

    def subject(self) -> str:
        title = get_method(self.model.fit.method).title
        return f"{self._nouns.rows.capitalize()} of one list by their score under {title}"

    def result(self, needed: Mapping[str, Any]) -> TopStrips:
        return self._strips(self.data.features[self._rows] @ self.model.fit.weights)

    def names(self) -> list[str]:
        """Ids of the list's documents, or else their places in it."""
        if self.data.document_ids is not None:
            return [str(name) for name in self.data.document_ids[self._rows]]
        return [f"{self._nouns.row} {k + 1}" for k in range(self._rows.stop - self._rows.start)]

    def rows(self, found: TopStrips) -> pd.DataFrame:
        """A row a document, the highest score first."""
        names = self.names()
        table = pd.DataFrame(
            {
                self._nouns.row: [names[row] for row in (*found.positive_rows, *found.negative_rows)],
                "positive": [True] * len(found.positives) + [False] * len(found.negatives),
                "above the top negative": np.concatenate([found.positives, found.negatives]),
            }
        )
        return table.sort_values("above the top negative", ascending=False, kind="stable", ignore_index=True)

    def words(self, found: TopStrips) -> Words:
        title = strips_title(found, self._nouns)
        fit = self.model.fit
        of_query = f", query {self._ids[self.place]}" if self.data.n_queries > 1 else ""
        where = f"{self.where_words}{of_query}"
        method, lines = model_title(get_method(fit.method), fit.parameters), line_words(self.model, self.path)
        return Words(title, said(where, PART_TITLES[self.part], method, lines, self.hint), title)

    def reach(self) -> tuple[float, float]:
        """The range of the scores' axis, with room for other models of the path."""
        points = () if self.path is None else self.path.points
        return reach_around(self.data, self.place, self.model.fit.weights, [point.fit.weights for point in points])

    def drawing(self, found: TopStrips, words: Words) -> go.Figure:
        """Draw documents by their score above the top negative: a strip of positives over one of negatives."""
        strips, names, top_share = found, self.names(), self._top_share
        colour = method_style(self.model.fit.method).colour
        on_top, k = strips.on_top, strips.top_negatives
        heights, rows = strips.positives, strips.positive_rows
        low, high = strips.negatives, strips.negative_rows
        hollow = {"color": colour, "size": 8, "symbol": "circle-open", "line": {"width": 1.6}}
        traces = [
            strip_dots(name, places, documents, level, marker, names)
            for name, places, documents, level, marker in (
                ("positive, above", heights[:on_top], rows[:on_top], POSITIVES, {"color": colour, "size": 9}),
                ("positive, below", heights[on_top:], rows[on_top:], POSITIVES, hollow),
                ("negative", low[k:], high[k:], NEGATIVES, {"color": GREY, "size": 8}),
                ("negative in the top share", low[1:k], high[1:k], NEGATIVES, {"color": MUTED, "size": 8}),
                ("top negative", low[:1], high[:1], NEGATIVES, {"color": MUTED, "size": 15, "symbol": "diamond"}),
            )
        ]
        left, right = strips_range(self.reach())
        lines = [below_words(0.0, "solid", "top negative")]
        notes = [
            words_at(0.0, "top negative", 0.0, "right", 12, MUTED),
            # At the edge of the plot, where there is room on a narrow screen too.
            words_at(1.0, f"<b>{on_top_words(str(on_top), len(heights))}</b>", 1.0, "right", 15, colour)
            | {"xref": "x domain"},
        ]
        if right > 1.0:
            lines.append(below_words(1.0, "dot", "margin"))
            notes.append(words_at(1.0, "margin 1", 0.0, "left", 12, MUTED))
        if k > 1:
            lines.append(below_words(strips.boundary, "dash", "top share"))
            share = f"top share κ = {top_share:g}: {k} of {len(low)}"
            notes.append(words_at(max(strips.boundary, left), share, 0.0, "left", 12, MUTED, above=16))
        title, kinds = "score above that of the top negative", {"positive": heights, "negative": low}
        axes: Part = {
            "xaxis": AXIS | {"title": {"text": title}, "range": [left, right], "nticks": 9},
            "yaxis": {"range": [-0.85, 1.85], "tickvals": [POSITIVES, NEGATIVES], "showgrid": False, "zeroline": False}
            | {"ticktext": [f"{len(scores):,}<br>{kind}" for kind, scores in kinds.items()]},
            "margin": {"l": 76, "r": 24, "t": 70, "b": 52},
        }
        common = {"shapes": lines, "annotations": notes, "uirevision": "strips"}
        figure = assembled(traces, layout_parts(words, HEIGHT) | common | axes)
        return with_top_below(figure, self.model, self.path)

    def moves(self, found: TopStrips, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        """The documents, each at its score above the top negative; those beyond the axis wait at its edge."""
        if not hand.frames:
            return None
        heights = heights_along(self.data, self.place, [frame.weights for frame in hand.frames])
        positive = self.data.relevance[self._rows] > 0
        count = int(positive.sum())
        on_top = counts_along(hand.frames, heights[:, positive] > 0.0)
        lowest = heights[:, positive].min(axis=1, keepdims=True)
        beaten = counts_along(hand.frames, heights[:, ~positive] >= lowest)
        titles = {
            frame.c: strips_title(self._strips(row), self._nouns)
            if frame.fewest is None
            else strips_words(above, count, below)
            for frame, row, above, below in zip(hand.frames, heights, on_top, beaten, strict=True)
        }
        now = self.words(found).title
        held = hand.telling(lambda frame: {f"title-{self.chart}": titles.get(frame.c, now)})
        picture = f"{self.chart} {self.part} {self.place}"
        left, right = strips_range(self.reach())
        colour = method_style(self.model.fit.method).colour
        dots: list[Dot] = []
        for rows, places, level in (
            (found.negative_rows, found.negatives, NEGATIVES),
            (found.positive_rows, found.positives, POSITIVES),
        ):
            shown = nearest_to_top(len(rows), MOST_MOVING)
            for row, at, up in zip(rows[shown], places[shown], level + lift(rows[shown]), strict=True):
                above = level == POSITIVES
                dots.append(
                    Dot(
                        across=along(np.clip(heights[:, row], left, right), np.clip(at, left, right)),
                        up=still(up),
                        colour=colour if above else GREY,
                        size=4.5 if above else 4.0,
                        filled_beyond=0.0 if above else None,
                        shown="dragged",
                    )
                )
        corner = Text(
            text=TextAlong(on_top_words(str(found.on_top), count), tuple(on_top_words(k, count) for k in on_top)),
            across=still(right),
            up=still(POSITIVES + 0.85),
            anchor="end",
            dx=-5,
            dy=15,
            colour=colour,
            weight=700,
            size=15,
            shown="dragged",
        )
        line, curves = path_below_drag(hand)
        return Drag(hand=held, picture=picture, marks=[line], dots=[*curves, *dots], texts=[corner], measure=TOP)
