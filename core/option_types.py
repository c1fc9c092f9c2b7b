"""Types of the command line's options, for `argparse`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass

from core.data.numbers import read_number, read_whole


def within(kind: type[int] | type[float], least: float, most: float) -> Callable[[str], float]:
    """The type of an option that takes numbers of a range, ends included; not a number lies in none."""
    what, read = ("a whole number", read_whole) if kind is int else ("a number", read_number)

    def number(text: str) -> float:
        value: float | None
        try:
            value = read(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            msg = f"give {what} from {least:g} to {most:g}, not {text!r}"
            raise ArgumentTypeError(msg)
        return value

    return number


def any_number(text: str) -> float:
    """The type of an option whose command knows the range."""
    try:
        return read_number(text)
    except ValueError:
        msg = f"give a number, not {text!r}"
        raise ArgumentTypeError(msg) from None


def any_whole_number(text: str) -> int:
    """The type of an option whose command knows the range."""
    try:
        return read_whole(text)
    except ValueError:
        msg = f"give a whole number, not {text!r}"
        raise ArgumentTypeError(msg) from None


def names_between_commas(text: str) -> list[str]:
    """Names between commas, at least one."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        msg = "give at least one name"
        raise ArgumentTypeError(msg)
    return names


@dataclass(frozen=True)
class GridSize:
    """A grid of C as the command line asks for it.

    Attributes
    ----------
    points : int or None
        Number of values; None for the method's own grid.
    widen : bool
        Whether it widens until the choice lies inside.
    """

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
