"""The buttons of a cell open its model: the same features and the same numbers as the run has."""

from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.data import DataError, Reading
from core.experiments.results.run import Run
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import CellResult, cell_result
from pages.shared.work.quick_fits import quick_fit
from pages.views.reproduce.results import openable, refuse_unlike, take, what_differs
from tests.app.conftest import Open
from tests.app.fitting import chosen, strip_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def worked_out(source: DatasetSource, method: str, fold: int) -> tuple[Run, Cell]:
    plan = plan_protocol([source], [MethodChoice.parse(method)], points=6)
    cell = plan.cells[fold - 1]
    return Run(plan, {cell: cell_result(cell, source.open().fold(fold))}, {}, None), cell


def taken(open_app: Open, run: Run, cell: Cell, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Features, as the button of this cell opens it."""
    app = open_app("features")
    chosen: dict[str, object] = {}
    with monkeypatch.context() as patched:
        patched.setattr(st, "session_state", chosen)
        take(cell, run)
    for key, value in chosen.items():
        app.session_state[key] = value
    app.run()
    return app


def assert_the_page_shows(app: AppTest, run: Run, cell: Cell, *measures: str) -> None:
    choice, result = chosen(app), run.results[cell]
    assert choice.fold.train.fingerprint == cell.fingerprints[0]
    assert (choice.method_id, dict(choice.parameters)) == (cell.choice.method, result.record["parameters"])
    assert choice.lam == pytest.approx(result.record["lambda"], rel=4e-16)
    shown_fit = quick_fit(choice)
    assert shown_fit is not None
    fit = shown_fit[0].fit
    assert np.array_equal(fit.weights != 0, result.weights != 0)
    shown = strip_of(app)
    assert shown["kept"].split()[0] == str(result.record["nonzero"])
    for measure in measures:
        assert shown[f"{measure}-test"] == f"{result.record['metrics']['test'][measure]:.4f}"


PLANTED = DatasetSource("planted")
CLASSES = DatasetSource("breast-cancer", Reading(positive="benign", scale="none", repeats=10))
COLUMNS = DatasetSource("wpbc", Reading(scale="standard", repeats=10, missing="drop", drop_columns=("none", "1", "3")))


@pytest.mark.parametrize(
    ("source", "method"),
    [(PLANTED, "fsmrank:similarity=kendall"), (PLANTED, "fs-rank"), (CLASSES, "l1"), (COLUMNS, "log:epsilon=0.3")],
)
def test_the_button_opens_the_model_of_its_cell(
    open_app: Open, source: DatasetSource, method: str, wpbc: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, cell = worked_out(source, method, 2)
    measures = ("MAP", "NDCG@10") if source is PLANTED else ("MAP",)
    assert_the_page_shows(taken(open_app, run, cell, monkeypatch), run, cell, *measures)
    title = run.titles[cell.choice.label]
    assert openable(cell, run) == (True, f"{title} on {cell.dataset}, fold 2, is selected.")


@pytest.fixture(scope="module")
def planted() -> tuple[Cell, CellResult]:
    run, cell = worked_out(DatasetSource("planted"), "l1", 1)
    return cell, run.results[cell]


def test_what_will_differ_is_said(planted: tuple[Cell, CellResult]) -> None:
    cell, result = planted
    assert_says(what_differs(replace(cell, convention="letor3"), result.record, "standard"), "letor3", "standard")
    unfinished = result.record | {"stop": "step limit reached"}
    assert_says(what_differs(cell, unfinished, "standard"), "ended", "step limit reached")
    from_zero = replace(cell, choice=MethodChoice("fsmrank"))  # as the pages fit it, too
    assert what_differs(from_zero, unfinished, "standard") == ""


def test_what_the_other_pages_do_not_have_is_refused_in_one_sentence(planted: tuple[Cell, CellResult]) -> None:
    cell, result = planted
    trees = replace(cell, choice=MethodChoice("lambdamart"))
    of_trees, empty = (replace(result, record=result.record | more) for more in ({"model": "trees"}, {"C": None}))
    twenty = replace(cell, fold=11), result, Reading(repeats=20), True
    for refused, *asked in (
        (r"LambdaMART.*\bnot a linear model", trees, of_trees, Reading(), False),
        ("there is no C to open", cell, empty, Reading(), False),
        ("only once", cell, result, Reading(repeats=5), False),
        ("and this one is different", cell, result, Reading(repeats=10, seed=7), True),
        ("and this one is different", cell, result, Reading(repeats=10, split=0.5), True),
        ("and this one is different", *twenty),
    ):
        *what, has_classes = asked
        with pytest.raises(DataError, match=refused):
            refuse_unlike(*what, has_classes=has_classes)  # type: ignore[arg-type]
