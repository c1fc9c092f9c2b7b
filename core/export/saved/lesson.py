"""A finished lesson as a page: what was asked, guessed and found, why, and a path in which C is dragged."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args
from urllib.parse import parse_qs

from core.analysis.fitting import AtC, AtRatio, Fitting
from core.analysis.fold_models import FoldPath
from core.data import DataError
from core.experiments.results.printed_table import Table, plain_table
from core.export.html_report import Section, html_report
from core.export.saved.page import SavedPart, handled, pictures_html, scripts_html, telling
from core.export.saved.views import SavedPath, SavedView, view_parts
from core.figures.browser.drawing_code import BUNDLE
from core.figures.lessons.guess import gap_figure, gap_rows, gap_sentence
from core.lessons import Choice, Lesson, Order, Step, answer, explanation
from core.lessons.declared import Facts, LessonData
from core.methods import get_method
from core.names.markdown import markdown_html

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
