"""The saved pages of a path: its picture, the trade-off, the features, and the four linked pictures of the Lab."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from core.analysis.features.rules import Rules
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.fitting import Fitting
from core.analysis.ingredient import Ingredient
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame, frames_of, refined
from core.analysis.path_views import most_important, nearest_point, ratio_of, telling_part
from core.analysis.tuning.tuning import told_by_validation
from core.export.html_report import Section
from core.export.saved.page import (
    COLUMNS,
    SavedPage,
    SavedPart,
    at_c,
    models_section,
    picture_part,
    saved_page,
    telling,
    titled_words,
)
from core.figures.drag.drag import Hand
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.selection import (
    ROWS,
    SelectionDrags,
    along_c_figure,
    rowless_words,
    shown_features,
    weights_words,
)
from core.figures.fit.convergence import Curve
from core.figures.fit.picture import ConvergencePicture, WeightsPicture, kept_words
from core.figures.lab.lab_drag import LabDrags
from core.figures.lab.pictures import LabPictures, convergence_words
from core.figures.look.colours import MOST_COLOURED
from core.figures.look.style import method_style
from core.figures.path.lines import PART_WORDS
from core.figures.path.picture import PathsPicture
from core.figures.picture import Picture
from core.figures.tradeoff.picture import TradeoffPicture
from core.methods import Fit, get_method
from core.metrics.measures import MeasureName, telling_measures
from core.models import Model, ModelPath
from core.names.plain import in_plotly
from core.solvers import FitResult

Found = TypeVar("Found")
SavedView = Literal["lab", "path", "features", "tradeoff", "fit"]
"""By the name of the page of the app that shows the same; features have a row, as there."""


@dataclass(frozen=True, eq=False)
class SavedPath:
    """A complete path of one method, judged, with what it was fitted by, and the model under the line at first.

    An l1 path gets models where those between two others are not proved to be within 1e-3. ``known`` are results that
    pictures of the fold need, by their keys; paths of one fold may share it.
    """

    how: Fitting
    path: ModelPath
    chosen: PathPoint
    known: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, how: Fitting, points: Iterable[PathPoint], rules: Rules | None = None) -> SavedPath:
        """Choose the best model on the validation part, or one in the middle."""
        path = ModelPath(tuple(points), how.judge.fold, how.judge.convention, rules=rules)
        best = told_by_validation(path.points, telling_measures(path.fold.train)[0])
        return cls(how, path, best or path.points[len(path.points) // 2])

    def at(self, lam: float) -> SavedPath:
        """The same path, opened at the model of another lambda."""
        fit = self.how.run(lam).finish()
        found = replace(self, chosen=PathPoint(fit, self.how.judge.judgement(fit.weights)))
        return found.with_frames(self.frames)

    def with_frames(self, frames: Sequence[Frame]) -> SavedPath:
        """The same path, whose frames are known."""
        found = replace(self)
        vars(found)["frames"] = frames  # as if they had been computed
        return found

    @property
    def title(self) -> str:
        """The method's."""
        return get_method(self.path.method).title

    @property
    def measures(self) -> Sequence[MeasureName]:
        """Those that are told of a model, the most telling first."""
        return telling_measures(self.path.fold.train)[:2]

    @property
    def best(self) -> PathPoint | None:
        """The model that is best on the validation part, where that can tell."""
        return told_by_validation(self.path.points, self.measures[0])

    @property
    def part(self) -> str:
        """The part that says most about new queries."""
        return telling_part(self.chosen.metrics)

    @cached_property
    def frames(self) -> Sequence[Frame]:
        """Its models and those between them."""
        judge = self.how.judge
        return list(frames_of(refined(self.path.points, self.how.training, judge), judge))

    @property
    def model(self) -> Model:
        """The chosen model, judged on the fold."""
        return self.path.model_of(self.chosen)

    def hand(self, where: str) -> Hand:
        """Its frames, as a path that a handle moves through."""
        best = self.best
        return Hand(
            self.frames,
            fitted_frame(self.chosen),
            method_style(self.path.method).colour,
            path=f"{self.path.method} {where}",
            best=None if best is None else ratio_of(best),
        )

    def found(self, picture: Picture[Found]) -> Found:
        """The numbers of a picture."""
        return picture.result({name: self.made(one) for name, one in picture.needs().items()})

    def made(self, ingredient: Ingredient[Any]) -> Any:
        """The result of an ingredient, made once for all that share ``known``."""
        if ingredient.key not in self.known:
            self.known[ingredient.key] = ingredient.made()
        return self.known[ingredient.key]

    @cached_property
    def traced(self) -> Fit:
        """The fit of the chosen model from zero, with its trace."""
        return self.how.run(self.chosen.fit.lam).finish()

    def curve_beside(self, lead: SavedPath) -> Curve:
        """The fit of its model at the share of lambda_max of another's: another loss makes another scale of lambda."""
        points = self.path.points
        point = nearest_point(points, ratio_of(lead.chosen) * points[0].fit.lam_max)
        return Curve(self.title, self.path.method, SavedPath(self.how, self.path, point).traced.result.trace)


PICTURES: Mapping[SavedView, type[Picture[Any]]] = {
    "path": PathsPicture,
    "tradeoff": TradeoffPicture,
    "features": FeaturesPicture,
    "fit": WeightsPicture,
}
"""The picture of a view whose options can be chosen; the Lab's have none."""


def read_options(view: SavedView, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a view's picture, given as text; raise a ValueError where one cannot be."""
    if texts and view not in PICTURES:
        msg = f"the pictures of {view} have no options"
        raise ValueError(msg)
    return PICTURES[view].read(texts) if texts else {}


def options_at(view: SavedView, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that an address of the app gives a view's picture; raise a ValueError where one cannot be."""
    controls = PICTURES[view].controls() if view in PICTURES else {}
    return read_options(view, {name: given[key] for name, key in controls.items() if key in given})


def view_page(
    view: SavedView,
    lead: SavedPath,
    others: Sequence[SavedPath] = (),
    *,
    where: str,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> SavedPage:
    """Return a view of a path as the page of the app of that name shows it.

    The handle moves through the path of ``lead``. Beside it are ``others``, of other methods on the same fold; the Lab
    has room for one. ``where`` is dataset and fold; ``options`` are those of the view's picture, by name.
    """
    hand = telling(lead.hand(where), lead.measures)
    parts, summary = _PARTS[view](lead, others, hand, where, options)
    title, path = f"{lead.title} on {where}", lead.path
    return SavedPage(parts, hand, lead.measures, title, summary, path.method, path.convention)


def saved_view(view: SavedView, lead: SavedPath, others: Sequence[SavedPath] = (), *, command: str, **how: Any) -> str:
    """Return the text of the file with a `view_page`, the models, and the ``command`` that made it."""
    page, models = view_page(view, lead, others, **how), models_section(lead.path.points, lead.measures)
    return saved_page(page, (models, Section("The command that made this page", code=command)))


Parts = tuple[Sequence[SavedPart], str]
"""The pictures of a page, which move with a hand that is `telling`, and its summary."""
Options = Mapping[str, Any]


def _path(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str, options: Options) -> Parts:
    picture = PathsPicture(
        [one.path for one in (lead, *others)],
        measure=lead.measures[0],
        measures=lead.measures,
        where=where,
        hint="drag the line",
        **options,
    )
    return _alone(lead, picture, hand, [one.hand(where) for one in others])


def _tradeoff(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str, options: Options) -> Parts:
    paths = [one.path for one in (lead, *others)]
    picture = TradeoffPicture(
        paths, measure=lead.measures[0], part=lead.part, where=where, hint="drag the line", **options
    )
    return _alone(lead, picture, hand)


def _alone(lead: SavedPath, picture: Picture[Any], hand: Hand, beside: Sequence[Hand] = ()) -> Parts:
    found = lead.found(picture)
    return [picture_part(picture, found, hand, beside)], f"{picture.words(found).title}."


def _features(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str, options: Options) -> Parts:
    path, measure = lead.path, lead.measures[0]
    models = [lead.model, *(one.path.with_as_many_features(lead.chosen.fit.result.nonzero) for one in others)]
    picture = FeaturesPicture(
        models, measure=measure, where=where, others="as many features" if others else "", **options
    )
    found = lead.found(picture)
    important = most_important([path.points], ROWS)
    rows = shown_features(found.columns, found.scores, measure, ROWS, important)
    summary = f"{at_c(hand)}: {picture.words(found).title}."
    return features_parts(picture, found, rows, path.points, hand), summary


def _lab(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str, options: Options) -> Parts:
    path, fold = lead.path, lead.path.fold
    usable = lead.how.judge.usable_features
    beside = others[0] if others else None
    coloured = most_important([path.points], MOST_COLOURED)
    other = None if beside is None else beside.hand(where)
    drags = LabDrags(hand, coloured, lead.part, lead.measures[0], fold.train.feature_names, other)
    pictures = LabPictures(
        drags,
        path.points,
        {one.path.method: one.title for one in (lead, *others[:1])},
        ratio_of(lead.chosen),
        usable,
        path.convention,
        lead.best,
        () if beside is None else beside.path.points,
    )
    curve = None if beside is None else beside.curve_beside(lead)
    shown = hand.now.judgement.metrics[lead.part][lead.measures[0]]
    kept = kept_words(lead.chosen.fit)
    summary = f"{at_c(hand)}: {kept}, {PART_WORDS[lead.part]} {lead.measures[0]} {shown:.4f}."
    scores = lead.made(SingleFeatureScores(fold.train, path.convention))
    return lab_parts(pictures, scores, lead.traced.result, curve), summary


def _fit(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str, options: Options) -> Parts:
    path, best = lead.path, lead.best
    model = replace(lead.model, fit=lead.traced)
    weights = WeightsPicture(
        model,
        most=ROWS,
        along=path.points,
        best=None if best is None else best.fit.c,
        where=where,
        measure=lead.measures[0],
        **options,
    )
    beside = [other.curve_beside(lead) for other in others]
    way = ConvergencePicture(model, quantity="certificate", where=where, beside=beside)
    drawn = [picture_part(one, one.found, hand, titled=True) for one in (weights, way)]
    summary = f"{at_c(hand)}: {way.words(way.found).title}."
    return [replace(part, span=COLUMNS // len(drawn)) for part in drawn], summary


_PARTS = {"lab": _lab, "path": _path, "features": _features, "tradeoff": _tradeoff, "fit": _fit}


HALF = 6
"""Columns of a picture: two stand side by side."""


def lab_parts(
    pictures: LabPictures, scores: Sequence[SingleFeatureScore], result: FitResult, beside: Curve | None = None
) -> list[SavedPart]:
    """Return path, trade-off, features and convergence; the pictures' hand tells what stands above them.

    ``scores`` are of all features, ``result`` of the chosen model, with its trace; ``beside`` is the fit of the method
    beside it.
    """
    drags = pictures.drags
    rows = pictures.rows(scores)
    tell = pictures.readings(rows)
    texts = tell(drags.hand.now)
    in_path = replace(drags, hand=drags.hand.telling(tell)).in_path()
    still = f"{at_c(drags.hand)} from zero: {convergence_words(result, ended=True)}"
    path, tradeoff, features, convergence = (
        SavedPart(name, figure, drag, alt, f"<b>{title}</b>{words}", span=HALF, small=True)
        for name, title, figure, drag, alt, words in (
            ("lab_path", "Path", pictures.without_choice().path(), in_path, pictures.alts["path"],
                pictures.path_words(texts)),
            ("lab_tradeoff", "Trade-off", pictures.tradeoff(), drags.in_tradeoff(pictures.curves),
                pictures.alts["tradeoff"], pictures.tradeoff_words(texts)),
            ("lab_features", "Features", pictures.features(scores, rows), drags.in_features(scores, rows),
                pictures.alts["features"], pictures.features_words(texts)),
            ("lab_convergence", "Convergence", pictures.convergence(result, beside),
                drags.in_convergence(float(result.trace[-1].step)), pictures.alts["convergence"], still),
        )
    )  # fmt: skip
    return [path, tradeoff, replace(features, clickable=False), replace(convergence, clickable=False)]


ALONE = 7
"""Columns of the features alone; the weights have the rest."""


def features_parts(
    picture: FeaturesPicture, found: KeptFeatures, rows: Sequence[int], points: Sequence[PathPoint], hand: Hand
) -> list[SavedPart]:
    """Return the strip, the features alone, and the weights.

    ``rows`` are the columns (from 0) of the features drawn, from the top down; ``points`` are the path of the first
    model's method, and ``hand`` has its frames and tells what stands above the pictures.
    """
    picture = replace(picture, drawn=rows, beside_weights=True)
    words, measure, missing = picture.words(found), picture.shown_measure, rowless_words(hand, rows)
    drags = SelectionDrags(hand.telling(lambda frame: {"rowless": missing(frame)}), rows, picture.part, measure)
    title, over_weights = found.columns[0].title, weights_words(found.columns)
    weights = picture.weights_figure(found, drags.reach)
    if len(found.columns) > 1:  # how many it keeps is another number at another C
        weights.layout.xaxis.ticktext = [f"<b>{in_plotly(title)}</b>"]
    along = f'{measure} along the path of {title} <span data-reading="rowless">{html.escape(missing(hand.now))}</span>'
    return [
        SavedPart(
            "along_c",
            along_c_figure(points, measure, title=f"{measure} along the path of {title}"),
            drags.in_strip(),
            f"{measure} of every part along the path of {title}, on which C can be dragged.",
            along,
            small=True,
        ),
        SavedPart(
            picture.chart,
            picture.drawing(found, words),
            drags.in_single_features(found.scores),
            words.alt,
            titled_words(hand, words.title, words.subtitle),
            ALONE,
            clickable=False,
        ),
        SavedPart(
            "matrix",
            weights,
            drags.in_weights(),
            over_weights.title,
            titled_words(hand, over_weights.title, over_weights.subtitle),
            COLUMNS - ALONE,
            clickable=False,
        ),
    ]
