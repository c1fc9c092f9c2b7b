"""What follows from the declaration of a picture, for every picture that is declared.

What a picture cannot draw is refused at the call, with what is wrong and what there is instead.
The notebook's pictures of fits and of choosing say what the page says; those of two features mark what the page marks.
"""

import inspect
import json
import re
import runpy
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import core
from core.analysis.choosing import RULE_TITLES
from core.api import pictures
from core.data import RankingData
from core.export.scripts.picture import picture_script
from core.figures.picture import Picture
from core.methods import get_method
from tests.figures.samples.pictures import SAMPLES
from tests.figures.samples.sample import Sample, another, fold, model, path
from tests.says import assert_says

DECLARED = {name: found for name in pictures.__all__ if inspect.isclass(found := getattr(pictures, name))}
DECLARED = {name: found for name, found in DECLARED.items() if issubclass(found, Picture)}
each = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def own_store(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(home))


def test_every_declared_picture_has_a_sample() -> None:
    assert set(SAMPLES) == set(DECLARED)
    assert all(found.name == name for name, found in DECLARED.items())


@each
def test_a_picture_has_words_a_table_and_a_figure_without_gaps(sample: Sample) -> None:
    picture = sample.made
    words = picture.words(picture.found)
    assert words.title
    assert words.alt
    assert re.fullmatch(r"[^{}]*[^{}.]", picture.subject()), "the head of its script"
    assert picture.figure.data
    assert len(picture.table)
    assert callable(picture.show), "no option hides what a picture can do"
    assert callable(picture.save)
    json.loads(picture.figure.to_json(), parse_constant=pytest.fail)  # no NaN
    go.Figure(picture.figure.to_dict())  # some are built without plotly's checks, for speed: here they are made


@each
def test_the_docstring_names_every_argument_and_no_other(sample: Sample) -> None:
    picture = type(sample.made)
    said = inspect.getdoc(picture) or ""
    section = said.split("Parameters\n----------\n")[1].split("\n\n")[0]
    named = {name for line in re.findall(r"^(\w[\w, ]*) :", section, re.MULTILINE) for name in line.split(", ")}
    assert named == {*picture.shown_things(), *picture.options()}


@each
def test_the_key_of_the_numbers_tells_every_change_of_the_numbers_and_looks_change_none(sample: Sample) -> None:
    picture = sample.made
    others = {name: another(getattr(picture, name), one.titles) for name, one in picture.options().items()}
    others = {name: value for name, value in others.items() if value is not None} | dict(sample.others())
    for name, value in others.items():
        other = replace(picture, **{name: value})
        looks = name in picture.options() and picture.options()[name].looks
        assert (other.numbers_key == picture.numbers_key) is bool(looks), name
        if looks:
            columns = sorted(name for name in picture.table.columns if "seconds" not in name)
            same = (one.table[columns].sort_values(columns, ignore_index=True) for one in (picture, other))
            pd.testing.assert_frame_equal(*same)
    changed = {one.name for one in fields(picture) if one.name in (*picture.shown_things(), *picture.options())}  # type: ignore[arg-type]
    assert changed == set(others), "the sample has another value for every field that has none by itself"


@each
def test_a_choice_that_does_not_exist_is_refused_at_the_call(sample: Sample) -> None:
    picture = sample.made
    for name, declared in picture.options().items():
        if declared.titles:
            with pytest.raises(ValueError, match=name):
                replace(picture, **{name: "no such"})


@pytest.mark.more
@each
def test_the_script_computes_the_table_again(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = sample.made
    script = tmp_path / "script.py"
    fold = core.open_dataset("planted").fold(1)
    script.write_text(picture_script(picture, sample.data, fold, sample.described), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    there: dict[str, Any] = runpy.run_path(str(script))
    capsys.readouterr()
    timed = [name for name in picture.table.columns if "seconds" in name]
    pd.testing.assert_frame_equal(there["picture"].table.drop(columns=timed), picture.table.drop(columns=timed))
    if not sample.timed:
        assert there["picture"].words(there["picture"].found).title == picture.words(picture.found).title
    assert (tmp_path / f"{picture.chart_key}.csv").exists()


CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: pictures.stability(fold(), "l2"), "keeps every feature"),
    (lambda: pictures.stability(fold(), "l1", C=0.1, lambda_ratio=0.1), "only one of C"),
    (lambda: pictures.stability(fold(), "l1", threshold=1.5), "threshold"),
    (lambda: pictures.stability(fold(), "l1", samples=0), "samples"),
    (lambda: pictures.budget([path("l1")], against="cost of features", costs=[1.0]), "a cost for each of 60"),
    (lambda: pictures.budget([path("l1")], against="sparsity ratio"), "against is one of"),
    (lambda: pictures.truncation([path("l1")], part="nowhere"), "no part 'nowhere'"),
    (lambda: pictures.methods(fold(), ["l1", "l1"]), "twice"),
    (lambda: pictures.methods(fold(), ["l1", "none"]), "none"),
    (lambda: pictures.methods(fold(), ["l1"], measure="F9"), "F9"),
    (lambda: pictures.tuning(fold(), solver="x"), "no solver 'x'"),
    (lambda: pictures.tuning(fold(), measure="x"), "no measure 'x'"),
    (lambda: pictures.tuning(core.Fold("alone", fold().train)), "no validation part"),
    (lambda: pictures.choice_noise([path("l1"), path("l1")]), "one path of each method; ℓ1 has 2"),
    (lambda: pictures.choice_noise([replace(path("l1"), fold=few_queries())]), "fewer than 10 queries"),
    (lambda: pictures.best_subsets(wide(), ridge=0.1), "at most 200 features"),
    (lambda: pictures.near_optimal_sets(wide(), ridge=0.1, k=1, part="train"), "at most 200 features"),
    (lambda: pictures.near_optimal_sets(core.Fold("alone", fold().train), ridge=0.1, k=1), "no part 'test'"),
    (lambda: pictures.near_optimal_sets(fold(), ridge=0.1, k=0), "k 1 or more"),
    (lambda: pictures.best_subsets(fold(), ridge=0.1, paths=[path("l1", 2)]), "paths of the fold"),
    (lambda: pictures.top_of_lists([model("l1")], path=path("l1", 2)), "path of the model's method"),
    (lambda: pictures.top_of_lists([model("l1")], path=path("log")), "path of the model's method"),
    (lambda: pictures.top_of_lists([on(lists([1, 0]))], part="vali"), "no part 'vali'"),
    (lambda: pictures.top_of_one_list(on(lists([0, 0], [1])), part="train"), "no list of the train part"),
    (lambda: pictures.top_of_one_list(on(lists([0, 0], [1, 0])), "1", part="train"), "'1'.*only.*with both is '2'"),
    (lambda: pictures.queries(model("l1"), core.fit(path("l1", 2).fold, "l1", lambda_ratio=0.1)), "all of one fold"),
    (lambda: pictures.queries(model("l1"), "no such"), "no such"),
    (lambda: pictures.queries(model("l1"), 1, measure="P@5"), "P@5"),
    (lambda: pictures.penalty_curves("fenchelrank"), "no penalty of one weight"),
    (lambda: pictures.penalty_curves(parameters={"soup": {}}), "soup"),
    (lambda: pictures.penalty_curves(parameters={"log": {"knee": 1.0}}), "knee"),
    (lambda: pictures.penalty_curves(step=0.0), "step"),
    (lambda: pictures.two_features("l1", ratio=2.0), "ratio"),
    (lambda: pictures.two_features("fs-rank", ratio=0.1), "no penalty of one weight"),
    (lambda: pictures.two_features("l1", ratio=0.1, pair=pictures.FeaturePair(features=(1, 3))), "no feature 3"),
    (lambda: pictures.starts("log", ratio=0.1, pair=pictures.FeaturePair(features=(2, 2))), "two different features"),
    (lambda: pictures.starts("log", ratio=0.1, n=0), "at least one start"),
    (lambda: pictures.reweighting("l1", ratio=0.1), "convex"),
    (lambda: pictures.reweighting("log", ratio=0.1, number=99), "rounds 1 to"),
]


def few_queries() -> core.Fold:
    """The fold with one query for validation."""
    vali = fold().vali
    one = vali.query_of_document == np.unique(vali.query_of_document)[0]
    single = core.ranking_data(vali.features[one], vali.relevance[one], np.zeros(one.sum(), dtype=int))
    return replace(fold(), vali=single)


def wide() -> core.Fold:
    return core.Fold("wide", RankingData.build(np.eye(201), np.arange(201) % 2, [0, 201]))


def lists(*relevance: list[int]) -> core.Fold:
    labels = np.concatenate([np.array(one) for one in relevance])
    offsets = np.cumsum([0, *map(len, relevance)])
    ids = [str(k + 1) for k in range(len(relevance))]
    return core.Fold("lists", RankingData.build(np.ones((len(labels), 60)), labels, offsets, query_ids=ids))


def on(few: core.Fold) -> core.Model:
    return replace(model("l1"), fold=few)


@pytest.mark.parametrize(("call", "why"), CALLS, ids=[f"{k}: {why}" for k, (_, why) in enumerate(CALLS)])
def test_what_cannot_be_drawn_is_refused_at_the_call(call: Callable[[], Any], why: str) -> None:
    with pytest.raises((ValueError, core.DataError), match=why):
        call()


def test_the_first_list_with_positives_and_negatives_is_drawn_where_the_very_first_has_only_one_kind() -> None:
    picture = pictures.top_of_one_list(on(lists([0, 0, 0], [1, 1], [1, 0, 0, 1], [0, 1])), part="train")
    assert len(picture.table) == 4
    assert_says(picture.words(picture.found).subtitle, "query 3")


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
