"""The picture of how much of a difference between methods is due to the choice of C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import FEWEST_QUERIES, NOT_KNOWN, RULE_TITLES, ChoiceRule, no_validation_part
from core.analysis.ingredient import Ingredient
from core.analysis.tuning.choice_noise import RESAMPLES, NoisyPath, PathNoise, noise_by_rule
from core.experiments.results.choice_comparison import DEFAULT_MARGIN, ChoiceComparison, compare_paths
from core.figures.look.labels import name_ends
from core.figures.look.style import counting, layout, method_style
from core.figures.of_paths import OfPaths
from core.figures.path.lines import PART_WORDS
from core.figures.picture import Words, option, said
from core.methods import get_method
from core.metrics import Measure
from core.names.numbers import short

LARGEST_MARK = 34.0
HEIGHT = 380
LABEL_PIXELS = 28.0  # of a label, on the part of the picture's height that the axis takes


def _cross(title: str, noise: PathNoise, measure: str, colour: str) -> dict[str, object]:
    kept, reached = noise.n_features, noise.reported[measure]
    bars = {"thickness": 2, "width": 0, "color": colour}
    return {
        "type": "scatter",
        "x": [kept.mean],
        "y": [reached.mean],
        "error_x": {"type": "constant", "value": kept.deviation} | bars,
        "error_y": {"type": "constant", "value": reached.deviation} | bars,
        "mode": "markers",
        "marker": {"size": 7, "color": colour},
        "name": f"{title}, mean",
        "hovertemplate": f"{title}: {kept.mean:.1f} ± {kept.deviation:.1f} features<br>{measure} "
        f"{reached.mean:.4f} ± {reached.deviation:.4f}<extra></extra>",
    }


def _hover(title: str, path: NoisyPath, place: int, measure: str) -> str:
    point, noise = path.points[place], path.noise["best"]
    share = float((noise.noise.drawn == place).mean())
    return (
        f"{title}, C = {short(point.fit.c)}: taken by {100 * share:.0f} % of the choices<br>"
        f"{point.fit.result.nonzero} features, {noise.part} {measure} {point.metrics[noise.part][measure]:.4f}"
    )


@dataclass(frozen=True, eq=False)
class Noisy:
    """The noise of the choice, and what it leaves of the differences between methods."""

    paths: Mapping[str, NoisyPath]
    """Of every method, by its id."""
    against_first: Mapping[str, Mapping[ChoiceRule, ChoiceComparison]]
    """Comparisons of every other method with the first, by method and rule."""


@dataclass(frozen=True, eq=False)
class ChoiceNoisePicture(OfPaths[Noisy]):
    """Draw how much of a difference between methods is the draw of the validation queries.

    The table has a row a method and rule. It compares every method with the first, the choice included, and says
    whether they are equivalent, different or neither.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold with a validation part, each of another method.
    measure : str
        That chooses.
    margin : float
        Methods are equivalent if the 90 % interval of their difference in the measure lies within ± this.

    Raises
    ------
    DataError
        If there is no validation part.
    ValueError
        If the validation part is a single list, which cannot be resampled, two paths are of one method, or there is no
        such measure.
    """

    _: KW_ONLY
    measure: str = option("MAP")
    margin: float = option(DEFAULT_MARGIN)

    name = "choice_noise"
    topic = "Noise of the choice of C by {0.measured}, of {0.names}"

    def check(self) -> None:
        super().check()
        Measure.parse(self.measure)
        if self.fold.vali is None:
            raise no_validation_part()
        if self.fold.vali.n_queries < FEWEST_QUERIES:
            raise ValueError(NOT_KNOWN)
        methods = [path.method for path in self.paths]
        twice = [method for method in methods if methods.count(method) > 1]
        if twice:
            msg = f"give one path of each method; {get_method(twice[0]).title} has {methods.count(twice[0])}"
            raise ValueError(msg)

    @property
    def measured(self) -> str:
        """The measure that chooses, in its usual spelling."""
        return str(Measure.parse(self.measure))

    def needs(self) -> dict[str, Ingredient[Any]]:
        how = (self.fold, self.convention, self.measured)
        return {path.method: noise_by_rule.of(path.points, *how) for path in self.paths}

    def result(self, needed: Mapping[str, Any]) -> Noisy:
        paths = {path.method: needed[path.method] for path in self.paths}
        return Noisy(paths, compare_paths(paths, self.judge, self.measured))

    def rows(self, found: Noisy) -> pd.DataFrame:
        """The model that a rule takes, and its choices on resampled validation queries."""
        name, rows = self.measured, []
        for method, path in found.paths.items():
            for rule, noise in path.noise.items():
                compared = found.against_first.get(method, {}).get(rule)
                chosen, over = path.points[noise.noise.chosen], noise.reported[name]
                of = {"method": self.titles[method], "rule": RULE_TITLES[rule], "features": chosen.fit.result.nonzero}
                of |= {f"{name}, {PART_WORDS[noise.part]}": chosen.metrics[noise.part][name]}
                for what, spread in (("features", noise.n_features), (name, over)):
                    of |= {f"{what}, mean": spread.mean, f"{what} ± choice": spread.deviation}
                    of |= {f"error of {what} ±": spread.deviation_error}
                rows.append(of | {"C, 5 %": noise.c[0], "C, 95 %": noise.c[2]} | self._compared(compared))
        return pd.DataFrame(rows)

    def _compared(self, found: ChoiceComparison | None) -> dict[str, Any]:
        """The columns of a comparison with the first method, which has none itself."""
        if len(self.paths) == 1:
            return {}
        head = f"− {self.titles[self.paths[0].method]}"
        low, high = (None, None) if found is None else found.inner
        return {
            f"{head}, mean": None if found is None else found.mean,
            f"{head}, 5 %": low,
            f"{head}, 95 %": high,
            f"equivalent within {self.margin:g}?": "" if found is None else found.words(self.margin),
        }

    def _verdicts(self, found: Noisy) -> str:
        """What may be said of every method beside the first, chosen by the papers' rule."""
        if not found.against_first:
            return ""
        verdicts: dict[str, list[str]] = {}
        for method, by_rule in found.against_first.items():
            verdicts.setdefault(by_rule["best"].words(self.margin), []).append(self.titles[method])
        told = "; ".join(f"{', '.join(names)} {verdict}" for verdict, names in verdicts.items())
        return f"\nBeside {self.titles[self.paths[0].method]}, the choice included, within ± {self.margin:g}: {told}"

    def words(self, found: Noisy) -> Words:
        noises = [path.noise["best"] for path in found.paths.values()]
        moved = _range([noise.reported[self.measured].deviation for noise in noises], 4)
        kept = _range([noise.n_features.deviation for noise in noises], 1)
        title = (
            f"Choosing C on other validation queries moves {PART_WORDS[noises[0].part]} {self.measured} by ± {moved} "
            f"and the features kept by ± {kept}"
        )
        how = f"C chosen by {self.measured} on {RESAMPLES} resamples of the validation queries"
        return Words(title, said(self.where_words, how) + self._verdicts(found), title)

    def drawing(self, found: Noisy, words: Words) -> go.Figure:
        """Draw the models that some choice takes, as large as their share of the choices; their mean ± deviation."""
        measure, titles = self.measured, self.titles
        figure = go.Figure()
        part = ""
        for method, path in found.paths.items():
            style, noise, title = method_style(method), path.noise["best"], titles[method]
            part = noise.part
            places, shares = noise.noise.places.tolist(), noise.noise.shares
            taken = [path.points[place] for place in places]
            sizes = (LARGEST_MARK * np.sqrt(np.maximum(shares, 0.002))).tolist()
            figure.add_scatter(
                x=[point.fit.result.nonzero for point in taken],
                y=[point.metrics[part][measure] for point in taken],
                mode="markers",
                marker={"size": sizes, "color": style.colour, "opacity": 0.35, "line": {"width": 0}},
                name=title,
                text=[_hover(title, path, place, measure) for place in places],
                hovertemplate="%{text}<extra></extra>",
            )
            figure.add_trace(_cross(title, noise, measure, style.colour))
            chosen = path.points[noise.noise.chosen]
            figure.add_scatter(
                x=[chosen.fit.result.nonzero],
                y=[chosen.metrics[part][measure]],
                mode="markers",
                marker={"size": 11, "symbol": "x-thin", "line": {"width": 2.5, "color": style.colour}},
                name=f"{title}, as chosen",
                text=[f"as the validation part is<br>{_hover(title, path, noise.noise.chosen, measure)}"],
                hovertemplate="%{text}<extra></extra>",
            )
        figure.update_xaxes(title="features kept", rangemode="tozero")
        figure.update_yaxes(
            title=f"{measure} ({'validation' if part == 'vali' else part}, {counting(self.convention)})"
        )
        # Crosses often overlap: each name is as near to the height of its mean as the others allow.
        heights = [y for trace in figure.data for y in trace.y]
        low, high = min(heights), max(heights)
        ends = [
            (titles[method], path.noise["best"].reported[measure].mean, method_style(method).colour)
            for method, path in found.paths.items()
        ]
        name_ends(figure, ends, LABEL_PIXELS / HEIGHT * (high - low), low, high, size=13, xshift=6)
        return layout(figure, words, height=HEIGHT, margin_r=96)


def _range(values: Sequence[float], digits: int) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"
