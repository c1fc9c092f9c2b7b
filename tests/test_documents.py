"""The documentation: links lead somewhere, code runs, and what is generated is up to date.

Markdown files of the repository: their blocks of code, headings and links; and how blocks are run.
What SECURITY.md promises is held: each sentence names tests, and each of them is there.
"""

import ast
import contextlib
import io
import os
import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from core.cli import main
from core.methods import get_method
from tests.cases import sweep

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


README = ROOT / "README.md"
DOCS = ROOT / "docs"
BUILD = runpy.run_path(str(DOCS / "reference" / "build.py"))


def broken(path: Path) -> list[str]:
    """Relative links of a file that lead to no file or heading."""
    found = []
    for target in links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = unquote(target).partition("#")
        file = path if not name else Path(os.path.normpath(path.parent / name))
        if not file.exists() or (heading and heading not in anchors(file.read_text(encoding="utf-8"))):
            found.append(target)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    assert broken(path) == []


def test_the_code_of_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    names: dict[str, object] = {}
    found = list(blocks(README.read_text(encoding="utf-8")))
    for language, code in found:
        if language == "python":
            run_python(code, names)
            assert len(code.strip().splitlines()) <= 7
            assert "solr" in Path("model.json").read_text(encoding="utf-8").lower()
            Path("model.json").unlink()
        elif language == "sh":
            run_commands(code)
            assert "solr" in Path("model.json").read_text(encoding="utf-8").lower()
    assert {"python", "sh"} <= {language for language, _ in found}
    assert len(names["model"].features) == 9  # type: ignore[attr-defined]


def test_the_tutorial_runs_and_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    compared = 0
    for language, code in blocks((DOCS / "start.md").read_text(encoding="utf-8")):
        if language == "python":
            printed = run_python(code, names)
        elif language == "text":
            assert printed == code
            compared += 1
        elif language == "sh":
            run_commands(code)
    assert compared >= 5
    assert {path.name for path in tmp_path.iterdir()} == {"mine.csv", "model.json", "result.json", "elastic.json"}


@pytest.mark.parametrize("name", sweep(["how_to/ten_features", "gallery"]))
def test_the_code_of_a_document_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = [
        code for language, code in blocks((DOCS / f"{name}.md").read_text(encoding="utf-8")) if language == "python"
    ]
    assert found
    for code in found:
        run_python(code, names)


@pytest.mark.parametrize("path", BUILD["current"](), ids=lambda path: str(path.relative_to(DOCS)))
def test_what_follows_from_the_code_is_up_to_date(path: Path) -> None:
    """If not: ``python docs/reference/build.py``."""
    assert path.read_text(encoding="utf-8") == BUILD["current"]()[path]


def test_defaults_are_what_the_studies_say() -> None:
    """benchmarks/README.md, "What defaults were chosen on"."""
    for method, setting, value in (("fsmsvm", "ratio", 1e-5), ("scad", "knee", 0.05), ("mcp", "knee", 0.05)):
        assert get_method(method).settings()[setting] == value


def test_every_setting_of_the_environment_is_in_the_table() -> None:
    setting = re.compile(r"SPARSE_RANK_[A-Z_]+[A-Z]\b")
    sources = [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
    used = {name for path in sources for name in setting.findall(path.read_text(encoding="utf-8"))}
    table = (DOCS / "reference" / "environment.md").read_text(encoding="utf-8")
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert used == set(setting.findall(" ".join(first_cells)))


SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def _is(name: str) -> bool:
    path, _, function = name.partition("::")
    file = ROOT / path
    if not (path.startswith("tests/") and function.startswith("test_") and file.is_file()):
        return False
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body)


def test_each_promise_is_held_by_a_test_that_is_there() -> None:
    promised = SECURITY.partition("\n## Promised\n")[2].partition("\n## ")[0]
    held = [re.findall("`(tests/[^`]+)`", promise) for promise in promised.split("\n- ")[1:]]
    assert len(held) > 20
    assert all(held), "a promise without a test"
    assert not [name for names in held for name in names if not _is(name)]
