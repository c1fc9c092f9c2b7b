"""Lessons that ask before they show: read from Markdown files, answered by core."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from core.lessons.answers import Answer, LessonResults, answer, explanation, opened
from core.lessons.front_matter import LessonError
from core.lessons.lesson import Choice, Curve, Lesson, Number, Order, Prediction, Step
from core.lessons.reading import read_lesson

__all__ = [
    "Answer",
    "Choice",
    "Curve",
    "Lesson",
    "LessonError",
    "LessonResults",
    "Number",
    "Order",
    "Prediction",
    "Step",
    "answer",
    "broken_lessons",
    "explanation",
    "lesson",
    "lessons",
    "opened",
    "read_lesson",
]

FILES = Path(__file__).with_name("files")
OWN = "SPARSE_RANK_LESSONS"
"""Environment variable that names a folder with a teacher's own lessons."""
ORDER = ("pairs", "hinge", "zeros", "bias", "choosing", "convergence", "top", "misleading")
"""The lessons in the order in which they are taken; others follow by name."""


def lessons() -> tuple[Lesson, ...]:
    """Return all lessons that can be read: the app's own in their order, then a teacher's."""
    return tuple(one for one in _all() if isinstance(one, Lesson))


def broken_lessons() -> tuple[LessonError, ...]:
    """Return what is wrong with the files that cannot be read."""
    return tuple(one for one in _all() if isinstance(one, LessonError))


def lesson(name: str) -> Lesson:
    """Return the lesson of that name.

    Raises a `KeyError` if there is none.
    """
    return {one.name: one for one in lessons()}[name]


def _all() -> list[Lesson | LessonError]:
    own = os.environ.get(OWN, "")
    shipped = sorted(FILES.glob("*.md"), key=lambda path: (_place(path.stem), path.stem))
    known = {path.stem for path in shipped}
    added = sorted(path for path in Path(own).glob("*.md") if path.stem not in known) if own else []
    return [_kept(path) for path in (*shipped, *added)]


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _kept(path: Path) -> Lesson | LessonError:
    try:
        state = path.stat()
    except OSError as error:
        return LessonError(f"cannot be read: {error.strerror}", file=path.name)
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Lesson | LessonError:
    """Read a file; one that has changed is read again."""
    try:
        return read_lesson(path)
    except LessonError as error:
        return error
