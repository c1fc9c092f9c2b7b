"""A search that was killed at any node goes on in another process to the same proof.

A pool of dual rays bounds every part of the models, whatever parts the rays come from.

Of many documents a first model is looked for on a sample; objective, bound and proof are those of all documents.
"""

import re
import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Penalty, Signed
from core.solvers import BranchAndBound, FitResult, Problem, SolverRun, Stop, solve
from core.solvers.best_subset import incumbents
from core.solvers.best_subset.relaxation import Part, dual_bound, relax
from core.solvers.best_subset.space import Point, Space
from core.solvers.best_subset.tree import MOST, Rays, Search
from tests.oracles import ranking_problem
from tests.solvers.best_subset.enumeration import with_copies

EXACT = Stop(tol=1e-5)


def problem_of(lam: float = 1e-3) -> Problem:
    data = with_copies(20)
    costs = np.where(np.arange(18) == 3, 0.0, np.where(np.arange(18) % 5 == 0, 1.5, 1.0))
    penalty = Signed(L2Budget(3.5, costs), np.where(np.arange(18) == 1, 1.0, 0.0))
    return Problem(data.features, SquaredHinge.of(data), penalty, lam)


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


def test_the_search_of_another_problem_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "search.npz"
    stopped_at(5, file)
    solver = BranchAndBound(file=file)
    assert solver.accepts(problem_of()) is None
    assert "another problem" in str(solver.accepts(problem_of(lam=2e-3)))
    assert "another problem" in str(solver.accepts(replace(problem_of(), penalty=L2Budget(2))))
    file.write_bytes(file.read_bytes()[:300])
    assert "start again" in str(solver.accepts(problem_of()))


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
    for other in (replace(problem_of(), penalty=L0(price)) for price in (1.0, 2.0)):
        fit, plain = (solve(BranchAndBound(folder=folder), other, EXACT) for folder in (tmp_path, None))
        np.testing.assert_array_equal(fit.weights, plain.weights)
        assert fit.objective == plain.objective
    assert len(list(tmp_path.iterdir())) == 3


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


COSTS = np.array([1.0, 1.5, 0.0, 1.0, 2.0, 1.0])
SIGNS = np.array([0.0, 1.0, 0.0, -1.0, 0.0, 1.0])
PENALTIES: dict[str, Penalty] = {
    "equal": L2Budget(3),
    "costs": L2Budget(3.5, COSTS),
    "signs": Signed(L2Budget(3), SIGNS),
    "prices": Signed(L0(0.5, COSTS), SIGNS),
}


def problem_under(penalty: Penalty, seed: int = 4) -> Problem:
    data = ranking_problem(seed, n_queries=6, n_features=6)
    return Problem(data.features, SquaredHinge.of(data), penalty, 1e-2)


def some_points(space: Space, count: int) -> list[Point]:
    rng = np.random.default_rng(8)
    d = space.n_columns
    return [space.at(rng.normal(scale=0.3, size=d) * (rng.random(d) < 0.7)) for _ in range(count)]


@pytest.mark.parametrize("kind", PENALTIES)
def test_the_pool_gives_the_bound_of_its_newest_ray_that_suffices(kind: str) -> None:
    space = Space(problem_under(PENALTIES[kind]))
    points = some_points(space, MOST + 20)
    rays = Rays(space)
    for point in points:
        rays.add(point)
    part = Part.of(space, np.array([2, 4]), np.array([0, 1, 5]))
    bounds = np.array([dual_bound(space, point, part) for point in points[-MOST:]])
    for cutoff in np.quantile(bounds, [0.1, 0.5, 0.9]):
        newest = bounds[np.flatnonzero(bounds >= cutoff)[-1]]
        assert rays.bound(part, cutoff) == pytest.approx(newest, rel=1e-12)
    assert rays.bound(part, 1.001 * bounds.max()) == 0.0


@pytest.mark.parametrize("kind", PENALTIES)
def test_no_bound_is_above_a_model_of_the_part(kind: str) -> None:
    space = Space(problem_under(PENALTIES[kind]))
    rays = Rays(space)
    for point in some_points(space, 40):
        rays.add(point)
    paid = [0, 1, 3, 4, 5]
    for size in (1, 2):
        for inside in combinations(paid, size):
            columns = np.array([2, *inside])
            if space.costs[columns].sum() > space.budget:
                continue
            leaf = Part.alone(columns)
            best = space.objective(
                relax(space, leaf, space.at(np.zeros(6)), space.hessian(np.zeros(6)), np.inf, 0.0).point
            )
            assert rays.bound(leaf, best * (1.0 + 1e-9)) == 0.0


def test_rays_spare_looks_and_change_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    data = with_copies(20)
    problem = Problem(data.features, SquaredHinge.of(data), L2Budget(5), 1e-3)
    with_rays = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    monkeypatch.setattr(Rays, "bound", lambda *_: 0.0)
    without = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    assert with_rays.passes < without.passes
    np.testing.assert_allclose(with_rays.weights, without.weights, atol=1e-6)


DATA = with_copies(60)
PROBLEM = Problem(DATA.features, SquaredHinge.of(DATA), L2Budget(4), 1e-3)


def with_sample(monkeypatch: pytest.MonkeyPatch, documents: int) -> None:
    monkeypatch.setattr(incumbents, "LARGE", 0)
    monkeypatch.setattr(incumbents, "SAMPLE", documents)


def to_the_root() -> Search:
    """The search with all first models and its root, and nothing more."""
    search = Search.begun(PROBLEM, EXACT.tol)
    for _ in search.first_steps(np.zeros(18)):
        pass
    search.visit(1)
    return search


def test_a_sample_is_the_search_on_its_queries_alone() -> None:
    space = Space(PROBLEM)
    part = space.sample(12 * 20)
    assert part is not None
    queries = np.unique(np.linspace(0, 59, 20).astype(np.int64))
    rows = np.concatenate([np.arange(DATA.query_offsets[q], DATA.query_offsets[q + 1]) for q in queries])
    offsets = np.arange(len(queries) + 1) * 12
    alone = Space(
        Problem(PROBLEM.features[rows], SquaredHinge(DATA.relevance[rows], offsets), PROBLEM.penalty, PROBLEM.lam)
    )
    w = np.random.default_rng(1).normal(size=18)
    before = space.passes.total
    found, expected = part.at(w), alone.at(w)
    assert found.loss == pytest.approx(expected.loss, rel=1e-12)
    np.testing.assert_allclose(found.gradient, expected.gradient, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(part.hessian(w), alone.hessian(w), rtol=1e-10, atol=1e-14)
    assert space.passes.total - before == pytest.approx(3.0 * len(rows) / DATA.n_documents)


def test_the_first_bracket_holds_the_optimum_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    optimum, whole = solve(BranchAndBound(), PROBLEM, EXACT), to_the_root()
    with_sample(monkeypatch, 12 * 6)
    quick = to_the_root()
    now, w = quick.curve[-1], quick.incumbent.w
    assert now.passes < 0.8 * whole.curve[-1].passes
    assert now.bound <= optimum.objective * (1.0 + 1e-9)
    assert optimum.objective * (1.0 - 1e-9) <= now.objective <= 1.02 * optimum.objective
    loss = PROBLEM.loss.evaluate(PROBLEM.features @ w).value
    assert now.objective == pytest.approx(loss + 0.5 * PROBLEM.lam * float(w @ w))


def test_it_goes_on_to_the_same_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(BranchAndBound(), PROBLEM, EXACT)
    with_sample(monkeypatch, 12 * 5)
    found = solve(BranchAndBound(), PROBLEM, EXACT)
    assert found.stop == "converged"
    np.testing.assert_allclose(found.weights, whole.weights, atol=1e-6)
