"""The notebook's pictures of fits and of choosing say what the page says, and refuse what it does not offer.

Every experiment of the papers has its pictures, and none is drawn that is not there.
The notebook's pictures of two features mark what the page marks.
"""

from dataclasses import replace

import numpy as np
import pytest

import core
from core.analysis.choosing import RULE_TITLES
from core.api import pictures
from core.figures.picture import Picture
from core.methods import get_method
from tests.figures.samples.sample import fold, model, path
from tests.says import assert_says


def title(picture: Picture[object]) -> str:
    return picture.words(picture.found).title


def test_the_choice_of_c_says_by_which_rule_and_shows_other_settings_and_choices_again() -> None:
    best, sparse = (pictures.tuning(fold(), choose=rule) for rule in ("best", "one-se"))
    for picture, words in ((best, ("best",)), (sparse, ("Sparsest", "one standard error"))):
        chosen = picture.found.best
        reached = f"{chosen.judgement.metrics['vali']['MAP']:.4f}"
        assert_says(title(picture), *words, reached, f"{chosen.fit.result.nonzero} features")
        assert "chosen again" in {trace.name for trace in picture.figure.data}
    assert title(best) != title(sparse)
    both = pictures.tuning(fold(), "fs-rank")
    k = both.found.best.fit.parameters["k"]
    faint = {trace.name for trace in both.figure.data if trace.opacity == 0.3}
    assert faint == {f"k = {value}" for value in (5, 10, 15, 20, 25)} - {f"k = {k:g}"}
    assert_says(both.words(both.found).subtitle, f"k = {k:g}", "λ_max", "faint")


def test_a_validation_part_without_relevant_documents_chooses_nothing() -> None:
    idle = core.ranking_data(fold().vali.features, np.zeros(fold().vali.n_documents), fold().vali.query_of_document)
    picture = pictures.tuning(replace(fold(), vali=idle), "fs-rank", parameters={"k": 5})
    assert_says(title(picture), "cannot tell")
    assert not picture.figure.layout.shapes


def test_the_noise_of_the_choice_says_how_much_it_moves() -> None:
    picture = pictures.choice_noise([path("l1"), path("log")])
    rows = picture.table[picture.table["rule"] == "best on validation"]
    moved = sorted(f"{value:.4f}" for value in rows["MAP ± choice"])
    kept = sorted(rows["features ± choice"])
    assert_says(title(picture), *moved, *(f"{value:.1f}" for value in kept))


def test_every_method_is_compared_with_the_first_with_the_choice_included() -> None:
    found = {
        margin: pictures.choice_noise([path("l1"), path("log")], margin=margin).table.set_index(["method", "rule"])
        for margin in (0.0, 1.0)
    }
    first, log = (get_method(method).title for method in ("l1", "log"))
    for rule in RULE_TITLES.values():
        row = found[1.0].loc[(log, rule)]
        apart = row["MAP, mean"] - found[1.0].loc[(first, rule), "MAP, mean"]
        assert row[f"− {first}, mean"] == pytest.approx(apart)
        assert row[f"− {first}, 5 %"] <= row[f"− {first}, 95 %"]
        verdicts = [table.loc[(log, rule), f"equivalent within {margin:g}?"] for margin, table in found.items()]
        assert ["equivalent" in one or "less than" in one for one in verdicts] == [False, True]
        assert found[1.0].loc[(first, rule), "equivalent within 1?"] == ""
    said = pictures.choice_noise([path("l1"), path("log")], margin=1.0)
    assert_says(said.words(said.found).subtitle, f"Beside {first}", "within ± 1", log, "equivalent")
    alone = pictures.choice_noise([path("l1")])
    assert not any("equivalent" in name for name in alone.table.columns)


def test_above_the_optimum_a_fit_is_measured_against_the_certified_bound_under_its_own_rules() -> None:
    rough = core.fit(fold(), "l1", lambda_ratio=0.05, tol=0.1)
    exact = core.fit(fold(), "l1", lambda_ratio=0.05, tol=1e-10).fit.result.objective
    picture = pictures.convergence(rough, quantity="suboptimality")
    above = picture.figure.data[0].y
    assert above[-1] == pytest.approx(rough.fit.result.objective - exact, rel=1e-5)
    assert_says(picture.words(picture.found).subtitle, "lowest objective is exact")
    unknown = pictures.convergence(model("mcp"), quantity="suboptimality")
    assert_says(unknown.words(unknown.found).subtitle, "no bound of the optimum")
    # A cheaper feature lowers the optimum below that of the plain problem.
    under = core.fit(fold(), "l1", lambda_ratio=0.2, costs={3: 0.1, 4: 0.5}, tol=1e-10)
    bound = pictures.convergence(under, quantity="suboptimality").found.bound
    assert bound is not None
    assert 0.0 <= under.fit.result.objective - bound <= 1e-8 * under.fit.result.objective


def test_the_axis_upwards_is_as_it_is_asked_for() -> None:
    for quantity, usual in (("objective", "linear"), ("suboptimality", "log"), ("certificate", "log")):
        for log_up, kind in ((None, usual), (True, "log"), (False, "linear")):
            figure = pictures.convergence(model("l1"), quantity=quantity, log_up=log_up).figure
            assert figure.layout.yaxis.type == kind


def test_the_titles_of_a_fit_are_sentences_about_it() -> None:
    fitted = model("l1")
    assert_says(title(pictures.weights(fitted)), "ℓ1", f"{fitted.fit.result.nonzero} of 60 features")
    certificate = f"{fitted.fit.result.certificate.relative:.1e}".replace("e-0", "e-")
    assert_says(title(pictures.convergence(fitted)), f"{fitted.fit.result.objective:.6g}", f"gap {certificate}")


def test_a_race_is_measured_against_the_certified_optimum() -> None:
    picture = pictures.race(fold(), "l2", C=0.001, tol=0.01, seconds=5.0, quantity="suboptimality")
    exact = core.fit(fold(), "l2", C=0.001, tol=1e-10).fit.result.objective
    ends = {trace.name.split(":")[0]: trace.y[-1] for trace in picture.figure.data if trace.mode != "markers"}
    reached = picture.table.set_index("solver")["objective"]
    assert {name: ends[name] for name in reached.index} == pytest.approx((reached - exact).to_dict(), rel=1e-3)
    assert_says(picture.words(picture.found).subtitle, "the optimum is exact")


def test_a_round_of_reweighting_marks_its_answer_and_the_ball_of_its_prices() -> None:
    drawn = pictures.reweighting("log", ratio=0.1, number=2)
    assert "round 2, objective " in drawn.figure.to_json()
    lowest = pictures.two_features("l1", ratio=0.1).figure
    assert "the lowest minimum, objective " in lowest.to_json()
    assert len(drawn.figure.data) == len(lowest.data)  # plane, ball, way, point
