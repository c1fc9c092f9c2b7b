"""A finished lesson as a page: what was asked, guessed and found, why, and a path in which C is dragged."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args
from urllib.parse import parse_qsl

import numpy as np

from core.analysis.fitting import AtC, AtRatio, Fitting
from core.data import DataError, RankingData
from core.data.catalogue import is_shipped
from core.experiments.results.printed_table import Table, plain_table
from core.export.html_report import Section, html_report, section_html
from core.export.saved.page import COLUMNS, SavedPage, SavedPart, pictures_html, scripts_html, sent_page
from core.export.saved.views import SavedPath, SavedView, options_at, view_page
from core.figures.browser.drawing_code import BUNDLE
from core.figures.features.distributions import RelevanceLevels
from core.figures.features.single_feature import SingleFeatures
from core.figures.features.stability_picture import StabilityPicture
from core.figures.lessons.guess import GUESSED, gap_figure, gap_rows, gap_sentence, scale, sent_prediction, spoken
from core.figures.penalties.penalties import CHARTS, PenaltyCurves
from core.figures.picture import Picture
from core.figures.queries.picture import IDEAL, QueriesPicture
from core.figures.top.lists_picture import TopOfLists
from core.figures.top.one_list import TopOfOneList
from core.lessons import Choice, Curve, Lesson, Number, Order, Prediction, Step, answer, explanation, opened
from core.lessons.answers import Opened
from core.lessons.lesson import Facts, LessonData
from core.methods import get_method
from core.metrics import evaluate_ranking
from core.names.markdown import markdown_html
from core.names.numbers import short

GUESS = "\ue000"
"""Stands in an explanation for what a reader will have guessed."""
_HOW = "Drag the line, press Play, or use the arrow keys on the handle; the numbers are of the model under it."
POINTS = 30
"""Models of the path in which C is dragged."""


def saved_lesson(
    lesson: Lesson, facts: Mapping[str, Facts], guesses: Mapping[int, Any], source: LessonData | None = None
) -> str:
    """Return the text of the file.

    ``facts`` are those of every result of the lesson, as `core.lessons.LessonResults` has made them; ``guesses`` what
    the reader predicted, by the number of the step, as `core.lessons.lesson` describes it. With the lesson's data as
    ``source``, the page ends with the last path of the lesson, to be tried.
    """
    parts: list[SavedPart] = []
    sections = [_step(step, facts, guesses.get(step.number), parts) for step in lesson.steps]
    tried = None if source is None else _tried(lesson, LessonPaths(lambda dataset, fold: source))
    if tried is not None:
        parts += tried.parts
        sections.append(Section("Try it", text=(tried.summary, _HOW), figures=(tried.html,)))
    scripts = scripts_html(parts, "" if tried is None else tried.method)  # they draw every picture above them
    where = f" on {lesson.dataset}, fold {lesson.fold}" if lesson.dataset else ""
    about = f"The lesson “{lesson.title}”{where}: every number was computed, none is typed. Nothing is graded."
    last = Section("About this page", text=(about,), figures=(scripts,))
    return html_report(lesson.title, (lesson.about,), [*sections, last], script=BUNDLE.read_text(encoding="utf-8"))


def site_lesson(lesson: Lesson, facts: Mapping[str, Facts], paths: LessonPaths) -> dict[str, Any]:
    """Return a lesson as ``site_lessons.js`` takes it: what is asked, and what is shown when it has been answered.

    Its ``facts`` are those of a `saved_lesson`; ``paths`` draws what its steps show.
    """
    steps, pages = list[dict[str, Any]](), dict[str, Any]()
    for step in lesson.steps:
        hidden = step.predict is not None and step.hide  # where a part of a page would tell the answer, all waits
        addresses = {"show": "" if hidden else step.show, "reveal": step.reveal or step.show}
        steps.append(_site_step(step, facts) | addresses)
        for address in addresses.values():
            if address and address not in pages and (page := shown_page(lesson, address, paths)) is not None:
                pages[address] = page
    return {"steps": steps, "pages": pages}


def shown_page(lesson: Lesson, address: str, paths: LessonPaths) -> Mapping[str, Any] | None:
    """Return what a site shows of a page of the app; None where it has nothing of it."""
    view, _, query = address.partition("?")
    given = dict(parse_qsl(query))
    if "numbers_scores" in given:
        return _one_list(*(list(map(float, given[f"numbers_{name}"].split(","))) for name in ("relevance", "scores")))
    if (page := paths.page(lesson, address)) is not None:
        return page.sent
    pictures = list(paths.pictures(lesson, view, given))
    return _still(view.capitalize(), pictures, given.get("method", "")) if pictures else None


def _still(title: str, pictures: Sequence[Picture[Any]], method: str) -> dict[str, Any]:
    """Pictures in which nothing moves with C: the last one has a row, those before it share one."""
    parts = []
    for picture in pictures:
        words = picture.words(picture.found)
        span = COLUMNS if picture is pictures[-1] else COLUMNS // (len(pictures) - 1)
        caption = f"<b>{html.escape(words.title)}</b>{html.escape(words.subtitle).replace(chr(10), '<br>')}"
        parts.append(SavedPart(picture.chart_key, picture.figure, None, words.alt, caption, span, clickable=False))
    summary = f"{parts[0].alt}." if parts[0].words.endswith("</b>") else ""
    drawn = {"title": title, "summary": summary, "html": pictures_html(parts)}
    return drawn | sent_page(parts, method)


def _one_list(relevance: Sequence[float], scores: Sequence[float]) -> dict[str, Any]:
    order = sorted(range(len(scores)), key=lambda document: -scores[document])
    rows = [{"place": k, "relevance": f"{relevance[d]:g}", "score": f"{scores[d]:g}"} for k, d in enumerate(order, 1)]
    data = RankingData.build(np.zeros((len(relevance), 1)), relevance, [0, len(relevance)])
    measures = evaluate_ranking(data, scores, "standard", cutoffs=(1, 5, 10))
    tables = plain_table("list", "The list", "", rows), plain_table("measures", "Its measures", "", [measures])
    drawn = {"title": "One list", "summary": "", "html": section_html(Section("", tables=tables))}
    return drawn | sent_page((), "")


def _site_step(step: Step, facts: Mapping[str, Facts]) -> dict[str, Any]:
    record: dict[str, Any] = {"title": step.title, "text": markdown_html(step.text)}
    try:
        if step.predict is not None:
            record |= {"asked": sent_prediction(step.predict)} | _result(step.predict, answer(step, facts).value)
    except DataError as error:
        record["text"] += _missing("answer", error)
        return record
    marked = replace(step, explain=step.explain.replace("{guess}", GUESS))
    return record | {"explain": _explained(marked, facts, None)}


def _explained(step: Step, facts: Mapping[str, Facts], guess: Any) -> str:
    try:
        return markdown_html(explanation(step, facts, guess))
    except DataError as error:
        return _missing("explanation", error)


def _missing(what: str, error: DataError) -> str:
    return f"<p>{html.escape(f'No {what} on this data: {error}')}</p>"


def _result(predict: Prediction, value: Any) -> dict[str, Any]:
    """The result in words, words for guesses, and the picture of both, in which the guess is filled in.

    The picture is that of the first guess. Of a number, ``marks`` has the words at the mark of each guess; of an order,
    ``lines`` the line of each item (the first of the result first) from each guessed place.
    """
    told: dict[str, Any] = {"result": gap_sentence(predict, None, value)}

    def drawn(guess: Any) -> dict[str, Any]:
        (sent,) = sent_page(_gap_parts("lesson_gap", predict, guess, value), "")["pictures"]
        return dict(sent) | {"alt": told["result"]}

    match predict:
        case Number():
            first: Any = scale(predict)[0]
            told["said"] = [spoken(predict, one) for one in scale(predict)]
            told["marks"] = [f"{GUESSED} {short(one)}" for one in scale(predict)]
        case Order(items=items):
            told["order"], first = list(value), tuple(range(len(items)))
            turned = [(*first[k:], *first[:k]) for k in first]  # each item at each place
            lines = [drawn(one)["figure"]["data"] for one in turned]
            told["lines"] = [[lines[(item - place) % len(items)][k] for place in first] for k, item in enumerate(value)]
        case Curve(x=x, low=low):
            first = (low,) * len(x)
        case Choice(options=options):
            return told | {"said": [spoken(predict, k) for k in range(len(options))]}
    return told | {"gap": drawn(first)}


def _gap_parts(name: str, predict: Prediction, guess: Any, value: Any) -> list[SavedPart]:
    """The picture of a guess beside the result, or none where words say all of it."""
    figure, alt = gap_figure(predict, guess, value), gap_sentence(predict, guess, value)
    return [] if figure is None else [SavedPart(name, figure, None, alt, "", small=True, clickable=False)]


@dataclass(frozen=True, eq=False)
class LessonPaths:
    """Draws what steps of lessons show; keeps its paths by dataset, fold, method, solver and tolerance."""

    open_fold: Opened = opened
    made: dict[tuple[object, ...], SavedPath] = field(default_factory=dict)

    def page(self, lesson: Lesson, address: str) -> SavedPage | None:
        """Return the page at an address; None where it is of another kind."""
        view, _, query = address.partition("?")
        view, given = view or "lab", dict(parse_qsl(query))
        if view not in get_args(SavedView) or "features_section" in given or "method" not in given:
            return None
        dataset, fold = given.get("dataset", lesson.dataset), lesson.fold
        lead = self._path(dataset, fold, given["method"], given.get("solver"), given.get("tol"))
        at = AtC(float(given["C"])) if "C" in given else AtRatio(float(given.get("ratio", 0.05)))
        others = [self._path(dataset, fold, one) for one in given.get("beside", "").split(",") if one]
        where = f"{dataset}, {lead.path.fold.name}"
        shown = cast("SavedView", view)
        opened_at, options = lead.at(lead.how.lam(at)), options_at(shown, given)
        return view_page(shown, opened_at, others, where=where, options=options)

    def pictures(self, lesson: Lesson, view: str, given: Mapping[str, str]) -> Iterator[Picture[Any]]:
        """Draw what a page shows that is no view of a path; nothing where a site has not what that needs."""
        section = given.get(f"{view}_section", "")
        method, ratio = given.get("method", ""), float(given.get("ratio", 0.05))
        dataset, fold = given.get("dataset", lesson.dataset), lesson.fold
        where = f"{dataset}, fold {fold}"
        if view == "penalties" and section == "Curves":
            step = float(given.get("prox_step", 0.5))
            yield from (PenaltyCurves(method, look=look, step=step, headed=True) for look in CHARTS)
            return
        if not dataset:
            return
        source = self.open_fold(dataset, fold)
        train, convention = source.fold.train, source.convention
        match view, section:
            case "data", "overview":
                yield RelevanceLevels(train, where=where)
            case "data", "features":
                yield SingleFeatures(train, convention=convention, where=where)
            case "features", "stability":
                yield StabilityPicture(source.fold, method, lambda_ratio=ratio, convention=convention, where=where)
            case (("queries" | "top"), _) if is_shipped(dataset):  # they name queries
                lead = self._path(dataset, fold, method)
                model = lead.at(lead.how.lam(AtRatio(ratio))).model
                if view == "queries":
                    yield QueriesPicture(model, IDEAL, where=where)
                elif model.fold.train.n_queries > 1:
                    yield TopOfLists([model], path=lead.path, where=where)
                else:
                    yield TopOfOneList(model, path=lead.path, where=where)

    def _path(
        self, dataset: str, number: int, method_id: str, solver: str | None = None, tol: str | None = None
    ) -> SavedPath:
        key = (dataset, number, method_id, solver, tol)
        if key not in self.made:
            source, method = self.open_fold(dataset, number), get_method(method_id)
            stop = method.stop_at(None if tol is None else float(tol))
            how = Fitting.on(source.fold, method, {}, source.convention, solver=solver, stop=stop)
            plain = how if solver is None else Fitting.on(source.fold, method, {}, source.convention)
            self.made[key] = SavedPath.of(how, plain.path(POINTS))
        return self.made[key]


def _tried(lesson: Lesson, paths: LessonPaths) -> SavedPage | None:
    """The last page of the lesson that shows a path of its data."""
    for address in (one for step in reversed(lesson.steps) for one in (step.reveal, step.show) if one):
        given = dict(parse_qsl(address.partition("?")[2]))
        if given.get("dataset", lesson.dataset) == lesson.dataset and (page := paths.page(lesson, address)) is not None:
            return page
    return None


def _step(step: Step, facts: Mapping[str, Facts], guess: Any, parts: list[SavedPart]) -> Section:
    """What one step asked and found; its picture is added to ``parts``."""
    title, said, tables = f"{step.number}. {step.title}", [markdown_html(step.text)], list[Table]()
    try:
        if step.predict is not None:
            asked = sent_prediction(step.predict)
            said.append(f"<p>{html.escape(asked['question'])}</p>")
            if offered := asked.get("options", asked.get("items")):
                said.append(f"<ul>{''.join(f'<li>{html.escape(one)}</li>' for one in offered)}</ul>")
            value = answer(step, facts).value
            sentence = gap_sentence(step.predict, guess, value)
            told = sentence if guess is not None else f"You made no prediction. {sentence}"
            said.append(f"<p><strong>{html.escape(told)}</strong></p>")
            if drawn := _gap_parts(f"step_{step.number}", step.predict, guess, value):
                parts += drawn
                said.append(pictures_html(drawn))
                rows = [
                    {
                        name: short(one) if isinstance(one, float) and abs(one) < 1e-3 else one
                        for name, one in row.items()
                    }
                    for row in gap_rows(step.predict, guess, value)  # along a logarithmic axis they may be tiny
                ]
                tables.append(plain_table(f"step{step.number}", "The same as numbers", "", rows))
        said.append(_explained(step, facts, guess))
    except DataError as error:
        said.append(_missing("answer", error))
    return Section(title, figures=("".join(said),), folded=tuple(tables))
