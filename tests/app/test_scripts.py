"""The Python script beside a picture, run by itself, gives the numbers that stand beside it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from core.names.tables import frame_csv
from tests.app.fitting import fit

Open = Callable[..., AppTest]
ROOT = Path(__file__).resolve().parents[2]
QUICK = [
    ("data", {}, "labels"),
    ("data", {"data_section": "features", "data_measure": "MAP"}, "single_features"),
    ("data", {"data_section": "features", "data_feature": "4"}, "distribution"),
    ("data", {"data_section": "similarity", "data_similarity": "Kendall"}, "similarity"),
    ("fit", {"method": "log", "C": "0.5"}, "convergence"),
    ("path", {"method": "mcp", "beside": "l1"}, "path"),
    ("top", {"method": "l1", "top_part": "vali"}, "top_along"),
    ("top", {"method": "l1", "top_part": "vali"}, "shares"),
    ("top", {"method": "l1", "top_look": "one list"}, "strips"),
    ("queries", {"method": "l1", "queries_look": "all queries"}, "query_changes"),
]
TOGETHER = [
    ("fit", {"method": "log", "C": "0.5"}, "weights"),
    ("features", {"method": "l1", "features_section": "similarity"}, "kept_similarity"),
    ("features", {"method": "l1", "features_section": "what if", "off": "3", "cost": "1:2"}, "what_if"),
    ("methods", {"method": "log"}, "methods"),
    ("penalties", {"penalty": "mcp", "prox_step": "0.7"}, "penalty_curves"),
    ("penalties", {"penalty": "mcp", "agree": "true"}, "prox"),
    ("penalties", {"penalty": "mcp", "part": "Two features"}, "plane"),
    ("penalties", {"penalty": "mcp", "part": "Reweighting", "round": "2"}, "round_plane"),
    ("penalties", {"penalty": "log", "part": "Several starts", "throw": "3"}, "starts"),
]
"""Run in the process of the tests, each in a namespace and a folder of its own: a new Python takes longer than they."""
SLOW = [
    (
        "tradeoff",
        {"tradeoff_methods": "l1,log", "k": "5", "tradeoff_measure": "NDCG@10", "dataset": "python-docs"},
        "tradeoff",
    ),
    ("tradeoff", {"tradeoff_methods": "l1", "tradeoff_measure": "F", "dataset": "python-docs", "k": "4"}, "certified"),
    ("features", {"features_section": "rivals", "alternatives_k": "2", "dataset": "python-docs"}, "alternatives"),
    ("tradeoff", {"tradeoff_methods": "l1,log", "tradeoff_folds": "all", "tradeoff_bars": "min–max"}, "tradeoff"),
    ("features", {"method": "log"}, "selection"),
    ("features", {"method": "log", "features_section": "entry order"}, "entry"),
    ("features", {"method": "l1", "features_section": "stability"}, "stability"),
]


@pytest.mark.parametrize(("page", "query", "name"), [*QUICK, *(pytest.param(*c, marks=pytest.mark.slow) for c in SLOW)])
def test_a_script_recomputes_the_table_of_its_picture(page, query, name, open_app: Open, tmp_path: Path) -> None:
    app = open_app(page, **({"dataset": "planted", "fold": "Fold2", "ratio": "0.1"} | query))
    shown, script = picture(app, name)
    assert differences(recomputed(script, tmp_path, name), shown) == []


@pytest.mark.parametrize(("page", "query", "name"), TOGETHER)
def test_a_small_picture_has_its_script_too(
    page, query, name, open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(page, **({"dataset": "planted", "fold": "Fold2", "ratio": "0.1"} | query))
    shown, script = picture(app, name)
    monkeypatch.chdir(tmp_path)
    assert_recomputed_here(shown, script, tmp_path, name)


def test_a_picture_beneath_a_fit_has_its_script(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app("fit", dataset="planted", fold="Fold2", ratio="0.01", method="rwfs-l0")
    fit(app)
    monkeypatch.chdir(tmp_path)
    assert_recomputed_here(*picture(app, "elimination"), tmp_path, "elimination")


def assert_recomputed_here(shown: pd.DataFrame, script: str, folder: Path, name: str) -> None:
    """Run a script in this process, in a namespace of its own."""
    exec(compile(script, f"{name}.py", "exec"), {"__name__": "__main__"})
    assert "<html" in (folder / f"{name}.html").read_text(encoding="utf-8")[:200]
    (folder / "shown.csv").write_text(
        frame_csv(shown), encoding="utf-8"
    )  # numbers that are shown as text come back as numbers
    assert differences(*(pd.read_csv(folder / f"{one}.csv") for one in (name, "shown"))) == []


def picture(app: AppTest, name: str) -> tuple[pd.DataFrame, str]:
    """The table beneath a complete picture, and its script."""
    deadline = time.monotonic() + 120
    while True:
        found = next(beneath(app.main, f'picture.save("{name}")'), None)
        if found is not None and not any(str(button.key).endswith("_stop") for button in app.button):
            return found
        assert time.monotonic() < deadline, [exception.value for exception in app.exception] or "waited in vain"
        time.sleep(0.3)
        app.run()


def beneath(block: Block, words: str) -> Iterator[tuple[pd.DataFrame, str]]:
    """Table and script of the popovers whose script has these words."""
    for child in block.children.values():
        if isinstance(child, Block):
            if child.type == "popover" and child.code and words in child.code[0].value:
                yield child.dataframe[0].value, child.code[0].value
            yield from beneath(child, words)


def recomputed(script: str, folder: Path, name: str) -> pd.DataFrame:
    """Run a script in an empty folder, as a person would."""
    (folder / f"{name}.py").write_text(script, encoding="utf-8")
    surroundings = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, f"{name}.py"], cwd=folder, capture_output=True, text=True, check=False, env=surroundings
    )
    assert ran.returncode == 0, f"{script}\n{ran.stderr}"
    assert "<html" in (folder / f"{name}.html").read_text(encoding="utf-8")[:200]
    return pd.read_csv(folder / f"{name}.csv")


def differences(ours: pd.DataFrame, shown: pd.DataFrame) -> list[str]:
    """Columns that differ, of the same rows in the same order; only the time that solvers took may."""
    if list(ours.columns) != list(shown.columns) or not len(ours) == len(shown) > 0:
        return [f"{list(ours.columns)} of {len(ours)} rows against {list(shown.columns)} of {len(shown)}"]
    timeless = [column for column in ours.columns if not column.startswith(("seconds", "passes"))]
    return [column for column in timeless if not alike(ours[column], shown[column])]


def alike(ours: pd.Series, shown: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(shown):
        return bool(np.allclose(ours.astype(shown.dtype), shown, atol=1e-9, rtol=1e-9, equal_nan=True))
    return ours.fillna("").astype(str).tolist() == shown.fillna("").astype(str).tolist()


WITHOUT = {
    "along_c": "a strip to take hold of C; the picture beside it has the script",
    "lab_convergence": "one script has the four views of the Lab",
    "lab_path": "one script has the four views of the Lab",
    "lab_tradeoff": "one script has the four views of the Lab",
    "lab_features": "one script has the four views of the Lab",
    "reproduce_": "the command that repeats the run stands on the page",
    "experiment": "the command that repeats it stands on the page",
    "published": "quoted from the paper",
    "time": "seconds of the app's own fits",
    # These want a script still.
    "truncation": "",
    "truncation_folds": "",
    "spider": "",
}
"""Pictures that have no script, and why."""


def test_every_picture_has_a_script_or_a_reason() -> None:
    """A call without one is found by the picture's name, so that the next picture is not forgotten."""
    bare = set()
    for path in sorted((ROOT / "pages").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("live_chart", "panels.chart"):
                name = ast.unparse(call.args[1]).removeprefix("f").strip("'\"")
                said = next((kind for kind in ("reproduce_", "experiment") if name.lstrip("{").startswith(kind)), name)
                if not any(keyword.arg == "script" for keyword in call.keywords):
                    bare.add(said)
    assert bare <= set(WITHOUT), "give these a script"
    assert set(WITHOUT) <= bare, "these have one now"
