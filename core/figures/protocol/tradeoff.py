"""Picture of MAP or NDCG@10 against sparsity ratio, one mark a method (Fig. 3 of Laporte et al. 2014)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from statistics import mean
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import caveat_numbers
from core.experiments.results.summary import MethodLine, OverFolds
from core.experiments.run.protocol import TESTED
from core.figures.look.style import NO_WORDS, counting
from core.figures.picture import Words, aside, option
from core.figures.protocol.marks import Lines, RunPicture, Upwards, by_dataset, marks_figure, with_legend

NEARLY = 0.99  # of the best
Bars = Literal["less the fold's level", "standard deviation", "none"]
BARS: tuple[Bars, ...] = ("less the fold's level", "standard deviation", "none")
BARS_WORDS: Mapping[Bars, str] = {
    "less the fold's level": "bars: standard deviation over folds; upright, without what a fold adds to all alike",
    "standard deviation": "bars: standard deviation over folds",
    "none": "bars: standard deviation of the sparsity ratio over folds",
}
READING = "grey: Pareto front; dotted: mean of the methods"


def protocol_tradeoff_figure(
    lines: Sequence[MethodLine],
    measure: str,
    titles: Mapping[str, str],
    *,
    words: Words = NO_WORDS,
    bars: Bars = "less the fold's level",
) -> go.Figure:
    """Draw `marks_figure` with the Pareto front as a grey staircase: methods that no other beats in both.

    Parameters
    ----------
    measure : {"MAP", "NDCG@10"}
        Measure on the test parts.
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.cells.choice_titles`).
    bars : {"less the fold's level", "standard deviation", "none"}
        The vertical bars; the horizontal ones are always the standard deviation. Folds differ in difficulty by more
        than methods differ in quality: "less the fold's level" subtracts each fold's mean.
    """
    datasets = by_dataset(lines)
    several = len(datasets) > 1

    def bar(line: MethodLine, here: Lines) -> dict[str, Any]:
        return {"array": [_reach(line, here, measure, bars)]}

    def axis(here: Lines) -> dict[str, Any]:
        values = [(line.measure(measure).mean, _reach(line, here, measure, bars)) for line in here]
        low, high = min(value - reach for value, reach in values), max(value + reach for value, reach in values)
        room = 0.06 * max(high - low, 1e-3)
        counted = "" if several else f", {counting(here[0].convention)}"
        return {"title": f"{measure} (test{counted})", "range": [low - room, high + room]}

    def hover(line: MethodLine) -> str:
        return (
            f"{measure} {line.measure(measure).words(4)}<br>sparsity ratio {line.sparsity_ratio.words(2)}<br>"
            f"{line.n_features.words(1)} features<br>± is the standard deviation over {len(line.results)} folds"
        )

    return marks_figure(
        lines,
        titles,
        Upwards(lambda line: line.measure(measure).mean, bar, hover, axis),
        [f"{name} ({counting(here[0].convention)})" for name, here in datasets.items()],
        front=lambda here: protocol_front(here, measure),
        words=words,
    )


def protocol_front(lines: Sequence[MethodLine], measure: str) -> list[MethodLine]:
    """Return the complete lines of one dataset that no other beats in both sparsity and quality, sparsest first."""
    complete = [line for line in lines if line.complete]
    front: list[MethodLine] = []
    for line in sorted(complete, key=lambda line: (line.sparsity_ratio.mean, -line.measure(measure).mean)):
        if not front or line.measure(measure).mean > front[-1].measure(measure).mean:
            front.append(line)
    return front


def protocol_tradeoff_sentence(lines: Sequence[MethodLine], measure: str, titles: Mapping[str, str]) -> str:
    """Say which method has the highest mean on test, and which is the sparsest that reaches 99 % of it.

    Methods without all of their folds are left out, which is said: their means could still be higher.
    """
    datasets = {name: [line for line in here if line.complete] for name, here in by_dataset(lines).items()}
    datasets = {name: here for name, here in datasets.items() if here}
    if not datasets:
        return "No method is complete on all folds yet"
    sparse = {name: sparsest_nearly_best(here, measure) for name, here in datasets.items()}
    best = {name: max(here, key=lambda line: line.measure(measure).mean) for name, here in datasets.items()}
    if len(datasets) > 1:
        shares = [sparse[name].sparsity_ratio.mean / max(best[name].sparsity_ratio.mean, 1e-12) for name in datasets]
        share = f"{100.0 * mean(shares):.0f} %"
        return (
            f"On {len(datasets)} datasets 99 % of the best {measure} can be had with {share} of the best method's "
            "features on average"
        )
    (name,) = datasets
    top, other = best[name], sparse[name]
    complete = all(line.complete for line in lines)
    reaches = f"{titles[top.choice.label]} has the highest mean test {measure}{'' if complete else ' so far'}, "
    reaches += f"{top.measure(measure).mean:.4f} with {top.n_features.mean:.1f} features"
    if other is top:
        return f"{reaches}; no sparser method reaches {100 * NEARLY:g} % of it"
    percent = math.floor(1000.0 * other.measure(measure).mean / max(top.measure(measure).mean, 1e-12)) / 10.0
    return f"{reaches}; {titles[other.choice.label]} reaches {percent:.1f} % of it with {other.n_features.mean:.1f}"


def sparsest_nearly_best(lines: Sequence[MethodLine], measure: str) -> MethodLine:
    """Return the sparsest of the complete lines of one dataset that reaches 99 % of the best."""
    enough = NEARLY * max(line.measure(measure).mean for line in lines)
    near = [line for line in lines if line.measure(measure).mean >= enough]
    return min(near, key=lambda line: (line.sparsity_ratio.mean, -line.measure(measure).mean))


def protocol_tradeoff_rows(
    lines: Sequence[MethodLine], measure: str, titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the numbers drawn: means, deviations over folds with and without the fold's level, and the front."""
    datasets = by_dataset(lines)
    front = {(name, line.choice) for name, here in datasets.items() for line in protocol_front(here, measure)}
    return [
        {"dataset": line.dataset, "method": titles.get(line.choice.label, line.choice.label)}
        | {"sparsity ratio": line.sparsity_ratio.mean, "± sparsity ratio": line.sparsity_ratio.deviation}
        | {measure: line.measure(measure).mean, f"± {measure}": line.measure(measure).deviation}
        | {"± less the fold's level": _reach(line, datasets[line.dataset], measure, "less the fold's level")}
        | {"features": line.n_features.mean, "Pareto front": ("no", "yes")[(line.dataset, line.choice) in front]}
        | {"folds": len(line.results), **caveat_numbers(line)}
        for line in lines
    ]


def _reach(line: MethodLine, lines: Sequence[MethodLine], measure: str, bars: Bars) -> float:
    """Return the length of a vertical bar; without a second complete method there is no fold's level to subtract."""
    values = line.measure(measure)
    complete = [other for other in lines if other.complete]
    if bars == "none":
        return 0.0
    if bars == "standard deviation" or len(complete) < 2 or not line.complete:
        return values.deviation
    levels = [mean(other.results[fold].test(measure) for other in complete) for fold in line.results]
    return OverFolds(tuple(value - level for value, level in zip(values.folds, levels, strict=True))).deviation


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

    _: KW_ONLY
    measure: str = option("MAP", titles={name: name for name in TESTED})
    bars: Bars = option(BARS[0], titles={name: name for name in BARS}, looks=True)
    headline: str = aside("")

    name, chart = "protocol_tradeoff", "reproduce_tradeoff"

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
        return protocol_tradeoff_figure(found, self.measure, self.run.titles, words=words, bars=self.bars)
