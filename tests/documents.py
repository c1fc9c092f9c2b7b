"""Markdown files of the repository: their blocks of code, headings and links; and how blocks are run."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from core.cli import main

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md"), *ROOT.glob("sample_data/*.md")]
)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Language and code of every fenced block."""
    return ((found[1], found[2]) for found in _BLOCK.finditer(text))


def prose(text: str) -> str:
    """The text without fenced blocks and code in a line, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", text))


def links(text: str) -> list[str]:
    """Targets of links and pictures."""
    return _LINK.findall(prose(text))


def anchors(text: str) -> set[str]:
    """Names of the headings, as hosts of repositories make them."""
    return {
        re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower().replace(" ", "-")
        for heading in _HEADING.findall(_BLOCK.sub("", text))
    }


def run_python(code: str, names: dict[str, object]) -> str:
    """Run a block with the names of those before it; what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def run_commands(code: str) -> None:
    """Run the lines of a block that call the command line, with their redirection to a file."""
    for line in code.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["sparse-ranking-lab"]:
            continue
        words, target = (words[: words.index(">")], words[words.index(">") + 1]) if ">" in words else (words, None)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert main(words[1:]) == 0, line
        if target is not None:
            Path(target).write_text(printed.getvalue(), encoding="utf-8")
