"""The Lab without a browser: four views of one choice, linked, and what moved behind its buttons."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.tuning.tuning import best_on_validation
from core.methods import get_method
from pages.views.start.page import STORIES
from tests.app.conftest import MODELS, Open
from tests.app.fitting import all_sent, chosen, control, expected_path, headline_of, press, unpacked, until
from tests.cases import sweep
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("short_paths")
VIEWS = ["lab_path", "lab_tradeoff", "lab_features", "lab_convergence"]


def finished(app: AppTest) -> AppTest:
    """Look again until the paths are there."""
    until(lambda: len(views(app.run())) == len(VIEWS) and not app.get("progress"))
    return app


def views(app: AppTest) -> dict[str, dict]:
    """What the browser is sent, by picture."""
    return {each["picture"]["filename"]: each for each in all_sent(app)}


def frames_of(points: list, drawn: dict[str, dict]) -> list[int]:
    """The frame of every model: meanwhile more may have been filled in between them."""
    c = unpacked(drawn["lab_path"]["drag"]["c"])
    return [int(np.abs(c - point.fit.c).argmin()) for point in points]


def convergence(app: AppTest) -> str:
    """What the line over the view says."""
    return next(each.proto.body for each in app.get("html") if "<b>Convergence</b>" in each.proto.body)


def answer(app: AppTest) -> str:
    """What stands under the title of the page."""
    return next(each.proto.body for each in app.get("html") if 'data-reading="lab-answer"' in each.proto.body)


def test_four_linked_views_show_every_model_of_the_path_and_lead_to_the_best(open_app: Open) -> None:
    assert open_app("start", dataset="planted", method="log").selectbox(key="lab_beside").value == "nothing"
    app = finished(open_app("start", dataset="planted", method="log", lab_beside="mcp"))
    points, drawn = expected_path(chosen(app), "log"), views(app)
    best = best_on_validation(points, "NDCG@10")
    four_linked_views(drawn)
    another_method_stands_beside_it(app, drawn)
    frames_are_the_models(points, drawn)
    clicks_take_the_peak(best.fit.c, drawn)
    assert f"{best.fit.result.nonzero} feature" in app.button(key="lab_best").label, "what the button leads to"
    assert "star" in app.button(key="lab_best").help, "the line of the best C is thin and not dashed"

    press(app, "lab_best")
    kept, value = f"{best.fit.result.nonzero} of 60 features", f"{best.metrics['test']['NDCG@10']:.4f}"
    assert_says(headline_of(app), "log", kept, "planted, Fold1", "test NDCG@10", value)
    assert_says(answer(app), "chosen on validation", "best single feature", "chosen on training", "95 % interval")
    for frame in views(app)["lab_path"]["drag"]["readings"]["lab-answer"]["at"]:
        assert "interval" not in frame, "what is interpolated has none"
    assert app.button(key="lab_best").disabled
    assert app.session_state["choice"].lam == pytest.approx(best.fit.lam)
    assert app.session_state["lab_job"] is None  # a new C is drawn at once
    assert " steps" in convergence(finished(app))

    app.selectbox(key="lab_beside").set_value("nothing").run()
    drawn = views(finished(app))
    assert app.query_params["lab_beside"] == "nothing"
    assert "RankSVM MCP" not in [trace["name"] for trace in drawn["lab_tradeoff"]["figure"]["data"]]
    assert not any(dot["outline"] for dot in drawn["lab_features"]["drag"]["dots"])
    features_light_up_in_every_view(points, drawn)


def four_linked_views(drawn: dict[str, dict]) -> None:
    assert list(drawn) == VIEWS
    drags = [drawn[name]["drag"] for name in VIEWS]
    assert len({drag["link"] for drag in drags}) == 1
    assert len({len(unpacked(drag["c"])) for drag in drags}) == 1
    assert [bool(drag["marks"]) for drag in drags] == [True, False, False, False]  # one handle, the path's
    assert {each["rows"] for each in drawn.values()} == {2}


def frames_are_the_models(points: list, drawn: dict[str, dict]) -> None:
    frames = frames_of(points, drawn)
    for point, k in [(points[n], frames[n]) for n in (0, 5, MODELS - 1)]:
        fit, metrics = point.fit, point.metrics["test"]
        model, _ = drawn["lab_tradeoff"]["drag"]["dots"]
        assert unpacked(model["across"]["at"])[k] == fit.result.nonzero
        assert unpacked(model["up"]["at"])[k] == pytest.approx(metrics["NDCG@10"], abs=1e-6)
        dots = drawn["lab_features"]["drag"]["dots"]
        whole, *features = [dot for dot in dots if not dot["outline"]]
        ranked = point.metrics["train"]["NDCG@10"]
        assert unpacked(whole["across"]["at"])[k] == pytest.approx(ranked, abs=1e-6), "the part that may choose"
        rings = drawn["lab_features"]["figure"]["data"][0]
        assert len(features) == len(rings["customdata"])
        for dot, (name, number) in zip(features, rings["customdata"], strict=True):
            assert bool(unpacked(dot["shown"]["at"])[k]) == (fit.weights[number - 1] != 0.0), name
        told = {name: texts["at"][k] for name, texts in drawn["lab_path"]["drag"]["readings"].items() if texts["at"]}
        value = f"{metrics['NDCG@10']:.4f}"
        assert told["lab-value"] == told["NDCG@10-test"] == value
        assert told["kept"] == f"{fit.result.nonzero} of 60"
        assert_says(
            told["title"], told["kept"].replace("0 of", "none of") if not fit.result.nonzero else told["kept"], value
        )


def clicks_take_the_peak(best_c: float, drawn: dict[str, dict]) -> None:
    traces = {trace["name"]: trace for trace in drawn["lab_path"]["figure"]["data"]}
    assert traces["best on validation"]["customdata"] == pytest.approx([best_c])
    star = next(t for t in drawn["lab_tradeoff"]["figure"]["data"] if t["name"] == "best on validation")
    assert star["customdata"] == [["log", pytest.approx(best_c)]]


def features_light_up_in_every_view(points: list, drawn: dict[str, dict]) -> None:
    (panel,) = drawn["lab_path"]["drag"]["lights"]["panels"]
    (models,) = drawn["lab_tradeoff"]["drag"]["lights"]["models"]
    (places,) = drawn["lab_features"]["drag"]["lights"]["places"]
    nonempty = [point for point in points if point.fit.result.nonzero]
    assert [set(kept) for kept in models["kept"]] == [set(np.flatnonzero(point.fit.weights)) for point in nonempty]
    for column, weights in panel["curves"].items():
        expected = [point.fit.weights[int(column)] for point in points]
        assert unpacked(weights)[frames_of(points, drawn)] == pytest.approx(expected, abs=1e-6)
    names = drawn["lab_features"]["drag"]["lights"]["names"]
    for name, number in drawn["lab_features"]["figure"]["data"][0]["customdata"]:
        assert names[number - 1] == name
        assert str(number - 1) in places["rows"]


def another_method_stands_beside_it(app: AppTest, drawn: dict[str, dict]) -> None:
    assert {"RankSVM log", "RankSVM MCP"} <= {trace["name"] for trace in drawn["lab_tradeoff"]["figure"]["data"]}
    assert any(trace["name"].startswith("mcp, feature ") for trace in drawn["lab_path"]["figure"]["data"])
    assert any(trace["name"] == "RankSVM MCP" for trace in drawn["lab_convergence"]["figure"]["data"])
    models, choice = expected_path(chosen(app), "mcp"), chosen(app)
    ratio = choice.lam / choice.training.lam_max
    near = min(models, key=lambda point: abs(np.log(point.fit.lam / point.fit.lam_max / ratio)))
    numbers = [number for _, number in drawn["lab_features"]["figure"]["data"][0]["customdata"]]
    _, *rings = [dot for dot in drawn["lab_features"]["drag"]["dots"] if dot["outline"]]
    for number, ring in zip(numbers, rings, strict=True):
        assert bool(ring["shown"]["now"]) == (near.fit.weights[number - 1] != 0.0)


def test_a_pinned_run_another_solver_and_another_method_are_drawn_as_fits_from_zero(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = finished(open_app("start", dataset="planted", method="l1", ratio="0.1"))
    the_titles_say_what_the_strip_says(app)
    first = views(app)
    kept = first["lab_tradeoff"]["drag"]["dots"][0]["across"]["now"]
    assert "proximal" not in convergence(app).lower()  # at the first opening the view stands finished

    press(app, "pin")
    press(app, "lab_best")
    taken = views(finished(app))
    traces = taken["lab_tradeoff"]["figure"]["data"]
    assert [trace["x"] for trace in traces if trace["name"] == "pinned"] == [[kept]]
    for drawn in (first, taken):  # even where the path knows the model
        assert len(drawn["lab_convergence"]["figure"]["data"][0]["y"]) > 2

    control(app.selectbox, "solver").set_value("fista").run()
    job = app.session_state["lab_job"]
    job.delay = 0.0
    until(lambda: not job.active)
    assert job.run.fit().solver == "fista"
    assert get_method("l1").solver("fista").title in convergence(finished(app))

    monkeypatch.setattr("pages.views.start.views.PACE", 1.0)
    monkeypatch.setattr("pages.views.start.views.WATCHED_SECONDS", 60.0)
    control(app.selectbox, "method").set_value("log").run()
    until(lambda: any(each.key == "lab_stop" for each in app.run().button))
    press(app, "lab_stop")
    job = app.session_state["lab_job"]
    until(lambda: not job.active)
    assert job.state == "paused"
    job.delay = 0.0
    press(app.run(), "lab_continue")
    until(lambda: not job.active)
    assert job.state == "finished"
    finished(app)
    assert get_method("log").solver().title in convergence(app)
    drawn_now = views(app)["lab_convergence"]["figure"]["data"][-1]
    settled = [point for point in job.run.steps.trace if not point.provisional]
    assert drawn_now["x"] == pytest.approx([point.step for point in settled])
    assert f"{job.run.fit().result.steps} steps" in convergence(app)


def the_titles_say_what_the_strip_says(app: AppTest) -> None:
    now = views(app)["lab_path"]["drag"]["readings"]
    said = "".join(element.proto.body for element in app.get("html"))
    for name in ("lab-kept", "lab-value", "lab-filled", "kept", "NDCG@10-test"):
        assert f'<b data-reading="{name}">{now[name]["now"]}</b>' in said
    assert now["lab-value"]["now"] == now["NDCG@10-test"]["now"]


@pytest.mark.parametrize(("title", "sentence", "address"), sweep(STORIES))
def test_a_story_leads_to_a_page_with_its_choice(open_app: Open, title: str, sentence: str, address: str) -> None:
    page, _, query = address.partition("?")
    named = dict(parse_qsl(query))
    app = open_app(page, **named)
    assert not any("cannot be used" in warning.value for warning in app.main.warning), (title, sentence)
    assert chosen(app).method_id == named["method"]
    assert app.session_state["dataset"] == named["dataset"]
