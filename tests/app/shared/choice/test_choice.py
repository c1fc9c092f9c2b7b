"""The sidebar's choice: from the address, by hand, and with data that cannot be used."""

from __future__ import annotations

import math

import pytest

from core.methods import METHODS, Method, get_method
from core.solvers import Stop
from pages.shared import headline
from pages.shared.choice.choice import Choice
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, control, fit, give, headline_of, own_data, press, status
from tests.app.shared.choice.test_use_model import opened
from tests.cases import some_then_all
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")

LETOR = "".join(f"{k % 3} qid:{k // 6} 1:{k % 7} 2:{k % 3 + k % 2}\n" for k in range(60))
APART = "".join(f"{k % 3} qid:{k % 4} 1:{k % 7} 2:{k % 3 + k % 2}\n" for k in range(60))


def test_nonsense_in_a_link_is_as_if_it_were_not_there(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headline, "QUICK_ENTRIES", 0)  # nothing is fitted
    plain = open_app("fit", dataset="planted").session_state["choice"]
    beside = {"method": "l7", "solver": "magic", "fold": "99", "tol": "tight", "x": "miles"}
    for query in (beside | {"ratio": "soup"}, {"ratio": "nan"}, {"ratio": "-1"}):
        app = open_app("fit", dataset="planted", **query)
        assert_fine(app)
        assert app.session_state["choice"] == plain, query


def test_a_ratio_between_or_beyond_the_steps_goes_to_the_nearest(open_app: Open) -> None:
    for ratio, expected in (("0.5", 10**-0.3), ("7", 1.0), ("1e-300", 1e-5)):
        choice = chosen(open_app("numbers", dataset="planted", ratio=ratio))
        assert choice.lam == pytest.approx(expected * choice.training.lam_max), ratio


def test_another_method_keeps_the_place_on_the_slider_and_takes_its_own_solver(open_app: Open) -> None:
    app = open_app("numbers", dataset="planted", method="l1", solver="subgradient", ratio="0.01")
    before = app.session_state["choice"]
    control(app.selectbox, "method").set_value("log").run()
    after = app.session_state["choice"]
    assert after.lam == before.lam
    assert after.solver_id == "proximal-newton"


def test_an_exact_c_overrules_the_slider_until_it_is_emptied_and_one_that_cannot_be_is_explained(
    open_app: Open,
) -> None:
    app = open_app("numbers", dataset="planted")
    control(app.text_input, "C").set_value("2e-2").run()
    choice = chosen(app)
    assert choice.training.c_of(choice.lam) == pytest.approx(0.02, rel=1e-12)
    control(app.text_input, "C").set_value("").run()
    assert app.session_state["choice"].lam == pytest.approx(choice.lam, rel=0.06), (
        "the slider has gone to the nearest step"
    )
    slider = app.session_state["choice"].lam
    for written in ("abc", "0", "-1", "nan", "inf", "1e-400", "0x10"):
        control(app.text_input, "C").set_value("2e-2").run()
        control(app.text_input, "C").set_value(written).run()
        assert_fine(app)
        assert app.session_state["choice"].lam == slider, written
        assert_says(app.sidebar.warning[0].value, written, "positive")


def test_an_exact_c_beyond_all_measure_is_no_accident(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Choice, "stop", Stop(max_seconds=0.5))  # without a penalty to speak of, fits go on for long
    app = open_app("fit", dataset="planted")
    for written in ("1e308", "1e-308"):
        control(app.text_input, "C").set_value(written).run()
        fit(app)
        assert_fine(app)


def test_an_upload_dropped_again_is_the_same_data_and_its_link_finds_it_in_another_session(open_app: Open) -> None:
    app = open_app("numbers")
    for _ in range(2):
        give(app, ("mine.txt", LETOR.encode()))
        label = app.selectbox(key="dataset").value
        assert label.startswith("mine.txt")
        assert app.selectbox(key="dataset").options.count(label) == 1
    assert len([option for option in app.selectbox(key="dataset").options if option.startswith("mine.txt")]) == 1
    assert open_app("numbers", dataset=label).selectbox(key="dataset").value == label


def test_a_link_waits_for_its_file_and_keeps_all_else_that_it_says(open_app: Open) -> None:
    app = open_app("numbers")
    give(app, ("mine.txt", LETOR.encode()))
    label = app.selectbox(key="dataset").value
    press(own_data(app), "upload_remove")
    assert app.selectbox(key="dataset").value == "python-docs"
    assert not app.main.warning
    later = open_app("numbers", dataset=label, method="log", ratio="0.1", fold="Fold2")
    assert later.session_state["choice"] is None
    give(later, ("mine.txt", LETOR.encode()))
    assert_fine(later)
    choice = chosen(later)
    assert (choice.source.name, choice.method_id, choice.fold_number) == (label, "log", 2)
    assert choice.lam / choice.training.lam_max == pytest.approx(0.1)
    another = open_app("numbers", dataset="gone.txt · 0123456789", method="log")
    another.selectbox(key="dataset").set_value("planted").run()
    assert_fine(another)
    assert (chosen(another).source.name, chosen(another).method_id) == ("planted", "log")
    assert "gone.txt · 0123456789" not in another.selectbox(key="dataset").options


def test_an_upload_is_split_unless_it_is_to_be_fitted_whole(open_app: Open) -> None:
    app = open_app("fit")
    give(app, ("mine.txt", LETOR.encode()))
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [6, 2, 2]
    app.selectbox(key="fold").set_value(5).run()
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [6, 2, 2]
    app.selectbox(key="parts").set_value("one split").run()
    assert chosen(app).fold.vali is None
    assert [part.n_queries for part in chosen(app).fold.parts().values()] == [7, 3]
    app.toggle(key="holdout").set_value(False).run()
    assert chosen(app).fold.train.n_queries == 10
    assert chosen(app).fold.test is None
    fit(app)
    assert "training NDCG@10" in headline_of(app)


def test_an_upload_of_too_few_queries_for_folds_is_split_once_and_told(open_app: Open) -> None:
    app = open_app("numbers")
    few = "".join(line + "\n" for line in LETOR.splitlines() if line.split()[1] in ("qid:1", "qid:2", "qid:3"))
    give(app, ("few.txt", few.encode()))
    assert_fine(app)
    assert chosen(app).fold.vali is None
    told = next(caption.value for caption in app.sidebar.caption if "too few" in caption.value)
    assert_says(told, "5 folds", "one split")


def test_documents_that_are_apart_are_put_together_on_request(open_app: Open) -> None:
    app = open_app("fit")
    give(app, ("apart.txt", APART.encode()))
    assert app.toggle(key="group").label in status(app)
    app.toggle(key="group").set_value(True).run()
    assert_fine(app)
    assert app.session_state["choice"].source.reading.group
    assert chosen(app).fold.train.n_queries == 3


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
    assert_fine(app)
    assert app.number_input(key="l1.ridge").value == get_method("l1").settings()["ridge"]
    choice = app.session_state["choice"]
    assert (choice.title, dict(choice.parameters)["refit"]) == ("ℓ1, refitted", 1.0)
    assert "ℓ1, refitted keeps" in headline_of(app)
