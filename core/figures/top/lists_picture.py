"""The picture of many lists by how many of their positives stand above every negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, count_features, counts_along
from core.analysis.path_views import with_as_many_features
from core.analysis.top_strips import SHARE_BINS, counts_by_share, lists_with_a_top, share_bins, shares_over_lists
from core.data import RankingData
from core.figures.drag.drag import Bar, Drag, Hand, Text, TextAlong, along, still
from core.figures.look.labels import count_axis
from core.figures.look.style import layout, method_style
from core.figures.of_paths import OfPart
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.figures.picture import Words, aside, option, said
from core.figures.top.words import (
    HEIGHT,
    TOP,
    Shares,
    bar_places,
    check_path,
    first_words,
    line_words,
    lists_title,
    path_below_drag,
    with_top_below,
)
from core.methods import get_method
from core.methods.registry import full_title
from core.models import Model, ModelPath, one_fold


@dataclass(frozen=True, eq=False)
class ListsAlong:
    """What `core.figures.top.lists_picture.TopOfLists` shows at every frame."""

    counts: Mapping[str, NDArray[np.int64]]
    """Number of lists in each of `SHARE_BINS` by method, shape (n_frames, 6)."""
    labels: Mapping[str, Sequence[Sequence[str]]]
    """Text beside each bar, by method: for each of `SHARE_BINS` one a frame."""
    titles: Mapping[float, str]
    """Of the picture, by C."""


def lists_along(
    method: str, frames: Sequence[Frame], others: Mapping[str, Sequence[PathPoint]], data: RankingData
) -> ListsAlong:
    """Count the lists of ``data`` at every frame of a method's path, beside models of other methods.

    Of the ``others``, paths by method, the model with as many features as the frame is compared; between two fitted
    models as many as `Frame.placed` says.
    """
    sizes = [round(shown.placed(count_features)) for shown in frames]
    rows: dict[str, list[NDArray[np.float64]]] = {method: [shares_over_lists(data, one.weights) for one in frames]}
    empty = [[method] if shown.most == 0 else [] for shown in frames]
    for other, points in others.items():
        models = {size: with_as_many_features(points, size) for size in set(sizes)}
        by_size = {size: shares_over_lists(data, model.fit.weights) for size, model in models.items()}
        rows[other] = [by_size[size] for size in sizes]
        for size, methods in zip(sizes, empty, strict=True):
            methods += [other] if models[size].fit.result.nonzero == 0 else []
    names, n_lists = {m: full_title(get_method(m)) for m in rows}, len(lists_with_a_top(data))
    shares = {m: np.reshape(found, (len(frames), n_lists)) for m, found in rows.items()}
    first = {m: counts_along(frames, found > 0.0) for m, found in shares.items()}
    titles = {
        shown.c: first_words({m: counts[k] for m, counts in first.items()}, n_lists, names, empty[k])
        for k, shown in enumerate(frames)
    }
    counts = {m: np.array([counts_by_share(row) for row in found]) for m, found in shares.items()}
    bins = {m: share_bins(found) for m, found in shares.items()}
    labels = {m: [counts_along(frames, found == k) for k in range(len(SHARE_BINS))] for m, found in bins.items()}
    return ListsAlong(counts, labels, titles)


@dataclass(frozen=True, eq=False)
class TopOfLists(OfPart[Shares]):
    """Draw in how many lists which share of the positives stands above every negative.

    Lists with only positives or only negatives are not counted. The table has a row a share, and a column a model.

    Parameters
    ----------
    models : sequence of Model
        Of one fold, each of another method; the title is about the first.
    part : {"train", "vali", "test"}
    path : ModelPath, optional
        Of the first model's method: Top on every part along it is drawn beneath.

    Raises
    ------
    ValueError
        If there is no model, or models and path are not of one fold, or the fold has no such part.
    """

    models: Sequence[Model]
    _: KW_ONLY
    path: ModelPath | None = option(None, looks=True)
    hint: str = aside("")
    along: ListsAlong | None = aside(None)

    name, chart = "top_of_lists", "shares"

    def check(self) -> None:
        one_fold(self.models)
        super().check()
        check_path(self.path, self.models[0])

    @property
    def titles(self) -> dict[str, str]:
        return {model.fit.method: full_title(get_method(model.fit.method)) for model in self.models}

    def subject(self) -> str:
        titles = ", ".join(get_method(model.fit.method).title for model in self.models)
        return f"Positives on top, list by list, of {titles} on the {PART_WORDS[self.part]} part"

    def result(self, needed: Mapping[str, Any]) -> Shares:
        return {model.fit.method: shares_over_lists(self.data, model.fit.weights) for model in self.models}

    def rows(self, found: Shares) -> pd.DataFrame:
        counts = _counts(found)
        return pd.DataFrame({"positives on top": SHARE_BINS} | {self.titles[m]: row for m, row in counts.items()})

    def words(self, found: Shares) -> Words:
        empty = [model.fit.method for model in self.models if not model.fit.result.nonzero]
        title = lists_title(found, self.titles, empty)
        lines = line_words(self.models[0], self.path)
        return Words(title, said(self.where_words, PART_TITLES[self.part], lines, self.hint), title)

    def drawing(self, found: Shares, words: Words) -> go.Figure:
        """Draw how many lists have none, some or all of their positives on top, method beneath method.

        The axis reaches the number of all lists, so that it stays where it is when C changes.
        """
        counts, titles = _counts(found), self.titles
        figure = go.Figure()
        for (middle, half), (method, row) in zip(bar_places(len(counts)), counts.items(), strict=True):
            total = max(int(np.sum(row)), 1)
            figure.add_bar(
                orientation="h",
                y=list(range(len(SHARE_BINS))),
                x=[int(n) for n in row],
                width=2.0 * half,
                offset=middle - half,
                name=titles[method],
                text=[f"{int(n):,}" if n else "" for n in row],  # the numbers of two methods stand close
                textposition="outside",
                constraintext="none",
                textfont={"size": 11},
                cliponaxis=False,
                marker={"color": method_style(method).colour},
                customdata=[[share, n / total] for share, n in zip(SHARE_BINS, row, strict=True)],
                hovertemplate=f"<b>{titles[method]}</b><br>%{{customdata[0]}} of their positives on top: %{{x}} lists, "
                "%{customdata[1]:.1%}<extra></extra>",
            )
        end = 1.12 * max(1, *(int(np.sum(row)) for row in counts.values()))
        figure.update_xaxes(title="lists", range=[0, end], **count_axis(0, end))
        figure.update_yaxes(
            title="positives above<br>all negatives",
            tickvals=list(range(len(SHARE_BINS))),
            ticktext=SHARE_BINS,
            range=[-0.6, len(SHARE_BINS) - 0.4],
            showgrid=False,
        )
        legend = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 1.0, "xanchor": "right"}
        figure = layout(figure, words, height=HEIGHT, margin={"t": 92, "l": 110}, showlegend=len(counts) > 1)
        figure.update_layout(legend=legend, barmode="overlay", uirevision="shares")
        return with_top_below(figure, self.models[0], self.path)

    def moves(self, found: Shares, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        """The bars with their numbers."""
        if not hand.frames or self.along is None:
            return None
        titles, now = self.along.titles, self.words(found).title
        held = hand.telling(lambda frame: {f"title-{self.chart}": titles.get(frame.c, now)})
        along_path, at_rest, picture = self.along, _counts(found), f"{self.chart} {self.part}"
        bars: list[Bar] = []
        texts: list[Text] = []
        for (middle, half), (method, rows) in zip(bar_places(len(at_rest)), at_rest.items(), strict=True):
            for k in range(len(SHARE_BINS)):
                lists, row = along(along_path.counts[method][:, k], rows[k]), k + middle
                words = TextAlong(f"{rows[k]:,}", tuple(along_path.labels[method][k]))
                bars.append(Bar(length=lists, row=row, half=half, colour=method_style(method).colour))
                texts.append(Text(text=words, across=lists, up=still(row), dx=4, dy=5, shown="dragged"))
        line, curves = path_below_drag(hand)
        return Drag(hand=held, picture=picture, marks=[line], dots=curves, bars=bars, texts=texts, measure=TOP)


def _counts(shares: Shares) -> dict[str, NDArray[np.int64]]:
    """Number of lists in each of `SHARE_BINS`, by method."""
    return {method: counts_by_share(row) for method, row in shares.items()}
