"""Just installed, no kernel is compiled: pages are drawn from what came with the program, and compile nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pages.shared.work.status import PREPARING, WAITS

pytestmark = [
    pytest.mark.more,  # compiles all kernels
    pytest.mark.skipif(os.name != "posix", reason="there is no process that computes"),
]

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import json
import os
from streamlit.testing.v1 import AppTest
from core.kernels import compiled_here, leave_compiling_to
from pages.shared.server.server import prepare
from pages.shared.work import board as boards

boards.is_here = lambda _: True
board = boards.board()
board.fits.begin()
asked, found = [], {}


def wait(kernel):
    asked.append(kernel)
    board.fits.wait_for(kernel)


def told(name, app):
    elements = [*app.get("html"), *app.get("progress"), *app.error, *app.exception]
    words = [str(getattr(one.proto, "body", "") or getattr(one.proto, "text", "") or one.value) for one in elements]
    found[name] = {"asked": asked[:], "words": " ".join(words), "failed": len(app.error) + len(app.exception)}
    asked.clear()


def opened(name, **query):
    app = AppTest.from_file(os.getcwd() + "/app.py", default_timeout=600)
    app.query_params.update(query)
    if name != "start":
        app.switch_page(f"pages/{name}.py")
    app.run()
    return app


leave_compiling_to(wait)
prepare()
told("prepare", opened("start"))
for name in ("start", "path", "features", "tradeoff"):
    told(name, opened(name))
told("another C", opened("start").button(key="lab_best").click().run())
told("a fit", opened("path", dataset="planted", method="scad"))
found["compiled"] = sorted(compiled_here)
found["preparing"] = board.fits.preparing
print("\\n" + json.dumps(found))
os._exit(0)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    empty = tmp_path_factory.mktemp("empty")
    variables = {"NUMBA_CACHE_DIR": empty / "kernels", "SPARSE_RANK_CACHE": empty / "cache"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=os.environ | {name: str(path) for name, path in variables.items()} | {"SPARSE_RANK_FITS": "process"},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def test_pages_compile_nothing_and_those_of_shipped_paths_wait_for_measures_at_most(found: dict[str, Any]) -> None:
    assert found["compiled"] == []
    for name in ("prepare", "start", "path"):
        assert found[name]["asked"] == [], name
    for name in ("features", "tradeoff"):
        assert not {"query_pass", "loss_sweep", "weighted_lasso"} & set(found[name]["asked"]), name
    assert not any(found[name]["failed"] for name in ("prepare", "start", "path", "features", "tradeoff", "another C"))


def test_a_line_says_so_and_what_waits_says_for_what(found: dict[str, Any]) -> None:
    assert found["preparing"], "or nothing here has been tested"
    for name in ("start", "path", "features", "tradeoff", "another C"):
        assert PREPARING in found[name]["words"], name
    assert found["another C"]["asked"] == []
    assert f"Convergence</b>: {WAITS}" in found["another C"]["words"]
    assert WAITS in found["a fit"]["words"]
