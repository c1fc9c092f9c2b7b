"""The picture of stability selection: how often features are kept on resampled queries and over the folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.features.feature_rules import method_under_rules
from core.analysis.features.resampling import SelectedOnFolds, SelectedOnSamples, Selection, selected_on_all
from core.analysis.features.stability import Resampling, Stability
from core.analysis.fit_keywords import at_lambda, rules_of
from core.analysis.fitting import AtC, AtRatio
from core.analysis.ingredient import Ingredient
from core.data import Dataset, Fold
from core.figures.look.drawing import note
from core.figures.look.labels import PERCENT, of_features, row_labels, row_layout
from core.figures.look.style import MUTED, method_style
from core.figures.of_paths import FitOptions
from core.figures.picture import Picture, Words, option, refuse
from core.methods import Fit, Method
from core.methods.registry import model_title
from core.names.numbers import short

MOST_ROWS = 24


SAMPLINGS: Mapping[Resampling, str] = {"bootstrap": "bootstrap samples", "halves": "halves"}


@dataclass(frozen=True, eq=False)
class Counted:
    """How often features are kept, and the model beside which they are counted."""

    model: Fit
    """Of all training queries."""
    samples: Stability | None
    folds: Stability | None
    """At least one."""

    @property
    def counts(self) -> dict[str, Stability]:
        """Those that there are; the first one tells which features are stable."""
        both = {"share of resamples": self.samples, "share of folds": self.folds}
        return {name: found for name, found in both.items() if found is not None}

    @property
    def first(self) -> Stability:
        """The counts that tell which features are stable."""
        return next(iter(self.counts.values()))

    def both(self, threshold: float) -> int:
        """How many features are in the model and stable."""
        return len(set(self.first.stable(threshold).tolist()) & set(self.model.selected.tolist()))


@dataclass(frozen=True, eq=False)
class StabilityPicture(FitOptions, Picture[Counted]):
    """Count how often each feature is kept when the training queries are drawn again, and over the folds.

    The table has a row a feature: the shares, and the weight in the model of all training queries.

    Parameters
    ----------
    fold : Fold
    method : str or Method
        A sparse one.
    C, lambda_ratio : float, optional
        As for `core.fit`.
    dataset : Dataset, optional
        The training parts of its folds are counted, too.
    samples : int
        How many are drawn.
    sampling : {"bootstrap", "halves"}
        As many queries as there are, with replacement, or half of them without (Meinshausen & Bühlmann 2010).
    seed : int
    points : int
        1: features are counted at the model's lambda / lambda_max. More: at so many places from lambda_max down to it;
        the largest share counts.
    threshold : float
        The share from which a feature is called stable.
    solver, tol, parameters, rules, off, must, helps, hurts, costs, convention : optional
        As for `core.fit`.

    Raises
    ------
    ValueError
        If an option cannot be used, or the method keeps every feature.
    """

    fold: Fold
    method: str | Method = "l1"
    _: KW_ONLY
    C: float | None = option(None)
    lambda_ratio: float | None = option(None)
    solver: str | None = option(None)
    dataset: Dataset | None = option(None)
    samples: int = option(100)
    sampling: Resampling = option("bootstrap", titles=SAMPLINGS)
    seed: int = option(0)
    points: int = option(1)
    threshold: float = option(0.8, looks=True)

    name = "stability"
    topic = "Stability of the features that {0.under_rules.title} keeps"

    def check(self) -> None:
        super().check()
        _ = self.at
        for name in ("samples", "points"):
            refuse(getattr(self, name) < 1, f"{name} is 1 or more, not {getattr(self, name)}")
        why = f"threshold is a share of the samples above 0 up to 1, not {self.threshold:g}"
        refuse(not 0.0 < self.threshold <= 1.0, why)
        refuse(not self.under_rules.sparse, f"{self.title} keeps every feature in every sample; choose a sparse method")
        self.under_rules.settings(self.parameters)

    @property
    def at(self) -> AtC | AtRatio:
        return at_lambda(self.C, self.lambda_ratio)

    @property
    def under_rules(self) -> Method:
        """The method under the rules for features."""
        return method_under_rules(self.method, self.fold.train, rules_of(self.keywords))

    @property
    def title(self) -> str:
        return model_title(self.under_rules, self.under_rules.settings(self.parameters))

    @property
    def selection(self) -> Selection:
        """The model, and where its features are counted."""
        return Selection(self.fold, self.method, self.at, self.points, self.keywords)

    @property
    def counts(self) -> dict[str, SelectedOnSamples | SelectedOnFolds]:
        found: dict[str, SelectedOnSamples | SelectedOnFolds]
        found = {"samples": SelectedOnSamples(self.selection, self.sampling, self.seed, self.samples)}
        if self.dataset is not None and self.dataset.n_folds > 1:
            found["folds"] = SelectedOnFolds(self.selection, self.dataset)
        return found

    def needs(self) -> dict[str, Ingredient[Any]]:
        return {"model": selected_on_all.of(self.selection), **self.counts}

    def result(self, needed: Mapping[str, Any]) -> Counted:
        samples, folds = (needed.get(name) for name in ("samples", "folds"))
        counts = [found if found is not None and found.n_samples else None for found in (samples, folds)]
        return Counted(needed["model"], *counts)

    def rows(self, found: Counted) -> pd.DataFrame:
        """A row a feature, the most frequent first."""
        names, shares = found.model.feature_names, {name: one.probabilities for name, one in found.counts.items()}
        table = pd.DataFrame(
            {"feature": np.arange(1, len(names) + 1), "name": list(names), **shares, "weight": found.model.weights}
        )
        return table.sort_values(next(iter(shares)), ascending=False, kind="stable", ignore_index=True)

    def words(self, found: Counted) -> Words:
        title = (
            f"Of {found.model.result.nonzero} features that {self.title} keeps, {found.both(self.threshold)} are stable"
        )
        drawn = f"{found.first.n_samples} {SAMPLINGS[self.sampling] if found.samples else 'folds'}"
        counted = "at the chosen C" if self.points == 1 else "down to the chosen C"
        subtitle = (
            f"{self.where_words} · stable: kept in {self.threshold:.0%} of {drawn}, {counted} "
            f"({short(found.model.lam / found.model.lam_max)} λ_max)\n"
            "bold: kept by the model · line: one standard error"
        )
        return Words(title, subtitle, title)

    def drawing(self, found: Counted, words: Words) -> go.Figure:
        """Draw a bar a feature for the resamples and a diamond for the folds, most frequent on top.

        Bars that reach the threshold are filled, and names of features that the model keeps are bold.
        """
        samples, folds, names, threshold = found.samples, found.folds, found.model.feature_names, self.threshold
        counted = list(found.counts.values())
        # Nearly equal frequencies of the resamples are told apart by the folds.
        order = sorted(range(len(names)), key=lambda j: tuple(-one.probabilities[j] for one in counted))
        rows = [j for j in order if any(one.probabilities[j] > 0.0 for one in counted)][:MOST_ROWS]
        colour = method_style(found.model.method).colour
        kept = "kept in %{x:.0%} of "
        figure = go.Figure()
        if samples is not None:
            shares = samples.probabilities[rows]
            errors = np.sqrt(shares * (1.0 - shares) / max(samples.n_samples, 1))
            figure.add_bar(
                name=f"{samples.n_samples} resamples",
                x=shares,
                y=list(range(len(rows))),
                orientation="h",
                width=0.55,
                marker={
                    "color": [colour if share >= threshold else "rgba(128,128,128,0.35)" for share in shares],
                    "line": {"color": colour, "width": 1},
                },
                error_x={"type": "data", "array": errors, "color": MUTED, "thickness": 1, "width": 2},
                **of_features(names, rows, f"{kept}{samples.n_samples} resamples"),
            )
        if folds is not None:
            figure.add_scatter(
                name=f"{folds.n_samples} folds",
                x=folds.probabilities[rows],
                y=list(range(len(rows))),
                mode="markers",
                marker={"symbol": "diamond-open", "size": 10, "color": MUTED, "line": {"width": 2}},
                **of_features(names, rows, f"{kept}{folds.n_samples} folds"),
                cliponaxis=False,
            )
        figure.add_vline(x=threshold, line={"color": MUTED, "width": 1.5, "dash": "dash"})
        figure.add_annotation(**note(f"threshold {threshold:.0%}", threshold, -1.0, "right", 12, xshift=-3))
        figure.update_xaxes(title="samples that keep it", range=[-0.02, 1.02], tickformat=PERCENT)
        labels = row_labels(names, rows, bold=found.model.selected.tolist())
        return row_layout(figure, labels, words, above=1.6, legend=True)
