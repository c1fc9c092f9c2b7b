"""The declaration of the picture of quality against sparsity ratio of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.run import Run
from core.experiments.run.protocol import TESTED
from core.figures.picture import Words, aside, option
from core.figures.protocol.marks import with_legend
from core.figures.protocol.of_run import Lines, RunPicture
from core.figures.protocol.tradeoff import (
    BARS,
    BARS_WORDS,
    READING,
    Bars,
    protocol_tradeoff_figure,
    protocol_tradeoff_rows,
    protocol_tradeoff_sentence,
)


@dataclass(frozen=True, eq=False)
class ProtocolTradeoff(RunPicture[Lines]):
    """Draw quality on the test parts against the sparsity ratio: Fig. 3 of Laporte et al. (2014).

    The table has a row a dataset and method.

    Parameters
    ----------
    run : Run
    measure : {"MAP", "NDCG@10"}
    bars : {"less the fold's level", "standard deviation", "none"}
        The standard deviation over folds, as it is or less what a fold adds to all methods alike.
    """

    run: Run
    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in TESTED})
    bars: Bars = option(BARS[0], titles={name: name for name in BARS}, looks=True)
    headline: str = aside("")

    name, chart = "protocol_tradeoff", "reproduce_tradeoff"

    def result(self, needed: Mapping[str, Any]) -> Lines:
        return self.run.lines

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(protocol_tradeoff_rows(found, self.measure, self.run.titles))

    def words(self, found: Lines) -> Words:
        seen = protocol_tradeoff_sentence(found, self.measure, self.run.titles)
        # The page has this sentence as its headline where the measure is that of the run.
        title = f"Mean test {self.measure} against features kept" if seen == self.headline else seen
        title = f"{self.run.where}: {title}"
        subtitle = f"Means over folds on test · {self.run.about}\n{BARS_WORDS[self.bars]}; {READING}"
        return Words(title, with_legend(subtitle, found), seen)

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        return protocol_tradeoff_figure(
            found, self.measure, self.run.titles, bars=self.bars, title=words.title, subtitle=words.subtitle
        )
