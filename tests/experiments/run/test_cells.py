"""A cell is named by everything its result depends on, and by nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

import core
from core.code_version import files_of
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import Plan
from core.experiments.run.versions import PROTOCOL

CORE = Path(core.__path__[0])


def test_every_cell_of_a_plan_has_a_key_of_its_own(plan: Plan) -> None:
    assert len({cell.key for cell in plan.cells}) == len(plan.cells) == 9
    assert [cell.fold for cell in plan.cells] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_whatever_a_result_depends_on_is_in_the_key(plan: Plan) -> None:
    cell = plan.cells[0]
    others = [
        replace(cell, fingerprints=("other", *cell.fingerprints[1:])),
        replace(cell, choice=MethodChoice("fenchelrank")),
        replace(cell, settings=(("radius", 2.0),)),
        replace(cell, points=5),
        replace(cell, measure="NDCG@10"),
        replace(cell, convention="letor4"),
        replace(cell, code="another"),
        replace(cell, widen=True),
    ]
    assert len({cell.key, *(other.key for other in others)}) == 1 + len(others)


def test_without_widening_a_cell_has_the_key_that_it_had_before_there_was_the_option(plan: Plan) -> None:
    depends = {name: value for name, value in plan.cells[0].record().items() if name not in ("dataset", "fold")}
    method = depends.pop("choice")["method"]
    del depends["widen"]
    before = json.dumps(depends | {"method": method}, sort_keys=True)
    assert plan.cells[0].key == hashlib.sha256(before.encode()).hexdigest()


def test_a_saved_cell_of_before_there_was_the_option_is_read(plan: Plan) -> None:
    saved = json.loads(json.dumps(plan.cells[0].record()))
    del saved["widen"]
    assert Cell.of(saved) == plan.cells[0]


def test_the_names_that_people_use_are_not_in_the_key(plan: Plan) -> None:
    cell = plan.cells[0]
    assert replace(cell, dataset="renamed", fold=9).key == cell.key


def test_a_cell_survives_json(plan: Plan) -> None:
    cell = replace(plan.cells[0], choice=MethodChoice.parse("rwfs-l0:share=0.3"), settings=(("share", 0.3),))
    assert Cell.of(json.loads(json.dumps(cell.record()))) == cell


def test_a_choice_is_written_as_it_is_read() -> None:
    for text in ("l1", "rwfs-l0:share=0.3", "fsmrank:lambda1=0.5:similarity=kendall", "fs-rank:k=20"):
        assert MethodChoice.parse(text).label == text
    assert dict(MethodChoice.parse("fsmrank:similarity=kendall").settings)["similarity"] == 1.0


def test_a_default_spelled_out_is_the_default() -> None:
    plain = MethodChoice.parse("log")
    (name, value), *_ = plain.settings
    assert MethodChoice.parse(f"log:{name}={value}") == plain


@pytest.mark.parametrize("text", ["l7", "l1:epsilon=1", "log:epsilon=-3", "rwfs-l0:share"])
def test_what_is_no_method_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        MethodChoice.parse(text)


def test_the_code_version_covers_all_that_computes_a_cell_and_nothing_that_shows_it() -> None:
    covered = {path.relative_to(CORE).parts[0] for path in files_of(PROTOCOL)}
    assert covered >= {"data", "metrics", "penalties", "losses", "solvers", "methods", "analysis", "experiments"}
    assert not covered & {"figures", "export", "api", "cli.py"}
    names = {path.relative_to(CORE).as_posix() for path in files_of(PROTOCOL)}
    assert names >= {"experiments/run/learners/lambdamart.py", "analysis/choosing.py", "solvers/newton/newton.py"}


def test_a_parameter_that_validation_would_choose_is_fixed_by_naming_it(plan: Plan) -> None:
    """Also at its default; whoever chooses, it is another cell."""
    chosen, fixed = MethodChoice.parse("fs-rank"), MethodChoice.parse("fs-rank:k=20")
    assert (chosen.settings, fixed.settings) == ((), (("k", 20.0),))
    assert chosen != fixed
    cells = [replace(plan.cells[0], choice=choice, settings=choice.settings) for choice in (chosen, fixed)]
    assert cells[0].key != cells[1].key
    assert dict(MethodChoice.parse("fsmrank").settings) == {"importance": 0.0, "similarity": 0.0, "refit": 0.0}
