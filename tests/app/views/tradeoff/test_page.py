"""The Trade-off page without a browser: its numbers are those of the paths, on every kind of data."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.experiments.results.difference import Verdict
from core.figures.tradeoff import words
from core.methods import METHODS
from pages.shared import show
from pages.views.tradeoff import page
from pages.views.tradeoff.best_sets import RANKING, rounded_down
from tests.app.conftest import MODELS, Open
from tests.app.fitting import chosen, control, expected_path, headline_of, sent, settled, table_of, title_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "short_paths")


@pytest.fixture
def open_page(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open the page on a dataset and wait until its paths are complete."""
    monkeypatch.setattr(page, "best_sets_panel", lambda *_: None)
    return lambda dataset, **controls: settled(
        open_app("tradeoff", **{"dataset": dataset, "tradeoff_methods": "l1", **controls})
    )


def models(app: AppTest) -> pd.DataFrame:
    """The models of the curves, without the dashed lines."""
    table = table_of(app, "best so far")
    return table[table["method"].isin([method.id for method in METHODS])]


def test_headlines_wait_for_the_paths_and_the_best_within_the_limit_becomes_the_model_of_every_page(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(page, "complete", lambda choice, methods: False)
        app = open_page("planted", k="12", tradeoff_measure="MAP", method="log", tradeoff_methods="l1,soup")
        assert (headline_of(app), title_of(app, "tradeoff")) == (words.QUESTION, words.UNFINISHED)
        assert_says(" ".join(m.value for m in app.markdown), "models so far", "**ℓ1")
    settled(app)
    assert sent(app, "tradeoff")["drag"] is None, "the curve of the chosen method is not drawn"
    path = [p for p in expected_path(chosen(app), "l1") if p.fit.result.nonzero]
    assert models(app)["MAP test"].tolist() == pytest.approx([p.metrics["test"]["MAP"] for p in path], abs=1e-9)
    assert_says(headline_of(app), "Validation", "ℓ1", "of 60 features", "test MAP")

    app.button(key="tradeoff_use").click()
    settled(app)
    assert control(app.selectbox, "method").value == "l1"
    table = models(app)
    assert float(control(app.text_input, "C").value) in table.loc[table["features kept"] <= 12, "C"].tolist()

    control(app.get("button_group"), "tradeoff_methods").set_value(["l1", "l0.5"])
    assert app.run().query_params["tradeoff_methods"] in ("l1,l0.5", ["l1,l0.5"]), "as the command line names them"
    control(app.get("button_group"), "tradeoff_methods").set_value([])
    settled(app)
    assert "at least one method" in app.info[0].value


def test_the_handle_of_c_is_on_the_curve_of_the_chosen_method(open_page: Open) -> None:
    app = open_page("planted", method="log", tradeoff_methods="l1,log", ratio="0.1")
    at = sent(app, "tradeoff")["drag"]["label"]["at"]
    assert MODELS <= len(at) <= 4 * (MODELS - 1) + 1, (
        "between two models of a path that is not convex there is nothing to stop at, but models filled in meanwhile"
    )
    table = models(app)
    stops = iter([int(words.split(" · ")[1].split()[0]) for words in at])
    for kept in table.loc[table["method"] == "log", "features kept"]:
        assert kept in stops, "every model of the curve is a stop, in its order"


def test_a_picture_that_is_saved_as_a_page_has_its_script_in_it(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = {}
    monkeypatch.setattr(show, "live_chart", lambda _, name, *, page, **options: saved.update({name: page}))
    open_page("planted", method="l1")
    assert "fit_path" in saved["tradeoff"]()


def test_data_without_validation_part_chooses_on_train_and_says_so(
    open_page: Open, own_table: Callable[..., str]
) -> None:
    rng = np.random.default_rng(5)
    features = rng.normal(size=(60, 70))
    name = own_table("wide", features, features[:, 3] + 0.3 * rng.normal(size=60) > 0)
    app = open_page(name, division="one split")
    assert "of 70 features" in headline_of(app)
    assert_says(" ".join(m.value for m in app.markdown), "the training part", "no validation part")
    assert not [control for control in app.get("button_group") if control.key == "tradeoff_folds"]


def test_a_bound_is_rounded_so_that_it_stays_one_and_every_verdict_has_its_words() -> None:
    assert [rounded_down(bound) for bound in (0.58799, 0.5, 0.123449)] == [0.5879, 0.5, 0.1234]
    assert set(RANKING) == set(get_args(Verdict))


def test_constant_features_are_explained(open_page: Open, own_table: Callable[..., str]) -> None:
    name = own_table("flat", np.ones((30, 4)), np.arange(30) % 2 == 0)
    app = open_page(name)
    assert "no feature differs" in app.error[-1].value
