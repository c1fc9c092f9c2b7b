"""Names from outside as text: one function for each place that would otherwise interpret them.

Feature, file, dataset, query and document names are anybody's. HTML takes them through `html.escape`, LaTeX through
`core.export.latex.escaped`; all other places through a function of this file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Controls of terminals (C0, DEL, C1), separators that begin a line, and marks that turn the direction of what follows.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_LINES = re.compile(r"[\t\n\r\v\f\x85\u2028\u2029]+")
_PLOTLY: Mapping[int, str] = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "%": "&#37;"})
_MARKDOWN = re.compile(r"[\\`*_\[\]<>#|$~&]|:(?=[\w/])|^[-+](?=\s|$)")
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")
# Streamlit turns these into links, icons and arrows after Markdown has been read, when no backslash helps any more. An
# empty directive draws nothing and keeps both halves apart.
_TOGETHER = re.compile(r"(?<=:)(?=[\w/])|(?=@[-\w]+\.[-\w])|(?<=\bwww)(?=\.)|(?<=[-<>=~])(?=[-<>=~])", re.IGNORECASE)
_NOTHING = ":small[]"
_BACKSLASH = "\\"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def visible(text: str) -> str:
    r"""Text in one line whose control characters are seen instead of obeyed: ESC as ``\x1b``."""
    return _CONTROLS.sub(_escape, _LINES.sub(" ", text))


def in_plotly(text: str) -> str:
    """Text for a figure: plotly reads some HTML, and ``%{...}`` in the text of a hover."""
    return visible(text).translate(_PLOTLY)


def in_markdown(text: str) -> str:
    """Text for Streamlit's Markdown, wherever it stands in a line: in labels, headings, messages and help."""
    shown = " ".join(visible(text).split())
    places = {match.start() for match in _TOGETHER.finditer(shown)}
    marks = {match.start() for match in _MARKDOWN.finditer(shown)} | {m.end() for m in _NUMBERED.finditer(shown)}
    return "".join(
        f"{_NOTHING if k in places else ''}{_BACKSLASH if k in marks else ''}{character}"
        for k, character in enumerate(shown)
    )


def in_terminal(text: str) -> str:
    """Text for a terminal, whose lines stay lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def in_spreadsheet(text: str) -> str:
    """Text for a cell of a CSV file that a spreadsheet opens: what begins like a formula gets an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def from_spreadsheet(text: str) -> str:
    """The name that `in_spreadsheet` wrote."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


def _escape(control: re.Match[str]) -> str:
    code = ord(control[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
