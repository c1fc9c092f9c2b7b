"""What core answers to the steps of a lesson, computed once for all visitors."""

from __future__ import annotations

from collections.abc import Mapping

from core.lessons import LessonResults
from core.lessons.results import Facts, Source
from pages.shared.choice import access
from pages.shared.lesson.place import Place
from pages.shared.work.stepwise import made


def facts(place: Place) -> Mapping[str, Facts] | None:
    """The results that a step needs; None while a progress bar stands on the page.

    Raises
    ------
    DataError
        If the data cannot be opened.
    """

    def opened(dataset: str, fold: int) -> Source:
        own = place.source is not None and dataset == place.source.name
        source = place.source if own and place.source is not None else access.usual_source(dataset)
        return Source(access.fold(source, fold), access.dataset(source).convention)

    return made(LessonResults.of(place.lesson, place.step, open_fold=opened))
