"""What people call the methods of a run, by their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import REFERENCES
from core.methods import METHODS
from core.methods.families import REFITTED, full_title

_REGISTERED: Mapping[str, str] = {method.id: full_title(method) for method in METHODS}
_ELSEWHERE = {reference.id: reference.title for reference in REFERENCES}
"""Rows of the protocol that are no methods of the registry."""


def choice_titles(choices: Iterable[MethodChoice]) -> dict[str, str]:
    """The title of every choice by its label; settings that are not the default are named behind it."""
    return {choice.label: choice_title(choice) for choice in choices}


def choice_title(choice: MethodChoice) -> str:
    """A method's title, such as ``"RankRWFS-ℓ0 (share=0.3)"`` or ``"RankSVM ℓ1, refitted"``.

    Its id where nothing else is known.
    """
    name = _REGISTERED.get(choice.method) or _ELSEWHERE.get(choice.method, choice.method)
    settings = choice.label.split(":")[1:]
    if "refit" in settings:
        settings.remove("refit")
        name = f"{name}{REFITTED}"
    return f"{name} ({', '.join(settings)})" if settings else name


def title_of(label: str) -> str:
    """The title by a label alone, as a store or a table has it; a label that says nothing here stays as it is."""
    try:
        return choice_title(MethodChoice.parse(label))
    except ValueError:
        return label
