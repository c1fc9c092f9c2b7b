"""Names from outside as text: one function for each place that would otherwise interpret them.

Feature, file, dataset, query and document names are anybody's. HTML takes them through `html.escape`, LaTeX through
`core.export.table_formats.escaped`; all other places through a function of this file.
"""

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
NOTHING = ":small[]"
"""What Streamlit's Markdown draws nothing for."""
_BACKSLASH = "\\"
# Where a spreadsheet may begin a cell, whatever its language splits at, and what it passes over before a formula.
_BEGINS = r"(?:^|(?<=[;,\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]))"
_FORMULA = (
    r"'*(?:(?![;,\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029])"
    r"[\s\"\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff])*[=+\-@＝＋－＠]"
)
_BARE = re.compile(f"{_BEGINS}(?={_FORMULA})")
_GUARDED = re.compile(f"{_BEGINS}'(?={_FORMULA})")
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan)", re.IGNORECASE)


def visible(text: str) -> str:
    r"""Text in one line whose control characters are seen instead of obeyed: ESC as ``\x1b``."""
    return _CONTROLS.sub(_escape, _LINES.sub(" ", text))


def in_plotly(text: str) -> str:
    """Text for a figure: plotly reads some HTML, and ``%{...}`` in the text of a hover."""
    return visible(text).translate(_PLOTLY)


def in_markdown(text: str) -> str:
    """Text for Streamlit's Markdown, wherever it stands in a line: in labels, headings, messages and help."""
    shown = " ".join(visible(text).split())
    if not any(kind.search(shown) for kind in (_TOGETHER, _MARKDOWN, _NUMBERED)):
        return shown
    places = {match.start() for match in _TOGETHER.finditer(shown)}
    marks = {match.start() for match in _MARKDOWN.finditer(shown)} | {m.end() for m in _NUMBERED.finditer(shown)}
    return "".join(
        f"{NOTHING if k in places else ''}{_BACKSLASH if k in marks else ''}{character}"
        for k, character in enumerate(shown)
    )


def in_terminal(text: str) -> str:
    """Text for a terminal, whose lines stay lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def in_file_name(text: str) -> str:
    """Part of the name of a file: what is no letter, digit, dash, dot or underscore becomes a dash."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in text)


def in_spreadsheet(text: str) -> str:
    """Text for a cell of a CSV file that a spreadsheet opens: what may begin like a formula gets an apostrophe.

    Spreadsheets of other languages split lines at semicolons or tabs, so what follows one is taken for a beginning too.
    """
    return text if _NUMBER.fullmatch(text) else _BARE.sub("'", text)


def from_spreadsheet(text: str) -> str:
    """The name that `in_spreadsheet` wrote."""
    return _GUARDED.sub("", text)


def _escape(control: re.Match[str]) -> str:
    code = ord(control[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def unit_words(unit: str) -> str:
    """What a certificate is a share of, for people: "the objective" for the papers' F."""
    return "the objective" if unit == "F" else unit
