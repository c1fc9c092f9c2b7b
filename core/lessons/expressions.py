"""Expressions over named results: a small part of Python's syntax, checked when it is read and never run as Python."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean
from typing import Any

from core.data.errors import refuse
from core.lessons.lesson import Fact, Facts
from core.lessons.results import KINDS

Value = Any  # a fact, a truth value, a tuple of them, or the name of an option
LONGEST = 400
"""Characters of an expression at most."""


@dataclass(frozen=True)
class Named:
    """What an expression may name."""

    kinds: Mapping[str, str]  # the kind of each result, by its name
    keys: tuple[str, ...] = ()  # names of the options or items of the prediction


@dataclass(frozen=True)
class Expression:
    """An expression that can be evaluated; `parsed` makes it."""

    text: str

    @cached_property
    def tree(self) -> ast.expr:
        """Its syntax."""
        return ast.parse(self.text.strip(), mode="eval").body

    @cached_property
    def results(self) -> frozenset[str]:
        """Names of the results that it uses."""
        return frozenset(
            node.value.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )

    def value(self, facts: Mapping[str, Facts]) -> Value:
        """Evaluate it.

        Raises a `ValueError` if it has no value for these facts, such as a quotient by 0; the message says why.
        """
        try:
            return _meaning(self.tree, None)(facts)
        except (ArithmeticError, IndexError, KeyError, TypeError, ValueError) as error:
            said = f"there is no {error}" if isinstance(error, KeyError) else str(error)
            refuse(f"{self.text!r} has no value here: {said}")


def parsed(text: str, named: Named) -> Expression:
    """Check an expression and return it.

    Raises a `ValueError` if it is no expression, uses something unknown, or uses no result at all; the message says
    what to write.
    """
    if len(text) > LONGEST:
        refuse(f"the expression has more than {LONGEST} characters; declare results that say more")
    expression = Expression(text.strip())
    try:
        tree = expression.tree
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        refuse(f"{text!r} cannot be read as an expression ({reason})")
    _meaning(tree, named)
    if not expression.results:
        have = ", ".join(f"{name}.{next(iter(KINDS[kind].facts))}" for name, kind in list(named.kinds.items())[:3])
        refuse(f"{text!r} is written down, not computed; use a result, such as {have or 'one declared under results'}")
    return expression


def outcomes(expression: Expression) -> list[ast.expr]:
    """Return the parts of an expression of which one is its value: the two sides of every ``if``."""

    def leaves(node: ast.expr) -> list[ast.expr]:
        return [*leaves(node.body), *leaves(node.orelse)] if isinstance(node, ast.IfExp) else [node]

    return leaves(expression.tree)


def keywords(node: ast.expr, functions: Collection[str]) -> list[str] | None:
    """Return the names that a call of one of these functions is given, else None."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
        return [str(one.arg) for one in node.keywords]
    return None


def _first_below(values: Sequence[float], level: float) -> int:
    for place, value in enumerate(values):
        if value <= level:
            return place
    refuse(f"none of the {len(values)} values is as small as {level:g}")


def _nearest(values: Sequence[float], wanted: float) -> int:
    return min(range(len(values)), key=lambda place: abs(values[place] - wanted))


def _named(names: Sequence[str] | Mapping[str, float], begins: str) -> int:
    return sum(name.startswith(begins) for name in names)


def _points(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, float], ...]:
    if len(x) != len(y):
        refuse(f"{len(x)} places and {len(y)} heights")
    return tuple(sorted((float(a), float(b)) for a, b in zip(x, y, strict=True)))


FUNCTIONS: Mapping[str, tuple[Callable[..., Value], str]] = {
    "abs": (abs, "absolute value"),
    "min": (min, "the smallest"),
    "max": (max, "the largest"),
    "sum": (math.fsum, "sum of a list"),
    "mean": (fmean, "mean of a list"),
    "len": (len, "how many"),
    "round": (round, "rounded"),
    "log10": (math.log10, "logarithm to base 10"),
    "sqrt": (math.sqrt, "square root"),
    "argmax": (lambda values: max(range(len(values)), key=values.__getitem__), "position of a list's largest value"),
    "argmin": (lambda values: min(range(len(values)), key=values.__getitem__), "position of a list's smallest value"),
    "nearest": (_nearest, "position of the value of a list that is nearest to a number"),
    "first_below": (_first_below, "position of the first value of a list that is at most a number"),
    "named": (_named, "how many names begin with a text"),
    "points": (_points, "a curve from its x and its y"),
}
BY_NAME: Mapping[str, tuple[Callable[..., Value], str]] = {
    "rising": (lambda **given: tuple(sorted(given, key=given.__getitem__)), "names in rising order of their values"),
    "falling": (
        lambda **given: tuple(sorted(given, key=given.__getitem__, reverse=True)),
        "names in falling order of their values",
    ),
    "most": (lambda **given: max(given, key=given.__getitem__), "the name with the largest value"),
    "least": (lambda **given: min(given, key=given.__getitem__), "the name with the smallest value"),
}
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda one, several: one in several,
    ast.NotIn: lambda one, several: one not in several,
}  # fmt: skip
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip


def _meaning(node: ast.expr, named: Named | None) -> Callable[[Mapping[str, Facts]], Value]:
    """Return what computes a part of an expression from facts.

    Raises a `ValueError` if the language of answers has no such part, or it uses what is not ``named``; None for an
    expression whose names have been checked.
    """

    def parts(*nodes: ast.expr) -> list[Callable[[Mapping[str, Facts]], Value]]:
        return [_meaning(one, named) for one in nodes]

    match node:
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return lambda facts: value
        case ast.Name(id=name):  # of an option
            _known_name(name, named)
            return lambda facts: name
        case ast.Attribute(value=ast.Name(id=name), attr=fact):
            _known_fact(name, fact, named)
            return lambda facts: _fact(facts[name], name, fact)
        case ast.BinOp(left=left, op=binary, right=right) if type(binary) in _BINARY:
            first, second = parts(left, right)
            return lambda facts: _calculated(binary, first(facts), second(facts))
        case ast.UnaryOp(op=unary, operand=operand) if type(unary) in _UNARY:
            (first,) = parts(operand)
            return lambda facts: _UNARY[type(unary)](first(facts))
        case ast.BoolOp(op=op, values=values):
            which, several = all if isinstance(op, ast.And) else any, parts(*values)
            return lambda facts: which(one(facts) for one in several)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARED for op in ops):
            compare, sides = [_COMPARED[type(op)] for op in ops], parts(left, *others)
            return lambda facts: all(
                one(*two) for one, two in zip(compare, pairwise([side(facts) for side in sides]), strict=True)
            )
        case ast.IfExp(test=test, body=body, orelse=orelse):
            condition, then, other = parts(test, body, orelse)
            return lambda facts: (then if condition(facts) else other)(facts)
        case ast.Subscript(value=value, slice=place) if not isinstance(place, ast.Slice):
            first, second = parts(value, place)
            return lambda facts: first(facts)[second(facts)]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=given):
            _known_call(name, args, given, named)
            function, _ = (FUNCTIONS | BY_NAME)[name]  # type: ignore[operator]
            several, by_name = parts(*args), {str(one.arg): _meaning(one.value, named) for one in given}
            return lambda facts: function(
                *(one(facts) for one in several), **{key: one(facts) for key, one in by_name.items()}
            )
        case _:
            refuse(
                f"an answer cannot use {ast.unparse(node)!r}; it has facts of results, numbers, + - * / // % **, "
                f"comparisons, 'if else', [position] and {', '.join([*FUNCTIONS, *BY_NAME])}"
            )


def _known_name(name: str, named: Named | None) -> None:
    if named is None or name in named.keys:
        return
    if name in named.kinds:
        facts = KINDS[named.kinds[name]].facts
        refuse(f"{name!r} is a whole result; write which fact of it: {', '.join(f'{name}.{fact}' for fact in facts)}")
    known = [*named.keys, *named.kinds]
    refuse(f"there is no result or option {name!r}; there is {', '.join(known) if known else 'none'}")


def _known_fact(name: str, fact: str, named: Named | None) -> None:
    if named is None:
        return
    if name not in named.kinds:
        refuse(f"there is no result {name!r}; results has {', '.join(named.kinds) or 'none'}")
    facts = KINDS[named.kinds[name]].facts
    if fact not in facts:
        refuse(f"{name!r} is a {named.kinds[name]} and has no {fact!r}; it has {', '.join(facts)}")


def _known_call(name: str, args: Sequence[ast.expr], given: Sequence[ast.keyword], named: Named | None) -> None:
    if named is None:
        return
    if name in BY_NAME:
        wrong = [str(one.arg) for one in given if one.arg not in named.keys]
        if args or not given or wrong:
            refuse(f"{name} takes NAME=VALUE for names of options: {', '.join(named.keys) or 'there are none here'}")
    elif name not in FUNCTIONS or given:
        refuse(f"there is no function {name!r} of that kind; there is {', '.join([*FUNCTIONS, *BY_NAME])}")


def _fact(facts: Facts, name: str, fact: str) -> Fact:
    if fact not in facts:  # of data without a validation or test part
        refuse(f"this data has no {name}.{fact}")
    return facts[fact]


def _calculated(op: ast.operator, left: Value, right: Value) -> Value:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers:
        refuse(f"{type(left).__name__} and {type(right).__name__} are not two numbers")
    if isinstance(op, ast.Pow) and abs(right) > 100:
        refuse(f"{right:g} is too large a power")
    return _BINARY[type(op)](float(left) if isinstance(op, ast.Pow) else left, right)
