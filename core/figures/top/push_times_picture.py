"""The picture of Figure 3 of Rakotomamonjy (2012): running time against the number of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.infinite_push.push_timing import (
    MOST_REPEATS,
    Timing,
    TimingCell,
    times_study,
    timing,
    timing_curves,
)
from core.experiments.infinite_push.toy_study import SETTINGS, Setting
from core.experiments.run.cell_run import CellOutcomes
from core.figures.picture import Picture, Words, option, said
from core.figures.top.push_timing import timing_figure, timing_sentence

Timings = Sequence[Timing]


@dataclass(frozen=True, eq=False)
class PushTimes(Picture[Timings]):
    """Draw Figure 3 of Rakotomamonjy (2012): the time of a fit against the number of pairs, on this machine.

    The table has a row a fit.

    Parameters
    ----------
    setting : {"quick", "as in the paper"}
        Small problems, or those of the paper: seconds or minutes.

    Raises
    ------
    ValueError
        If there is no such setting.
    """

    _: KW_ONLY
    setting: Setting = option("quick", titles=SETTINGS)

    name, about = "push_times", "Time of a fit against pairs, on this machine"

    def needs(self) -> dict[str, CellOutcomes[TimingCell, Timing]]:
        return {"timings": CellOutcomes(times_study(self.setting).cells, timing)}

    def result(self, needed: Mapping[str, Any]) -> Timings:
        timings: Timings = needed["timings"]
        return timings

    def rows(self, found: Timings) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "system": one.cell.system.title,
                "noisy features": one.cell.n_noisy,
                "pairs": one.cell.n_pairs,
                "trial": one.cell.trial + 1,
                "seconds": one.seconds,
                "steps": one.steps,
                "end": one.stop,
            }
            for one in found
        )

    def words(self, found: Timings) -> Words:
        title = timing_sentence(timing_curves(found))
        marks = "exponents are fitted to the filled marks; open ones were given up"
        fastest = f"fastest of up to {MOST_REPEATS} fits, on this machine under its present load"
        return Words(title, said(marks, fastest), title)

    def drawing(self, found: Timings, words: Words) -> go.Figure:
        return timing_figure(timing_curves(found), title=words.title, subtitle=words.subtitle)
