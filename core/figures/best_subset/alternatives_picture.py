"""The picture of all sets of features that come near the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.analysis.best_subset.alternatives import Alternatives
from core.analysis.best_subset.near_optimal import NearOptimalSets
from core.analysis.tradeoff.tradeoff import MEASURES
from core.figures.best_subset.alternatives import shares_figure, spread_figure
from core.figures.best_subset.objective_picture import measured
from core.figures.best_subset.search_picture import SearchPicture
from core.figures.look.style import counting
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.figures.picture import Words, aside, option

View = Literal["ranking", "shares"]
RANKING: View = "ranking"
SHARES: View = "shares"


@dataclass(frozen=True, eq=False)
class NearOptimalPicture(SearchPicture[Alternatives]):
    """Draw all sets of at most k features whose objective is within a share of the lowest one.

    The table has a row a set, the lowest objective first, at most 200.

    Parameters
    ----------
    fold : Fold
    ridge : float
        lambda / lambda_max of the ridge models.
    k : int
    within : float
        Relative excess of the objective.
    part, measure : str
    view : {"ranking", "shares"}
        How the sets rank, or the share of them that has each feature.
    convention : {"standard", "letor3", "letor4"}

    Raises
    ------
    ValueError
        If an option cannot be used, or the data has too many features for the search.
    """

    _: KW_ONLY
    k: int = option(MISSING)
    within: float = option(0.01)
    part: str = option("test", titles={part: part for part in PART_WORDS}, looks=True)
    measure: str = option("NDCG@10", titles={name: name for name in MEASURES}, looks=True)
    view: View = option(RANKING, titles={RANKING: RANKING, SHARES: SHARES}, looks=True)
    kept: Sequence[int] = aside(())
    kept_by: str = aside("")
    heading: int | None = aside(None)

    name, chart = "near_optimal_sets", "alternatives"

    @property
    def chart_key(self) -> str:
        return self.chart if self.shares else "spread"

    @property
    def shares(self) -> bool:
        """Whether features are drawn, and not sets."""
        return self.view == SHARES

    def check(self) -> None:
        super().check()
        if not (self.within >= 0.0 and self.k >= 1):
            msg = f"within is 0 or more and k 1 or more; not {self.within:g} and {self.k}"
            raise ValueError(msg)
        if self.part not in self.fold.parts():
            msg = f"the fold has no part {self.part!r}; it has {', '.join(self.fold.parts())}"
            raise ValueError(msg)

    def subject(self) -> str:
        return f"Sets of at most {self.k} features within {100 * self.within:g} % of the lowest objective"

    @property
    def search(self) -> NearOptimalSets:
        """The search for the sets."""
        return NearOptimalSets(self.fold, self.convention, self.ridge, self.k, self.within)

    def needs(self) -> dict[str, NearOptimalSets]:
        return {"sets": self.search}

    def result(self, needed: Mapping[str, Any]) -> Alternatives:
        found: Alternatives = needed["sets"]
        return found

    def rows(self, found: Alternatives) -> pd.DataFrame:
        """A row a set; sets that have not been measured yet have no measures."""
        names = self.fold.train.feature_names
        rows = []
        for place, (one, excess) in enumerate(zip(found.found.sets, found.excesses, strict=True)):
            judged = place < len(found.judgements)
            rows.append(
                {"set": place + 1, "features": len(one.columns), "objective": one.objective, "excess %": 100.0 * excess}
                | (measured(found.judgements[place]) if judged else {})
                | {"names": ", ".join(names[j] for j in one.columns.tolist())}
            )
        return pd.DataFrame(rows)

    def words(self, found: Alternatives) -> Words:
        which = f"at most {self.k} feature{'s' * (self.k != 1)}, within {100 * self.within:g} % of the best"
        if self.shares:
            title = self._shares_title(found)
            legend = "filled: in every set · thick edge: in the best set"
            legend += f" · bold: kept by {self.kept_by}" if self.kept_by else ""
        else:
            title = self._ranking_title(found)
            legend = f"one dot a set, {PART_TITLES[self.part]} part"
        return Words(title, f"{self.where or self.fold.name} · {which}\n{legend}", title)

    def _shares_title(self, found: Alternatives) -> str:
        names = self.fold.train.feature_names
        common = [names[j] for j in found.in_every]
        if not common:
            return f"No feature is in all {len(found.found.sets)} sets"
        more = f" and {len(common) - 3} more" if len(common) > 3 else ""
        return f"In every set: {', '.join(common[:3])}{more}"

    def _ranking_title(self, found: Alternatives) -> str:
        """The range of the measure over the sets, and where the best set is."""
        values = found.values(self.part, self.measure)
        if len(values) == 0:
            return "Not measured yet"
        best = f"{PART_WORDS[self.part].capitalize()} {self.measure} of the best set {values[0]:.4f}"
        return f"{best}, of all from {values.min():.4f} to {values.max():.4f}"

    def drawing(self, found: Alternatives, words: Words) -> go.Figure:
        names = self.fold.train.feature_names
        if self.shares:
            return shares_figure(found, names, kept=self.kept, title=words.title, subtitle=words.subtitle)
        return spread_figure(
            found,
            names,
            part=self.part,
            measure=self.measure,
            up=f"{self.measure} ({PART_TITLES[self.part]}, {counting(self.convention)})",
            heading=self.heading,
            title=words.title,
            subtitle=words.subtitle,
        )
