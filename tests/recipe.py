"""What CONTRIBUTING.md says, done in a copy of the program: new files written, rows put in, the command run."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECIPE = ROOT / "CONTRIBUTING.md"
PARTS = ("app.py", "core", "pages", "tests", "sample_data", ".streamlit", "pyproject.toml", "docs", "CONTRIBUTING.md")
_BLOCK = re.compile(
    r"\*\*(?P<how>New file|A row in) `(?P<path>[^`]+)`\*\*.*?```(?:python|diff)\n(?P<code>.*?)```", re.DOTALL
)
_COMMAND = re.compile(r"```sh\npython (?P<words>.*?)\n```")


@dataclass(frozen=True)
class Piece:
    """One code block of the recipe.

    Attributes
    ----------
    path : str
        The file it is for, below the root.
    code : str
        The whole of a new file, or a diff without line numbers.
    new : bool
        Whether the file is new.
    """

    path: str
    code: str
    new: bool


def pieces(text: str) -> list[Piece]:
    """The code blocks of the recipe, in their order."""
    return [Piece(found["path"], found["code"], found["how"] == "New file") for found in _BLOCK.finditer(text)]


def commands(text: str) -> list[list[str]]:
    """The words behind ``python`` of the commands that the recipe tells to run."""
    return [found["words"].split() for found in _COMMAND.finditer(text)]


def patched(source: str, diff: str) -> str:
    """The source with the rows that begin with + put in behind the ones before them, and those with - left out.

    Raises
    ------
    ValueError
        If a row that shall be there is not.
    """
    lines, place = source.splitlines(), 0
    for row in diff.splitlines():
        if row.startswith("+"):
            lines.insert(place, row[1:])
        else:
            place = lines.index(row[1:], place)
        if row.startswith("-"):
            del lines[place]
        else:
            place += 1
    return "\n".join([*lines, ""])


def copy_of_the_program(folder: Path) -> Path:
    """The working tree without its history; with what numba has compiled, which is valid for files of the same age."""
    for name in PARTS:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.png"))
        else:
            shutil.copy2(source, target)
    return folder


def follow(recipe: str, folder: Path) -> None:
    """Do in the copy what the recipe says."""
    for piece in pieces(recipe):
        path = folder / piece.path
        assert path.exists() != piece.new, f"{piece.path} is {'there already' if piece.new else 'not there'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            piece.code if piece.new else patched(path.read_text(encoding="utf-8"), piece.code), encoding="utf-8"
        )
    for words in commands(recipe):
        python(folder, *words)


def python(folder: Path, *words: str) -> str:
    """What Python prints with these words in the copy, where it finds the copy's modules first."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ours |= {"SPARSE_RANK_CACHE": str(folder / "cache"), "SPARSE_RANK_RUNS": str(folder / "runs")}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=ours, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout
