"""A link opens the model of a cell: the same features and the same numbers as the run has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.cli.reading import reading_words
from core.data import DataError, Reading
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import CellResult, cell_result
from core.methods import get_method
from pages.shared import cache
from pages.shared.work.quick_fits import quick_fit
from pages.views.reproduce.cell_link import CellLink, cell_link
from tests.app.conftest import Open
from tests.app.fitting import chosen, strip_of
from tests.says import assert_says
from tests.uci_layouts import wpbc_like

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def worked_out(source: DatasetSource, method: str, fold: int) -> tuple[Cell, CellResult]:
    plan = plan_protocol([source], [MethodChoice.parse(method)], points=6)
    cell = plan.cells[fold - 1]
    return cell, cell_result(cell, source.open().fold(fold))


def link_to(cell: Cell, result: CellResult, source: DatasetSource, has_classes: bool = False) -> CellLink:
    dataset = DatasetSource("planted").open() if source.name_or_path == "planted" else source.open()
    return cell_link(cell, result, source, dataset, name=source.name_or_path, has_classes=has_classes)


def followed(open_app: Open, link: CellLink) -> AppTest:
    query = {name: values[0] for name, values in parse_qs(urlsplit(link.address("features")).query).items()}
    app = open_app("features", **query)
    return app


def assert_the_page_shows(app: AppTest, cell: Cell, result: CellResult, measures: tuple[str, ...]) -> None:
    choice = chosen(app)
    assert choice.fold.train.fingerprint == cell.fingerprints[0]
    assert (choice.method_id, dict(choice.parameters)) == (cell.choice.method, result.record["parameters"])
    assert choice.lam == pytest.approx(result.record["lambda"], rel=4e-16)
    shown_fit = quick_fit(choice)
    assert shown_fit is not None
    fit = shown_fit.point.fit
    assert np.array_equal(fit.weights != 0, result.weights != 0)
    shown = strip_of(app)
    assert shown["kept"].split()[0] == str(result.record["nonzero"])
    for measure in measures:
        assert shown[f"{measure}-test"] == f"{result.record['metrics']['test'][measure]:.4f}"


@pytest.mark.parametrize("method", ["log:epsilon=0.3", "fsmrank:similarity=kendall", "fs-rank"])
def test_a_link_opens_the_model_of_its_cell(open_app: Open, method: str) -> None:
    source = DatasetSource("planted")
    cell, result = worked_out(source, method, 2)
    link = link_to(cell, result, source)
    assert_the_page_shows(followed(open_app, link), cell, result, ("MAP", "NDCG@10"))
    assert link.note == ""


def test_a_split_of_a_set_with_classes_is_found_again(open_app: Open) -> None:
    source = DatasetSource("breast-cancer", Reading(positive="benign", scale="none", repeats=10))
    cell, result = worked_out(source, "l1", 3)
    assert_the_page_shows(followed(open_app, link_to(cell, result, source, True)), cell, result, ("MAP",))


def test_columns_and_missing_cells_of_a_set_are_read_alike(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "wpbc.csv").write_bytes(wpbc_like())
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    cache.clear()
    source = DatasetSource(
        "wpbc", Reading(scale="standard", repeats=10, missing="drop", drop_columns=("none", "1", "3"))
    )
    cell, result = worked_out(source, "l1", 2)
    assert_the_page_shows(followed(open_app, link_to(cell, result, source, True)), cell, result, ("MAP",))
    assert reading_words(source.reading)[-4:] == ["--drop-columns", "none,1,3", "--missing", "drop"]
    cache.clear()


@pytest.fixture(scope="module")
def planted() -> tuple[Cell, CellResult]:
    return worked_out(DatasetSource("planted"), "l1", 1)


def test_what_will_differ_is_said(planted: tuple[Cell, CellResult]) -> None:
    cell, result = planted
    source = DatasetSource("planted")
    other = replace(cell, convention="letor3")
    assert_says(link_to(other, result, source).note, "letor3 convention", "pages", "standard")
    unfinished = replace(result, record=result.record | {"stop": "step limit reached"})
    assert_says(link_to(cell, unfinished, source).note, "ended", "step limit reached")
    from_zero = replace(cell, choice=MethodChoice("fsmrank"))  # as the pages fit it, too
    settings = {"parameters": get_method("fsmrank").settings()}
    assert link_to(from_zero, replace(unfinished, record=unfinished.record | settings), source).note == ""


def test_what_the_other_pages_do_not_have_is_refused_in_one_sentence(planted: tuple[Cell, CellResult]) -> None:
    cell, result = planted
    source = DatasetSource("planted")
    trees = replace(cell, choice=MethodChoice("lambdamart"))
    with pytest.raises(DataError, match=r"LambdaMART.*\bnot a linear model"):
        link_to(trees, replace(result, record=result.record | {"model": "trees"}), source)
    with pytest.raises(DataError, match="there is no C to open"):
        link_to(cell, replace(result, record=result.record | {"C": None}), source)
    with pytest.raises(DataError, match="only once"):
        link_to(cell, result, DatasetSource("planted", Reading(repeats=5)))
    for unusual in (Reading(repeats=10, seed=7), Reading(repeats=10, split=0.5)):
        with pytest.raises(DataError, match="and this one is different"):
            link_to(cell, result, DatasetSource("planted", unusual), True)
    with pytest.raises(DataError, match="and this one is different"):
        link_to(replace(cell, fold=11), result, DatasetSource("planted", Reading(repeats=20)), True)


def test_a_link_names_every_option_of_the_reader_that_is_not_as_usual(planted: tuple[Cell, CellResult]) -> None:
    given = {"positive": "b", "class_column": "c", "missing": "drop", "drop_columns": ("d",), "group": True}
    link = link_to(*planted, DatasetSource("planted", Reading(drop_copies=True, **given)))  # type: ignore[arg-type]
    expected = given | {"drop_columns": "d", "group": "true", "drop_copies": "true"}
    assert {name: link.query.get(name) for name in expected} == expected


def test_an_address_is_encoded(planted: tuple[Cell, CellResult]) -> None:
    cell, result = planted
    dataset = DatasetSource("planted").open()
    link = cell_link(cell, result, DatasetSource("planted"), dataset, name="my set & yours", has_classes=False)
    address = link.address("path")
    assert address.startswith("path?dataset=my+set+%26+yours&")
    assert parse_qs(urlsplit(address).query)["C"] == [repr(result.record["C"])]
    assert Path(urlsplit(address).path).name == "path"
