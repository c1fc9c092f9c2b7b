"""The saved pages of a path: its picture, the trade-off, the features, and the four linked pictures of the Lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.analysis.evaluation import FoldJudge
from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.fitting import Fitting
from core.analysis.fold_models import FoldModel, FoldPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import fitted_frame, frames_of, refined
from core.analysis.path_views import most_important, nearest_point, ratio_of, telling_part
from core.analysis.tuning.tuning import told_by_validation
from core.export.html_report import Section
from core.export.saved.features import features_parts
from core.export.saved.lab import lab_parts
from core.export.saved.page import SavedPart, at_c, models_section, picture_part, saved_page, telling
from core.figures.drag.hand import Hand
from core.figures.features.kept_features import FeaturesPicture
from core.figures.features.selection import ROWS, shown_features
from core.figures.fit.convergence import Curve
from core.figures.fit.words import kept_words
from core.figures.lab.lab_drag import LabDrags
from core.figures.lab.pictures import LabPictures
from core.figures.look.feature_colours import MOST_COLOURED
from core.figures.look.style import method_style
from core.figures.path.picture import PathsPicture
from core.figures.path.tuning import PART_WORDS
from core.figures.tradeoff.picture import TradeoffPicture
from core.methods import get_method
from core.metrics.measures import MeasureName, telling_measures
from core.solvers import FitResult

SavedView = Literal["path", "tradeoff", "features", "lab"]
"""Features with a row, as on the Features page."""


@dataclass(frozen=True, eq=False)
class SavedPath:
    """A complete path of one method, judged, with what it was fitted by.

    Attributes
    ----------
    how : Fitting
        An l1 path gets models where those between two others are not proved to be within 1e-3.
    path : FoldPath
    chosen : PathPoint
        The model under the line when the page is opened.
    """

    how: Fitting
    path: FoldPath
    chosen: PathPoint

    @classmethod
    def of(cls, how: Fitting, path: FoldPath, lam: float | None = None) -> SavedPath:
        """Choose the model at a lambda; without one the best on the validation part, or one in the middle."""
        if lam is not None:
            fit = how.run(lam).finish()
            return cls(how, path, PathPoint.of(fit, how.judge.judgement(fit.weights)))
        best = told_by_validation(path.points, telling_measures(path.fold.train)[0])
        return cls(how, path, best or path.points[len(path.points) // 2])

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
        return telling_part(self.chosen)

    def hand(self, where: str) -> Hand:
        """Its frames."""
        judge, best = FoldJudge(self.path.fold, self.path.convention), self.best
        return Hand(
            list(frames_of(refined(self.path.points, self.how.training, judge), judge)),
            fitted_frame(self.chosen),
            method_style(self.path.method).colour,
            path=f"{self.path.method} {where}",
            best=None if best is None else ratio_of(best),
        )

    def scores(self) -> Sequence[SingleFeatureScore]:
        """How every feature ranks the training part alone."""
        return SingleFeatureScores(self.path.fold.train, self.path.convention).made()

    def traced(self) -> FitResult:
        """The fit of the chosen model from zero, with its trace."""
        return self.how.run(self.chosen.fit.lam).finish().result


def saved_view(view: SavedView, lead: SavedPath, others: Sequence[SavedPath] = (), *, where: str, command: str) -> str:
    """Return the text of the file.

    Parameters
    ----------
    view : {"path", "tradeoff", "features", "lab"}
        As the page of the app of that name shows a path.
    lead : SavedPath
        The path that the handle moves through.
    others : sequence of SavedPath
        Of other methods on the same fold, beside it; the Lab has room for one.
    where : str
        Dataset and fold.
    command : str
        The one that made it.
    """
    hand = telling(lead.hand(where), lead.measures)
    parts, summary = view_parts(view, lead, others, hand, where)
    return saved_page(
        parts,
        hand,
        lead.measures,
        title=f"{lead.title} on {where}",
        summary=summary,
        method=lead.path.method,
        convention=lead.path.convention,
        beneath=(
            models_section(lead.path.points, lead.measures),
            Section("The command that made this page", code=command),
        ),
    )


Parts = tuple[Sequence[SavedPart], str]
"""The pictures of a page, and its summary."""


def view_parts(view: SavedView, lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str) -> Parts:
    """Return the pictures of a view, which move with a hand that is `telling`, and what they say."""
    return _PARTS[view](lead, others, hand, where)


def _path(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str) -> Parts:
    picture = PathsPicture(
        [one.path for one in (lead, *others)],
        measure=lead.measures[0],
        measures=lead.measures,
        where=where,
        hint="drag the line",
    )
    hands = [one.hand(where) for one in others]
    return [picture_part(picture, picture.found, hand, hands)], f"{picture.words(picture.found).title}."


def _tradeoff(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str) -> Parts:
    paths = [one.path for one in (lead, *others)]
    picture = TradeoffPicture(paths, measure=lead.measures[0], part=lead.part, where=where, hint="drag the line")
    return [picture_part(picture, picture.found, hand)], f"{picture.words(picture.found).title}."


def _features(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str) -> Parts:
    path, measure = lead.path, lead.measures[0]
    points = [lead.chosen, *(with_as_many_features(o.path.points, lead.chosen.fit.result.nonzero) for o in others)]
    models = [FoldModel(point.fit, path.fold, point.judgement, path.convention) for point in points]
    picture = FeaturesPicture(
        models,
        measure=measure,
        where=where,
        others="as many features" if others else "",
    )
    found = picture.found
    important = most_important([path.points], ROWS)
    rows = shown_features(found.columns, found.scores, measure, ROWS, important)
    summary = f"{at_c(hand)}: {picture.words(found).title}."
    return features_parts(picture, found, rows, path.points, hand), summary


def _lab(lead: SavedPath, others: Sequence[SavedPath], hand: Hand, where: str) -> Parts:
    path, fold = lead.path, lead.path.fold
    usable = FoldJudge(fold, path.convention).usable_features
    beside = others[0] if others else None
    coloured = most_important([path.points], MOST_COLOURED)
    other = None if beside is None else beside.hand(where)
    drags = LabDrags(hand, coloured, lead.part, lead.measures[0], fold.train.feature_names, other)
    drawn = [lead, *([] if beside is None else [beside])]
    pictures = LabPictures(
        drags,
        path.points,
        {one.path.method: one.title for one in drawn},
        ratio_of(lead.chosen),
        usable,
        path.convention,
        lead.best,
        () if beside is None else beside.path.points,
    )
    curve = None
    if beside is not None:
        at_same = SavedPath(beside.how, beside.path, _beside(lead, beside))
        curve = Curve(beside.title, beside.path.method, at_same.traced().trace)
    shown = hand.now.judgement.metrics[lead.part][lead.measures[0]]
    kept = kept_words(lead.chosen.fit)
    summary = f"{at_c(hand)}: {kept}, {PART_WORDS[lead.part]} {lead.measures[0]} {shown:.4f}."
    return lab_parts(pictures, lead.scores(), lead.traced(), curve), summary


def _beside(lead: SavedPath, other: SavedPath) -> PathPoint:
    """Its model at the same share of lambda_max: another loss makes another scale of lambda."""
    points = other.path.points
    return nearest_point(points, ratio_of(lead.chosen) * points[0].fit.lam_max)


_PARTS = {"path": _path, "tradeoff": _tradeoff, "features": _features, "lab": _lab}
