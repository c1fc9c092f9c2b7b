"""The picture of all sets of features that come near the best one, and the base of pictures of best sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.best_subset.certified_path import Alternatives, NearOptimalSets, refuse_too_many
from core.analysis.best_subset.yardstick import BEST
from core.analysis.evaluation import Judgement
from core.analysis.tradeoff.tradeoff import MEASURES
from core.data import Convention, Fold
from core.figures.look.drawing import Drawing
from core.figures.look.labels import PERCENT, of_features, row_labels, row_layout
from core.figures.look.style import MUTED, counting, layout, method_style
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.figures.picture import Found, Picture, Words, aside, check_part, option, refuse
from core.names.plain import in_plotly

SOME = "rgba(128,128,128,0.35)"
MOST_ROWS = 20  # the rarest features are then only in the table


def percent(share: float) -> str:
    """Write a share in per cent with two significant digits; 0 below a thousandth of a per cent."""
    value = 100.0 * share
    return "0" if value < 1e-3 else f"{value:.2g}" if value < 9.95 else f"{value:.0f}"


def measured(judgement: Judgement) -> dict[str, float]:
    """The measures of a model on every part, as columns of a table."""
    return {f"{m} {part}": judgement.metrics[part][m] for part in judgement.metrics for m in MEASURES}


@dataclass(frozen=True, eq=False)
class SearchPicture(Picture[Found]):
    """A picture of sets of features of a fold, all fitted with one ridge, which is given as lambda / lambda_max."""

    fold: Fold
    _: KW_ONLY
    ridge: float = option(MISSING)
    convention: Convention = option("standard")

    def check(self) -> None:
        super().check()
        refuse(not self.ridge > 0.0, f"ridge is above 0, not {self.ridge:g}")
        refuse_too_many(self.fold.train.n_features)


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
        why = f"within is 0 or more and k 1 or more; not {self.within:g} and {self.k}"
        refuse(not (self.within >= 0.0 and self.k >= 1), why)
        check_part(self.part, self.fold)

    def subject(self) -> str:
        return f"Sets of at most {self.k} features within {100 * self.within:g} % of the lowest objective"

    @property
    def search(self) -> NearOptimalSets:
        """The search for the sets."""
        return NearOptimalSets(self.fold, self.convention, self.ridge, self.k, self.within)

    def needs(self) -> dict[str, NearOptimalSets]:
        return {"sets": self.search}

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
            names = [self.fold.train.feature_names[j] for j in found.in_every]
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            title = f"In every set: {', '.join(names[:3])}{more}"
            if not names:
                title = f"No feature is in all {len(found.found.sets)} sets"
            legend = "filled: in every set · thick edge: in the best set"
            legend += f" · bold: kept by {self.kept_by}" if self.kept_by else ""
        else:
            title = self._ranking_title(found)
            legend = f"one dot a set, {PART_TITLES[self.part]} part"
        return Words(title, f"{self.where_words} · {which}\n{legend}", title)

    def _ranking_title(self, found: Alternatives) -> str:
        """The range of the measure over the sets, and where the best set is."""
        values = found.values(self.part, self.measure)
        if len(values) == 0:
            return "Not measured yet"
        best = f"{PART_WORDS[self.part].capitalize()} {self.measure} of the best set {values[0]:.4f}"
        if len(found.found.sets) == 1:
            return f"{best}; no other set comes near"
        low, high = f"{values.min():.4f}", f"{values.max():.4f}"
        which = f"the {len(values)} best" if found.found.cut else "all"
        return f"{best}; all others have the same" if low == high else f"{best}, of {which} from {low} to {high}"

    def drawing(self, found: Alternatives, words: Words) -> go.Figure:
        return self._drawn_shares(found, words) if self.shares else self._drawn_ranking(found, words)

    def _drawn_shares(self, found: Alternatives, words: Words) -> go.Figure:
        """Draw a bar a feature: the share of the sets that have it. Those in every set are filled."""
        shares, names = found.shares, self.fold.train.feature_names
        rows = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0.0][:MOST_ROWS]
        best = set(found.found.sets[0].columns.tolist()) if found.found.sets else set()
        colour = method_style(BEST).colour
        edges = [(colour, 2) if j in best else (MUTED, 1) for j in rows]
        in_best = ["in the best set" if j in best else "not in the best set" for j in rows]
        figure = go.Figure()
        figure.add_bar(
            name="share of the sets",
            x=shares[rows].tolist(),
            y=list(range(len(rows))),
            orientation="h",
            width=0.55,
            marker={
                "color": [colour if shares[j] == 1.0 else SOME for j in rows],
                "line": {"color": [edge for edge, _ in edges], "width": [width for _, width in edges]},
            },
            **of_features(names, rows, f"in %{{x:.0%}} of {len(found.found.sets)} sets, %{{customdata[2]}}", in_best),
        )
        figure.update_xaxes(title="share of the sets with the feature", range=[0, 1.02], tickformat=PERCENT)
        return row_layout(figure, row_labels(names, rows, bold=self.kept), words)

    def _drawn_ranking(self, found: Alternatives, words: Words) -> go.Figure:
        """Draw every set that has been measured: how much higher its objective is, and how it ranks."""
        names, measure = self.fold.train.feature_names, self.measure
        figure = Drawing()
        values = found.values(self.part, measure)
        sets, excesses = found.found.sets[: len(values)], found.excesses[: len(values)]
        style = method_style(BEST)
        figure.add_scatter(
            x=(100.0 * excesses).tolist(),
            y=values.tolist(),
            mode="markers",
            marker={"size": 7, "color": MUTED, "opacity": 0.6},
            name="sets",
            hovertext=[
                f"{percent(excess)} % above the best objective<br>{measure} {value:.4f}<br>"
                + "<br>".join(in_plotly(names[j]) for j in one.columns)
                for one, excess, value in zip(sets, excesses, values, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
        if len(values):
            figure.add_scatter(
                x=[0.0],
                y=[float(values[0])],
                mode="markers",
                marker={"size": 13, "symbol": style.marker, "color": style.colour, "opacity": 1.0},
                name="best set",
                hovertemplate=f"the best set<br>{measure} {values[0]:.4f}<extra></extra>",
                cliponaxis=False,
            )
            figure.add_hline(y=float(values[0]), line={"color": style.colour, "width": 1, "dash": "dot"})
            if np.ptp(values) < 1e-4:  # around a single height plotly leaves room of 1
                least = {"include": [float(values[0]) - 0.02, float(values[0]) + 0.02]}
                figure.update_yaxes(autorangeoptions=least)
        figure.update_xaxes(title="objective above the best, %", rangemode="tozero")
        figure.update_yaxes(title=f"{measure} ({PART_TITLES[self.part]}, {counting(self.convention)})")
        drawn = layout(figure, words, height=480, characters=(48, 72))
        return drawn.update_layout({} if self.heading is None else {"margin_t": self.heading}).figure()
