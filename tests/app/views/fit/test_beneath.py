"""What stands beneath a fit: the race of solvers, and the choice of C on the validation part.

The race is begun with one click or by a link, stopped and continued, told as its table has it.
Choosing on the validation part finds what ``fit --tune`` finds, and puts it into the sidebar.
"""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.fitting import Fitting, OnValidation
from core.analysis.path import PathPoint, path_points
from core.analysis.tuning.tuning import best_on_validation
from core.data import open_dataset
from core.methods import get_method
from pages.shared import headline
from pages.views.fit import race as race_page
from tests.app.conftest import Open
from tests.app.fitting import at_rest, control, ended, headline_of, press, sent, title_of, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def test_one_click_races_every_solver_and_that_of_a_row_becomes_that_of_every_page(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = press(open_app("fit", dataset="planted", race_seconds="2"), "race_open")
    ended(app, "race_job")
    assert app.query_params["race"] == "1"
    table = next(frame.value for frame in app.dataframe if "reached the tolerance" in frame.value.columns)
    assert len(table) == 4
    assert set(table["ended"]) == {"Converged", "Time limit reached"}
    there = table[table["reached the tolerance"]]
    fastest, fewest = there.loc[there["seconds"].idxmin()], there.loc[there["steps"].idxmin()]
    words = headline_of(app)
    assert words.lower().startswith(str(fastest["solver"]).lower())
    assert_says(words, "gap", "1e-6", "first", "fewest steps", f"{fewest['steps']:,}")
    assert_says(words, f"{len(table) - len(there)} of 4", "not", "2 s")
    names = [trace["name"] for trace in sent(app, "race")["figure"]["data"] if trace.get("showlegend")]
    assert len(names) == 4
    assert title_of(app, "race").startswith("planted, Fold1")

    monkeypatch.setattr(race_page.st, "dataframe", lambda *_, **__: {"selection": {"rows": [1]}})
    app.run()
    second = app.button(key="race_use").label.removeprefix("Use ")
    press(app, "race_use")
    assert get_method("l1").solver(control(app.selectbox, "solver").value).title == second
    assert "race" not in app.query_params


def test_a_link_restores_the_race_large_data_is_asked_for_and_one_solver_leads_back_or_has_none(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_app("fit", dataset="planted", method="l2-arom").button(key="race_open").disabled
    with monkeypatch.context() as patch:
        patch.setattr(headline, "QUICK_ENTRIES", 0)
        app = open_app("fit", dataset="planted", method="l2", race="1", tol="1e-3", slopes="true")
        assert "Press **Race**" in app.info[0].value
        ended(press(app, "race_begin"), "race_job")
    guides = [trace.get("name") for trace in sent(app, "race")["figure"]["data"]][-3:]
    assert guides == ["1/k", "1/k²", "linear"]
    assert any("rates of theory" in text.value for text in app.caption)
    press(app, "race_close")
    assert "race" not in app.query_params
    assert headline_of(app).startswith("Has it converged? Yes. ℓ2 keeps")
    app.query_params["race"] = "1"
    app.run()
    assert app.button(key="race_close"), "also of someone who has closed one"


def test_a_race_is_stopped_and_goes_on(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", race="1", race_seconds="60", tol="1e-10")
    job = app.session_state["race_job"]
    until(lambda: job.run is not None and bool(job.run.fits()))
    assert app.button(key="race_begin").disabled
    ended(press(app, "stop"), "race_job")
    assert job.state == "paused"
    assert "still running" in headline_of(app)
    assert any("The race is stopped" in text.value for text in app.warning)
    press(app, "continue")
    assert job.active
    press(app, "stop")


def tuned(app: AppTest) -> AppTest:
    """Press the button, wait for the end and look again."""
    press(app, "tune")
    until(at_rest)
    app.run()
    return app


@pytest.fixture
def short_grid() -> Iterator[None]:
    """FS-Rank tries few C for every k."""
    method = get_method("fs-rank")
    whole = method.ratios
    object.__setattr__(method, "ratios", whole[::16])
    yield
    object.__setattr__(method, "ratios", whole)


def best(**given: float) -> PathPoint:
    dataset, method = open_dataset("planted"), get_method("fs-rank")
    how = Fitting.on(dataset.fold(1), method, given, dataset.convention)
    return best_on_validation(list(path_points(how.tuning_fits(method.grid(how.training)), how.judge)))


@pytest.mark.usefixtures("short_grid")
def test_k_is_chosen_with_c_and_one_click_takes_both_or_k_stays_as_it_is_set(open_app: Open) -> None:
    expected = best().fit
    app = tuned(open_app("fit", dataset="planted", method="fs-rank"))
    assert app.button(key="use_c").label.startswith(f"Use k = {expected.parameters['k']:g}, C = ")
    press(app, "use_c")
    assert app.number_input(key="fs-rank.k").value == expected.parameters["k"]
    assert float(control(app.text_input, "C").value) == pytest.approx(expected.c)
    assert app.button(key="use_c") is not None  # the curve stays: what it has chosen does not make it another

    app.number_input(key="fs-rank.k").set_value(7.0)
    app.toggle(key="tune_tried").set_value(False).run()
    tuned(app)
    assert app.button(key="use_c").label.startswith("Use C = ")
    press(app, "use_c")
    assert app.number_input(key="fs-rank.k").value == 7.0
    assert float(control(app.text_input, "C").value) == pytest.approx(best(k=7.0).fit.c)


def test_another_rule_takes_another_c_and_the_panel_says_how_much_is_the_draw_of_the_queries(open_app: Open) -> None:
    dataset, method = open_dataset("planted"), get_method("l1")
    how = Fitting.on(dataset.fold(1), method, {}, dataset.convention)
    app = open_app("fit", dataset="planted", method="l1", tune_rule="one-se")
    assert "tune_tried" not in {toggle.key for toggle in app.toggle}, "it has no other parameter to choose"
    assert app.segmented_control(key="tune_rule").value == "one-se"
    tuned(app)
    for rule in ("one-se", "best"):
        app.segmented_control(key="tune_rule").set_value(rule).run()
        expected = how.tune(OnValidation("MAP", rule))
        noise = expected.choice.noise
        assert noise is not None
        press(app, "use_c")
        assert float(control(app.text_input, "C").value) == pytest.approx(expected.fit.c)
        said = next(markdown.value for markdown in app.markdown if "resampled" in markdown.value)
        kept = f"{noise.n_features.mean:.1f} ± {noise.n_features.deviation:.1f} features"
        reported = f"{noise.reported['MAP'].mean:.4f} ± {noise.reported['MAP'].deviation:.4f}"
        assert_says(said, "validation queries", kept, reported)
