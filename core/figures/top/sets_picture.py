"""The picture of Table 1 of Rakotomamonjy (2012): real sets, ours beside what is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.data import Dataset
from core.experiments.infinite_push.published_top import SOURCE
from core.experiments.infinite_push.top_table import (
    TopCell,
    TopOutcome,
    TopRow,
    TopSet,
    splits_of,
    top_cells,
    top_outcome,
    top_rows,
)
from core.experiments.infinite_push.toy_study import SETTINGS, TITLES, Setting
from core.experiments.run.cell_run import CellOutcomes
from core.figures.picture import Picture, Words, option, said
from core.figures.top.table import table_sentence, top_table_figure

Rows = Sequence[TopRow]


@dataclass(frozen=True, eq=False)
class TopSets(Picture[Rows]):
    """Draw Table 1 of Rakotomamonjy (2012): the rate on top of real sets over random splits, beside what is published.

    The table has a row a set and method.

    Parameters
    ----------
    sets : mapping of str to Dataset
        Data with two classes, by the name that stands in the table; undivided.
    setting : {"quick", "as in the paper"}
        Three splits, or ten.
    adjusted : bool
        Whether p-values are Holm's.

    Raises
    ------
    DataError
        If a set cannot be used.
    ValueError
        If there is no such setting.
    """

    sets: Mapping[str, Dataset]
    _: KW_ONLY
    setting: Setting = option("quick", titles=SETTINGS)
    adjusted: bool = option(
        False, "Holm's correction", "Adjusts for the methods compared on each set. The paper does not."
    )

    name, chart = "top_sets", "top_table"

    def check(self) -> None:
        super().check()
        self.read_sets()

    def read_sets(self) -> list[TopSet]:
        """The sets, read.

        Raises
        ------
        DataError
            If one cannot be used.
        """
        return [TopSet.of_dataset(dataset, name) for name, dataset in self.sets.items()]

    def subject(self) -> str:
        return f"Table 1 of Rakotomamonjy (2012) for {', '.join(self.sets)}"

    def needs(self) -> dict[str, CellOutcomes[TopCell, TopOutcome]]:
        return {"outcomes": CellOutcomes(top_cells(self.read_sets(), splits_of(self.setting)), top_outcome)}

    def result(self, needed: Mapping[str, Any]) -> Rows:
        return top_rows(needed["outcomes"])

    def rows(self, found: Rows) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "data": row.set,
                "method": TITLES[row.method],
                "splits": row.n_splits,
                "top": row.top.mean,
                "top s.d.": row.top.deviation,
                "# var": row.kept.mean,
                "# var s.d.": row.kept.deviation,
                "p": row.p_value,
                "p (Holm)": row.p_holm,
                "significantly worse": row.worse(adjusted=self.adjusted),
                "published top": None if row.published is None else row.published.top,
                "difference": row.difference,
                "published # var": None if row.published is None else row.published.n_features,
            }
            for row in found
        )

    def words(self, found: Rows) -> Words:
        title = table_sentence(found, adjusted=self.adjusted)
        n_splits = max((row.n_splits for row in found), default=0)
        over = f"mean ± standard deviation over {n_splits} split{'' if n_splits == 1 else 's'}"
        test = f"Wilcoxon's signed-rank test at 0.05{', Holm' if self.adjusted else ''}"
        worse = f"in brackets: significantly worse than the best ({test})"
        return Words(title, f"{said(over, f'grey and open: {SOURCE}')}\n{worse}", title)

    def drawing(self, found: Rows, words: Words) -> go.Figure:
        return top_table_figure(found, adjusted=self.adjusted, title=words.title, subtitle=words.subtitle)
