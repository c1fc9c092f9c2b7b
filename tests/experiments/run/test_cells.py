"""A cell is named by everything its result depends on, and by nothing else.

The rows of a paper's table are methods of the protocol, by one name.
What people see while they wait.
What people call the lines of a run.
"""

from dataclasses import replace
from pathlib import Path

import pytest

import core
from core.code_version import files_of
from core.experiments.papers.registry import EXPERIMENTS
from core.experiments.run.cells import PROTOCOL, MethodChoice, choice_titles
from core.experiments.run.plan import Plan
from core.experiments.run.presets import PRESETS, parse_rows
from core.experiments.run.progress import progress, progress_sentence
from core.methods import METHODS
from tests.says import assert_says

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


def test_the_names_that_people_use_are_not_in_the_key(plan: Plan) -> None:
    cell = plan.cells[0]
    assert replace(cell, dataset="renamed", fold=9).key == cell.key


def test_a_choice_is_written_as_it_is_read() -> None:
    for text in ("l1", "rwfs-l0:share=0.3", "fsmrank:lambda1=0.5:similarity=kendall", "fs-rank:k=20"):
        assert MethodChoice.parse(text).label == text
    assert dict(MethodChoice.parse("fsmrank:similarity=kendall").settings)["similarity"] == 1.0


def test_a_default_spelled_out_is_the_default() -> None:
    plain = MethodChoice.parse("log")
    (name, value), *_ = plain.settings
    assert MethodChoice.parse(f"log:{name}={value}") == plain


@pytest.mark.parametrize(
    ("text", "said"),
    [("l7", "l7"), ("l1:epsilon=1", "epsilon"), ("log:epsilon=-3", "epsilon"), ("rwfs-l0:share", "share"),
     ("fsmrank-table9", "fsmrank")],
)  # fmt: skip
def test_what_is_no_method_or_preset_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_rows([text])


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


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_labels_are_as_the_tables_of_a_run_have_them(preset) -> None:
    assert tuple(choice.label for choice in preset.choices) == preset.labels
    assert len(set(preset.labels)) == len(preset.labels)


def test_table_iii_differs_in_importance_alone() -> None:
    without, with_importance = (dict(choice.settings) for choice in parse_rows(["fsmrank-table3"])[:2])
    assert without.pop("importance") != with_importance.pop("importance")
    assert without == with_importance
    assert (without["lambda1"], without["similarity"]) == (0.0, 0.0)


def test_presets_and_methods_stand_side_by_side_and_count_once() -> None:
    rows = parse_rows(["l2", "fenchelrank-table7", "fs-rank:k=5", "l1"])
    assert rows[0] == MethodChoice("l2")
    assert [row.label for row in rows[-2:]] == ["fenchelrank", "l1"]
    assert len(rows) == len(set(rows)) == 8


def test_no_preset_is_called_like_a_method_or_an_experiment() -> None:
    names = {preset.name for preset in PRESETS}
    assert len(names) == len(PRESETS)
    assert names.isdisjoint(method.id for method in METHODS)
    assert names.isdisjoint(experiment.name for experiment in EXPERIMENTS)


def test_a_line_that_has_begun_is_judged_by_its_own_cells(plan: Plan) -> None:
    l1, log, _ = plan.cells[:3]
    found = progress(plan.cells, {l1.key: 10.0, log.key: 40.0}, [], workers=1)
    assert [line.label for line in found.lines] == ["l1", "log", "l2"]
    assert found.seconds_left == 20.0 + 80.0 + 3 * 25.0  # l2: as the others on average
    assert progress(plan.cells, {l1.key: 10.0, log.key: 40.0}, [], workers=7).seconds_left == 25.0
    assert (found.done, found.total) == (2, 9)


def test_what_failed_is_not_waited_for(plan: Plan) -> None:
    seconds = {cell.key: 1.0 for cell in plan.cells[3:]}
    found = progress(plan.cells, seconds, plan.cells[:3], workers=2)
    assert (found.done, found.seconds_left) == (9, 0.0)
    assert all((line.done, line.failed, line.complete) == (2, 1, True) for line in found.lines)


def test_before_the_first_cell_nothing_is_guessed(plan: Plan) -> None:
    found = progress(plan.cells, {}, [], workers=2)
    assert found.seconds_left is None
    assert_says(progress_sentence(found), "0 of 9 cells", "unknown")
    found = progress(plan.cells, {plan.cells[0].key: 2.0}, [], workers=2)
    assert_says(progress_sentence(found), "1 of 9 cells", "8 s")


def test_no_two_methods_have_the_same_title() -> None:
    titles = choice_titles(MethodChoice(method.id) for method in METHODS)
    assert len(set(titles.values())) == len(METHODS)
