"""CONTRIBUTING.md is true: its code, added to a copy of the program, is found everywhere it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.figures.drag.hand import Hand
from core.figures.drag.sent import sent_drag
from core.methods import METHODS
from core.solvers import Certificate
from tests import recipe

TEXT = recipe.RECIPE.read_text(encoding="utf-8")
NEW = "capped-l1"
JUDGED = Judgement({"test": {"MAP": 0.25}})


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program in which the recipe has been followed."""
    folder = recipe.copy_of_the_program(tmp_path_factory.mktemp("contributed"))
    recipe.follow(TEXT, folder)
    return folder


def test_each_thing_touches_the_files_that_its_heading_counts() -> None:
    touched: dict[str, list[str]] = {}
    for section in TEXT.split("\n## ")[1:]:
        if paths := [piece.path for piece in recipe.pieces(section)]:
            touched[section.partition("\n")[0]] = paths
    assert touched == {
        "A penalty: one file": ["core/penalties/capped_l1.py"],
        "A method: one file and one row": ["core/methods/ranksvm_capped_l1.py", "core/methods/registry.py"],
        "A page: a door, a room and a row": [
            "pages/objective.py", "pages/views/objective/page.py", "pages/shared/frame.py",
        ],
        "A picture: one file, one row and one call": [
            "core/figures/features/query_lengths.py", "core/api/pictures/__init__.py", "pages/views/data/page.py",
            "tests/figures/samples/features.py",
        ],
        "An export format: one file and one row": ["core/export/json_lines.py", "core/export/table_formats.py"],
    }  # fmt: skip


def test_every_file_it_names_is_there_or_made_by_it(program: Path) -> None:
    named = set(re.findall(r"`((?:core|pages|tests)/[\w/.]+)`", TEXT))
    yet_to_write = {"tests/app/views/objective/test_page.py", "tests/export/test_json_lines.py"}
    assert {name for name in named if not (program / name).exists()} == yet_to_write


def test_the_new_code_is_laid_out_as_the_rest(program: Path) -> None:
    pytest.importorskip("ruff")
    new = [piece.path for piece in recipe.pieces(TEXT)]
    assert "All checks passed" in recipe.python(program, "-m", "ruff", "check", "--no-cache", *new)
    assert "already formatted" in recipe.python(program, "-m", "ruff", "format", "--no-cache", "--check", *new)


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
    found: dict[str, Any] = json.loads(recipe.python(program, "-c", EVERYTHING).splitlines()[-1])
    return found


EVERYTHING = """
import io
import json
from contextlib import redirect_stdout
from dataclasses import astuple
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.cli import main
from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of
from core.analysis.tuning.tuning import best_on_validation
from core.api import pictures
from core.data import open_dataset
from core.figures.look.style import METHOD_STYLES
from core.figures.path.path import PathPanel, path_figure
from core.figures.penalties.penalties import PenaltyCurve, curves_figure
from core.methods import get_method
from core.methods.families import FAMILIES
from pages.shared.work.board import board
from tests.app.fitting import control
from tests.cli.conftest import letor_text
from tests.oracles import ranking_problem

def answer(*words):
    with redirect_stdout(io.StringIO()) as said:
        assert main([*words, "--json"]) == 0
    return json.loads(said.getvalue())

seen = {"methods": answer("methods"), "path": answer("path", "planted", "--method", "capped-l1", "--points", "5")}

method, fold = get_method("capped-l1"), open_dataset("planted").fold(1)
training = method.training(fold.train)
judge = FoldJudge(fold, "standard")
points = list(regularization_path(method, training, lambda_grid(training.lam_max, 5, 0.01), judge))
path = path_figure([PathPanel(method.title, points, best_on_validation(points, "MAP"), points[3])], [0, 1], "MAP")
curves = [PenaltyCurve(m.id, m.title, penalty_of(m, {})) for m in penalty_methods()]
seen["drawn"] = {
    "styles": {name: astuple(style) for name, style in METHOD_STYLES.items()},
    "colour": METHOD_STYLES[method.id].colour,
    "family": next(name for name, family in FAMILIES.items() if method in family),
    "path": json.dumps(path.to_plotly_json(), default=str, ensure_ascii=False),
    "penalties": json.dumps(curves_figure(curves).to_plotly_json(), default=str, ensure_ascii=False),
}

picture = pictures.query_lengths(fold)
words = picture.words(picture.found)
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
app.switch_page("pages/penalties.py").run()
table = next(frame.value for frame in app.dataframe if "penalty" in frame.value)
seen["app"] |= {"exceptions": len(app.exception), "penalties": list(table["penalty"])}
app.switch_page("pages/data.py").run()
seen["picture"]["page"] = [one.value for one in app.get("html") if "heading-query_lengths" in one.value]
board().close(30)  # as a server does: a thread that computes must not meet the end of the interpreter
print(json.dumps(seen))
"""


@pytest.mark.more
def test_the_method_is_listed_in_its_place_and_in_the_reference(program: Path, seen: dict[str, Any]) -> None:
    listed = {row["id"]: row for row in seen["methods"]}
    before = [method.id for method in METHODS]
    assert list(listed) == [*before[: before.index("l2")], NEW, *before[before.index("l2") :]]
    assert [parameter["name"] for parameter in listed[NEW]["parameters"]] == ["cap", "refit", "ridge"]
    before_it = recipe.ROOT.joinpath("docs/reference/methods.md").read_text(encoding="utf-8").splitlines()
    reference = program.joinpath("docs/reference/methods.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in reference if line not in before_it]
    assert row.startswith(f"| `{NEW}` | capped ℓ1 | `proximal-newton`")


@pytest.mark.more
def test_its_path_is_fitted_and_drawn_in_a_style_of_its_own(seen: dict[str, Any]) -> None:
    path, drawn = seen["path"], seen["drawn"]
    assert [point["method"] for point in path["points"]] == [NEW] * 5
    assert [point["nonzero"] for point in path["points"]][::4] == [0, path["points"][-1]["nonzero"]]
    assert path["points"][-1]["nonzero"] > 0
    others = {name: style for name, style in drawn["styles"].items() if name != NEW}
    assert drawn["styles"][NEW] not in others.values()
    assert drawn["colour"] not in [style[0] for style in others.values()]
    assert drawn["family"] == "RankSVM"
    for figure in (drawn["path"], drawn["penalties"]):
        assert drawn["colour"] in figure
        assert "capped ℓ1" in figure


@pytest.mark.more
def test_the_app_has_the_method_in_its_menu_and_the_page_in_its_place(seen: dict[str, Any]) -> None:
    shown = seen["app"]
    assert shown["menu"].index("RankSVM capped ℓ1") == shown["menu"].index("RankSVM SCAD") + 1
    assert (shown["method"], shown["titles"], shown["exceptions"]) == (NEW, ["What capped ℓ1 minimises"], 0)
    assert shown["penalties"] == ["ℓ1", "log", "MCP", "ℓ0.5", "SCAD", "capped ℓ1", "ℓ2"]


@pytest.mark.more
def test_the_picture_is_a_function_of_the_notebook_and_stands_on_its_page(seen: dict[str, Any]) -> None:
    drawn = seen["picture"]
    assert drawn["rows"] == drawn["queries"]
    assert len(drawn["page"]) == 1
    assert drawn["title"] in drawn["page"][0]


@pytest.mark.more
def test_the_protocol_works_it_out_and_exports_every_table_in_the_new_format(
    program: Path, seen: dict[str, Any]
) -> None:
    assert {row["method"] for row in seen["protocol"]["results"]} == {"l1", NEW}
    written = program / "finished" / "tables"
    tables = {kind: {file.stem for file in written.glob(f"*.{kind}")} for kind in ("csv", "jsonl")}
    assert tables["jsonl"] == tables["csv"] != set()
    rows = (written / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(row)["method"] for row in rows} == {"l1", NEW}


@pytest.mark.more
def test_tests_that_run_by_themselves_find_the_new_and_pass(program: Path) -> None:
    found = recipe.python(program, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SELECTED, *TESTS)
    passed = re.search(r"(\d+) passed", found)
    assert passed is not None
    assert "failed" not in found
    assert int(passed[1]) > 100


SELECTED = " or ".join(
    (
        *("query_lengths", "declared", "capped", "objective", "test_style", "test_table", "test_architecture"),
        *("test_protocol_report", "test_refit"),
    )
)
TESTS = (
    "tests/penalties",
    "tests/methods/test_registry.py",
    "tests/methods/test_table.py",
    "tests/figures/look/test_style.py",
    "tests/figures/test_picture.py",
    "tests/export/test_protocol_report.py",
    "tests/test_architecture.py",
    "tests/app/test_pages.py",
)
