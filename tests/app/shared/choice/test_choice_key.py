"""Whatever changes a model or its numbers makes another key of its fit, and of the path along which C is chosen."""

from __future__ import annotations

from dataclasses import replace

from core.data import open_dataset
from pages.shared.choice.choice import Loaded
from pages.views.fit import tuning
from tests.app.conftest import Open
from tests.app.fitting import chosen


def tuning_key(choice: Loaded) -> str:
    """Of the models among which the Fit page chooses C."""
    return tuning._picture(choice).tried.key


def test_every_part_of_a_choice_is_in_its_keys(open_app: Open) -> None:
    one = chosen(open_app("numbers", dataset="planted", method="l1", ratio="0.1"))
    ruled = chosen(open_app("numbers", dataset="planted", method="l1", ratio="0.1", off="3"))
    other = open_dataset("planted").fold(2)
    others = [
        replace(one, fingerprint=other.fingerprint, fold=other),
        replace(one, method_id="log", parameters=()),
        replace(one, solver_id="fista"),
        replace(one, parameters=(("refit", 1.0),)),
        replace(one, tol=10.0 * one.tol),
        replace(one, rules=ruled.rules),
    ]
    assert len({choice.key for choice in (one, *others)}) == 1 + len(others)
    assert len({tuning_key(choice) for choice in (one, *others)}) == 1 + len(others)
    another_c = replace(one, regularization=one.regularization.at_c(2.0 * one.c))
    assert another_c.key != one.key
    assert tuning_key(another_c) == tuning_key(one), "it tries them all"
    assert replace(one, convention="letor3").key != one.key
    assert replace(one, fold_number=2).key == one.key, "the fingerprint is of what the fold holds"
