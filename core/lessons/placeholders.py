"""Explanations: Markdown in which {EXPRESSION} stands for a number that core computes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.lessons.expressions import Expression, Named, Value, parsed
from core.lessons.front_matter import Entry
from core.lessons.lesson import Choice, Curve, Facts, Number, Order, Prediction
from core.names.numbers import short
from core.names.plain import in_markdown

_MATHS = re.compile(r"(\$\$.+?\$\$|\$[^$\n]+\$|`[^`\n]+`)", re.DOTALL)
"""Formulas and code, whose braces are their own."""
_HELD = re.compile(r"\{([^{}]*)\}")
_FORMAT = re.compile(r"(.+?):(,?(?:\.\d)?[defg%]?)", re.DOTALL)
_TYPED = re.compile(r"(?<![\w.@ℓκ=|/])(?:\d+[.,]\d+|\d{2,})(?!\w)")
"""Numbers that look like results; small whole numbers are words."""
GIVEN = ("answer", "guess")


def check_explanation(entry: Entry, named: Named, predict: Prediction | None) -> None:
    """Refuse a placeholder that cannot be filled, and numbers that are typed.

    Raises
    ------
    LessonError
        With the line within the text.
    """
    text = entry.words("explain")
    prose = _MATHS.sub(lambda maths: re.sub(r"[^\n]", " ", maths[0]), text)

    def line(place: int) -> int:
        return text.count("\n", 0, place) + entry.block

    for found in _HELD.finditer(prose):
        expression, _ = _parts(found[1])
        if expression in GIVEN:
            if predict is None or isinstance(predict, Curve):
                reason = f"{{{expression}}} has no words here: a curve is drawn, or nothing is predicted"
                entry.refuse(reason, line(found.start()))
            continue
        try:
            parsed(expression, named)
        except ValueError as error:
            entry.refuse(f"{{{found[1]}}}: {error}", line(found.start()))
    bare = _HELD.sub(lambda held: " " * len(held[0]), prose)
    if brace := re.search(r"[{}]", bare):
        entry.refuse("a brace without its other one", line(brace.start()))
    if typed := _TYPED.search(bare):
        reason = f"the number {typed[0]} is typed; let core compute it: {{result.fact}}"
        entry.refuse(reason, line(typed.start()))


def filled(text: str, facts: Mapping[str, Facts], answer: str, guess: str) -> str:
    """Return the Markdown of an explanation with its numbers.

    Parameters
    ----------
    text : str
        Checked.
    facts : mapping
        Of every result, by its name.
    answer, guess : str
        In words, as `said` has them.

    Raises
    ------
    ValueError
        If a placeholder has no value for these facts.
    """
    given = {"answer": answer, "guess": guess}

    def value(held: re.Match[str]) -> str:
        expression, form = _parts(held[1])
        found = given[expression] if expression in given else written(Expression(expression).value(facts), form)
        return f"{found}\\" if _begins_a_list(held, found) else found

    pieces = _MATHS.split(text)
    return "".join(piece if _MATHS.fullmatch(piece) else _HELD.sub(value, piece) for piece in pieces)


def _begins_a_list(held: re.Match[str], found: str) -> bool:
    """Whether Markdown would take a number at the beginning of a line, and the full stop behind it, for a list's."""
    line = held.string[: held.start()].rpartition("\n")[2]
    return found.isdecimal() and not line.strip() and held.string[held.end() :].startswith((". ", ".\n"))


def results_in(text: str) -> frozenset[str]:
    """Return the names of the results that an explanation uses."""
    held = [_parts(found[1])[0] for piece in _MATHS.split(text) for found in _HELD.finditer(piece)]
    return frozenset(name for one in held if one not in GIVEN for name in Expression(one).results)


def said(predict: Prediction, value: Any) -> str:
    """Return a guess or an answer in words, for Markdown; empty where there is none or it is a curve."""
    if value is None:
        return ""
    match predict:
        case Choice(options=options):
            return f"“{options[int(value)]}”"
        case Number(unit=unit):
            return f"{written(value)} {unit}".strip()
        case Order(items=items):
            return ", ".join(items[int(place)] for place in value)
        case Curve():
            return ""


def written(value: Value, form: str = "") -> str:
    """Return a value as text for Markdown: whole numbers with separators, others with two or three digits."""
    if form:
        return format(value, form)
    if isinstance(value, str):
        return in_markdown(value)
    if isinstance(value, list | tuple):
        return ", ".join(written(one) for one in value)
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return short(float(value))


def _parts(held: str) -> tuple[str, str]:
    found = _FORMAT.fullmatch(held.strip())
    return (found[1].strip(), found[2]) if found and found[2] else (held.strip(), "")
