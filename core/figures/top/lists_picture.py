"""The picture of many lists by how many of their positives stand above every negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.fold_models import FoldModel, FoldPath, one_fold
from core.analysis.top_strips import SHARE_BINS, counts_by_share, shares_over_lists
from core.data import RankingData
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.figures.top.lists_along import ListsAlong
from core.figures.top.path_below import check_path, line_words, with_top_below
from core.figures.top.strips import shares_figure
from core.figures.top.top_drag import shares_drag
from core.figures.top.words import Shares, lists_title
from core.methods import get_method
from core.methods.families import full_title


@dataclass(frozen=True, eq=False)
class TopOfLists(Picture[Shares]):
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

    models: Sequence[FoldModel]
    _: KW_ONLY
    part: str = option("test", titles={part: part for part in PART_WORDS})
    path: FoldPath | None = option(None, looks=True)
    where: str = aside("")
    hint: str = aside("")
    along: ListsAlong | None = aside(None)

    name, chart = "top_of_lists", "shares"

    def check(self) -> None:
        super().check()
        fold, _ = one_fold(self.models)
        check_path(self.path, self.models[0])
        if self.part not in fold.parts():
            msg = f"the fold has no part {self.part!r}; it has {', '.join(fold.parts())}"
            raise ValueError(msg)

    @property
    def data(self) -> RankingData:
        """The part whose lists are counted."""
        return self.models[0].fold.parts()[self.part]

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
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
        where = self.where or self.models[0].fold.name
        lines = line_words(self.models[0], self.path)
        return Words(title, said(where, PART_TITLES[self.part], lines, self.hint), title)

    def drawing(self, found: Shares, words: Words) -> go.Figure:
        figure = shares_figure(_counts(found), self.titles, title=words.title, subtitle=words.subtitle)
        return with_top_below(figure, self.models[0], self.path)

    def moves(self, found: Shares, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        if not hand.frames or self.along is None:
            return None
        titles, now = self.along.titles, self.words(found).title
        held = hand.telling(lambda frame: {f"title-{self.chart}": titles.get(frame.c, now)})
        return shares_drag(held, f"{self.chart} {self.part}", self.along.counts, self.along.labels, _counts(found))


def _counts(shares: Shares) -> dict[str, NDArray[np.int64]]:
    """Number of lists in each of `SHARE_BINS`, by method."""
    return {method: counts_by_share(row) for method, row in shares.items()}
