"""A finished lesson as a page: what was asked, guessed and found, why, and a path in which C is dragged."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args
from urllib.parse import parse_qs

from core.analysis.fitting import AtC, AtRatio, Fitting
from core.analysis.fold_models import FoldPath
from core.data import DataError
from core.experiments.results.printed_table import Table, plain_table
from core.export.html_report import Section, html_report
from core.export.saved.page import SavedPart, handled, pictures_html, scripts_html, sent_page, telling
from core.export.saved.views import SavedPath, SavedView, view_page, view_parts
from core.figures.browser.drawing_code import BUNDLE
from core.figures.lessons.guess import (
    GUESSED,
    gap_figure,
    gap_rows,
    gap_sentence,
    scale,
    sent_prediction,
)
from core.figures.lessons.words import spoken
from core.lessons import Choice, Curve, Lesson, Number, Order, Prediction, Step, answer, explanation, opened
from core.lessons.declared import Facts, LessonData
from core.methods import get_method
from core.names.markdown import markdown_html
from core.names.numbers import short

GUESS = "\ue000"
"""Stands in an explanation for what a reader will have guessed."""
POINTS = 30
"""Models of the path in which C is dragged."""


def saved_lesson(
    lesson: Lesson, facts: Mapping[str, Facts], guesses: Mapping[int, Any], source: LessonData | None = None
) -> str:
    """Return the text of the file.

    Parameters
    ----------
    lesson : Lesson
    facts : mapping
        Of every result of the lesson, as `core.lessons.LessonResults` has made them.
    guesses : mapping
        What the reader predicted, by the number of the step; as `core.lessons.lesson` describes it.
    source : LessonData, optional
        The lesson's data: the page ends with the last path of the lesson then, to be tried.
    """
    parts: list[SavedPart] = []
    sections = [_step(step, facts, guesses.get(step.number), parts) for step in lesson.steps]
    method = "l1"
    if source is not None and (found := _path_of(lesson)) is not None:
        method, section = _tried(lesson, *found, source, parts)
        sections.append(section)
    # The scripts draw every picture above them.
    last = Section("About this page", text=(_about(lesson),), figures=(scripts_html(parts, method),))
    return html_report(lesson.title, (lesson.about,), [*sections, last], script=BUNDLE.read_text(encoding="utf-8"))


def site_lesson(lesson: Lesson, facts: Mapping[str, Facts], paths: LessonPaths) -> dict[str, Any]:
    """Return a lesson as ``site_lessons.js`` takes it: what is asked, and what is shown when it has been answered.

    Parameters
    ----------
    lesson : Lesson
    facts : mapping
        Of every result of the lesson.
    paths : LessonPaths
        Draws what its steps show.
    """
    words = {"name": lesson.name, "title": lesson.title, "minutes": lesson.minutes, "about": lesson.about}
    pages: dict[str, Any] = {}
    steps = [_site_step(step, facts) for step in lesson.steps]
    for step, record in zip(lesson.steps, steps, strict=True):
        hidden = step.predict is not None and step.hide  # where a part of a page would tell the answer, all waits
        for when, address in (("show", "" if hidden else step.show), ("reveal", step.reveal or step.show)):
            if address and address not in pages and (page := paths.page(lesson, address)) is not None:
                pages[address] = page
            record[when] = address
    return words | {"steps": steps, "pages": pages}


def _site_step(step: Step, facts: Mapping[str, Facts]) -> dict[str, Any]:
    record: dict[str, Any] = {"title": step.title, "text": markdown_html(step.text)}
    try:
        record["explain"] = markdown_html(explanation(_marked(step), facts))
        if step.predict is not None:
            record |= {"asked": sent_prediction(step.predict)} | _result(step.predict, answer(step, facts).value)
    except DataError as error:
        record["text"] += f"<p>{html.escape(f'No answer on this data: {error}')}</p>"
    return record


def _marked(step: Step) -> Step:
    """The step whose explanation has a mark for what a reader will have guessed."""
    return replace(step, explain=step.explain.replace("{guess}", GUESS))


def _result(predict: Prediction, value: Any) -> dict[str, Any]:
    """The result in words, words for guesses, and the picture of both, in which the guess is filled in.

    The picture is that of the first guess. Of a number, ``marks`` has the words at the mark of each guess; of an order,
    ``lines`` the line of each item (the first of the result first) from each guessed place.
    """
    told: dict[str, Any] = {"result": gap_sentence(predict, None, value)}
    match predict:
        case Number():
            first: Any = scale(predict)[0]
            told["said"] = [spoken(predict, one) for one in scale(predict)]
            told["marks"] = [f"{GUESSED} {short(one)}" for one in scale(predict)]
        case Order(items=items):
            told["order"], first = list(value), tuple(range(len(items)))
            turned = [(*first[k:], *first[:k]) for k in first]  # each item at each place
            drawn = [_gap_part(predict, one, value)["figure"]["data"] for one in turned]
            told["lines"] = [[drawn[(item - place) % len(items)][k] for place in first] for k, item in enumerate(value)]
        case Curve(x=x, low=low):
            first = (low,) * len(x)
        case Choice(options=options):
            return told | {"said": [spoken(predict, k) for k in range(len(options))]}
    return told | {"gap": _gap_part(predict, first, value)}


def _gap_part(predict: Prediction, guess: Any, value: Any) -> dict[str, Any]:
    """The picture of a guess beside the result, as it is sent."""
    figure = gap_figure(predict, guess, value)
    alt = gap_sentence(predict, None, value)
    (sent,) = sent_page([SavedPart("lesson_gap", figure, None, alt, "", small=True, clickable=False)], "")["pictures"]
    return dict(sent)


@dataclass(frozen=True, eq=False)
class LessonPaths:
    """Draws what steps of lessons show, as far as it is a view of a path.

    Attributes
    ----------
    made : dict
        Paths by dataset, fold, method, solver and tolerance.
    """

    made: dict[tuple[object, ...], SavedPath] = field(default_factory=dict)

    def page(self, lesson: Lesson, address: str) -> dict[str, Any] | None:
        """Return the page at an address as the site is sent it; None where it is of another kind."""
        view, _, query = address.partition("?")
        given = {key: values[-1] for key, values in parse_qs(query).items()}
        view = view or "lab"
        if view not in get_args(SavedView) or "features_section" in given or "method" not in given:
            return None
        dataset, fold = given.get("dataset", lesson.dataset), lesson.fold
        lead = self._path(dataset, fold, given["method"], given.get("solver"), given.get("tol"))
        at = AtC(float(given["C"])) if "C" in given else AtRatio(float(given.get("ratio", 0.05)))
        others = [self._path(dataset, fold, one) for one in given.get("beside", "").split(",") if one]
        where = f"{dataset}, {lead.path.fold.name}"
        return view_page(cast("SavedView", view), lead.at(lead.how.lam(at)), others, where=where).sent

    def _path(
        self, dataset: str, number: int, method_id: str, solver: str | None = None, tol: str | None = None
    ) -> SavedPath:
        key = (dataset, number, method_id, solver, tol)
        if key not in self.made:
            source, method = opened(dataset, number), get_method(method_id)
            stop = method.stop_at(None if tol is None else float(tol))
            how = Fitting.on(source.fold, method, {}, source.convention, solver=solver, stop=stop)
            plain = how if solver is None else Fitting.on(source.fold, method, {}, source.convention)
            self.made[key] = SavedPath.of(how, FoldPath(tuple(plain.path(POINTS)), source.fold, source.convention))
        return self.made[key]


def _about(lesson: Lesson) -> str:
    where = f" on {lesson.dataset}, fold {lesson.fold}" if lesson.dataset else ""
    return f"The lesson “{lesson.title}”{where}: every number was computed, none is typed. Nothing is graded."


def _step(step: Step, facts: Mapping[str, Facts], guess: Any, parts: list[SavedPart]) -> Section:
    """What one step asked and found; its picture is added to ``parts``."""
    title = f"{step.number}. {step.title}"
    asked, tables = [markdown_html(step.text)], list[Table]()
    if step.predict is not None:
        asked.append("".join(_question(step)))
        try:
            value = answer(step, facts).value
        except DataError as error:
            return Section(title, figures=("".join(asked), f"<p>{html.escape(f'No answer on this data: {error}')}</p>"))
        sentence = gap_sentence(step.predict, guess, value)
        told = sentence if guess is not None else f"You made no prediction. {sentence}"
        asked.append(f"<p><strong>{html.escape(told)}</strong></p>")
        figure = gap_figure(step.predict, guess, value)
        if figure is not None:
            part = SavedPart(f"step_{step.number}", figure, None, sentence, "", small=True, clickable=False)
            parts.append(part)
            asked.append(pictures_html([part]))
            rows = [{str(name): one for name, one in row.items()} for row in gap_rows(step.predict, guess, value)]
            tables.append(plain_table(f"step{step.number}", "The same as numbers", "", rows))
    if step.explain:
        try:
            asked.append(markdown_html(explanation(step, facts, guess)))
        except DataError as error:
            asked.append(f"<p>{html.escape(f'No explanation on this data: {error}')}</p>")
    return Section(title, figures=("".join(asked),), folded=tuple(tables))


def _question(step: Step) -> Iterator[str]:
    """The question, and between what one could choose."""
    predict = step.predict
    assert predict is not None, "the step asks something"
    yield f"<p>{html.escape(predict.question)}</p>"
    offered: Sequence[str] = ()
    if isinstance(predict, Choice):
        offered = predict.options
    elif isinstance(predict, Order):
        offered = predict.items
    if offered:
        yield f"<ul>{''.join(f'<li>{html.escape(one)}</li>' for one in offered)}</ul>"


def _path_of(lesson: Lesson) -> tuple[SavedView, Mapping[str, str]] | None:
    """The view and the choice of the last address of the lesson that shows a path of its data."""
    for step in reversed(lesson.steps):
        for address in filter(None, (step.reveal, step.show)):
            page, _, query = address.partition("?")
            given = {key: values[-1] for key, values in parse_qs(query).items()}
            own = given.get("dataset", lesson.dataset) == lesson.dataset
            if (
                page in get_args(SavedView)
                and own
                and "method" in given
                and not {"features_section", "solver"} & {*given}
            ):
                return cast(SavedView, page), given
    return None


def _tried(
    lesson: Lesson, view: SavedView, given: Mapping[str, str], source: LessonData, parts: list[SavedPart]
) -> tuple[str, Section]:
    """The section with a path to try, and its method's id; its pictures are added to ``parts``."""
    how = Fitting.on(source.fold, get_method(given["method"]), {}, source.convention)
    path = FoldPath(tuple(how.path(POINTS)), source.fold, source.convention)
    at = AtC(float(given["C"])) if "C" in given else AtRatio(float(given["ratio"])) if "ratio" in given else None
    lead = SavedPath.of(how, path, None if at is None else how.lam(at))
    where = f"{lesson.dataset}, {source.fold.name}"
    hand = telling(lead.hand(where), lead.measures)
    drawn, summary = view_parts(view, lead, (), hand, where)
    parts += drawn
    words = "Drag the line, press Play, or use the arrow keys on the handle; the numbers are of the model under it."
    return given["method"], Section("Try it", text=(summary, words), figures=(handled(drawn, hand, lead.measures),))
