"""An option of reading data, declared where its default is: the command line and the pages follow the declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any


def option(
    default: Any,
    help: str,
    *,
    metavar: str | None = None,
    choices: Sequence[str] | None = None,
    within: tuple[int, int] | None = None,
    noun: str = "",
    label: str = "",
    tip: str = "",
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Return the field of a dataclass.

    Parameters
    ----------
    default : object
        False for a switch, a tuple for names between commas; its field's name is that of the option.
    help : str
        What it does, for ``--help``.
    metavar : str, optional
        What stands for the value there.
    choices : sequence of str, optional
        All values that there are.
    within : tuple of int, optional
        Smallest and largest whole number; without it, ``metavar`` SHARE is any number and others are texts.
    noun : str
        What it names in a table, for sentences that refuse it.
    label, tip : str
        Of its control on pages; a switch with a label has one there without further code.
    titles : mapping, optional
        What the control calls its values.
    """
    described = {"help": help, "metavar": metavar, "choices": choices, "within": within, "noun": noun}
    return field(default=default, metadata=described | {"label": label, "tip": tip, "titles": titles})
