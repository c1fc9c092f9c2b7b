"""The picture of the choice of C on the validation part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.choosing import RULE_TITLES, RULES, ChoiceRule, no_validation_part, tells_apart
from core.analysis.path import PathPoint, measured_by
from core.analysis.path_run import Tried, TriedModels
from core.analysis.path_views import ratio_of
from core.analysis.tuning.choice_noise import PathNoise, path_choice
from core.analysis.tuning.grid_end import END_WORDS, GridEnd, end_among
from core.analysis.tuning.tuning import best_on_validation, values_tried
from core.figures.look.labels import PERCENT, name_ends
from core.figures.look.style import DECADES, MUTED, counting, layout, method_style, silent
from core.figures.of_paths import FittingPicture
from core.figures.path.axes import metric_range
from core.figures.path.lines import PART_TITLES, metric_lines, settings_of
from core.figures.path.path import point_title
from core.figures.picture import Words, option, said
from core.metrics import Measure
from core.names.counted import features
from core.names.numbers import short

LABEL_SHARE = 0.09  # height of a label, of that of the picture


@dataclass(frozen=True, eq=False)
class TunedChoice:
    """The choice among models."""

    points: Sequence[PathPoint]
    """All that have been tried, with the measure that chooses."""
    best: PathPoint
    """The one that the rule takes; as long as models are missing, the best one so far."""
    complete: bool
    """Whether no model is missing."""
    told: bool
    """Whether validation can tell the models apart."""
    noise: PathNoise | None
    """Of a complete choice, where it is known."""

    @property
    def end(self) -> GridEnd | None:
        """The end of the grid of lambda at which a complete choice lies; None inside it."""
        if not (self.complete and self.told):
            return None
        return end_among([point.fit for point in self.points], self.best.fit)


@dataclass(frozen=True, eq=False)
class TuningPicture(FittingPicture[TunedChoice]):
    """Draw a measure along all C that are tried, and the one that the validation part chooses.

    The strip beneath is how often each C is chosen on resampled validation queries. The table has a row a model.

    Parameters
    ----------
    fold : Fold
        With a validation part.
    method : str or Method
    measure : str
        That chooses; tied documents count in expectation over their orders.
    choose : {"best", "one-se", "average"}
    widen : bool
        Whether the grid widens until the choice lies inside, by at most four decades at each end.
    solver, tol, parameters, rules, convention : optional
        As for `core.fit`; parameters that are given are not tried.
    off, must, helps, hurts, costs : optional
        Rules one by one, as for `core.fit`.

    Raises
    ------
    DataError
        If there is no validation part.
    ValueError
        If an option cannot be used.
    """

    _: KW_ONLY
    measure: str = option("MAP")
    solver: str | None = option(None)
    choose: ChoiceRule = option("best", titles={rule: rule for rule in RULES})
    widen: bool = option(False)

    name = "tuning"
    topic = "Choice of C by {0.measure} on the validation part, of {0.under.title}"

    def check(self) -> None:
        super().check()
        Measure.parse(self.measure)
        if self.fold.vali is None:
            raise no_validation_part()

    @property
    def measured(self) -> str:
        """The measure that chooses, in its usual spelling."""
        return str(Measure.parse(self.measure))

    @property
    def tried(self) -> TriedModels:
        """The models to choose among."""
        return TriedModels(self.fold, self.method, self.keywords, (self.measured, self.choose) if self.widen else None)

    def needs(self) -> dict[str, TriedModels]:
        return {"tried": self.tried}

    def result(self, needed: Mapping[str, Any]) -> TunedChoice:
        tried: Tried = needed["tried"]
        name, points = self.measured, tried.points
        if any(name not in point.metrics["vali"] for point in points):
            points = measured_by(points, self.judge, name)
        told = tells_apart([point.judgement.metrics["vali"][name] for point in points])
        if not tried.complete:
            return TunedChoice(points, best_on_validation(points, name), complete=False, told=told, noise=None)
        found = path_choice(points, self.judge, name, self.choose)
        return TunedChoice(points, points[found.chosen], complete=True, told=told, noise=found.noise)

    def chosen_with_c(self, found: TunedChoice) -> dict[str, float]:
        """The parameters that are chosen together with C."""
        tried = values_tried(self.under, self.given, self.fold.train.n_features)
        return {name: found.best.fit.parameters[name] for name in tried}

    def rows(self, found: TunedChoice) -> pd.DataFrame:
        """The tried models with the measure on every part."""
        name, rows = self.measured, []
        for point in found.points:
            fit = point.fit
            measured = {f"{name}, {PART_TITLES[part]}": point.judgement.metrics[part][name] for part in point.metrics}
            of = {"C": fit.c, "λ/λ_max": ratio_of(point), "features": fit.result.nonzero}
            rows.append({**fit.parameters, **of, **measured})
        return pd.DataFrame(rows)

    def words(self, found: TunedChoice) -> Words:
        fit, chosen = found.best.fit, self.chosen_with_c(found)
        title = self._title(found)
        at = f"{settings_words(chosen)}C = {short(fit.c)}, {short(ratio_of(found.best))} λ_max"
        faint = "faint: other values tried, on validation" if chosen else ""
        end = "" if found.end is None else f"\n{END_WORDS[found.end]}"
        return Words(title, said(self.where_words, point_title(found.best), at, faint) + end, title)

    def _title(self, found: TunedChoice) -> str:
        name = self.measured
        if not found.told:
            return f"Validation cannot tell which C is best: its {name} is the same at every one"
        reached, kept = f"{found.best.judgement.metrics['vali'][name]:.4f}", features(found.best.fit.result.nonzero)
        if self.choose == "best" or not found.complete:
            title = f"Validation {name} is best, {reached}, with {kept}"
            waits = f" so far; the rule {self.choose} needs the whole path"
            return title if self.choose == "best" else f"{title}{waits}"
        return f"{RULE_TITLES[self.choose].capitalize()}: validation {name} {reached} with {kept}"

    def drawing(self, found: TunedChoice, words: Words) -> go.Figure:
        """Draw a measure on every part against lambda / lambda_max; the model grows to the right."""
        settings, measure = found.best.fit.parameters, self.measured
        points = [point for point in found.points if point.fit.parameters == settings]
        others = _by_settings([point for point in found.points if point.fit.parameters != settings])
        chosen_again = _shares(found.points, found.noise) if found.told and found.noise is not None else None
        figure = go.Figure()
        for path in others:
            places = [ratio_of(point) for point in path]
            lines = [line for line in metric_lines(path, measure, places) if line["name"] == PART_TITLES["vali"]]
            figure.add_traces(
                [line | {"name": settings_of(path[0]), "mode": "lines", "opacity": 0.3} for line in lines]
            )
        ratios = [ratio_of(point) for point in points]
        figure.add_traces(metric_lines(points, measure, ratios))
        low, high = metric_range([points], measure, [])
        last = points[-1].judgement
        ends = [(f" {PART_TITLES[part]}", last.metrics[part][measure], None) for part in last.metrics]
        name_ends(figure, ends, LABEL_SHARE * (high - low), low, high)
        if found.told:
            figure.add_vline(x=ratio_of(found.best), line={"dash": "dash", "color": MUTED})
        figure.update_xaxes(DECADES, title="λ / λ_max", autorange="reversed")
        figure.update_yaxes(title=f"{measure} ({counting(self.convention)})", range=[low, high])
        if chosen_again:
            _add_choices(figure, chosen_again, method_style(points[0].fit.method).colour)
        return layout(figure, words, height=430 if chosen_again else 360, margin_r=84)


def settings_words(chosen: Mapping[str, float]) -> str:
    """Parameters as they stand before C."""
    return "".join(f"{name} = {value:g}, " for name, value in chosen.items())


def _shares(points: Sequence[PathPoint], noise: PathNoise) -> dict[float, float]:
    """How often each lambda / lambda_max is chosen again, whatever else is chosen with it."""
    shares: dict[float, float] = defaultdict(float)
    for place, share in zip(noise.noise.places.tolist(), noise.noise.shares.tolist(), strict=True):
        shares[ratio_of(points[place])] += share
    return shares


def _by_settings(points: Sequence[PathPoint]) -> list[list[PathPoint]]:
    """A path each, in the order in which they were fitted."""
    paths: dict[tuple[float, ...], list[PathPoint]] = {}
    for point in points:
        paths.setdefault(tuple(point.fit.parameters.values()), []).append(point)
    return list(paths.values())


def _add_choices(figure: go.Figure, shares: Mapping[float, float], colour: str) -> None:
    """Draw a stem for every value that some choice takes, on an axis of its own under the curves."""
    taken = {ratio: share for ratio, share in shares.items() if share > 0.0}
    on = {"yaxis": "y2", "name": "chosen again"}
    places = [x for ratio in taken for x in (ratio, ratio, None)]
    figure.add_scatter(**silent(places, [y for share in taken.values() for y in (0.0, share, None)], 5, colour), **on)
    figure.add_scatter(
        x=list(taken),
        y=list(taken.values()),
        mode="markers",
        marker={"size": 6, "color": colour},
        text=[f"λ/λ_max = {short(r)}: {100 * share:.0f} % of the resamples" for r, share in taken.items()],
        hovertemplate="%{text}<extra></extra>",
        **on,
    )
    figure.update_layout(
        yaxis={"domain": [0.3, 1.0]},
        yaxis2={
            "domain": [0.0, 0.16],
            "anchor": "x",
            "range": [0.0, 1.15 * max(taken.values())],
            "tickformat": PERCENT,
            "nticks": 3,
            "title": "chosen<br>again",
        },
    )
    figure.update_xaxes(anchor="y2")
