"""The Features page, section by section, without a browser.

Rivals: the answer counts what the table has.
"""

import re
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.features.what_if import penalty_factors, weighted
from core.data import open_dataset
from core.methods import get_method
from tests.app.conftest import Open
from tests.app.fitting import at_rest, control, headline_of, html_of, sent, settled, step_to, table_of, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

RATIO = 10**-1.5


def key_of(app: AppTest, label: str) -> str:
    return next(box.key for box in app.multiselect if box.label == label)


def switch(app: AppTest, label: str, *features: int) -> AppTest:
    """Set a rule for features."""
    app.multiselect(key=key_of(app, label)).set_value(list(features)).run()
    return app


def plainly(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def test_switching_off_the_strongest_feature_refits_without_it_until_reset(open_app: Open) -> None:
    app = open_app("features", dataset="planted", features_section="what if")
    assert " keeps " in headline_of(app)
    method, fold = get_method("l1"), open_dataset("planted").fold(1)
    training = method.training(fold.train)
    lam = training.lam_at(RATIO)
    strongest = int(method.fit(training, lam).selected[0])
    settled(switch(app, "Switched off", strongest))
    fit = weighted(method, penalty_factors(fold.train.n_features, off=[strongest])).fit(training, lam)
    changes = table_of(app, "change").set_index("feature")
    assert changes.loc[strongest + 1, "change"] == "out"
    for feature, after in changes["after"].items():
        assert after == pytest.approx(fit.weights[int(feature) - 1], abs=1e-5)
    difference = table_of(app, "difference")
    np.testing.assert_allclose(difference["difference"], difference["after"] - difference["before"])
    assert headline_of(app).startswith(f"Without {fold.train.feature_names[strongest]}: ")
    said = " ".join(caption.value for caption in app.caption)
    assert_says(said, "No model", "without the features that are off", "lower")
    assert "any model" not in said
    app.button(key="what_if_reset").click().run()
    assert app.multiselect(key=key_of(app, "Switched off")).value == []
    assert " keeps " in headline_of(app)

    a_sign_is_a_rule_like_any_other(app, open_app)


def a_sign_is_a_rule_like_any_other(app: AppTest, open_app: Open) -> None:
    j = int(table_of(app, "change").set_index("feature")["before"].idxmax()) - 1
    before = dict(app.query_params)
    switch(app, "May only hurt", j)
    assert plainly(app)["hurts"] == str(j + 1)
    assert app.session_state["choice"].rules.hurts == (j,)
    others = app.multiselect(key=key_of(app, "May only help")).options
    assert not any(name.endswith(f"({j + 1})") for name in others)
    settled(app)
    assert table_of(app, "change").set_index("feature").loc[j + 1, "after"] <= 0.0
    assert "1 may only hurt" in html_of(app), "the strip says so"
    step_to(app, before)
    assert app.session_state["choice"].rules.hurts == ()
    app = open_app("features", dataset="planted", features_section="what if", helps="1", solver="subgradient")
    told = next(warning.value for warning in app.sidebar.warning if "signs" in warning.value)
    assert_says(told, "subgradient descent", "not", "signs")


def test_rules_are_in_the_address_the_strip_and_undo_and_a_link_restores_them(open_app: Open) -> None:
    """They outlive a visit to another section, fold and dataset."""
    app = open_app("features", dataset="planted", features_section="what if")
    before = app.session_state["choice"]
    unforced = dict(switch(app, "Switched off", 2, 0).query_params)
    forced = dict(switch(app, "Forced in", 4).query_params)
    assert (plainly(app)["off"], plainly(app)["forced"]) == ("1,3", "5")
    chosen = app.session_state["choice"]
    assert (chosen.rules.off, chosen.rules.forced) == ((0, 2), (4,))
    assert chosen.key != before.key
    assert "2 off, 1 forced in" in html_of(app), "the strip says so"
    linked = open_app("features", dataset="planted", features_section="what if", off="1,3", forced="5")
    assert linked.session_state["choice"] == chosen
    assert sorted(linked.multiselect(key=key_of(linked, "Switched off")).value) == [0, 2]
    step_to(app, unforced)
    assert app.session_state["choice"].rules.forced == ()
    assert app.multiselect(key=key_of(app, "Forced in")).value == []
    assert "forced" not in app.query_params
    step_to(app, forced)
    assert app.session_state["choice"] == chosen
    control(app.pills, "features_section").set_value("similarity").run()
    app.selectbox(key="fold").set_value(2).run()
    app.selectbox(key="dataset").set_value("python-docs").run()
    assert not app.session_state["choice"].rules.active, "every dataset has its own"
    app.selectbox(key="dataset").set_value("planted").run()
    control(app.pills, "features_section").set_value("what if").run()
    assert sorted(app.multiselect(key=key_of(app, "Switched off")).value) == [0, 2]
    app.button(key="rules_reset").click().run()
    assert not app.session_state["choice"].rules.active
    assert not {"off", "forced", "cost"} & set(app.query_params)


def test_rules_that_cannot_be_are_told_in_one_sentence_and_change_nothing(open_app: Open) -> None:
    """Every way to write what cannot be: tests/analysis/features/test_rules.py."""
    app = open_app("features", dataset="planted", features_section="similarity", off="0,999")
    (told,) = [warning.value for warning in app.sidebar.warning]
    assert "cannot be used" in told
    assert not app.session_state["choice"].rules.active
    assert not app.error


def test_the_model_under_the_rules_is_that_of_every_page_and_stands_beside_other_methods(open_app: Open) -> None:
    fold = open_dataset("planted").fold(1)
    training = get_method("log").training(fold.train)
    plain = get_method("log").fit(training, training.lam_at(RATIO))
    strongest = int(plain.selected[0])
    app = settled(open_app("features", dataset="planted", method="log", off=str(strongest + 1), features_with="l1"))
    table = table_of(app, "weight, ℓ1").set_index("feature").sort_index()
    under = weighted(get_method("log"), penalty_factors(fold.train.n_features, off=[strongest]))
    expected = under.fit(training, training.lam_at(RATIO))
    np.testing.assert_allclose(table["weight, log"], expected.weights, atol=1e-6)
    assert set(table.loc[strongest + 1, ["weight, log", "weight, ℓ1"]]) == {0.0}, "for the methods beside it, too"
    assert table["weight, log"].any()
    heaviest = fold.train.feature_names[int(np.abs(expected.weights).argmax())]
    assert_says(headline_of(app), f"log keeps {expected.result.nonzero} of 60 features", heaviest)
    app.switch_page("pages/path.py").run()
    settled(app)
    assert fold.train.feature_names[strongest] not in table_of(app, "penalty").columns
    app.switch_page("pages/features.py").run()
    control(app.selectbox, "method").set_value("l1").run()
    assert app.multiselect(key="features_with").value == [], "a method is never compared with itself"
    before = dict(app.query_params)
    assert step_to(app, before | {"features_with": ["log"]}).multiselect(key="features_with").value == ["log"]
    assert step_to(app, before).multiselect(key="features_with").value == [], "one press of Back"


def test_stability_draws_its_samples_counts_them_and_says_what_chance_may_add(open_app: Open) -> None:
    app = open_app("features", dataset="planted", features_section="stability")
    assert any("same features" in words.value for words in app.markdown)
    if any(button.key == "stability_draw" for button in app.button):  # kernels were compiled in the first fit
        app.button(key="stability_draw").click().run()
    settled(app)
    table = table_of(app, "share of resamples")
    assert table["share of resamples"].is_monotonic_decreasing
    assert set(np.round(100 * table["share of resamples"], 9) % 1) == {0.0}
    assert set(np.round(5 * table["share of folds"], 9) % 1) == {0.0}
    assert any("E[V] ≤ q²/((2π − 1) p)" in words.value for words in app.markdown)
    control(app.selectbox, "method").set_value("l2").run()
    assert any("sparse penalty" in info.value for info in app.info), "one that keeps all is told apart"


def test_an_empty_model_one_query_and_many_features_have_every_section(
    open_app: Open, own_table: Callable[..., str]
) -> None:
    own_table("wide", np.random.default_rng(0).normal(size=(40, 700)).round(3))
    for section in ("", "what if", "stability", "entry order", "similarity"):
        app = open_app("features", dataset="wide", features_section=section, ratio="1")
        assert not app.error, section
        assert "none of 700 features" in headline_of(app)


COUNTED = re.compile(
    r"(\d+) sets (?!so far).*\bat most 4 features\b.* 1 % .*\bbest\b.*\b(no|\d+) features?\b.*\bevery one$"
)
"""What a search says that has looked everywhere."""


def answers(app: AppTest) -> list[re.Match[str]]:
    return [said for line in app.main.subheader if (said := COUNTED.match(line.value))]


def test_the_answer_counts_the_sets_of_the_table_and_what_they_share(open_app: Open) -> None:
    app = open_app("features", dataset="python-docs", method="l1", ratio="0.05", features_section="rivals",
                   alternatives_k="4", alternatives_within="within 1 %")  # fmt: skip
    until(lambda: at_rest() and bool(answers(app.run())))
    rows = next(t.value for t in app.main.dataframe if "excess %" in t.value.columns)
    (said,) = answers(app)
    assert int(said[1]) == len(rows) > 1
    sets = [set(names.split(", ")) for names in rows["names"]]
    common = set.intersection(*sets)
    assert (0 if said[2] == "no" else int(said[2])) == len(common)
    assert rows["excess %"].between(0.0, 1.0 + 1e-6).all()
    assert rows["objective"].is_monotonic_increasing
    spread = sent(app, "spread")["figure"]
    assert spread["data"][0]["y"] == pytest.approx(rows["NDCG@10 test"].tolist())
    told = next(caption.value for caption in app.main.caption if "missing" in caption.value)
    assert_says(told, "no", "set", "missing")
    assert "stopped" not in told
    assert "others" not in told
