"""Spider plot of a run: removed features by dataset, or by fold if there is one dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.results.caveats import signs
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.figures.picture import Words
from core.figures.protocol.marks import by_dataset, line_styles, with_legend
from core.figures.protocol.of_run import Lines, RunPicture
from core.figures.tradeoff.spider import spider_figure

HEIGHT = 560
READING = "1 − sparsity ratio: the further out, the sparser"


@dataclass(frozen=True, eq=False)
class ProtocolSpider(RunPicture[Lines]):
    """Draw the features that methods remove, on each dataset or fold: Fig. 2 of Laporte et al. (2014).

    The table has a row a method and branch.

    Parameters
    ----------
    run : Run
    """

    run: Run

    name, chart = "protocol_spider", "reproduce_spider"

    def result(self, needed: Mapping[str, Any]) -> Lines:
        return self.run.lines

    def rows(self, found: Lines) -> pd.DataFrame:
        return pd.DataFrame(protocol_spider_rows(found, self.run.titles))

    def words(self, found: Lines) -> Words:
        title = protocol_spider_sentence(found, self.run.titles)
        branches = "A branch a fold" if len(by_dataset(found)) == 1 else "Means over folds, a branch a dataset"
        return Words(title, with_legend(f"{branches} · {self.run.about}\n{READING}", found), title)

    def drawing(self, found: Lines, words: Words) -> go.Figure:
        return protocol_spider_figure(found, self.run.titles, title=words.title, subtitle=words.subtitle)


def removed_features(lines: Sequence[MethodLine]) -> dict[str, dict[str, float]]:
    """Compute 1 − sparsity ratio by label, then by branch: datasets (means over folds), or the folds of a single one.

    With several datasets only complete lines are included.
    """
    removed: dict[str, dict[str, float]] = {}
    one_dataset = len(by_dataset(lines)) == 1
    for line in lines:
        if one_dataset:
            removed[line.choice.label] = {
                f"fold {fold}": 1.0 - line.results[fold].sparsity_ratio for fold in sorted(line.results)
            }
        elif line.complete:
            removed.setdefault(line.choice.label, {})[line.dataset] = 1.0 - line.sparsity_ratio.mean
    return removed


def protocol_spider_figure(
    lines: Sequence[MethodLine], titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw Fig. 2 of Laporte et al. (2014) for this run.

    Parameters
    ----------
    lines : sequence of MethodLine
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    """
    removed = removed_features(lines)
    marks = {label: signs(*(line for line in lines if line.choice.label == label)) for label in removed}
    names = {label: " ".join(filter(None, [titles.get(label, label), mark])) for label, mark in marks.items()}
    figure = spider_figure(removed, names, styles=line_styles(list(removed)), title=title, subtitle=subtitle)
    return figure.update_layout(height=HEIGHT)


def protocol_spider_sentence(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> str:
    """Say which method removes most and which least, over the branches that all methods have."""
    removed = {label: row for label, row in removed_features(lines).items() if row}
    most = max(map(len, removed.values()), default=0)
    shares = {label: mean(row.values()) for label, row in removed.items() if len(row) == most}
    if not shares:
        return "No method is complete on all folds yet"
    sparsest, densest = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    sentence = f"{titles[sparsest]} removes {100.0 * shares[sparsest]:.0f} % of the features on average"
    return sentence if len(shares) == 1 else f"{sentence}, {titles[densest]} {100.0 * shares[densest]:.0f} %"


def protocol_spider_rows(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the numbers drawn."""
    return [
        {"method": titles.get(label, label), "branch": branch, "removed": value, "sparsity ratio": 1.0 - value}
        for label, row in removed_features(lines).items()
        for branch, value in row.items()
    ]
