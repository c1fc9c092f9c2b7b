"""A search that was killed at any node goes on in another process to the same proof."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Signed
from core.solvers import BranchAndBound, FitResult, Problem, SolverRun, Stop, solve
from core.solvers.best_subset.best_subset import curve_of
from tests.oracles import ranking_problem

EXACT = Stop(tol=1e-5)


def problem_of(lam: float = 1e-3) -> Problem:
    data = ranking_problem(3, n_queries=20, n_features=9)
    copies = data.features + 0.2 * np.random.default_rng(5).normal(size=data.features.shape)
    features = np.column_stack([data.features, copies])
    costs = np.where(np.arange(18) == 3, 0.0, np.where(np.arange(18) % 5 == 0, 1.5, 1.0))
    penalty = Signed(L2Budget(3.5, costs), np.where(np.arange(18) == 1, 1.0, 0.0))
    return Problem(features, SquaredHinge.of(data), penalty, lam)


def stopped_at(step: int, file: Path) -> FitResult:
    run = SolverRun(BranchAndBound(group=1, file=file), problem_of(), EXACT)
    while run.reason is None and len(run.trace) <= step:
        run.advance()
    result = run.result()
    del run  # its generator ends, as with its process
    return result


def test_it_goes_on_to_the_same_proof_from_any_step(tmp_path: Path) -> None:
    whole = solve(BranchAndBound(group=1), problem_of(), EXACT)
    assert whole.steps > 8
    for step in np.random.default_rng().choice(np.arange(4, whole.steps), 3, replace=False):
        file = tmp_path / f"{step}.npz"
        stopped = stopped_at(step, file)
        again = solve(BranchAndBound(group=1, file=file), problem_of(), EXACT)
        assert again.trace[0].step == step
        assert again.trace[0].certificate == stopped.certificate
        np.testing.assert_array_equal(again.weights, whole.weights)
        assert [p.certificate for p in again.trace] == [p.certificate for p in whole.trace[step:]]
        assert again.passes == whole.passes
        curve = curve_of(file)
        assert [p.objective for p in curve] == [p.objective for p in whole.trace]
        assert [p.objective - p.bound for p in curve] == pytest.approx(
            [p.certificate.value for p in whole.trace], abs=1e-15
        )


def test_the_search_of_another_problem_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "search.npz"
    stopped_at(5, file)
    solver = BranchAndBound(file=file)
    assert solver.accepts(problem_of()) is None
    assert "another problem" in str(solver.accepts(problem_of(lam=2e-3)))
    assert "another problem" in str(solver.accepts(replace(problem_of(), penalty=L2Budget(2))))
    file.write_bytes(file.read_bytes()[:300])
    assert "start again" in str(solver.accepts(problem_of()))


def test_a_search_is_kept_whole_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.solvers.best_subset.best_subset.SECONDS_BETWEEN", 0.0)
    file = tmp_path / "search.npz"
    run = SolverRun(BranchAndBound(group=1, file=file), problem_of(), EXACT)
    for _ in range(7):
        run.advance()
    assert len(curve_of(file)) == 6  # each step is kept when the next one is asked for
    assert [entry.name for entry in tmp_path.iterdir()] == ["search.npz"]


def killed_at(step: int, folder: Path) -> SolverRun:
    """A run that kept its search at every step so far, and whose process has ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.solvers.best_subset.best_subset.SECONDS_BETWEEN", 0.0)
        run = SolverRun(BranchAndBound(group=1, folder=folder), problem_of(), EXACT)
        while run.reason is None and len(run.trace) <= step:
            run.advance()
    [file] = folder.iterdir()
    content = file.read_bytes()
    run._iterates.close()  # type: ignore[attr-defined]
    file.write_bytes(content)  # a killed process does not keep its search once more
    return run


def test_a_killed_fit_is_resumed_with_the_trace_and_the_seconds_of_an_undisturbed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock of the processor: beside other work a step seems to take longer."""
    monkeypatch.setattr(time, "perf_counter", time.process_time)
    whole = solve(BranchAndBound(group=1), problem_of(), EXACT)
    step = int(np.random.default_rng().integers(5, whole.steps))
    killed = killed_at(step, tmp_path)
    again = solve(BranchAndBound(group=1, folder=tmp_path), problem_of(), EXACT)
    np.testing.assert_array_equal(again.weights, whole.weights)
    plain = [replace(point, seconds=0.0) for point in again.trace]
    assert plain == [replace(point, seconds=0.0) for point in whole.trace]
    assert again.trace[step - 1].seconds == pytest.approx(killed.trace[step - 1].seconds, rel=0.2, abs=0.02)
    assert again.seconds >= again.trace[step - 1].seconds > 0.0


def test_a_search_of_other_settings_is_left_alone(tmp_path: Path) -> None:
    solve(BranchAndBound(folder=tmp_path), problem_of(), EXACT)
    for other in (
        problem_of(lam=2e-3),
        replace(problem_of(), penalty=L2Budget(2)),
        replace(problem_of(), penalty=L0(1.0)),
        replace(problem_of(), penalty=L0(2.0)),
    ):
        fit, plain = (solve(BranchAndBound(folder=folder), other, EXACT) for folder in (tmp_path, None))
        np.testing.assert_array_equal(fit.weights, plain.weights)
        assert fit.objective == plain.objective
    assert len(list(tmp_path.iterdir())) == 5


def test_a_damaged_search_begins_anew_and_the_log_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = solve(BranchAndBound(group=1, folder=tmp_path), problem_of(), EXACT)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    drawn = np.random.default_rng()
    for place in drawn.integers(0, len(good), 6).tolist():
        for bad in (good[:place], good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :]):
            file.write_bytes(bad)
            fit = solve(BranchAndBound(group=1, folder=tmp_path), problem_of(), EXACT)
            np.testing.assert_array_equal(fit.weights, whole.weights)
            assert fit.steps == whole.steps
    assert any(re.search(rf"{re.escape(str(file))}\b.*damaged.*again", message) for message in caplog.messages)


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    fit = solve(BranchAndBound(folder=in_the_way), problem_of(), EXACT)
    assert fit.stop == "converged"
    assert sum("cannot be saved" in message for message in caplog.messages) == 1
