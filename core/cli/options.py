"""What commands ask for: the types of options, options that several commands have, and errors about them."""

from __future__ import annotations

import gc
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data import DataError
from core.data.numbers import read_number, read_whole

TINY, HUGE = 1e-100, 1e100
"""Limits of C and lambda; beyond them double precision fails."""


class UsageError(ValueError):
    """The command line has a wrong or missing command, option or value."""


class PartlyFailedError(RuntimeError):
    """Part of the work failed; the rest is still an answer, in ``record`` and ``text``."""

    def __init__(self, record: Any, text: str, sentence: str) -> None:
        self.record, self.text = record, text
        super().__init__(sentence)


@contextmanager
def starting() -> Iterator[None]:
    """Load libraries without a look for garbage: a start makes none, and to look takes a tenth of a second."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def names_from_the_command_line() -> Iterator[None]:
    """Turn a `ValueError` about a typed name or number into a `UsageError`; elsewhere it would mean failed work."""
    try:
        yield
    except DataError:
        raise
    except ValueError as error:
        raise UsageError(str(error)) from None


@contextmanager
def writing(out: Path | str, *read: Path | str) -> Iterator[None]:
    """Turn a file that cannot be written, or is one of those that are read, into a `UsageError`."""
    from core.export.files import not_an_input

    with names_from_the_command_line():
        not_an_input(Path(out), [Path(file) for file in read])
    try:
        yield
    except OSError as error:
        msg = f"cannot write {out}: {error.strerror or error}"
        raise UsageError(msg) from error


def within(
    kind: type[int] | type[float], least: float = -float("inf"), most: float = float("inf")
) -> Callable[[str], float]:
    """The type of an option that takes numbers of a range, ends included; by default its command knows the range."""
    what, read = ("a whole number", read_whole) if kind is int else ("a number", read_number)
    digits = "," if kind is int else "g"
    bounds = f" from {least:{digits}} to {most:{digits}}" if least > -float("inf") else ""

    def number(text: str) -> float:
        with suppress(ValueError):
            value = read(text)
            if least <= value <= most or not bounds:
                return value
        msg = f"give {what}{bounds}, not {text!r}"
        raise ArgumentTypeError(msg)

    return number


def names_between_commas(text: str) -> list[str]:
    """Names between commas, at least one."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        msg = "give at least one name"
        raise ArgumentTypeError(msg)
    return names


@dataclass(frozen=True)
class GridSize:
    """A grid of so many values of C, None for the method's own; it may widen until the choice lies inside."""

    points: int | None
    widen: bool = False


def grid_size(default: int | None) -> Callable[[str], GridSize]:
    """The type of the option for a grid: N, auto, or auto:N."""

    def size(text: str) -> GridSize:
        auto, _, number = text.strip().partition(":") if text.strip().startswith("auto") else ("", "", text)
        if auto not in ("", "auto"):
            msg = f"give N, auto or auto:N, not {text!r}"
            raise ArgumentTypeError(msg)
        if auto and not number:
            return GridSize(default, widen=True)
        return GridSize(int(within(int, 1, 10_000)(number)), widen=bool(auto))

    return size


def add_rule(parser: ArgumentParser) -> None:
    """Give a command the rule by which a model is chosen on the validation part."""
    from core.analysis.choosing import RULES  # numba is heavy to import, and most commands choose nothing

    parser.add_argument(
        "--choose",
        choices=RULES,
        default="best",
        help="how to choose on the validation part: the best (the papers' rule, default), the sparsest within one "
        "standard error of it, or the average over bootstraps of its queries",
    )


def add_starts(parser: ArgumentParser) -> None:
    """Give a command the number of starts of a non-convex penalty."""
    parser.add_argument(
        "--starts",
        type=within(int, 1, 10_000),
        default=1,
        metavar="N",
        help="for non-convex penalties: fit the chosen model's problem from N starts, the model itself and random "
        "ones, and say in how many different minima they end, with the spread of objective, features and measures; "
        "the model stays the one from the plain start (default 1)",
    )


def add_grid(parser: ArgumentParser, default: int | None) -> None:
    """Give a command the number of values of C; ``default`` is None where each method has its own."""
    parser.add_argument(
        "--grid",
        type=grid_size(default),
        default=GridSize(default),
        metavar="N|auto",
        help=f"values of C per method (default {default or 'the method’s own, mostly 50'}); auto, or auto:N for N "
        "values, also widens the grid, by at most four decades at each end, until the choice lies inside",
    )
