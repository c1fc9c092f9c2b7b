"""The sidebar's choice: from the address, by hand, and with data that cannot be used.

One function makes a model the model of every page: session and address say it, and what is not named stays.
"""

import math
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.data import Reading
from core.methods import METHODS, Method, get_method
from pages.shared.choice.choice import Choice, Source
from tests.app.conftest import Open
from tests.app.fitting import chosen, control, fit, give, headline_of, own_data, press
from tests.cases import some_then_all
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")

LETOR = "".join(f"{k % 3} qid:{k // 6} 1:{k % 7} 2:{k % 3 + k % 2}\n" for k in range(60))


def test_a_ratio_between_or_beyond_the_steps_goes_to_the_nearest_and_another_method_keeps_it(open_app: Open) -> None:
    for ratio, expected in (("7", 1.0), ("1e-300", 1e-5), ("0.5", 10**-0.3)):
        app = open_app(dataset="planted", ratio=ratio, solver="subgradient")
        before = chosen(app)
        assert before.lam == pytest.approx(expected * before.training.lam_max), ratio
    control(app.selectbox, "method").set_value("log").run()
    after = app.session_state["choice"]
    assert (after.lam, after.solver_id) == (before.lam, "proximal-newton"), "with a solver of its own"


def test_an_exact_c_overrules_the_slider_until_it_is_emptied_and_one_that_cannot_be_is_explained(
    open_app: Open,
) -> None:
    app = open_app(dataset="planted")
    control(app.text_input, "C").set_value("2e-2").run()
    choice = chosen(app)
    assert choice.training.c_of(choice.lam) == pytest.approx(0.02, rel=1e-12)
    control(app.text_input, "C").set_value("").run()
    assert app.session_state["choice"].lam == pytest.approx(choice.lam, rel=0.06), (
        "the slider has gone to the nearest step"
    )
    slider = app.session_state["choice"].lam
    for written in ("abc", "0", "1e-101", "1e101"):
        control(app.text_input, "C").set_value("2e-2").run()
        control(app.text_input, "C").set_value(written).run()
        assert app.session_state["choice"].lam == slider, written
        assert_says(app.sidebar.warning[0].value, written, "positive", "1e-100")


def test_a_link_finds_an_upload_or_waits_for_it_and_keeps_all_else_that_it_says(open_app: Open) -> None:
    app = open_app()
    for _ in range(2):
        give(app, ("mine.txt", LETOR.encode()))
        label = app.selectbox(key="dataset").value
        mine = [option for option in app.selectbox(key="dataset").options if option.startswith("mine.txt")]
        assert mine == [label], "dropped again it is the same data"
    assert open_app(dataset=label).selectbox(key="dataset").value == label, "in another session, too"
    press(own_data(app), "upload_remove")
    assert app.selectbox(key="dataset").value == "python-docs"
    assert not app.main.warning
    later = open_app(dataset=label, method="log", ratio="0.1", fold="Fold2")
    assert later.session_state["choice"] is None
    give(later, ("mine.txt", LETOR.encode()))
    choice = chosen(later)
    assert (choice.source.name, choice.method_id, choice.fold_number) == (label, "log", 2)
    assert choice.lam / choice.training.lam_max == pytest.approx(0.1)
    another = open_app(dataset="gone.txt · 0123456789", method="log")
    another.selectbox(key="dataset").set_value("planted").run()
    assert (chosen(another).source.name, chosen(another).method_id) == ("planted", "log")
    assert "gone.txt · 0123456789" not in another.selectbox(key="dataset").options


@pytest.mark.usefixtures("all_unfolded")
def test_an_upload_is_split_unless_it_is_to_be_fitted_whole(open_app: Open) -> None:
    app = open_app("fit")
    give(app, ("mine.txt", LETOR.encode()))
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [6, 2, 2]
    app.selectbox(key="fold").set_value(5).run()
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [6, 2, 2]
    app.selectbox(key="parts").set_value("one split").run()
    assert chosen(app).fold.vali is None
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [7, 3]
    assert any("no validation part" in text.value for text in app.markdown), "on which C could be chosen"
    app.toggle(key="holdout").set_value(False).run()
    assert chosen(app).fold.train.n_queries == 10
    assert chosen(app).fold.test is None
    fit(app)
    assert "training NDCG@10" in headline_of(app)
    few = "".join(line + "\n" for line in LETOR.splitlines() if line.split()[1] in ("qid:1", "qid:2", "qid:3"))
    app = give(open_app(), ("few.txt", few.encode()))
    assert chosen(app).fold.vali is None
    told = next(caption.value for caption in app.sidebar.caption if "too few" in caption.value)
    assert_says(told, "5 folds", "one split")


@pytest.mark.parametrize("method", some_then_all(METHODS))
def test_parameters_stay_within_their_ranges_whatever_the_link_says(method: Method) -> None:
    values = {f"{method.id}.{parameter.name}": "-5" for parameter in method.parameters}
    chosen = dict(opened(method=method.id, **values).session_state["choice"].parameters)
    for parameter in method.parameters:
        assert parameter.minimum <= chosen[parameter.name] <= parameter.maximum
        assert math.isfinite(chosen[parameter.name])


def test_the_ridge_has_a_control_only_where_there_is_a_refit(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="l1", ratio="0.1")
    assert "l1.ridge" not in [one.key for one in app.number_input]
    assert app.session_state["choice"].title == "ℓ1"
    control(app.selectbox, "l1.refit").set_value("yes").run()
    assert app.number_input(key="l1.ridge").value == get_method("l1").settings()["ridge"]
    choice = app.session_state["choice"]
    assert (choice.title, dict(choice.parameters)["refit"]) == ("ℓ1, refitted", 1.0)
    assert "ℓ1, refitted keeps" in headline_of(app)


def sidebar_alone() -> None:
    import streamlit as st

    from pages.shared.choice import sidebar
    from pages.shared.choice.use_model import use_model

    # As a callback would, before the sidebar is drawn.
    if wanted := st.session_state.pop("wanted", None):
        use_model(**wanted)
    st.session_state["choice"] = sidebar.choose().alone


def opened(**query: str) -> AppTest:
    app = AppTest.from_function(sidebar_alone, default_timeout=300)
    app.query_params.update({"dataset": "planted"} | query)
    app.run()
    return app


def use(app: AppTest, **wanted: object) -> Choice:
    app.session_state["wanted"] = wanted
    app.run()
    choice: Choice = app.session_state["choice"]
    return choice


def test_what_is_not_named_stays() -> None:
    app = opened(method="log", fold="Fold3", **{"log.epsilon": "0.2"})
    before = chosen(app)
    c = before.training.c_of(0.3 * before.training.lam_max)
    after = use(app, c=c)
    assert after.lam == pytest.approx(0.3 * before.training.lam_max, rel=1e-12)
    assert after == replace(before.alone, regularization=after.regularization)


def test_every_part_of_a_model_is_taken() -> None:
    app = opened()
    after = use(
        app, c=0.02, method_id="log", parameters={"epsilon": 0.3, "refit": 1.0}, solver_id="reweighted-l1",
        tol=1e-4, source=Source("planted", reading=Reading(scale="standard")), fold_number=2,
    )  # fmt: skip
    assert (after.method_id, after.solver_id, after.fold_number, after.tol) == ("log", "reweighted-l1", 2, 1e-4)
    assert dict(after.parameters) == dict(after.parameters) | {"epsilon": 0.3, "refit": 1.0}
    assert after.source == Source("planted", reading=Reading(scale="standard"))
    assert chosen(app).training.c_of(after.lam) == pytest.approx(0.02)
