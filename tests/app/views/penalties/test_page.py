"""The Penalties page, part by part, without a browser."""

from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.penalties.penalty_shape import reweighting_rounds
from core.analysis.penalties.several_starts import Minimum, from_random_starts
from core.analysis.penalties.two_features import RATIOS, redundant_pair, telling_pair, two_feature_training
from core.data import open_dataset
from core.methods import get_method
from core.names.numbers import short
from core.penalties import Log
from pages.views.penalties import starts
from tests.app.fitting import control, headline_of, slider_of_c, table_of
from tests.app.shared.test_wording import GAP, OF_ALL, RESIDUAL, fitted
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")
CHOSEN = {"penalties_section": "Two features", "pair": "from the chosen data"}
DATA, PAIR = open_dataset("planted").fold(1).train, two_feature_training(redundant_pair(), (0, 1))
WHOLE = get_method("mcp").training(DATA)
STARTS = partial(from_random_starts, "mcp", WHOLE, WHOLE.lam_at(0.05), {}, 4, 1)
KINDS = {"several starts": (lambda: STARTS, attrgetter("ends"))}


def headlines(app: AppTest) -> str:
    return " | ".join(element.value for element in [*app.header, *app.subheader])


def slide_to(app: AppTest, ratio: float) -> None:
    """Move the sidebar's C to this share of lambda_max, or the next step."""
    slider_of_c(app).set_value(round(-20 * np.log10(ratio))).run()


def test_curves_follow_their_parameter_which_can_become_that_of_every_page(open_app) -> None:
    app = open_app("penalties", dataset="planted", method="log")
    assert_says(headline_of(app), "log", "small weights", "10", "0.91 at 1")
    shown = table_of(app, "g′(0)").set_index("penalty")
    assert shown.loc["ℓ0.5", "g′(0)"] == "∞"
    assert shown.loc["ℓ1", "dropped up to |v|"] == "0.5"
    dropped = float(shown.loc["log", "dropped up to |v|"])
    assert_says(headlines(app), "One step of log drops everything", f"{dropped:.2g}")
    assert any("infinite at 0" in element.value for element in app.markdown)
    app.select_slider(key="shape_log_epsilon").set_value(0.5).run()
    assert_says(headline_of(app), "log", "small weights", "2", "0.67 at 1")
    assert table_of(app, "g′(0)").set_index("penalty").loc["log", "g(1)"] == f"{np.log(3):.4g}"
    app.button(key="use_penalty").click().run()
    assert control(app.selectbox, "method").value == "log"
    assert app.number_input(key="log.epsilon").value == 0.5
    app.toggle(key="agree").set_value(True).run()
    assert set(table_of(app, "g(1)")["g(1)"]) == {"1"}, "scaled, all cost the same at one"


def test_the_penalty_is_the_sidebars_method(open_app) -> None:
    app = open_app("penalties", dataset="planted", method="l0.5")
    assert_says(headline_of(app), "ℓ0.5", "small weights")
    control(app.selectbox, "method").set_value("mcp").run()
    assert_says(headline_of(app), "MCP", "small weights")
    app = open_app("penalties", dataset="planted", method="fenchelrank")
    assert_says(headline_of(app), "log", "small weights")
    assert any("FenchelRank" in caption.value for caption in app.main.caption), "a method without one leaves log"


def test_the_minimiser_moves_with_the_sidebars_lambda_and_may_be_one_of_several(open_app) -> None:
    app = open_app("penalties", dataset="planted", penalties_section="Two features", method="l1", ratio="0.1")
    assert app.session_state["ratio_step"] == 20
    for ratio in (0.1, 0.05, 0.5):
        slide_to(app, ratio)
        a, b = get_method("l1").fit(PAIR, PAIR.lam_at(ratio)).weights
        assert_says(headlines(app), "ℓ1", "both features", f"{a:.2g}", f"{b:.2g}")
    slide_to(app, 1.0)
    assert "ℓ1 keeps no feature" in headlines(app)

    control(app.selectbox, "method").set_value("log")
    slide_to(app, 0.05)
    said = next(line for line in headlines(app).split(" | ") if "minima" in line)
    assert_says(said, "log", "2 minima", "lowest", "copy A")
    assert "copy B" not in said
    assert "both" not in said
    assert len(table_of(app, "minimum")) == 2


def test_a_jump_lies_between_the_ratios_before_and_after_it() -> None:
    way = np.repeat([[0.0, 0.0], [1.0, 0.5]], [4, len(RATIOS) - 4], axis=0)
    said = starts._map_explanation(get_method("log"), [], way, 0, ball=False)
    assert f"between λ = {short(RATIOS[3])} and {short(RATIOS[4])} λ_max" in said


def test_rounds_are_those_of_the_algorithm_and_a_shorter_run_takes_the_slider_along(open_app) -> None:
    app = open_app("penalties", penalties_section="Reweighting", round="4", method="log", ratio="0.05")
    rounds = reweighting_rounds(PAIR, Log(), PAIR.lam_at(0.05))
    shown = table_of(app, "round")
    assert shown["objective"].tolist() == [f"{r.objective:.8f}" for r in rounds]
    assert shown.loc[shown[""] == "▶", "round"].tolist() == [4]
    assert "copy B was so small" in headlines(app)
    slide_to(app, 1.0)
    assert app.slider(key="round").value == len(table_of(app, "round")) < 4
    control(app.selectbox, "method").set_value("l2").run()
    assert_says(app.info[0].value, "ℓ2", "convex", "nothing to reweight")


def test_two_features_of_the_chosen_data(open_app) -> None:
    app = open_app("penalties", dataset="planted", **CHOSEN)
    a, b = (DATA.feature_names[j] for j in telling_pair(DATA))
    assert table_of(app, "minimum").columns.str.strip().tolist()[1:3] == [a, b]
    app.selectbox(key="feature_b").set_value(app.selectbox(key="feature_a").value).run()
    assert "two different features" in app.info[0].value


def test_without_usable_data_everything_but_the_data_is_there(open_app, own_folder) -> None:
    (own_folder / "broken.csv").write_text("a,b,class\n1,2,g\n1,x,b\n")
    for part in ("Curves", "Two features", "Reweighting", "Several starts"):
        app = open_app("penalties", dataset="broken", penalties_section=part, method="log")
        assert app.header


@pytest.mark.parametrize(
    ("varying", "constant", "said"),
    [
        (0, 3, ("data", "cannot be used", "made-up features", "copy A")),
        (1, 2, ("one feature", "differs")),
        (700, 0, ("log",)),
    ],
)
def test_data_of_no_one_and_many_features_have_their_words(open_app, own_table, varying, constant, said) -> None:
    values = np.random.default_rng(0).normal(size=(40, varying))
    own_table("mine", np.hstack([values, np.ones((40, constant))]))
    app = open_app("penalties", dataset="mine", method="log", **CHOSEN)
    assert_says(" ".join(element.value for element in [*app.caption, *app.info, *app.header, *app.subheader]), *said)
    if varying > 1:
        assert len(app.selectbox(key="feature_a").options) == varying


def test_starts_are_said_to_be_proved_only_by_gaps_among_all_models() -> None:
    for certificate in (GAP, RESIDUAL, replace(GAP, among="on these features")):
        minima = (Minimum(fitted("converged", certificate=certificate, method="l1"), (0,)),)
        assert bool(OF_ALL.search(starts._explanation(get_method("l1"), minima))) == (certificate is GAP)
