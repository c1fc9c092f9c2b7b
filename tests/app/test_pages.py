"""Every page can be drawn, for every choice there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.methods import METHODS, Training, get_method
from pages.shared import frame
from tests.app.conftest import Open
from tests.app.fitting import UNGROUPED, assert_fine, charts, control, fit, give, headline_of, status
from tests.cases import sweep
from tests.program_pages import EXPECTED, PAGES
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def test_of_every_page_and_of_no_other_tests_know_what_to_expect() -> None:
    assert sorted(EXPECTED) == PAGES
    doors = {path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("[!_]*.py")}
    assert doors == set(PAGES)


def test_every_page_is_drawn_and_its_tab_names_page_and_data(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(frame.st, "set_page_config", lambda *, page_title, **_: said.append(page_title))
    for page in PAGES:
        app = open_app(page, dataset="planted")
        title = next(pages[page][0] for pages in frame.PAGES.values() if page in pages)
        where = [] if "data" in EXPECTED[page].hidden and page != "penalties" else ["planted"]
        assert said[-1].startswith(" · ".join([title, *where])), "the page, then the data"
        assert said[-1].endswith("Sparse Ranking Lab")
        assert_fine(app)
        assert headline_of(app), page


def test_every_page_says_under_a_heading_that_data_cannot_be_used(open_app: Open) -> None:
    app = open_app("numbers")
    give(app, ("mine.txt", UNGROUPED))
    for page in ("data", "fit", "path", "features", "tradeoff", "methods", "start"):
        app.switch_page(f"pages/{page}.py").run()
        assert_fine(app)
        (heading,) = app.header
        assert_says(heading.value, "data", "cannot be used")
        assert "mine.txt" in app.error[0].value
        assert page != "methods" or app.button(key="use_l1"), "the cards stand all the same"
    assert any("Your own data" in text.value for text in app.markdown), "the way to other data remains"


@pytest.mark.parametrize("method", sweep((method.id for method in METHODS), always=3))
def test_every_method_is_fitted_from_the_default_choice(open_app: Open, method: str) -> None:
    app = open_app("fit", dataset="planted", method=method)
    assert control(app.selectbox, "method").value == method
    job = fit(app)
    # Frank-Wolfe and truncated gradients end at their papers' limit of steps.
    ends = dict.fromkeys(("fenchelrank", "tgrank"), ("paper", "step limit"))
    ends["fsmrank"] = ("paper", "rule")
    said = status(app).partition(".")[0]
    assert_says(said, *ends.get(method, ("Converged",)))
    assert ("paper" in said) == (method in ends)
    assert job.run is not None
    assert app.session_state["choice"].method_id == job.run.fit().method == method
    assert len(charts(app)) >= 2


@pytest.mark.fault
def test_a_fault_of_one_method_takes_nothing_else_away(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, make = get_method("infinite-push-l1").loss, Training.lam_at

    def lam_at(training: Training, ratio: float) -> float:
        if training.recipe is broken:
            msg = "array must not contain infs or NaNs"
            raise ValueError(msg)
        return make(training, ratio)

    monkeypatch.setattr(Training, "lam_at", lam_at)
    app = open_app("path", dataset="planted", method="infinite-push-l1")
    assert_fine(app)
    assert "array must not contain infs or NaNs" in app.error[0].value
    assert "Choose another method" in app.error[0].value
    control(app.selectbox, "method").select("l1").run()
    assert_fine(app)
    assert app.session_state["choice"].method_id == "l1"
    assert not app.error


@pytest.mark.fault
def test_a_fault_of_a_page_is_a_sentence_on_it(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        msg = "of all things"
        raise ArithmeticError(msg)

    monkeypatch.setattr("pages.views.data.page.render", broken)
    app = open_app("data", dataset="planted", method="l1")
    assert_fine(app)
    assert "of all things" in app.error[0].value
    assert control(app.selectbox, "method").value == "l1"
