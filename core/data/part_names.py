"""How the files of a fold's parts are named."""

from __future__ import annotations

PART_NAMES = {
    "train": ("train", "trainingset"),
    "vali": ("vali", "valid", "validation", "validationset"),
    "test": ("test", "testset"),
}
"""The spellings of each part, in lower case and without an ending; the last one of each is LETOR 3.0's."""


def stem(name: str) -> str:
    """Return the name of a file in lower case without its endings."""
    return name.lower().partition(".")[0]


def is_letor3_name(name: str) -> bool:
    """Tell whether a file is named like a part of LETOR 3.0, e.g. ``trainingset.txt``."""
    return stem(name) in {spellings[-1] for spellings in PART_NAMES.values()}


def is_part_name(name: str) -> bool:
    """Tell whether a file is named like a part of a fold."""
    return any(stem(name) in spellings for spellings in PART_NAMES.values())
