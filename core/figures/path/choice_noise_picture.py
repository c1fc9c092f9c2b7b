"""The picture of how much of a difference between methods is due to the choice of C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import FEWEST_QUERIES, NOT_KNOWN, RULE_TITLES, ChoiceRule, no_validation_part
from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.path import PathPoint
from core.analysis.tuning.choice_noise import RESAMPLES, PathNoise
from core.analysis.tuning.noise_by_rule import NoiseByRule, NoisyPath
from core.experiments.results.choice_comparison import DEFAULT_MARGIN, ChoiceComparison, compare_paths
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import counting, layout, method_style
from core.figures.path.tuning import PART_WORDS
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method
from core.metrics import Measure
from core.names.numbers import short

LARGEST_MARK = 34.0
HEIGHT = 380
LABEL_PIXELS = 28.0  # of a label, on the part of the picture's height that the axis takes


@dataclass(frozen=True, eq=False)
class NoisyChoice:
    """A method's path with the noise of its choice.

    Attributes
    ----------
    title : str
        The method's name for people.
    points : sequence of PathPoint
    noise : PathNoise
        Its positions are those of the points.
    """

    title: str
    points: Sequence[PathPoint]
    noise: PathNoise


def choice_noise_figure(
    choices: Mapping[str, NoisyChoice], measure: str, *, convention: str, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw the models that some choice takes, sized by their share of the choices, and their mean ± one deviation.

    Parameters
    ----------
    choices : mapping
        By method.
    measure : str
        The measure on the y axis, on the part that the noise reports.
    convention : str
    """
    figure = go.Figure()
    part = ""
    for method, found in choices.items():
        style, noise = method_style(method), found.noise
        part = noise.part
        places, shares = noise.noise.places.tolist(), noise.noise.shares
        taken = [found.points[place] for place in places]
        figure.add_trace(
            {
                "type": "scatter",
                "x": [point.fit.result.nonzero for point in taken],
                "y": [point.metrics[part][measure] for point in taken],
                "mode": "markers",
                "marker": {
                    "size": (LARGEST_MARK * np.sqrt(np.maximum(shares, 0.002))).tolist(),
                    "color": style.colour,
                    "opacity": 0.35,
                    "line": {"width": 0},
                },
                "name": found.title,
                "text": [_hover(found, place, measure) for place in places],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
        figure.add_trace(_cross(found, measure, style.colour))
        chosen = found.points[noise.noise.chosen]
        figure.add_trace(
            {
                "type": "scatter",
                "x": [chosen.fit.result.nonzero],
                "y": [chosen.metrics[part][measure]],
                "mode": "markers",
                "marker": {"size": 11, "symbol": "x-thin", "line": {"width": 2.5, "color": style.colour}},
                "name": f"{found.title}, as chosen",
                "text": [f"as the validation part is<br>{_hover(found, noise.noise.chosen, measure)}"],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    figure.update_xaxes(title="features kept", rangemode="tozero")
    figure.update_yaxes(title=f"{measure} ({'validation' if part == 'vali' else part}, {counting(convention)})")
    _add_names(figure, choices, measure)
    drawn = layout(figure, title=title, subtitle=subtitle, height=HEIGHT)
    return drawn.update_layout(margin_r=96)


def _add_names(figure: go.Figure, choices: Mapping[str, NoisyChoice], measure: str) -> None:
    """Add names at the right, each as near to the height of its mean as the others allow; crosses often overlap."""
    heights = [y for trace in figure.data for y in trace.y]
    low, high = min(heights), max(heights)
    means = [found.noise.reported[measure].mean for found in choices.values()]
    places = spread_labels(means, LABEL_PIXELS / HEIGHT * (high - low), low, high)
    for (method, found), y in zip(choices.items(), places, strict=True):
        figure.add_annotation(
            x=1.0, xref="paper", xanchor="left", xshift=6, y=float(y), text=found.title, showarrow=False,
            font={"size": 13, "color": method_style(method).colour},
        )  # fmt: skip


def _cross(found: NoisyChoice, measure: str, colour: str) -> dict[str, object]:
    kept, reached = found.noise.n_features, found.noise.reported[measure]
    bars = {"thickness": 2, "width": 0, "color": colour}
    return {
        "type": "scatter",
        "x": [kept.mean],
        "y": [reached.mean],
        "error_x": {"type": "constant", "value": kept.deviation} | bars,
        "error_y": {"type": "constant", "value": reached.deviation} | bars,
        "mode": "markers",
        "marker": {"size": 7, "color": colour},
        "name": f"{found.title}, mean",
        "hovertemplate": f"{found.title}: {kept.mean:.1f} ± {kept.deviation:.1f} features<br>{measure} "
        f"{reached.mean:.4f} ± {reached.deviation:.4f}<extra></extra>",
    }


def _hover(found: NoisyChoice, place: int, measure: str) -> str:
    point, noise = found.points[place], found.noise
    share = float((noise.noise.drawn == place).mean())
    return (
        f"{found.title}, C = {short(point.fit.c)}: taken by {100 * share:.0f} % of the choices<br>"
        f"{point.fit.result.nonzero} features, {noise.part} {measure} {point.metrics[noise.part][measure]:.4f}"
    )


@dataclass(frozen=True, eq=False)
class Noisy:
    """The noise of the choice, and what it leaves of the differences between methods.

    Attributes
    ----------
    paths : mapping
        Of every method, by its id.
    against_first : mapping
        Comparisons of every other method with the first, by method and rule.
    """

    paths: Mapping[str, NoisyPath]
    against_first: Mapping[str, Mapping[ChoiceRule, ChoiceComparison]]


@dataclass(frozen=True, eq=False)
class ChoiceNoisePicture(Picture[Noisy]):
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

    paths: Sequence[FoldPath]
    _: KW_ONLY
    measure: str = option("MAP")
    margin: float = option(DEFAULT_MARGIN)
    where: str = aside("")

    name = "choice_noise"

    def check(self) -> None:
        super().check()
        Measure.parse(self.measure)
        fold, _ = one_fold(self.paths)
        if fold.vali is None:
            raise no_validation_part()
        if fold.vali.n_queries < FEWEST_QUERIES:
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

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: get_method(path.method).title for path in self.paths}

    def subject(self) -> str:
        return f"Noise of the choice of C by {self.measured}, of {', '.join(self.titles.values())}"

    def needs(self) -> dict[str, NoiseByRule]:
        fold, convention = one_fold(self.paths)
        return {path.method: NoiseByRule(path.points, fold, convention, self.measured) for path in self.paths}

    def result(self, needed: Mapping[str, Any]) -> Noisy:
        paths = {path.method: needed[path.method] for path in self.paths}
        fold, convention = one_fold(self.paths)
        return Noisy(paths, compare_paths(paths, FoldJudge(fold, convention), self.measured))

    def rows(self, found: Noisy) -> pd.DataFrame:
        """The model that a rule takes, and its choices on resampled validation queries."""
        name, rows = self.measured, []
        for method, path in found.paths.items():
            for rule, noise in path.noise.items():
                compared = found.against_first.get(method, {}).get(rule)
                chosen, over = path.points[noise.noise.chosen], noise.reported[name]
                rows.append(
                    {
                        "method": self.titles[method],
                        "rule": RULE_TITLES[rule],
                        "features": chosen.fit.result.nonzero,
                        f"{name}, {PART_WORDS[noise.part]}": chosen.metrics[noise.part][name],
                        "features, mean": noise.n_features.mean,
                        "features ± choice": noise.n_features.deviation,
                        "error of features ±": noise.n_features.deviation_error,
                        f"{name}, mean": over.mean,
                        f"{name} ± choice": over.deviation,
                        f"error of {name} ±": over.deviation_error,
                        "C, 5 %": noise.c[0],
                        "C, 95 %": noise.c[2],
                        **self._compared(compared),
                    }
                )
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
        fold, _ = one_fold(self.paths)
        noises = [path.noise["best"] for path in found.paths.values()]
        moved = _range([noise.reported[self.measured].deviation for noise in noises], 4)
        kept = _range([noise.n_features.deviation for noise in noises], 1)
        title = (
            f"Choosing C on other validation queries moves {PART_WORDS[noises[0].part]} {self.measured} by ± {moved} "
            f"and the features kept by ± {kept}"
        )
        how = f"C chosen by {self.measured} on {RESAMPLES} resamples of the validation queries"
        return Words(title, said(self.where or fold.name, how) + self._verdicts(found), title)

    def drawing(self, found: Noisy, words: Words) -> go.Figure:
        _, convention = one_fold(self.paths)
        return choice_noise_figure(
            {
                method: NoisyChoice(self.titles[method], path.points, path.noise["best"])
                for method, path in found.paths.items()
            },
            self.measured,
            convention=convention,
            title=words.title,
            subtitle=words.subtitle,
        )


def _range(values: Sequence[float], digits: int) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"
