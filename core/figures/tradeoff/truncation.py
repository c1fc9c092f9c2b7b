"""Figure of models cut to their k largest weights, beside models fitted with k features (FSMRank's Figs. 1-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.analysis.tradeoff.truncation import SizedModel
from core.figures.look.drawing import Drawing
from core.figures.look.style import method_style
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.tradeoff import View
from core.methods import Fit
from core.names.numbers import short
from core.names.plain import in_plotly

ENOUGH = 0.95
"""Share of the whole model's quality that counts as enough, if no number of features is asked for."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A model cut to its largest weights, with its method's models fitted with as few features.

    Attributes
    ----------
    name : str
        Name for people: the method and, if two models are of one method, which one.
    fit : Fit
        The whole model, which keeps at least one feature.
    cut : sequence of SizedModel
        The result of `truncations`; the last is the whole model.
    fitted : sequence of (int, mapping)
        Number of features (ascending), with metrics by part and measure. Empty if none are known.
    """

    name: str
    fit: Fit
    cut: Sequence[SizedModel]
    fitted: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]] = ()

    def share(self, k: int, part: str, measure: str) -> float:
        """Return the share of the whole model's quality that the k largest weights keep; 1 if the quality is 0."""
        whole = self.cut[-1].metrics[part][measure]
        return self._at(k).metrics[part][measure] / whole if whole > 0 else 1.0

    def fitted_share(self, k: int, part: str, measure: str) -> float | None:
        """Return the same share for the model fitted with at most k features; None if there is none."""
        whole = self.cut[-1].metrics[part][measure]
        few = [values[part][measure] for size, values in self.fitted if size <= k]
        return few[-1] / whole if few and whole > 0 else None

    def enough(self, part: str, measure: str) -> int:
        """Return the smallest number of largest weights from which on `ENOUGH` of the quality is kept."""
        too_few = [small for small in self.cut if self.share(small.n_features, part, measure) < ENOUGH]
        above = [model.n_features for model in self.cut if not too_few or model.n_features > too_few[-1].n_features]
        return above[0] if above else self.cut[-1].n_features

    def _at(self, k: int) -> SizedModel:
        return [model for model in self.cut if model.n_features <= k][-1]


def truncation_sentence(cut: Cut, part: str, measure: str, limit: int) -> str:
    """Say what quality the largest weights of one model keep, and a model fitted with as few features."""
    n = cut.cut[-1].n_features
    value = f"{PART_TITLES[part]} {measure}"
    if n == 1:
        return _sentence(f"{cut.name} has one weight: there is nothing to cut")
    k = limit if limit < n else cut.enough(part, measure)
    if k == n:
        return _sentence(
            f"{cut.name} needs all of its {n} weights: without the smallest, {value} falls below {100 * ENOUGH:g} %"
        )
    weights = "The largest" if k == 1 else f"The {k} largest"
    sentence = f"{weights} of {cut.name}'s {n} weights keep{'s' if k == 1 else ''} {_percent(cut, k, part, measure)}"
    fitted = cut.fitted_share(k, part, measure)
    beside = "" if fitted is None else f", a model fitted with as few {100 * fitted:.1f} %"
    return f"{sentence} of {value}{beside}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _percent(cut: Cut, k: int, part: str, measure: str) -> str:
    return f"{100 * cut.share(k, part, measure):.1f} %"


def add_cut(figure: Drawing, cut: Cut, view: View, opacity: float) -> list[float]:
    """Draw a model's largest weights as a solid line, and return its heights."""
    style = method_style(cut.fit.method)
    heights = [model.metrics[view.part][view.measure] for model in cut.cut]
    figure.add_scatter(
        x=[model.n_features for model in cut.cut],
        y=heights,
        mode="lines+markers",
        line={"color": style.colour, "width": 2.0},
        marker={"size": 7, "symbol": style.marker, "color": style.colour},
        opacity=opacity,
        name=f"{cut.name}, cut",
        hovertext=[_hover(cut, before, model, view) for before, model in pairwise([None, *cut.cut]) if model],
        hovertemplate=f"<b>{cut.name}</b>, cut down<br>%{{hovertext}}<extra></extra>",
    )
    return heights


def add_fitted(figure: Drawing, cut: Cut, view: View) -> None:
    """Draw the models fitted with at most so many features as dotted steps."""
    if not cut.fitted:
        return
    style = method_style(cut.fit.method)
    heights = [values[view.part][view.measure] for _, values in cut.fitted]
    figure.add_scatter(
        x=[size for size, _ in cut.fitted],
        y=heights,
        mode="lines",
        line={"color": style.colour, "width": 1.4, "dash": "dot", "shape": "hv"},
        opacity=0.8,
        name=f"{cut.name}, fitted",
        hovertext=[
            f"{size} features: {view.measure} {y:.4f}" for (size, _), y in zip(cut.fitted, heights, strict=True)
        ],
        hovertemplate=f"<b>{cut.name}</b>, fitted with so few<br>%{{hovertext}}<extra></extra>",
    )


def _hover(cut: Cut, before: SizedModel | None, model: SizedModel, view: View) -> str:
    """Write the number, the value, its share of the whole, and the feature added last."""
    new = model.weights if before is None else model.weights * (before.weights == 0.0)
    names = [f"{in_plotly(cut.fit.feature_names[j])} {new[j]:+.3g}" for j in new.nonzero()[0]]
    joined = f"<br>with {names[0]}" if len(names) == 1 else ""
    return (
        f"{model.n_features} of {cut.cut[-1].n_features} weights<br>{PART_TITLES[view.part]} {view.measure} "
        f"{model.metrics[view.part][view.measure]:.4f}, {_percent(cut, model.n_features, view.part, view.measure)} "
        f"of the whole model's{joined}<br>C = {short(cut.fit.c)}"
    )
