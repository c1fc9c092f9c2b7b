"""CONTRIBUTING.md is true: its code, added to a copy of the program, is found everywhere it says."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.figures.browser.drawing_code import sent_drag
from core.figures.drag.drag import Hand
from core.methods import METHODS
from core.methods.registry import RANKSVM
from core.solvers import Certificate
from tests.sources import ROOT, copy_of_the_program

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NEW = "capped-l1"
JUDGED = Judgement({"test": {"MAP": 0.25}})
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


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program in which the recipe has been followed."""
    folder = copy_of_the_program(tmp_path_factory.mktemp("contributed"))
    follow(TEXT, folder)
    return folder


def test_every_file_it_names_is_there_or_made_by_it(program: Path) -> None:
    named = set(re.findall(r"`((?:core|pages|tests)/[\w/.]+)`", TEXT))
    yet_to_write = {"tests/app/views/objective/test_page.py", "tests/export/test_json_lines.py"}
    assert {name for name in named if not (program / name).exists()} == yet_to_write


def test_the_new_code_is_laid_out_as_the_rest(program: Path) -> None:
    pytest.importorskip("ruff")
    new = [piece.path for piece in pieces(TEXT)]
    python(program, "-m", "ruff", "check", "--no-cache", "--select", "I", "--fix", "core/methods/registry.py")
    assert "All checks passed" in python(program, "-m", "ruff", "check", "--no-cache", *new)
    assert "already formatted" in python(program, "-m", "ruff", "format", "--no-cache", "--check", *new)


def test_the_drag_that_it_shows_is_one_that_the_browser_can_move() -> None:
    """With a line, so that it has the handle, at the number of features of every model."""
    section = TEXT.partition("\n## What moves with C")[2].partition("\n## ")[0]
    made: dict[str, Any] = {}
    exec(section.partition("```python\n")[2].partition("```")[0], made)
    frames = [
        Frame(ratio, ratio, 1.0 / ratio, np.array(weights), JUDGED, Certificate("stationarity", 0.0, 0.0, among=""))
        for ratio, weights in ((1.0, [0.0, 0.0]), (0.5, [1.0, 0.0]))
    ]
    sent = sent_drag(made["kept_drag"](Hand(frames, frames[1], "red", "a path"), "test", "MAP"))
    assert json.loads(json.dumps(sent, allow_nan=False))["label"]["at"] == ["C 1 · 0 features", "C 2 · 1 feature"]
    assert [dot["up"]["now"] for dot in sent["dots"]] == [0.25]


@pytest.fixture(scope="module")
def seen(program: Path) -> dict[str, Any]:
    """What one process of the copy prints: its commands, its pictures and its pages."""
    found: dict[str, Any] = json.loads(python(program, "-c", EVERYTHING).splitlines()[-1])
    return found


EVERYTHING = """
import io
import json
from contextlib import redirect_stdout
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.cli import main
from core import fit_path
from core.analysis.path_frames import fitted_frame
from core.api import pictures
from core.data import open_dataset
from core.figures.drag.drag import Hand
from pages.shared.work.board import board
from tests.app.fitting import chosen, control, give
from tests.cli.conftest import letor_text
from tests.oracles import ranking_problem

def answer(*words):
    with redirect_stdout(io.StringIO()) as said:
        assert main([*words, "--json"]) == 0
    return json.loads(said.getvalue())

seen = {"methods": answer("methods"), "path": answer("path", "planted", "--method", "capped-l1", "--points", "5")}

fold = open_dataset("planted").fold(1)
picture = pictures.query_lengths(fold)
words = picture.words(picture.found)
shares = pictures.paths([fit_path(fold, "l1", points=6)], normalised=True)
(path,), weights = shares.found.panels, shares.table[list(fold.train.feature_names)].fillna(0.0).to_numpy()
hand = Hand([fitted_frame(point) for point in path.points], fitted_frame(path.points[2]), "red")
drag = shares.moves(shares.found, hand)
seen["shares"] = {
    "sums": abs(weights).sum(axis=1).tolist(),
    "table": weights[:, list(shares.found.coloured)].T.tolist(),
    "dots": [dot.up.at.tolist() for dot in drag.dots if dot.y == "yaxis"],
    "axis": shares.figure.layout.yaxis.title.text,
}
seen["picture"] = {"title": words.title, "rows": len(picture.table), "queries": fold.train.n_queries}

Path("small.txt").write_text(letor_text(ranking_problem()))
words = ("protocol", "small.txt", "--methods", "l1,capped-l1", "--grid", "4", "--repeats", "2", "--workers", "1")
seen["protocol"] = answer(*words, "--out", "finished")

app = AppTest.from_file("app.py", default_timeout=300)
app.query_params.update({"dataset": "planted", "method": "capped-l1"})
app.run()
app.switch_page("pages/objective.py").run()
seen["app"] = {
    "menu": control(app.selectbox, "method").options,
    "method": control(app.selectbox, "method").value,
    "titles": [title.value for title in app.title],
}
curves = pictures.penalty_curves("capped-l1").table
seen["app"] |= {"exceptions": len(app.exception), "penalties": list(curves["penalty"])}
app.query_params["path_normalised"] = "true"
app.switch_page("pages/path.py").run()
seen["shares"]["control"] = (toggle := app.toggle(key="path_normalised")).label, toggle.value
app.switch_page("pages/data.py").run()
seen["picture"]["page"] = [one.value for one in app.get("html") if "heading-query_lengths" in one.value]
header = "qid;relevance;price;stars\\n"
table = "".join(f"{row // 5};{row % 3};{row % 4};{row % 7}\\n" for row in range(100))
seen["option"] = {}
for name, begins in {"mine.txt": f"prices: of May\\n{header}", "mine.csv": f"of;May;in;EUR\\n{header}"}.items():
    Path(name).write_text(begins + table)
    give(app, (name, Path(name).read_bytes()))
    control(app.number_input, "roles_skip_given").set_value(1).run()
    app.button(key="roles_take_given").click().run()
    here = chosen(app)
    seen["option"][name] = {
        "read": [here.source.file_name, here.source.reading.skip, *here.fold.train.feature_names],
        "shown": [control(app.number_input, "skip").value, *app.query_params["skip"]],
        "told": next(one.value for one in app.sidebar.caption if "Not as usual" in one.value),
        "shell": answer("fit", name, "--skip", "1", "--C", "1")["objective"],
    }
board().close(30)  # as a server does: a thread that computes must not meet the end of the interpreter
print(json.dumps(seen))
"""


def behind_scad(names: list[str], scad: str, new: str) -> list[str]:
    """Where the row of CONTRIBUTING.md puts the new one, whatever else is in the list."""
    return [one for name in names for one in ((name, new) if name == scad else (name,))]


@pytest.mark.more
def test_the_method_has_its_place_in_the_list_and_the_reference_and_a_path(program: Path, seen: dict[str, Any]) -> None:
    listed = {row["id"]: row for row in seen["methods"]}
    assert list(listed) == behind_scad([method.id for method in METHODS], "scad", NEW)
    assert [parameter["name"] for parameter in listed[NEW]["parameters"]] == ["cap", "refit", "ridge"]
    first, *_, last = seen["path"]["points"]
    assert (first["method"], first["nonzero"], last["nonzero"] > 0) == (NEW, 0, True)
    before_it = ROOT.joinpath("docs/reference/methods.md").read_text(encoding="utf-8").splitlines()
    reference = program.joinpath("docs/reference/methods.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in reference if line not in before_it]
    assert row.startswith(f"| `{NEW}` | capped ℓ1 | `proximal-newton`")


@pytest.mark.more
def test_the_app_has_the_method_in_its_menu_and_the_page_in_its_place(seen: dict[str, Any]) -> None:
    shown = seen["app"]
    assert (shown["method"], shown["titles"], shown["exceptions"]) == (NEW, ["What capped ℓ1 minimises"], 0)
    titles = [method.title for method in RANKSVM]
    assert shown["penalties"] == behind_scad(titles, "SCAD", "capped ℓ1")
    assert shown["menu"].index("RankSVM capped ℓ1") == shown["menu"].index("RankSVM SCAD") + 1


@pytest.mark.more
@pytest.mark.parametrize("file", ["mine.txt", "mine.csv"], ids=["no first row is readable", "the header is a row"])
def test_the_option_is_asked_and_stands_in_sidebar_address_and_shell(seen: dict[str, Any], file: str) -> None:
    option = seen["option"][file]
    assert (option["read"], option["shown"]) == ([file, 1, "price", "stars"], [1, "1"])
    assert "lines to skip" in option["told"]
    assert option["shell"] > 0


@pytest.mark.more
def test_the_picture_is_a_function_of_the_notebook_and_stands_on_its_page(seen: dict[str, Any]) -> None:
    drawn = seen["picture"]
    assert drawn["rows"] == drawn["queries"]
    assert len(drawn["page"]) == 1
    assert drawn["title"] in drawn["page"][0]


@pytest.mark.more
def test_the_option_scales_weights_in_table_and_drag_and_has_its_control(seen: dict[str, Any]) -> None:
    shares = seen["shares"]
    assert shares["sums"] == pytest.approx([0.0] + [1.0] * 5)
    assert np.allclose(shares["dots"], shares["table"])
    assert "share" in shares["axis"]
    assert shares["control"] == ["Normalise weights", True], "with its address, without a line of the page"


@pytest.mark.more
def test_the_protocol_has_the_method_and_every_table_in_the_new_format(program: Path, seen: dict[str, Any]) -> None:
    assert {row["method"] for row in seen["protocol"]["results"]} == {"l1", NEW}
    written = program / "finished" / "tables"
    tables = {kind: {file.stem for file in written.glob(f"*.{kind}")} for kind in ("csv", "jsonl")}
    assert tables["jsonl"] == tables["csv"] != set()
    rows = (written / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(row)["method"] for row in rows} == {"l1", NEW}


@pytest.mark.more
def test_tests_that_run_by_themselves_find_the_new_and_pass(program: Path) -> None:
    found = python(program, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SELECTED, *TESTS)
    passed = re.search(r"(\d+) passed", found)
    assert passed is not None
    assert "failed" not in found
    assert int(passed[1]) > 100


SELECTED = " or ".join(
    (
        *("query_lengths", "declared", "capped", "every_page_is_drawn", "test_style", "test_architecture"),
        *("test_protocol_report", "test_refit", "test_reading"),
    )
)
TESTS = (
    "tests/data/test_reading.py",
    "tests/penalties",
    "tests/methods/test_registry.py",
    "tests/figures/look/test_style.py",
    "tests/figures/test_picture.py",
    "tests/export/test_protocol_report.py",
    "tests/test_architecture.py",
    "tests/app/test_names.py",
)
