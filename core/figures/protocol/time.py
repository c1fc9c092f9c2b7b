"""Figure of time against sparsity ratio, one mark a method (Fig. 2 of Laporte et al., CORIA 2014)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import caveat_numbers
from core.experiments.results.summary import MethodLine
from core.figures.look.style import seconds
from core.figures.picture import Words
from core.figures.protocol.marks import Upwards, by_dataset, marks_figure, with_legend
from core.figures.protocol.of_run import Lines, RunPicture

SHORTEST = 1e-6  # seconds; a log axis has no 0
TICKS = [m * 10.0**e for e in range(-6, 6) for m in (1, 2, 5)]
READING = (
    "solver time over the whole grid of a fold; bars: fastest to slowest fold, and a standard deviation of the "
    "sparsity ratio to both sides; dotted: mean of the methods"
)


@dataclass(frozen=True, eq=False)
class ProtocolTime(RunPicture[Lines]):
    """Draw the time of fits against the sparsity ratio: Fig. 2 of Laporte et al. (CORIA 2014).

    The table has a row a dataset and method.

    Parameters
    ----------
    run : Run
    """

    name, chart = "protocol_time", "reproduce_time"

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {
                    "dataset": line.dataset,
                    "method": self.run.titles.get(line.choice.label, line.choice.label),
                    "sparsity ratio": line.sparsity_ratio.mean,
                    "± sparsity ratio": line.sparsity_ratio.deviation,
                    "seconds": line.seconds.mean,
                    "fastest fold": min(line.seconds.folds),
                    "slowest fold": max(line.seconds.folds),
                    "folds": len(line.results),
                    **caveat_numbers(line),
                }
                for line in found
            ]
        )

    def sentence(self, found: Lines) -> str:
        """Say how much longer the slowest method takes than the fastest, over all datasets."""
        titles = self.run.titles
        times: dict[str, list[float]] = {}
        for line in found:
            if line.complete:
                times.setdefault(line.choice.label, []).append(_time(line))
        if not times:
            return "No method is complete on all folds yet"
        most = max(map(len, times.values()))
        means = sorted((mean(values), label) for label, values in times.items() if len(values) == most)
        (fast, fastest), (slow, slowest) = means[0], means[-1]
        if len(means) == 1:
            return f"{titles[fastest]} takes {seconds(fast)} for the whole grid of a fold"
        ratio = slow / fast
        longer = f"{ratio:,.{0 if ratio >= 10 else 1}f} times as long as {titles[fastest]}"
        whole = f"for the whole grid of a fold: {seconds(slow)} against {seconds(fast)}"
        return f"{titles[slowest]} takes {longer} {whole}"

    def words(self, found: Lines) -> Words:
        title = self.sentence(found)
        return Words(
            f"{self.run.where}: {title}", with_legend(f"Means over folds · {self.run.about}\n{READING}", found), title
        )

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        """Draw `marks_figure`; vertical bars reach from the fastest fold to the slowest."""
        up = Upwards(_time, _bar, _hover, _axis, log=True)
        return marks_figure(found, self.run.titles, up, list(by_dataset(found)), words=words)


def _time(line: MethodLine) -> float:
    return max(line.seconds.mean, SHORTEST)


def _bar(line: MethodLine, _: Lines) -> dict[str, Any]:
    fast, mean_time, slow = min(line.seconds.folds), line.seconds.mean, max(line.seconds.folds)
    return {"type": "data", "symmetric": False, "array": [slow - mean_time], "arrayminus": [mean_time - fast]}


def _hover(line: MethodLine) -> str:
    times = f"{seconds(min(line.seconds.folds))} to {seconds(max(line.seconds.folds))}"
    return f"{seconds(_time(line))}, {times}<br>sparsity ratio {line.sparsity_ratio.words(2)}"


def _axis(lines: Lines) -> dict[str, Any]:
    """The axis that all folds are on; its ends are decimal logarithms."""
    low = math.log10(max(min(min(line.seconds.folds) for line in lines), SHORTEST))
    high = math.log10(max(max(max(line.seconds.folds) for line in lines), SHORTEST))
    room = 0.08 * max(high - low, 0.5)
    ticks = {"tickvals": TICKS, "ticktext": [seconds(tick) for tick in TICKS]}
    return {"type": "log", "range": [low - room, high + room], "title": "time of a fold"} | ticks
