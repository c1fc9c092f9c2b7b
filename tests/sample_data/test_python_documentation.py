"""What is taken from the standard library, and that nothing acts while it is taken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "sample_data"


@pytest.mark.parametrize(
    ("docstring", "summary", "body"),
    [
        ("Open a file. Return a stream.", "Open a file.", "Return a stream."),
        ("Open a\nfile.\n\nMore.\n\nAnd more.", "Open a file.", "More.\n\nAnd more."),
        ("open(name) -> stream\n\nOpen a file.", "Open a file.", ""),
        ("open(name) -> stream", "", ""),
        ("Takes e.g. a name.", "Takes e.g. a name.", ""),
    ],
)
def test_a_docstring_is_its_first_sentence_and_the_rest(python_documentation, docstring, summary, body):
    assert python_documentation.split_docstring(docstring) == (summary, body)


def test_objects_are_found_once_and_at_home(python_documentation):
    found = {entry.name: entry for entry in python_documentation.documented_objects()}
    assert len(found) == len(python_documentation.documented_objects())
    assert (found["textwrap.wrap"].kind, found["textwrap.wrap"].owner) == ("function", "textwrap")
    assert found["textwrap.wrap"].parameters == ("text", "width", "kwargs")
    assert found["builtins.str.join"].owner == "builtins.str"
    assert "heapq.heappush" in found, "an accelerator's function belongs to the module that shows it"
    assert "inspect.OrderedDict" not in found, "an imported class belongs to its own module"


def test_looking_imports_nothing_that_acts():
    script = "import sys, python_documentation as d; d.documented_objects(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"antigravity", "this", "turtle", "tkinter", "idlelib", "test"} & set(out.split())
