"""The page of budgets without a browser: what it claims is what the complete paths say."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.analysis import path_run
from core.analysis.path import PathPoint, regularization_path
from core.analysis.path_run import PathRun
from core.analysis.queries.side_by_side import QueryChanges
from core.analysis.tradeoff.tradeoff import budget, tradeoff_points
from core.experiments.results.difference import Difference
from core.figures.tradeoff.axes import Across
from core.methods import get_method
from core.names.numbers import short
from pages.views.ten import models as ten_models
from pages.views.ten import words
from pages.views.ten.models import BudgetOptions
from tests.app.conftest import IN_TEN, Open
from tests.app.fitting import chosen, headline_of, planted, sent, settled, title_of, unpacked
from tests.figures.samples.sample import sized
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "short_paths")

SEARCH = BudgetOptions("budget", "NDCG@10", "features", 3, Across("features kept", 60, True), ("best-subset",))


def found_points(app: AppTest) -> list[tuple[str, int, float, float, float]]:
    """Method, features kept, C, validation and test NDCG@10 of every model of the paths."""
    choice = chosen(app)
    found = []
    for name in IN_TEN:
        method = choice.method_under_rules(name)
        for p in regularization_path(
            method, choice.training, path_run.path_grid(method, choice.training), choice.judge
        ):
            vali, test = (p.judgement.metrics[part]["NDCG@10"] for part in ("vali", "test"))
            found.append((name, p.fit.result.nonzero, p.fit.c, vali, test))
    return found


def test_the_model_is_the_best_by_validation_within_the_budget_and_what_rules_cost_is_said(open_app: Open) -> None:
    app = settled(open_app("ten", dataset="planted", ten_limit="6"))
    free = best_within(app, 6)
    it_is_set_beside_all_features(app, free)
    app = settled(open_app("ten", dataset="planted", ten_limit="4", ten_step="one more"))
    assert re.match(r"Feature.*\b5\b|No larger", headline_of(app))
    app = settled(open_app("ten", dataset="planted", ten_limit="4", ten_step="who suffers"))
    queries_that_suffer_are_told_and_opened(app)

    app = settled(open_app("ten", dataset="planted", ten_limit="6", ten_step="rules"))
    heaviest = int(np.argmax(np.abs(chosen(app).method.fit(chosen(app).training, chosen(app).lam).weights)))
    switch = next(box for box in app.main.multiselect if (box.key or "").startswith("off_"))
    app = settled(switch.set_value([heaviest]).run())
    within = best_within(app, 6)
    said = title_of(app, "ten")
    assert_says(said, "Test NDCG@10", f"{within[4]:.4f}", "without the rules", f"{free[4]:.4f}")
    assert f"{within[4] - free[4]:+.4f}"[:6] in said.replace("−", "-")
    subtitle = sent(app, "ten")["figure"]["layout"]["meta"]["subtitle"]
    assert_says(subtitle, "without the rules", get_method(free[0]).title, f"{free[1]} features")
    app = open_app("ten", dataset="planted", ten_step="rules", helps="1,2")
    assert app.multiselect(key=next(m.key for m in app.multiselect if m.label == "May only help")).value == [0, 1]


def best_within(app: AppTest, most: int) -> tuple[str, int, float, float, float]:
    models = [row for row in found_points(app) if 0 < row[1] <= most]
    return max(models, key=lambda row: (round(row[3], 12), -row[1]))


def it_is_set_beside_all_features(app: AppTest, best: tuple[str, int, float, float, float]) -> None:
    title = headline_of(app)
    found = re.fullmatch(r"(\d+) features? \((\S+)\) instead of 60: test NDCG@10 (.{6}), with all (.{6}); (.+)", title)
    assert found is not None, title
    assert (found[2], int(found[1])) == (get_method(best[0]).title, best[1])
    said = title_of(app, "ten")
    value, dense = (float(number) for number in re.findall(r"(?:NDCG@10|features) ([\d.]{6})", said)[:2])
    assert value == pytest.approx(best[4], abs=5e-5)
    assert (float(found[3]), float(found[4])) == (value, dense)
    assert said.endswith(found[5])
    assert "95 % interval" in said


def queries_that_suffer_are_told_and_opened(app: AppTest) -> None:
    assert re.match(r"\d+ of 20 test queries\b.*\blose\b.*\bNDCG@10\b.*\bworst \d\b", headline_of(app))
    worst = min((table.value for table in app.dataframe if "change" in table.value.columns), key=len)
    bars = unpacked(sent(app, "query_changes")["figure"]["data"][0]["y"])
    assert (np.diff(worst["change"]) >= 0.0).all()
    assert len(worst) == 5
    assert (worst["change"] == worst["after"] - worst["before"]).all()
    assert list(bars[: len(worst)]) == pytest.approx(list(worst["change"]))
    changed = np.mean(bars)
    query = worst["query"].iloc[0]
    app.button(key=f"ten_query_{query}").click().run()
    now, (pinned,) = chosen(app), app.session_state["pins"]
    assert pinned.choice.method_id == "l2"
    weights = now.method.fit(now.training, now.lam, parameters=dict(now.parameters)).weights
    assert 0 < np.count_nonzero(weights) <= 4
    mean = now.judge.metrics(weights)["test"]["NDCG@10"] - pinned.point.metrics["test"]["NDCG@10"]
    assert mean == pytest.approx(changed, abs=1e-3)
    assert app.selectbox(key="queries_query").value == query


def test_a_later_method_begins_once_those_before_it_are_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    job = SimpleNamespace(state="running", active=True, run=None)
    monkeypatch.setattr(ten_models, "path_job", lambda choice, method_id: asked.append(method_id) or job)
    monkeypatch.setattr(ten_models, "path_key", lambda choice, method_id: method_id)
    monkeypatch.setattr(ten_models, "job_for", lambda key: None)
    monkeypatch.setattr(ten_models.Panel, "draw", lambda *args, **options: None)
    choice = SimpleNamespace(judge=SimpleNamespace(usable_features=np.ones(3, dtype=bool)))
    methods = ("l1", "log", "mcp", "l0.5", "scad", "tgrank")
    wanted = SimpleNamespace(methods=methods, measure="MAP")
    ten_models.models(choice, wanted)  # type: ignore[arg-type]
    assert asked == ["l2", "l1"]
    job.state, job.active = "finished", False
    asked.clear()
    ten_models.models(choice, wanted)  # type: ignore[arg-type]
    assert asked == ["l2", *methods]


def test_how_far_it_is_stands_beneath_the_picture(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ten_models.Models({}, {}, None, 0, 7, np.ones(60, dtype=bool))
    monkeypatch.setattr("pages.views.ten.page.models", lambda *_: st.caption("5 of 50 models") and found)
    said = " ".join(caption.value for caption in open_app("ten", dataset="planted").main.caption)
    assert_says(said, "first models", "5 of 50 models")


def test_a_budget_of_cost_is_kept(open_app: Open) -> None:
    costs = ",".join(f"{j}:{1 + j % 5}" for j in range(1, 61))
    app = settled(open_app("ten", dataset="planted", cost=costs, ten_unit="cost", ten_cost="9"))
    table = next(frame.value for frame in app.dataframe if "cost of features" in frame.value.columns)
    within = table[table["cost of features"] <= 9.0]
    best = within.loc[within["NDCG@10 vali"].idxmax()]
    kept = int(re.search(r"(\d+) features? ", headline_of(app))[1])  # type: ignore[index]
    assert best["NDCG@10 vali"] == within[within["features kept"] == kept]["NDCG@10 vali"].max()
    assert "a cost of at most 9" in sent(app, "ten")["figure"]["layout"]["meta"]["subtitle"]

    # A budget of features tells what the features of a model cost, too.
    app = settled(app.segmented_control(key="ten_unit").set_value("features").run())
    labels = [label for trace in sent(app, "ten")["figure"]["data"][:3] for label in trace.get("hovertext", ())]
    assert labels
    assert all(label.startswith("cost of its features ") for label in labels)


def test_the_best_subset_is_sought_within_the_budget_and_says_what_it_proves() -> None:
    choice = planted()
    within = ten_models.asked(choice, "best-subset", SEARCH)
    assert within.parameters == (("k", 3.0),), "not the five of the sidebar's default"
    assert ten_models.asked(choice, "l1", SEARCH) is choice
    for rule in ({"costs": "1:5"}, {"forced": "2"}):
        other = planted(**rule)
        assert ten_models.asked(other, "best-subset", SEARCH) is other, "costs and what must stay are another budget"
    method = within.method
    training = method.training(choice.fold.train, dict(within.parameters), choice.convention)
    fit = method.fit(training, training.lam_at(0.01), parameters=dict(within.parameters))
    point = PathPoint(fit, choice.judge.judgement(fit.weights))
    curve = tradeoff_points([point], choice.judge.usable_features)
    usable, search = choice.judge.usable_features, ten_models.Search([point], 13)
    found = ten_models.Models({}, {}, None, 0, 1, usable, search)
    assert found.certified(SEARCH, choice) == (curve[0], point), "one of 13 searches has ended"
    assert replace(found, search=ten_models.Search()).certified(SEARCH, choice) is None
    said = words.certified_words(fit, 3, "features", 1, 13)
    assert_says(said, "◇", "best subset", "at most 3 features", f"C = {short(fit.c)}", "is proven", "exact to")
    assert_says(said, "1 of 13 C", "so far", "the objective", "not", "the ranking")
    assert "so far" not in words.certified_words(fit, 3, "features", 13, 13)
    result = SimpleNamespace(stop="time limit", certificate=SimpleNamespace(relative=0.057))
    cut_off = words.certified_words(SimpleNamespace(result=result, c=0.5), 10, "features", 13, 13)  # type: ignore[arg-type]
    assert_says(cut_off, "before the proof", "lower", "up to 0.057")
    assert "proven" not in cut_off

    fits = [choice.method.fit(choice.training, choice.training.lam_at(ratio)) for ratio in (0.85, 0.95, 0.8)]
    points = [PathPoint(fit, choice.judge.judgement(fit.weights)) for fit in fits]
    assert len({point.judgement.metrics["vali"]["NDCG@10"] for point in points}) > 1, "the choosing part picks"
    for ended in (1, 2, 3):
        found = ten_models.Models({}, {}, None, 0, 1, usable, ten_models.Search(points[:ended]))
        best = max(points[:ended], key=lambda point: point.judgement.metrics["vali"]["NDCG@10"])
        certified = found.certified(SEARCH, choice)
        assert certified[1] is best


def test_a_search_under_way_is_shown_as_far_as_it_is_and_promises_no_time() -> None:
    run = PathRun(iter(range(13)), 13)  # type: ignore[arg-type]
    for _ in range(5):
        run.advance()
    search = SimpleNamespace(state="running", active=True, run=run)
    path = SimpleNamespace(state="finished", active=False, run=PathRun(iter(()), 0))
    reached = ten_models._reached({"l1": path, "best-subset": search})  # type: ignore[dict-item]
    assert reached.seconds_left is None
    assert reached.share == 5 / 13
    assert_says(reached.words, "best subset", "5 of 13 C", "at most 60 s")
    search.run = None
    reached = ten_models._reached({"l1": SimpleNamespace(active=True, run=run), "best-subset": search})  # type: ignore[dict-item]
    assert reached.seconds_left is None


@pytest.mark.parametrize(
    ("kept", "facts"), [(11, ("number 11", "+0.1000")), (14, ("number 11", "nothing", "14 features", "+0.1000"))]
)
def test_the_eleventh_feature_brings_something_only_where_a_model_of_eleven_is_better(
    kept: int, facts: tuple[str, ...]
) -> None:
    points = [sized("l1", 10, 0.5), sized("l1", kept, 0.6)]
    found = budget(points, 10, "MAP")
    title = words.next_title(found, "MAP", "features", lambda model, other, part: Difference(0.1, 30, (-0.1, 0.2)))
    assert_says(title, *facts, "validation MAP", "no clear difference")
    assert ("nothing" in title) == ("nothing" in facts)


def test_that_nothing_is_within_the_budget_is_said_of_all_methods_only_when_all_have_been_looked_at() -> None:
    complete = words.nothing_title(10, "features", 12, complete=True)
    assert_says(complete, "No model", "at most 10 features", "least", "12")
    assert "so far" not in complete
    so_far = words.nothing_title(10, "features", 12, complete=False)
    assert_says(so_far, "No model", "so far", "at most 10 features", "least", "12")
    assert_says(words.among_words(1, 2, 12), "1 complete path so far", "2")
    assert_says(words.among_words(12, 12, 12), "all 12 methods")


def test_the_losing_queries_are_counted() -> None:
    def changes(*gains: float) -> QueryChanges:
        before, n = np.full(len(gains), 0.5), np.ones(len(gains), dtype=np.int64)
        return QueryChanges("MAP", before + gains, before, 9 * n, n)

    said = words.suffering_title(changes(-0.25, -0.125, 0.0, 0.5), "test", 5)
    assert_says(said, "2 of 4 test queries", "lose", "MAP", "worst 2", "0.1250", "0.2500", "1 gains")
    said = words.suffering_title(changes(0.0, 0.5), "test", 5)
    assert_says(said, "None of 2 test queries", "loses", "MAP", "1 gains")
    assert "worst" not in said
