"""Titles of a run's methods for people, by their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import REFERENCES
from core.methods import METHODS
from core.methods.families import REFITTED, full_title

_REGISTERED: Mapping[str, str] = {method.id: full_title(method) for method in METHODS}
_ELSEWHERE = {reference.id: reference.title for reference in REFERENCES}
"""Titles of the protocol's rows that are no methods of the registry."""


def choice_titles(choices: Iterable[MethodChoice]) -> dict[str, str]:
    """Return the title of every choice by its label, with settings that differ from the defaults."""
    return {choice.label: choice_title(choice) for choice in choices}


def choice_title(choice: MethodChoice) -> str:
    """Return a method's title, such as ``"RankRWFS-ℓ0 (share=0.3)"`` or ``"RankSVM ℓ1, refitted"``.

    For an unknown method it is the id.
    """
    name = _REGISTERED.get(choice.method) or _ELSEWHERE.get(choice.method, choice.method)
    settings = choice.label.split(":")[1:]
    if "refit" in settings:
        settings.remove("refit")
        name = f"{name}{REFITTED}"
    return f"{name} ({', '.join(settings)})" if settings else name


def title_of(label: str) -> str:
    """Return the title for a label, as stores and tables have it; an unknown label is returned as it is."""
    try:
        return choice_title(MethodChoice.parse(label))
    except ValueError:
        return label
