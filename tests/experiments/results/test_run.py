"""A run of the protocol with its summary: its fingerprint tells every change of what is shown."""

from __future__ import annotations

from dataclasses import replace

from core.experiments.results.run import Run
from core.experiments.run.workers.workers import Failure
from tests.experiments.made_up import four_lines, line, result, run


def test_equal_runs_have_one_fingerprint_and_every_other_run_its_own() -> None:
    plan, results = run(four_lines())
    made = Run.of(plan, results, {}, "l2")
    assert Run.of(plan, dict(reversed(results.items())), {}, "l2").fingerprint == made.fingerprint
    some = dict(list(results.items())[1:])
    (missing,) = set(results) - set(some)
    slower = {cell: replace(found, record=found.record | {"times": {"grid": 99.0}}) for cell, found in results.items()}
    others = [
        Run.of(plan, results, {}, "l1"),
        Run.of(plan, some, {}, "l2"),
        Run.of(plan, some, {missing: Failure("out of memory", bad_data=False)}, "l2"),
        Run.of(plan, slower, {}, "l2"),
        Run.of(replace(plan, measure="NDCG@10"), results, {}, "l2"),
        replace(made, titles={label: label for label in made.titles}),
    ]
    assert len({one.fingerprint for one in (made, *others)}) == 1 + len(others)


def test_a_run_is_complete_with_its_last_cell() -> None:
    whole, some = four_lines()[0], line("log", {1: result(0.4, [1])}, n_folds=3)
    assert Run.of(*run([whole]), {}, None).complete
    assert not Run.of(*run([whole, some]), {}, None).complete
