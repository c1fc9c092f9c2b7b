"""The picture of the search tree of a best subset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.best_subset.growing_tree import TreeSoFar
from core.analysis.best_subset.points import BEST
from core.analysis.best_subset.search_tree import SearchTree
from core.analysis.features.feature_rules import FeatureRules, method_under_rules
from core.data import Convention, Fold
from core.figures.best_subset.tree import tree_figure, tree_words
from core.figures.picture import Picture, Words, aside, option, said
from core.methods.families import model_title
from core.names.numbers import short

MARKS = "○ open · ● split · × cut off · ■ a single set"


@dataclass(frozen=True, eq=False)
class SearchTreePicture(Picture[TreeSoFar]):
    """Draw how the search proves which k features are best: each part of all sets at the height of its bound.

    The table has a row a part, the whole first. Trees of more parts than can be seen end early.

    Parameters
    ----------
    fold : Fold
    C : float
    parameters : mapping, optional
        ``k`` is how many features the model may have.
    rules, convention : optional
        As for `core.fit`.

    Raises
    ------
    ValueError
        If an option cannot be used.
    """

    fold: Fold
    _: KW_ONLY
    C: float = option(MISSING)
    parameters: Mapping[str, float | str] | None = option(None)
    rules: FeatureRules | None = option(None)
    convention: Convention = option("standard")
    where: str = aside("")

    name, chart = "search_tree", "tree"
    about = "Search tree of the best subset"

    def check(self) -> None:
        super().check()
        if not self.C > 0.0:
            msg = f"C is a number above 0, not {self.C}"
            raise ValueError(msg)
        _ = self.title

    @property
    def title(self) -> str:
        """Of the method's models."""
        method = method_under_rules(BEST, self.fold.train, self.rules)
        return model_title(method, method.settings(self.parameters))

    @property
    def search(self) -> SearchTree:
        """The search that grows it."""
        return SearchTree(self.fold, self.C, self.parameters or {}, self.rules, self.convention)

    def needs(self) -> dict[str, SearchTree]:
        return {"tree": self.search}

    def result(self, needed: Mapping[str, Any]) -> TreeSoFar:
        found: TreeSoFar = needed["tree"]
        return found

    def rows(self, found: TreeSoFar) -> pd.DataFrame:
        """A row a part."""
        names = self.fold.train.feature_names
        return pd.DataFrame(
            [
                {
                    "node": number,
                    "part of": "" if node.parent < 0 else str(node.parent),
                    "with": ", ".join(names[j] for j in node.inside),
                    "without": "" if node.outside is None else names[node.outside],
                    "free": node.free,
                    "lower bound": node.bound,
                    "state": node.state,
                }
                for number, node in enumerate(found.nodes)
            ]
        )

    def words(self, found: TreeSoFar) -> Words:
        title = tree_words(found)
        return Words(title, said(self.where or self.fold.name, self.title, f"C = {short(self.C)}", MARKS), title)

    def drawing(self, found: TreeSoFar, words: Words) -> go.Figure:
        return tree_figure(found, self.fold.train.feature_names, title=words.title, subtitle=words.subtitle)
