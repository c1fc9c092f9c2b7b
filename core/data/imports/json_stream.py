"""JSON read from a text file member by member, so that a file of any size takes the memory of its largest element.

The standard library decodes each element. ijson would not do: it tells no line and column of an element, which every
refusal here names, and takes 1.5 to 1.8 times as long for logs of Elasticsearch and judgments of OpenSearch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from core.data.imports.text_file import Place, TextFile

DEEPEST = 50
"""Objects and arrays inside each other that a caller may enter; no tool nests so deeply."""
_BLANKS = " \t\r\n"
_TAIL = 16
"""An error so close to the end of the text at hand may come from the cut between two pieces."""
_UNFINISHED = 3
"""A number is over where so many characters follow; after 1, the text at hand may end with ``e+`` of 1e+5."""


class JsonStream:
    """A cursor over the values of a JSON text, or of several one after the other as in JSON lines.

    `members` and `elements` enter an object or an array; for each key or element, the caller takes the value (`value`,
    or enters it) before the next one.
    """

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self._pieces = file.pieces()
        self._decode = json.JSONDecoder().raw_decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._depth = 0
        self._counted = 0  # up to here lines have been counted
        self._line = 1
        self._line_begin = 0  # in the text at hand; negative where the line began in an earlier piece

    def check(self) -> None:
        """Read on to the end, which refuses what is no JSON, with its place."""
        while self.peek():
            self.value()

    def peek(self) -> str:
        """Return the next character that is not blank; an empty text at the end."""
        while True:
            text, at = self._text, self._at
            while at < len(text) and text[at] in _BLANKS:
                at += 1
            self._at = at
            if at < len(text):
                return text[at]
            if not self._more():
                return ""

    def members(self) -> Iterator[str]:
        """Enter an object; yield each key when its value comes next."""
        for _ in self._inside("{", "}"):
            if self.peek() != '"':
                self._refuse("a name in quotation marks is missing")
            key = self.value()
            self._expect(":")
            self.peek()
            yield key

    def elements(self) -> Iterator[None]:
        """Enter an array; yield when an element comes next."""
        return self._inside("[", "]")

    def value(self) -> Any:
        """Take the next value whole."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                unsure = error.msg.startswith("Unterminated string") or error.pos + _TAIL > len(self._text)
                if unsure and len(self._text) - self._at > self.file.limits.json_element:
                    self._refuse(f"an element is larger than {self.file.limits.json_element:,} characters")
                if not unsure or not self._more():
                    cut_off = unsure and error.msg.startswith("Unterminated string")
                    self._at = len(self._text) if cut_off else error.pos
                    self._refuse(f"this is not valid JSON ({error.msg})")
                continue
            except RecursionError:
                self._refuse("the values are nested too deeply")
            except ValueError as error:
                self._refuse(f"a number is too long ({error})")
            if len(self._text) - end < _UNFINISHED and isinstance(value, int | float) and self._more():
                continue
            self._at = end
            return value

    def place(self) -> Place:
        """Return the place of what comes next."""
        text, at = self._text, self._at
        if at > self._counted:
            self._line += text.count("\n", self._counted, at)
            newline = text.rfind("\n", self._counted, at)
            if newline >= 0:
                self._line_begin = newline + 1
            self._counted = at
        return Place(self.file.name, self._line, at - self._line_begin + 1)

    def _inside(self, begin: str, end: str) -> Iterator[None]:
        self._expect(begin)
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse("the values are nested too deeply")
        if self.peek() != end:
            yield
            while self.peek() != end:
                self._expect(",")
                self.peek()
                yield
        self._at += 1
        self._depth -= 1

    def _expect(self, mark: str) -> None:
        if self.peek() != mark:
            self._refuse(f"this is not valid JSON (there should be {mark!r})")
        self._at += 1

    def _refuse(self, reason: str) -> NoReturn:
        if self._ended and not self._text[self._at :].strip():
            reason = "this is not valid JSON: the file ends in the middle of it; it was cut off, so fetch it again"
        self.place().refuse(reason)

    def _more(self) -> bool:
        """Read on, at least as much again as is at hand; return False at the end."""
        self.place()
        kept = self._text[self._at :]
        wanted, pieces = max(len(kept), 1), [kept]
        while wanted > 0:
            piece = next(self._pieces, None)
            if piece is None:
                self._ended = True
                break
            if piece:
                pieces.append(piece)
                wanted -= len(piece)
        if len(pieces) == 1:
            return False
        self._text = "".join(pieces)
        self._line_begin -= self._at
        self._counted -= self._at
        self._at = 0
        return True
