"""Picture of how similar features are: a heat map, ordered so that similar features are neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.similarity import FeatureSimilarity, Kind, Similarity, pearson_among, refuse_too_many
from core.data import RankingData
from core.data.nouns import nouns_of
from core.data.ranking_data import IntArray
from core.figures.look.labels import name_labels
from core.figures.look.style import NO_WORDS, layout
from core.figures.picture import Picture, Words, option, refuse, said
from core.methods import get_method
from core.methods.registry import model_title
from core.models import Model
from core.names.plain import in_plotly

# Orange to blue keeps its meaning for every kind of colour vision. Strength is opacity: nothing is seen where there is
# nothing, on either theme.
DIVERGING = [
    [0.0, "rgba(200,90,0,1)"],
    [0.5, "rgba(200,90,0,0)"],
    [0.5, "rgba(31,119,200,0)"],
    [1.0, "rgba(31,119,200,1)"],
]
KIND_TITLES = {"pearson": "Pearson's r", "kendall": "Kendall's τ-b"}
LETTERS = {"pearson": "r", "kendall": "τ"}
MOST_NAMES = 80
FITTING = 30  # names, in a window of the usual height


@dataclass(frozen=True, eq=False)
class SimilarityPicture(Picture[Similarity]):
    """Draw how similar features are, all against all.

    Parameters
    ----------
    data : Fold or RankingData
        Of a fold, the training part is shown.
    kind : {"pearson", "kendall"}
        Pearson's r of the values, or Kendall's tau-b of the orders. Of large data, Kendall's is computed on a sample of
        the documents, always the same ones.
    threshold : float
        The absolute similarity from which the title counts two features as twins.
    every_name : bool
        Whether the picture is as high as all names need; otherwise it fits a window.

    Raises
    ------
    DataError
        If there are more than `core.analysis.features.similarity.MOST_FEATURES`.
    """

    data: RankingData
    _: KW_ONLY
    kind: Kind = option(
        "pearson",
        "Similarity",
        "Pearson's r compares the values of two features. Kendall's τ-b compares the orders that they give: +1 for the "
        "same order, −1 for the reverse order. It corrects for ties.",
        titles={"pearson": "Pearson", "kendall": "Kendall"},
        key="data_similarity",
    )
    threshold: float = option(
        0.9,
        "Alike from",
        "Two features count as twins from this absolute similarity on.",
        low=0.5,
        high=1.0,
        step=0.01,
        format="alike from %.2f",
        looks=True,
        key="data_alike",
    )
    every_name: bool = option(
        True,
        "Every name",
        "The picture is then as high as its names need; otherwise it fits the window.",
        looks=True,
        key="data_every_name",
    )

    name = "similarity"
    about = "Similarity of the features"

    def check(self) -> None:
        super().check()
        refuse_too_many(self.data.n_features)

    def needs(self) -> dict[str, FeatureSimilarity]:
        return {"similarity": FeatureSimilarity(self.data, self.kind)}

    def rows(self, found: Similarity) -> pd.DataFrame:
        """All features against all, in the order of the data."""
        numbered = [f"{name} ({index})" for index, name in enumerate(self.data.feature_names, 1)]
        table = pd.DataFrame(found.values.astype(np.float32), index=numbered, columns=numbered)
        return table.rename_axis("feature").reset_index()

    def words(self, found: Similarity) -> Words:
        alike, letter = len(found.with_twin(self.threshold)), LETTERS[found.kind]
        title = f"{alike} of {self.data.n_features} features have a twin"
        documents = f"{found.n_documents:,} of {nouns_of(self.data).counted(self.data.n_documents)}"
        return Words(
            title,
            said(f"|{letter}| ≥ {self.threshold:.2f}", self.where) + f"\n{documents}, clustered",
            f"{title}, {KIND_TITLES[found.kind]} of {self.threshold:.2f} or more in absolute value: heat map",
        )

    def drawing(self, found: Similarity, words: Words) -> go.Figure:
        return similarity_figure(found, self.data.feature_names, words, every_name=self.every_name)


@dataclass(frozen=True, eq=False)
class KeptSimilarity(Picture[Similarity]):
    """Draw how similar the features are that a model keeps, by their correlation in the training part.

    Parameters
    ----------
    model : Model

    Raises
    ------
    ValueError
        If it keeps fewer than two.
    """

    model: Model

    name = "kept_similarity"

    def check(self) -> None:
        super().check()
        refuse(len(self.kept) < 2, f"the model keeps {len(self.kept)} features; at least two are needed")

    @property
    def kept(self) -> IntArray:
        """Columns (from 0) of the features that the model keeps, ascending."""
        return np.sort(self.model.fit.selected)

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [self.model.fit.feature_names[int(column)] for column in self.kept]

    def subject(self) -> str:
        return f"Similarity of the features that {get_method(self.model.fit.method).title} keeps"

    def result(self, needed: Mapping[str, Any]) -> Similarity:
        return pearson_among(self.model.fold.train, self.kept)

    def rows(self, found: Similarity) -> pd.DataFrame:
        """The kept features, all against all."""
        table = pd.DataFrame(found.values, columns=self.names)
        table.insert(0, "name", self.names)
        return table

    def words(self, found: Similarity) -> Words:
        pair = found.closest()[0]
        names = self.names
        both = " and ".join((names[pair.first], names[pair.second]))
        title = f"The most alike of {len(names)} kept: r = {pair.similarity:.2f}"
        fit = self.model.fit
        method = model_title(get_method(fit.method), fit.parameters)
        of = said(f"{self.where_words}, training part", method)
        return Words(title, f"{both}\n{of}", f"{title}, {both}")

    def drawing(self, found: Similarity, words: Words) -> go.Figure:
        return similarity_figure(found, self.names, words)


def similarity_figure(
    similarity: Similarity, names: Sequence[str], words: Words = NO_WORDS, *, every_name: bool = True
) -> go.Figure:
    """Draw all features against all, in the order of their clustering.

    The picture is as high as all names need. Without ``every_name`` a window's height is enough: of more than `FITTING`
    features it has every second, third, … name.
    """
    order = similarity.order()
    # A name may come twice in a person's table; with its number it does not.
    labels = [f"{j + 1} {in_plotly(names[j])}" for j in order]
    figure = go.Figure(
        go.Heatmap(
            z=similarity.values[np.ix_(order, order)].astype(np.float32),
            x=labels,
            y=labels,
            colorscale=DIVERGING,
            zmin=-1.0,
            zmax=1.0,
            colorbar={"title": {"text": KIND_TITLES[similarity.kind], "side": "top"}, "tickvals": [-1, -0.5, 0, 0.5, 1]}
            | {"orientation": "h", "thickness": 10, "len": 0.6, "x": 0.5, "y": 1.0, "yanchor": "bottom"},
            hovertemplate=f"%{{y}}<br>%{{x}}<br>{KIND_TITLES[similarity.kind]} %{{z:.3f}}<extra></extra>",
        )
    )
    named = len(labels) <= MOST_NAMES
    apart = 1 if every_name else -(-len(labels) // FITTING)
    figure.update_xaxes(showticklabels=False, ticks="")
    figure.update_yaxes(
        autorange="reversed",
        tickmode="array",
        tickvals=labels[::apart],
        ticktext=name_labels(names, order[::apart]),
        tickfont={"size": 11},
        showticklabels=named,
        automargin=True,
    )
    height = 260 + (14 * len(labels) if named and every_name else 500)
    drawn = layout(figure, words, height=height, margin={"t": 150, "l": 8, "r": 16})
    return drawn.update_xaxes(showgrid=False).update_yaxes(showgrid=False)
