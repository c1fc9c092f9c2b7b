"""Pictures of Figures 1 and 2 of Rakotomamonjy (2012): the toy problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiments.infinite_push.toy_study import (
    REFERENCE,
    SETTINGS,
    TITLES,
    Setting,
    ToyCell,
    ToyOutcome,
    ToyPoint,
    noise_study,
    sizes_study,
    toy_outcome,
    toy_points,
)
from core.experiments.run.cell_run import CellOutcomes
from core.figures.picture import Picture, Words, option, said
from core.figures.top.toy_study import (
    ACROSS,
    Across,
    retrieval_panels,
    retrieval_sentence,
    top_panels,
    top_sentence,
    toy_figure,
)

Points = Sequence[ToyPoint]
ToyOutcomes = CellOutcomes[ToyCell, ToyOutcome]


@dataclass(frozen=True, eq=False)
class ToyTop(Picture[Points]):
    """Draw Figure 1 of Rakotomamonjy (2012): the rate of positives on top of the toy problem.

    The table has a row a method and size of the problem.

    Parameters
    ----------
    across : {"training examples", "noisy features"}
    setting : {"quick", "as in the paper"}
        Three trials and few sizes, or twenty trials: seconds or minutes.

    Raises
    ------
    ValueError
        If there is no such quantity or setting.
    """

    across: Across = "training examples"
    _: KW_ONLY
    setting: Setting = option("quick", titles=SETTINGS)

    name = "toy_top"

    def check(self) -> None:
        super().check()
        if self.across not in ACROSS:
            msg = f"across is one of {', '.join(map(repr, ACROSS))}, not {self.across!r}"
            raise ValueError(msg)

    def subject(self) -> str:
        return f"Rate of positives on top against {self.across}, toy problem"

    def needs(self) -> dict[str, ToyOutcomes]:
        study = sizes_study(self.setting) if self.across == "training examples" else noise_study(self.setting)
        return {"outcomes": CellOutcomes(study.cells, toy_outcome)}

    def result(self, needed: Mapping[str, Any]) -> Points:
        return toy_points(needed["outcomes"])

    def rows(self, found: Points) -> pd.DataFrame:
        return _table(found)

    def words(self, found: Points) -> Words:
        title = top_sentence(found, self.across)
        p = f"p: Wilcoxon's signed-rank test against the {TITLES[REFERENCE]}, two-sided, equal pairs dropped"
        return Words(title, said(f"toy problem, mean of {_trials(found)}, bars: one standard error", p), title)

    def drawing(self, found: Points, words: Words) -> go.Figure:
        panels = top_panels(found, self.across)
        return toy_figure(panels, self.across, "rate of positives on top", title=words.title, subtitle=words.subtitle)


@dataclass(frozen=True, eq=False)
class ToyFeatures(Picture[Points]):
    """Draw Figure 2 of Rakotomamonjy (2012): precision, recall and F-measure of the features found in the toy problem.

    The table has a row a method and size of the problem.

    Parameters
    ----------
    setting : {"quick", "as in the paper"}
        Three trials and few sizes, or twenty trials: seconds or minutes.

    Raises
    ------
    ValueError
        If there is no such setting.
    """

    _: KW_ONLY
    setting: Setting = option("quick", titles=SETTINGS)

    name, about = "toy_features", "Features found in the toy problem"

    def needs(self) -> dict[str, ToyOutcomes]:
        return {"outcomes": CellOutcomes(noise_study(self.setting).cells, toy_outcome)}

    def result(self, needed: Mapping[str, Any]) -> Points:
        return toy_points(needed["outcomes"])

    def rows(self, found: Points) -> pd.DataFrame:
        return _table(found)

    def words(self, found: Points) -> Words:
        title = retrieval_sentence(found)
        examples = f"toy problem, {found[0].n_train} training examples" if found else "toy problem"
        what = f"{examples}, mean of {_trials(found)}, bars: one standard error"
        return Words(title, said(what, "ten features are relevant; the ℓ2 model retrieves all there are"), title)

    def drawing(self, found: Points, words: Words) -> go.Figure:
        panels = retrieval_panels(found)
        return toy_figure(panels, "noisy features", "share", title=words.title, subtitle=words.subtitle)


def _trials(points: Points) -> str:
    """How many trials the means are of."""
    least = min((point.n_trials for point in points), default=0)
    most = max((point.n_trials for point in points), default=0)
    number = f"{most}" if least == most else f"{least} to {most}"
    return f"{number} trial{'' if number == '1' else 's'}"


def _table(points: Points) -> pd.DataFrame:
    """A row a method and size of the toy problem."""
    return pd.DataFrame(
        {
            "method": TITLES[p.method],
            "examples": p.n_train,
            "noisy features": p.n_noisy,
            "trials": p.n_trials,
            "top": p.top.mean,
            "top s.e.": p.top.error,
            "p": p.p_value,
            "precision": p.precision.mean,
            "recall": p.recall.mean,
            "F-measure": p.f_measure.mean,
            "features kept": p.kept.mean,
        }
        for p in points
    )
