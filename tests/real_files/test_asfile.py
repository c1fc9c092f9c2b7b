"""Names and conventions are what the file says, and what was decided is said."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import fit, ranking_data
from core.data import Fold
from core.data.reading import Reading, open_dataset
from core.metrics import JudgedLists, Measure
from core.metrics.measures import telling_measures
from tests.app.conftest import Open
from tests.app.fitting import give
from tests.cli.conftest import Ask, Command
from tests.says import assert_says


@pytest.mark.parametrize(
    ("file", "name"), [("shop45", "feature 1"), ("shop45_named", "shop_2"), ("shop44", "feature 1")]
)
def test_own_data_of_45_features_is_not_ohsumed(file: str, name: str, cases: Path, ask: Ask) -> None:
    case = cases / f"own-45-features/{file}.txt"
    record = ask("fit", str(case), "--lambda-ratio", "0.4")
    assert record["convention"] == "standard"
    assert name in [feature["name"] for feature in record["features"]]
    assert record["metrics"]["train"]["NDCG@10"] > 0.8
    assert not any("Measures are those of" in note for note in record.get("reading", []))


def test_why_a_convention_was_chosen_is_said(shared_data: Path) -> None:
    whole = open_dataset(str(shared_data / "letor/MQ2008"))
    assert_says(" ".join(whole.notes), "LETOR 4.0", "46 features", "MQ2008")
    one = open_dataset(str(shared_data / "letor/MQ2008/Fold1/test.txt"))
    assert (whole.convention, one.convention) == ("letor4", "letor4")
    assert one.fold(1).train.feature_names == whole.fold(1).train.feature_names


def test_where_every_document_counts_as_relevant_it_is_said_and_the_advice_works(cases: Path, ask: Ask) -> None:
    """Grades 1 to 3: every order has MAP 1, so the empty model was chosen without a word."""
    case = str(cases / "stars-1-5/stars.txt")
    said = " ".join(ask("fit", case, "--folds", "5", "--tune", "map")["reading"])
    assert_says(said, "Every document", "lowest grade is 1", "NDCG@10")
    advised = re.findall(r"NDCG@10|MAP\(rel=[0-9]\)", said)
    assert len(advised) == 2
    for measure in advised:
        told = ask("fit", case, "--folds", "5", "--tune", measure)
        assert told["nonzero"] > 0
        assert 0.5 < told["tuned"]["vali"] < 1.0


def test_a_level_of_relevance_counts_as_ir_measures_does() -> None:
    relevance, scores = [1, 3, 2, 1, 2], [5.0, 4.0, 3.0, 2.0, 1.0]
    ranked = JudgedLists(ranking_data(np.ones((5, 1)), relevance), "standard").rank(scores)
    assert ranked.mean(Measure.parse("AP(rel=2)")) == pytest.approx((1 / 2 + 2 / 3 + 3 / 5) / 3)
    assert ranked.mean(Measure.parse("P(rel=3)@2")) == pytest.approx(1 / 2)
    assert str(Measure.parse("map(rel=3)")) == "MAP(rel=3)"
    with pytest.raises(ValueError, match="no measure"):
        Measure.parse("NDCG(rel=2)@10")


def test_evaluate_says_how_many_queries_have_nothing_relevant(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "d.txt").write_text("1 qid:1 1:1\n0 qid:1 1:0\n0 qid:2 1:1\n0 qid:2 1:0\n")
    (tmp_path / "s.txt").write_text("1\n0\n1\n0\n")
    told = ask("evaluate", str(tmp_path / "d.txt"), str(tmp_path / "s.txt"))
    assert (told["queries_without_relevant"], told["MAP"]) == (1, 0.5)
    assert_says(" ".join(told["reading"]), "1 query", "no relevant document", "0")


def test_a_folder_called_like_a_set_of_the_catalogue_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not any("catalogue" in note for note in open_dataset("planted").notes)
    (tmp_path / "planted").mkdir()
    assert_says(" ".join(open_dataset("planted").notes), "planted", "catalogue", "./planted")


def test_ranges_of_many_decades_are_told_with_a_way_out_that_works(cases: Path, ask: Ask) -> None:
    case = ["fit", cases / "wide-range/stamp_year.txt", "--lambda-ratio", "0.1"]
    said = " ".join(ask(*case)["reading"])
    assert_says(said, "decades", "'feature 9'", "--scale standard")
    assert "decades" not in " ".join(ask(*case, "--scale", "standard").get("reading", []))


def test_a_fold_says_what_its_grades_cannot_tell(cases: Path) -> None:
    stars = open_dataset(str(cases / "stars-1-5/stars.txt")).fold(1).train
    assert telling_measures(stars) == ("NDCG@10",)
    grades = np.tile([3, 2, 1, 1], 3)
    part = ranking_data(np.arange(12.0)[:, None], grades, np.repeat([0, 1, 2], 4))
    for measure in ("MAP", "P@2", "R@2", "RR", "Top"):
        best, worst = (JudgedLists(part, "standard").rank(s).mean(Measure.parse(measure)) for s in (grades, -grades))
        assert best == worst, "the note says so"
    assert_says(" ".join(Fold("f", part).notes), "Every document", "lowest grade is 1", "MAP(rel=2)")
    none, some = replace(part, relevance=0 * grades), replace(part, relevance=np.where(np.arange(12) < 3, 0, grades))
    assert_says(" ".join(Fold("f", some, none, none).notes), "In 2 of 3 queries", "validation part has no", "test part")
    assert_says(" ".join(Fold("f", replace(part, relevance=np.full(12, 2))).notes), "all grades are alike")
    assert Fold("f", replace(part, relevance=np.tile([1, 0, 0, 0], 3)), part).notes == ()


def test_the_notebook_and_a_protocol_tell_what_the_command_line_does(
    cases: Path, tmp_path: Path, ask: Ask, run: Command
) -> None:
    case = str(cases / "stars-1-5/stars.txt")
    divided = Reading(folds=5).open(case)
    model = fit(divided.fold(1), tune="MAP(rel=3)")
    assert_says(" ".join(model.notes), "Every document")
    assert_says(model._repr_html_(), "Every document", "MAP(rel=")
    assert len(model.features) > 0
    words = ["protocol", case, "--folds", "3", "--methods", "l1", "--measure", "MAP(rel=3)", "--out", str(tmp_path)]
    told = ask(*words, "--workers", "1")
    assert_says(" ".join(told["reading"]["stars"]), "Every document")
    told = run("fit", case, "--folds", "5", "--tune", "MAP(rel=3)")
    assert re.search(r"^part .* MAP\(rel=3\)$", told.out, re.MULTILINE)


@pytest.mark.usefixtures("all_unfolded", "coarse_paths")
@pytest.mark.parametrize("page", ["data", "tradeoff"])
def test_the_app_offers_no_measure_that_is_the_same_for_any_order(page: str, open_app: Open, cases: Path) -> None:
    stars = (cases / "stars-1-5/stars.txt").read_bytes()
    app = give(open_app(page), ("stars.txt", stars))
    said = " ".join(str(element.value) for element in (*app.info, *app.error))
    if page == "tradeoff":
        offered = [group.options for group in app.get("button_group")]
        assert ["NDCG@10"] in offered
        assert not any("MAP" in options for options in offered)
    else:
        assert "very document" in said
        assert "DataError" not in said
