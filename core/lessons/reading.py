"""Reader of a lesson: one Markdown file whose front matter has everything, checked before anything is computed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from core.lessons.addresses import check_address, check_hidden
from core.lessons.expressions import BY_NAME, FUNCTIONS, Named, keywords, outcomes, parsed
from core.lessons.front_matter import Entry, LessonError, front_matter
from core.lessons.lesson import Choice, Curve, Lesson, Number, Order, Prediction, Result, Step, with_data
from core.lessons.placeholders import check_explanation
from core.lessons.results import KINDS, OptionType, check_methods

T = TypeVar("T")
LESSON = ("title", "minutes", "about", "dataset", "fold", "data", "results", "steps")
STEP = ("title", "text", "show", "hide", "predict", "answer", "reveal", "explain")
_PREDICTIONS = {
    "choice": ("options",),
    "number": ("low", "high", "step", "unit", "log"),
    "order": ("items", "first", "last"),
    "curve": ("x", "x_label", "x_log", "low", "high", "y_label", "y_log"),
}
"""Fields of each kind of prediction beside the question."""


def read_lesson(path: Path) -> Lesson:
    """Read the file of a lesson.

    Raises a `LessonError` if it is no lesson, or has anything that is not known; with file and line.
    """
    entry, notes = front_matter(path)
    top = entry.mapping("a lesson", LESSON, ("title", "minutes", "about", "steps"))
    dataset = top["dataset"].words("dataset") if "dataset" in top else Lesson.dataset
    fold = top["fold"].whole("fold", 1) if "fold" in top else Lesson.fold
    if "data" in top and top["data"].text != "any":
        top["data"].refuse("data is 'any' where the lesson works on other data, too; else leave it out")
    declared = top["results"].mapping("results") if "results" in top else {}
    results = tuple(_result(name, one, dataset, fold) for name, one in declared.items())
    kinds = {one.name: one.kind for one in results}
    steps = tuple(
        _step(number, one, kinds, dataset, fold) for number, one in enumerate(top["steps"].sequence("steps"), 1)
    )
    return Lesson(
        name=path.stem,
        title=top["title"].words("title"),
        minutes=top["minutes"].whole("minutes", 1),
        about=top["about"].words("about"),
        steps=steps,
        path=path,
        dataset=dataset,
        fold=fold,
        any_data="data" in top,
        results=results,
        notes=notes,
    )


def _result(name: str, entry: Entry, dataset: str, fold: int) -> Result:
    if not name.isidentifier() or name in FUNCTIONS or name in BY_NAME:
        entry.refuse(f"{name!r} cannot be the name of a result: one word of letters, digits and _, and no function")
    of = dict(entry.mapping(f"the result {name}", needed=("of",)))["of"]
    kind = KINDS.get(of.words("of"))
    if kind is None:
        of.refuse(f"there is no result of {of.text!r}; there is {', '.join(KINDS)}")
    data = ("dataset", "fold") if kind.of_data else ()
    given = entry.mapping(f"a {of.text}", ("of", *data, *kind.options), kind.needed)
    found = Result(
        name,
        str(of.text),
        {key: _option(key, kind.options[key], one) for key, one in given.items() if key in kind.options},
        (given["dataset"].words("dataset") if "dataset" in given else dataset) if kind.of_data else "",
        given["fold"].whole("fold", 1) if "fold" in given else fold,
    )
    _told(entry, lambda: check_methods(found))
    return found


def _option(name: str, kind: OptionType, entry: Entry) -> object:
    match kind:
        case "number":
            return entry.number(name)
        case "count":
            return entry.whole(name, 1)
        case "numbers":
            return tuple(one.number(name) for one in entry.sequence(name))
        case "parameters":
            return {key: one.number(key) for key, one in entry.mapping(name).items()}
        case _:
            return entry.words(name)


def _step(number: int, entry: Entry, kinds: dict[str, str], dataset: str, fold: int) -> Step:
    given = entry.mapping(f"step {number}", STEP, ("title", "text", "show"))
    show = _address(given["show"], dataset, fold)
    reveal = _address(given["reveal"], dataset, fold) if "reveal" in given else show
    hide = tuple(_hidden(one, show) for one in given["hide"].sequence("hide")) if "hide" in given else ()
    predict = _prediction(given["predict"]) if "predict" in given else None
    if (predict is None) != ("answer" not in given):
        has, lacks = ("answer", "predict") if predict is None else ("predict", "answer")
        entry.refuse(f"step {number} has {has!r} and no {lacks!r}; it needs both or neither")
    answer = ""
    if predict is not None:
        answer = _answer(given["answer"], Named(kinds, _keys(predict)), predict)
        if "explain" not in given:
            entry.refuse(f"step {number} asks and explains nothing; write explain")
    explain = ""
    if "explain" in given:
        explain = given["explain"].words("explain")
        check_explanation(given["explain"], Named(kinds), predict)
    return Step(
        number=number,
        title=given["title"].words("title"),
        text=given["text"].words("text"),
        show=show,
        hide=hide,
        predict=predict,
        answer=answer,
        reveal=reveal,
        explain=explain,
        line=entry.line,
    )


def _address(entry: Entry, dataset: str, fold: int) -> str:
    address = entry.words("an address").removeprefix("/")
    _told(entry, lambda: check_address(address))
    return with_data(address, dataset, f"Fold{fold}")


def _hidden(entry: Entry, address: str) -> str:
    name = entry.words("hide")
    _told(entry, lambda: check_hidden(name, address))
    return name


def _prediction(entry: Entry) -> Prediction:
    kinds = [name for name, _ in entry.fields or () if name in _PREDICTIONS]
    if len(kinds) != 1:
        entry.refuse(f"predict has one of {', '.join(_PREDICTIONS)}, with its question")
    kind = kinds[0]
    needed = [name for name in _PREDICTIONS[kind] if name not in ("unit", "log", "x_log", "y_log", "step")]
    given = entry.mapping(f"a {kind}", (kind, *_PREDICTIONS[kind]), needed)
    question = given[kind].words("the question")
    if kind == "choice":
        names, texts = _options(given["options"], "options")
        return Choice(question, texts, names)
    if kind == "order":
        names, texts = _options(given["items"], "items")
        return Order(question, texts, names, given["first"].words("first"), given["last"].words("last"))
    low, high = given["low"].number("low"), given["high"].number("high")
    log = any(name in given and given[name].truth(name) for name in ("log", "y_log"))
    if not low < high or (log and low <= 0.0):
        given["low"].refuse(f"low is below high, and above 0 on a logarithmic scale, not {low:g} to {high:g}")
    if kind == "number":
        step = given["step"].number("step") if "step" in given else (1.1 if log else (high - low) / 100.0)
        if step <= (1.0 if log else 0.0):
            given["step"].refuse("step is above 0; on a logarithmic scale it is a factor above 1")
        return Number(question, low, high, step, given["unit"].words("unit") if "unit" in given else "", log)
    x = tuple(one.number("x") for one in given["x"].sequence("x"))
    x_log = "x_log" in given and given["x_log"].truth("x_log")
    if len(x) < 2 or any(b <= a for a, b in pairwise(x)) or (x_log and x[0] <= 0.0):
        given["x"].refuse("x has two or more rising places, above 0 on a logarithmic axis")
    return Curve(
        question, given["x_label"].words("x_label"), x, given["y_label"].words("y_label"), low, high, x_log, log
    )


def _options(entry: Entry, what: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = entry.mapping(what)
    for name, one in found.items():
        if not name.isidentifier() or name in FUNCTIONS or name in BY_NAME:
            one.refuse(f"{name!r} cannot name one of the {what}: one word of letters, digits and _, and no function")
    if len(found) < 2:
        entry.refuse(f"{what} has two or more lines of NAME: TEXT")
    return tuple(found), tuple(one.words(what) for one in found.values())


def _keys(predict: Prediction) -> tuple[str, ...]:
    return predict.keys if isinstance(predict, Choice | Order) else ()


def _answer(entry: Entry, named: Named, predict: Prediction) -> str:
    """The expression of the answer, which has to be of the prediction's kind."""
    text = entry.words("answer")
    expression = _told(entry, lambda: parsed(text, named))
    leaves = outcomes(expression)
    match predict:
        case Choice(keys=keys):
            names = [name for leaf in leaves for name in _chosen(leaf)]
            if not names or not set(names) <= set(keys) or any(not _chosen(leaf) for leaf in leaves):
                entry.refuse(f"the answer of a choice is one of its options: {', '.join(keys)}")
        case Order(keys=keys):
            for leaf in leaves:
                if sorted(keywords(leaf, ("rising", "falling")) or ()) != sorted(keys):
                    example = ", ".join(f"{key}=..." for key in keys)
                    entry.refuse(f"the answer of an order is rising({example}) or falling(...), with every item")
        case Curve():
            if not all(_calls(leaf, "points") for leaf in leaves):
                entry.refuse("the answer of a curve is points(X, Y) of two facts that are lists")
        case Number():
            if any(_chosen(leaf) or _calls(leaf, "points") for leaf in leaves):
                entry.refuse("the answer of a number is a number")
            if any(isinstance(leaf, ast.Constant) for leaf in leaves):
                entry.refuse(f"{text!r} may be a number that is written down; every outcome is computed from a result")
    return text


def _chosen(leaf: ast.expr) -> list[str]:
    """The options that a leaf may choose."""
    return [leaf.id] if isinstance(leaf, ast.Name) else keywords(leaf, ("most", "least")) or []


def _calls(leaf: ast.expr, name: str) -> bool:
    return isinstance(leaf, ast.Call) and isinstance(leaf.func, ast.Name) and leaf.func.id == name


def _told(entry: Entry, check: Callable[[], T]) -> T:
    """Do a check; what it refuses is told with the place."""
    try:
        return check()
    except LessonError:
        raise
    except ValueError as error:
        entry.refuse(str(error))
