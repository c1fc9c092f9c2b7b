"""YAML front matter with the line of every value, so that a mistake can be told where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import yaml

from core.data import DataError

LARGEST = 200_000
"""Characters of a file at most."""
DEEPEST = 12
"""Values inside values at most."""


class LessonError(DataError):
    """A file that is no lesson: one sentence with file, line and the way out."""


@dataclass(frozen=True)
class Entry:
    """A value of the front matter with its place."""

    file: str  # name of the file for messages
    line: int  # where the value begins
    text: str | None = None  # of a plain value, as it is written; None of a list or mapping
    items: tuple[Entry, ...] | None = None  # of a list
    fields: tuple[tuple[str, Entry], ...] | None = None  # of a mapping
    block: bool = False  # whether the text begins on the line below (``|`` or ``>``)

    def refuse(self, reason: str, below: int = 0) -> NoReturn:
        """Raise a `LessonError` for this place, or so many lines below it."""
        raise LessonError(reason, file=self.file, line=self.line + below) from None

    def mapping(self, what: str, known: Sequence[str] = (), needed: Sequence[str] = ()) -> dict[str, Entry]:
        """Return the fields of a mapping, of which ``known`` names all that may be (any if empty).

        Raises a `LessonError` if it is none, has an unknown field or lacks one.
        """
        if self.fields is None:
            self.refuse(f"{what} is written as lines of NAME: VALUE")
        found = dict(self.fields)
        for name, entry in self.fields:
            if known and name not in known:
                entry.refuse(f"{what} has no {name!r}; it has {', '.join(known)}")
        for name in needed:
            if name not in found:
                self.refuse(f"{what} needs {name!r}")
        return found

    def sequence(self, what: str) -> tuple[Entry, ...]:
        """Return the items of a list; a plain value is a list of one.

        Raises a `LessonError` if it is a mapping or empty.
        """
        if self.fields is not None or self.items == ():
            self.refuse(f"{what} is a list: [ONE, TWO] or lines that begin with a dash")
        return self.items if self.items is not None else (self,)

    def words(self, what: str) -> str:
        """Return a text.

        Raises a `LessonError` if it is none, or empty.
        """
        if self.text is None or not self.text.strip():
            self.refuse(f"{what} is a text")
        return self.text.strip()

    def number(self, what: str) -> float:
        """Return a number.

        Raises a `LessonError` if it is none.
        """
        try:
            found = float(self.words(what))
        except ValueError:
            found = float("nan")
        if not abs(found) < float("inf"):
            self.refuse(f"{what} is a number, not {self.text!r}")
        return found

    def whole(self, what: str, least: int = 0) -> int:
        """Return a whole number.

        Raises a `LessonError` if it is none, or below ``least``.
        """
        found = self.number(what)
        if found != round(found) or found < least:
            self.refuse(f"{what} is a whole number from {least}, not {self.text!r}")
        return int(found)

    def truth(self, what: str) -> bool:
        """Return true or false.

        Raises a `LessonError` if it is neither.
        """
        if self.text not in ("true", "false"):
            self.refuse(f"{what} is true or false, not {self.text!r}")
        return self.text == "true"


def front_matter(path: Path) -> tuple[Entry, str]:
    """Read a Markdown file: its front matter, and the Markdown below.

    Raises a `LessonError` if the file cannot be read, has no front matter, or the front matter is not YAML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LessonError(f"cannot be read: {error.strerror}", file=path.name) from None  # noqa: EM102
    except UnicodeDecodeError:
        raise LessonError("is not UTF-8 text", file=path.name) from None  # noqa: EM101
    if len(text) > LARGEST:
        msg = f"has more than {LARGEST:,} characters; divide the lesson"
        raise LessonError(msg, file=path.name)
    lines = text.splitlines()
    end = next((k for k, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if not lines or lines[0].rstrip() != "---" or end is None:
        Entry(path.name, 1).refuse(
            "a lesson begins with front matter: a line ---, lines of NAME: VALUE, and a line ---"
        )
    return _composed("\n".join(["", *lines[1:end], ""]), path.name), "\n".join(lines[end + 1 :]).strip()


def _composed(text: str, file: str) -> Entry:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = " ".join(filter(None, [error.context, error.problem]))
        msg = f"the front matter is not YAML: {said}; texts with a colon or quotes go into a block below |"
        raise LessonError(msg, file=file, line=None if mark is None else mark.line + 1) from None
    except (yaml.YAMLError, RecursionError):
        Entry(file, 1).refuse("the front matter is not YAML")
    if node is None:
        Entry(file, 1).refuse("the front matter is empty")
    return _entry(node, file, set(), 0)


def _entry(node: yaml.Node, file: str, seen: set[int], depth: int) -> Entry:
    """A node with all below it; an alias would have one twice, and might never end."""
    here = Entry(file, node.start_mark.line + 1)
    if id(node) in seen or depth > DEEPEST:
        here.refuse("no aliases (*) and no deep nesting here; write the value again")
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return Entry(file, here.line, text=str(node.value), block=node.style in ("|", ">"))
    if isinstance(node, yaml.SequenceNode):
        return Entry(file, here.line, items=tuple(_entry(one, file, seen, depth + 1) for one in node.value))
    return Entry(file, here.line, fields=tuple(_fields(node, file, seen, depth)))


def _fields(node: yaml.Node, file: str, seen: set[int], depth: int) -> Iterator[tuple[str, Entry]]:
    names: set[str] = set()
    for key, value in node.value:
        place = Entry(file, key.start_mark.line + 1)
        if not isinstance(key, yaml.ScalarNode):
            place.refuse("a name is one word before a colon")
        if key.value in names:
            place.refuse(f"{key.value!r} stands here for the second time")
        names.add(key.value)
        found = _entry(value, file, seen, depth + 1)
        yield str(key.value), found
