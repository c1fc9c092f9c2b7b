"""The Methods page without a browser: cards, and rows that tests/analysis/tuning/test_tuning.py holds to fits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.methods import METHODS, get_method
from core.methods.registry import FAMILIES
from pages.shared import cache
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import control, ended, give, nothing_on_top, press, table_of, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    cache.clear()


def ran(app: AppTest) -> pd.DataFrame:
    """Press Run, wait for the end; the table."""
    ended(press(app, "bench_run"), "bench_job")
    return table_of(app, "passes over X")


def infos(app: AppTest) -> str:
    return " ".join(info.value for info in app.main.info)


def picked(app: AppTest, number: int) -> Any:
    return control(app.get("button_group"), f"bench_family_{number}")


def test_every_method_has_its_card_and_using_it_makes_it_the_method_of_every_page(open_app: Open) -> None:
    buttons, formulas = set(), []
    for family in FAMILIES:
        app = open_app("methods", dataset="planted", card_family=family)
        buttons |= {button.key for button in app.button if button.key and button.key.startswith("use_")}
        formulas += [formula.value.strip("$\n") for formula in app.latex]
    assert buttons == {f"use_{method.id.replace('.', '')}" for method in METHODS}
    assert len(formulas) == len(METHODS)
    press(app, "use_fsmrank")
    assert control(app.selectbox, "method").value == "fsmrank"
    assert app.button(key="use_fsmrank").disabled

    # A row of the papers' table is one click away: without importance and similarity FSMRank is l1 (Table III).
    press(app, "variant_fsmrank_1")
    assert control(app.selectbox, "method").value == "fsmrank"
    assert app.number_input(key="fsmrank.lambda1").value == 0.0
    assert control(app.selectbox, "fsmrank.importance").value == "none"
    press(app, "variant_fsmrank_2")
    assert app.number_input(key="fsmrank.lambda1").value == get_method("fsmrank").settings()["lambda1"]
    assert control(app.selectbox, "fsmrank.similarity").value == "none"
    assert control(app.selectbox, "fsmrank.importance").value == "pearson"


def test_a_link_brings_back_methods_budget_and_c_and_without_methods_the_page_asks_for_one(open_app: Open) -> None:
    app = open_app(
        "methods", dataset="planted", bench_methods="l0.5,soup,gas-e", bench_seconds="20", bench_c="validation"
    )
    assert (picked(app, 0).value, picked(app, 1).value, picked(app, 2).value) == (["l0.5"], [], ["gas-e"])
    picked(app, 0).set_value(["l0.5", "scad"])
    app.run()
    query = {key: app.query_params[key] for key in ("bench_methods", "bench_seconds", "bench_c")}
    said = {key: value if isinstance(value, str) else value[0] for key, value in query.items()}
    assert said == {"bench_methods": "l0.5,scad,gas-e", "bench_seconds": "20", "bench_c": "validation"}
    for number in (0, 2):
        picked(app, number).set_value([])
    app.run()
    assert "at least one method" in infos(app)
    assert app.button(key="bench_run").disabled


def test_stop_keeps_complete_rows_and_offers_to_continue(open_app: Open) -> None:
    app = open_app("methods", dataset="python-docs", bench_methods="l1,tgrank", bench_seconds="5", bench_c="validation")
    job = press(app, "bench_run").session_state["bench_job"]
    until(lambda: job.run is not None and job.run.count > 0)
    board().stop(job)
    ended(app, "bench_job")
    assert table_of(app, "passes over X")["id"].tolist() == ["l1"]
    press(app, "bench_continue")
    assert job.active
    board().stop(job)


def test_a_method_that_keeps_nothing_or_refuses_has_a_sentence_and_a_way_out(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.solvers.liblinear.MOST_ENTRIES", 10)
    app = open_app("methods", bench_methods="l1,infinite-push-l1,liblinear-l1")
    give(app, ("lists.txt", nothing_on_top()))
    rows = ran(app).set_index("id")
    assert_says(rows.loc["infinite-push-l1", "ended"], "empty model", "optimal", "every λ")
    assert_says(rows.loc["liblinear-l1", "ended"], "LIBLINEAR", "every pair")
    assert rows.loc[["infinite-push-l1", "liblinear-l1"], "features"].isna().all()
    assert rows.loc["l1", "features"] > 0
    assert_says(infos(app), "infinite push ℓ1", "empty model")
    assert app.button(key="bench_fit").disabled
    press(app, "way_out_infinite-push-l1")
    assert dict(app.session_state["choice"].parameters)["top_share"] > 0.0
    assert "top_share" in app.query_params, "a reload has it, too"


def test_one_list_is_measured_at_its_top_and_needs_no_validation_part(
    open_app: Open, own_table: Callable[..., str]
) -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(120, 8))
    name = own_table("own", features, features[:, 2] + 0.3 * rng.normal(size=120) > 0)
    app = open_app("methods", dataset=name, bench_methods="l1,infinite-push-l1", division="one split")
    assert "no validation part" in " ".join(caption.value for caption in app.main.caption)
    rows = ran(app)
    assert list(rows.columns[1:3]) == ["Top (test)", "MAP (test)"]
    assert rows["Top (test)"].notna().all()
