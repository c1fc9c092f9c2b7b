"""The script of a picture, written from its declaration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.data import Dataset, Fold, RankingData
from core.export.scripts.description import DataDescription
from core.export.scripts.writing import CONVENTION, Code, call, literal, script
from core.figures.picture import Picture


@dataclass(frozen=True)
class _Written:
    """An argument as Python, with the statement before it and what that imports."""

    code: Code
    before: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


def picture_script(picture: Picture[Any], data: DataDescription, fold: Fold, notes: Sequence[str] = ()) -> str:
    """Write the script that computes a picture's numbers again and draws it.

    Parameters
    ----------
    picture : Picture
    data : DataDescription
        How the dataset of its fold is opened.
    fold : Fold
        The picture shows this fold, or a part of it.
    notes : sequence of str
        What keeps the script's numbers from being those of the picture, a sentence each.

    Raises
    ------
    TypeError
        If the picture shows something that a script cannot name.
    """
    shown = [_argument(name, getattr(picture, name), fold) for name in picture.shown_things()]
    options = {name: _option(name, getattr(picture, name)) for name in picture.options()}
    drawn = call(
        f"pictures.{picture.name}",
        *(one.code for one in shown),
        **{name: value for name, value in options.items() if value is not None},
    )
    return script(
        picture.subject,
        data,
        [name for one in shown for name in one.imports],
        [*(line for one in shown for line in one.before), f"picture = {drawn}"],
        picture.chart,
        notes,
    )


def _option(name: str, value: Any) -> Any:
    return CONVENTION if name == "convention" else value


def _argument(name: str, value: Any, fold: Fold) -> _Written:
    """What is looked at, by its name in the script."""
    if isinstance(value, RankingData):
        for part, data in fold.parts().items():
            if data.fingerprint == value.fingerprint:
                return _Written(Code(f"fold.{part}"))
    elif isinstance(value, Fold):
        return _Written(Code("fold"))
    elif isinstance(value, Dataset):
        return _Written(Code("dataset"))
    elif isinstance(value, (str, int, float)):
        return _Written(literal(value))
    msg = f"a script cannot name {name}, a {type(value).__name__}"
    raise TypeError(msg)
