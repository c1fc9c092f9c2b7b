"""``python -m core`` as a program of its own: exit status, streams, pipes and signals.

The command line, the notebook and the protocol give the same model of the same fit, to the last bit.
"""

import io
import math
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core import fit, open_dataset
from core.__main__ import run
from core.cli import main
from core.data import Dataset
from core.experiments.run.cells import Cell, MethodChoice, fold_identity, protocol_version
from core.experiments.run.protocol import cell_result
from core.solvers import refit as chosen_features
from tests.cases import sweep
from tests.cli.conftest import Ask, strict_json

ROOT = Path(__file__).resolve().parents[2]


# Unbuffered output would hide what happens when the last buffer is flushed.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
HERE: dict[str, Any] = {"cwd": ROOT, "env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def python(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    options = {**HERE, "timeout": 300, **options}
    return subprocess.run([sys.executable, *map(str, words)], text=True, **options)


def program(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    return python("-m", "core", *words, **options)


def test_arithmetic_at_the_edge_does_not_chatter_and_json_is_all_that_is_printed(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("1 qid:1 1:1e50\n0 qid:1 1:-1e50\n2 qid:1 1:5e49\n")
    done = program("fit", tmp_path / "large.txt", "--method", "l2", "--solver", "subgradient", "--C", 1, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert strict_json(done.stdout)["method"] == "l2"


def test_help_is_exit_0(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for words, text in ((["--help"], "usage: python -m core"), (["fit", "--help"], "--lambda-ratio")):
        monkeypatch.setattr(sys, "argv", ["core", *words])
        with pytest.raises(SystemExit, match="0"):
            run()
        said = capsys.readouterr()
        assert text in said.out
        assert said.out.startswith("usage: ")
        assert said.err == ""


def test_a_command_loads_its_own_file_and_help_no_library() -> None:
    """Nor does a fit load pyarrow, where no Parquet is read."""
    script = """
import sys
from core.cli import main, parser
parser([]).format_help()
assert not {"numpy", "numba", "core.cli.fit"} & set(sys.modules)
assert main(["fit", "python-docs", "--C", "1e-3"]) == 0
assert "core.cli.fit" in sys.modules
assert not {"pyarrow", "pandas", "core.cli.path", "core.export"} & set(sys.modules)
"""
    done = python("-c", script)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_has_gone_is_not_told() -> None:
    """As after ``| head -1``."""
    reader, writer = os.pipe()
    os.close(reader)
    done = program("methods", "--json", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_failed_work() -> None:
    with open("/dev/full", "w") as full:
        done = program("methods", stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith("the work failed: OSError")
    assert done.stderr.count("\n") == 1


def test_a_terminal_without_greek_letters_gets_question_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    with io.TextIOWrapper(io.BytesIO(), encoding="ascii") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        assert main(["methods"]) == 0
        assert re.search(rb"^l1 +\?1 ", terminal.buffer.getvalue(), re.MULTILINE)  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_says_stopped(tmp_path: Path, letor_file: Path) -> None:
    """The scores come from a pipe that never says anything: once it is open, the command is at work.

    A suite that runs in the background of a shell is deaf to Ctrl-C, and its children would be so, too.
    """
    os.mkfifo(tmp_path / "scores")
    command = [sys.executable, "-m", "core", "evaluate", str(letor_file), str(tmp_path / "scores")]
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, **HERE, text=True, preexec_fn=hears) as process:
        try:
            writer = open_when_read(tmp_path / "scores", process)
            out, err = interrupted(process)
            os.close(writer)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (1, "", "stopped\n")


def interrupted(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Press Ctrl-C until it is heard: Python misses one that comes between the pipe's opening and the waiting read."""
    for _ in range(60):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=2)
    return pytest.fail("the command goes on after Ctrl-C")


def open_when_read(pipe: Path, process: subprocess.Popen[str]) -> int:
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up and process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            time.sleep(0.02)
    process.kill()
    return pytest.fail("the command never read its scores")


def test_after_warming_up_nothing_is_left_to_compile_or_load() -> None:
    """Every kernel that a fit, metrics, a feature score or a reader uses is ready, for every method and solver.

    Large data are of 19 MB in single precision: from 16 MB on, one pass over X finds all sums.
    """
    script = """
import numpy as np
from benchmarks.shapes import Shape, generate
from core.analysis.features.single_feature import single_feature_scores
from core.analysis.path import lambda_grid, regularization_path
from core.data import RankingData, open_dataset
from core.methods import METHODS, get_method
from core.metrics import evaluate_ranking
from core.solvers import Stop
from core.warm_up import warm_up
from tests.oracles import ranking_problem
import sys

def compiled():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("core"):
            for key, value in vars(module).items():
                value = getattr(value, "compiled", value)
                if hasattr(value, "signatures") and hasattr(value, "py_func"):
                    found[value.py_func.__module__, value.py_func.__name__] = len(value.signatures)
    return found

warm_up()
before = compiled()
data = ranking_problem(4)
for method in METHODS:
    for solver in method.solvers:
        training = method.training(data)
        method.fit(training, training.lam_at(0.1), solver=solver.id, stop=Stop(max_steps=30))
evaluate_ranking(data, data.features[:, 0], "letor4")
single_feature_scores(data, "standard")
open_dataset("python-docs").fold(2)
large = generate(Shape(n_queries=200, documents_per_query=120, n_features=200, relevant_per_query=12))
for precision in (np.float64, np.float32):
    data = RankingData.build(large.features, large.relevance, large.query_offsets, dtype=precision)
    training = get_method("l1").training(data)
    [*regularization_path(get_method("l1"), training, lambda_grid(training.lam_max, 10, 0.1))]
after = compiled()
assert sum(before.values()) > 5, before
print([kernel for kernel in after if after[kernel] != before.get(kernel)])
"""
    done = python("-c", script)
    assert (done.stdout, done.stderr) == ("[]\n", "")


WHOLE_GRID = 50
OF_A_FIT = (
    *("method", "solver", "parameters", "lambda", "C", "lambda_max", "lambda_ratio", "objective", "certificate"),
    *("stop", "steps", "passes", "nonzero", "features", "metrics", "expected_over_ties", "convention"),
)

CASES = [
    ("planted", "l1", {}, "MAP", "best"),
    ("planted", "log", {"epsilon": 0.2}, "NDCG@10", "one-se"),
    ("planted", "fs-rank", {}, "MAP", "best"),
    ("planted", "fs-rank", {"k": 3.0}, "MAP", "best"),
    ("planted", "l1", {"refit": "yes"}, "MAP", "average"),
    ("python-docs", "mcp", {}, "RR", "best"),
    ("planted", "fenchelrank", {}, "P@5", "best"),
    ("planted", "infinite-push-l1", {}, "Top", "best"),
]


@pytest.mark.parametrize(("name", "method", "parameters", "measure", "rule"), sweep(CASES, always=5))
def test_a_tuned_model_is_the_same_for_all_three(
    name: str, method: str, parameters: dict[str, Any], measure: str, rule: Any, ask: Ask
) -> None:
    dataset = open_dataset(name)
    options = [word for pair in parameters.items() for word in ("--set", "{}={}".format(*pair))]
    printed = ask("fit", name, "--method", method, "--tune", measure.lower(), "--choose", rule, *options)
    model = fit(
        dataset.fold(1), method, tune=measure, choose=rule, parameters=parameters, convention=dataset.convention
    )
    cell = told_by_a_cell(dataset, method, parameters, measure, rule)
    assert printed["nonzero"] > 0
    assert of_a_fit(printed) == of_a_fit(model.record()) == of_a_fit(cell)
    notebook = model.record()["tuned"]
    assert without_seconds(printed["tuned"]) == without_seconds(notebook)
    assert printed["tuned"]["vali"] == next(p["vali"] for p in cell["grid"] if is_chosen(p, cell))
    assert len(cell["grid"]) % printed["tuned"]["points"] == 0
    assert printed["tuned"].get("tried") == cell.get("tried")
    assert printed["tuned"]["choice"]["resamples"] == cell["choice"]["resamples"]
    if "k" in parameters:
        assert (printed["nonzero"], "tried" in cell) == (3, False)
    if rule == "best":
        assert printed["tuned"]["vali"] == max(point["vali"] for point in cell["grid"])


@pytest.mark.parametrize(("name", "method"), [("planted", "mcp"), ("python-docs", "fsmrank"), ("planted", "gas-e")])
def test_a_model_at_a_ratio_is_the_same_in_a_terminal_and_a_notebook(
    name: str, method: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen_features, "SECONDS_BETWEEN", math.inf)  # a selection on a busy machine has more steps
    dataset = open_dataset(name)
    printed = ask("fit", name, "--method", method, "--lambda-ratio", 0.03)
    model = fit(dataset.fold(1), method, lambda_ratio=0.03, convention=dataset.convention)
    assert of_a_fit(printed) == of_a_fit(model.record())
    assert len(printed["trace"]) == len(model.record()["trace"]) > 1


def told_by_a_cell(
    dataset: Dataset, method: str, parameters: dict[str, Any], measure: str, rule: Any
) -> dict[str, Any]:
    fold = dataset.fold(1)
    choice = MethodChoice.parse(":".join([method, *("{}={}".format(*pair) for pair in parameters.items())]))
    parts = tuple(fingerprint for _, fingerprint in fold_identity(fold))
    cell = Cell(settings=choice.settings, points=WHOLE_GRID, measure=measure, convention=dataset.convention, rule=rule,
                dataset=dataset.name, fold=1, fingerprints=parts, choice=choice, code=protocol_version())  # fmt: skip
    return cell_result(cell, fold).record


def of_a_fit(record: dict[str, Any]) -> dict[str, Any]:
    """All numbers of a model but seconds."""
    return {name: record[name] for name in OF_A_FIT}


def without_seconds(tuned: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tuned.items() if name != "seconds"}


def is_chosen(point: dict[str, Any], cell: dict[str, Any]) -> bool:
    chosen = cell.get("chosen", {})
    return (point["lambda"], point["parameters"]) == (cell["lambda"], chosen)
