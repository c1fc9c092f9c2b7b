"""The catalogue lists what is here and what could be, and a name or a path opens it.

The toy problem is drawn as Rakotomamonjy (2012, §4.1) says; classes of scikit-learn are as they are there.
"""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits

from core.data import DataError, RankingData, Reading, open_dataset
from core.data.built_in import toy_problem
from core.data.catalogue import READY, catalogue
from tests.says import assert_says

LINE = "1 qid:1 1:1 2:2\n0 qid:1 1:3 2:4\n"


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's data: one LETOR set, one that lacks a part, one table."""
    for folder in ("letor/MQ2007/Fold1", "deep/er/mine", "letor/broken/Fold1"):
        (tmp_path / folder).mkdir(parents=True)
        for part in ("train", "vali", "test"):
            (tmp_path / folder / f"{part}.txt").write_text(LINE)
    (tmp_path / "letor/broken/Fold1/vali.txt").unlink()
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "glass.csv").write_text("1,2,a\n3,4,b\n5,6,b\n")
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    return tmp_path


def test_own_folders_and_tables_are_listed(own_data: Path) -> None:
    found = {entry.name: entry for entry in catalogue()}
    assert (found["MQ2007"].state, found["MQ2007"].n_folds) == (READY, 1)
    assert found["MQ2007"].title == "LETOR 4.0: Million Query track 2007"
    assert (found["mine"].state, found["mine"].path) == (READY, own_data / "deep/er/mine")
    assert (found["glass"].state, found["glass"].n_folds) == (READY, 1)
    assert "Fold1" not in found


def test_a_set_that_cannot_be_opened_says_why(own_data: Path) -> None:
    (broken,) = (entry for entry in catalogue() if entry.name == "broken")
    assert broken.state.startswith("broken/Fold1: ")
    assert_says(broken.state, "vali.txt", "missing")


def test_published_sets_that_are_absent_say_where_to_get_them(own_data: Path) -> None:
    absent = {entry.name: entry for entry in catalogue() if not entry.here}
    names = "HP2003 HP2004 MQ2008 MSLR-WEB10K NP2003 NP2004 OHSUMED TD2003 TD2004 ionosphere sonar spectf wpbc"
    assert " ".join(sorted(absent)) == names
    assert_says(absent["sonar"].state, "$SPARSE_RANK_DATA/uci/sonar.csv", "class", "last column")
    assert all("https://" in entry.state and entry.n_folds == 0 for entry in absent.values())


def test_of_two_with_the_same_name_both_can_be_opened(own_data: Path) -> None:
    twin = own_data / "deep" / "mq2007"
    twin.mkdir()
    for part in ("train", "vali", "test"):
        (twin / f"{part}.txt").write_text(LINE)
    names = [entry.name.lower() for entry in catalogue()]
    assert len(names) == len(set(names))
    opened = {str(entry.path) for entry in catalogue() if entry.state == READY and open_dataset(entry.name).fold()}
    assert {str(twin), str(own_data / "letor" / "MQ2007")} <= opened


def test_the_data_folder_may_itself_be_a_dataset(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_DATA", str(own_data / "letor" / "MQ2007"))
    assert "MQ2007" in {entry.name for entry in catalogue() if entry.state == READY}


def test_no_data_folder_at_all_is_fine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path / "none"))
    assert {entry.name for entry in catalogue() if entry.path is None} >= {"MQ2008", "MSLR-WEB10K"}


def test_names_open_in_any_case_and_paths_open_too(own_data: Path) -> None:
    by_name = open_dataset("mq2007")
    assert by_name.name == "MQ2007"
    assert "Million Query track 2007" in by_name.provenance
    for path in (own_data / "letor/MQ2007", own_data / "letor/MQ2007/Fold1/train.txt", own_data / "uci/glass.csv"):
        assert open_dataset(str(path)).fold().train.n_documents >= 2
    assert Reading(positive="b").open("glass").fold().train.relevance.tolist() == [0, 1, 1]


def test_the_classes_of_a_table_are_known_before_it_is_read(own_data: Path) -> None:
    (own_data / "uci" / "half.csv").write_text("1,2,a\n3,x,b\n5,6,\n")
    listed = {entry.name: entry for entry in catalogue()}
    assert (listed["glass"].classes().counts, listed["glass"].classes().usual) == ({"a": 1, "b": 2}, "a")
    assert listed["half"].classes().counts == {"a": 1, "b": 1}
    assert listed["MQ2007"].classes() is None


@pytest.mark.parametrize(
    ("name", "options", "facts"),
    [
        ("MQ2OO7", {}, ("no dataset or file", "'MQ2OO7'", "mean MQ2007")),
        ("qqqqqq", {}, ("no dataset or file", "'qqqqqq'", "choose one of", "planted")),
        ("OHSUMED", {}, ("OHSUMED", "not here", "https://")),
        ("./no/such.txt", {}, ("./no/such.txt", "no such file")),
        ("toy", {"split": 0.7}, ("toy", "split", "single files", "folds")),
        ("broken", {}, ("broken/Fold1: ", "vali.txt", "missing")),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(
    own_data, name: str, options: dict, facts: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as caught:
        Reading(**options).open(name)
    assert_says(str(caught.value), *facts)


def by_class(data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    return data.features[data.relevance == 0], data.features[data.relevance == 1]


def test_the_classes_are_even_and_the_shapes_are_as_asked() -> None:
    problem = toy_problem(n_relevant=3, n_features=8, n_train=60, n_test=40)
    for part, n in ((problem.train, 60), (problem.test, 40)):
        assert (part.n_queries, part.features.shape, int(part.relevance.sum())) == (1, (n, 8), n // 2)
    assert problem.support.tolist() == [0, 1, 2]
    assert problem.train.feature_names == (
        "relevant 1",
        "relevant 2",
        "relevant 3",
        *(f"noise {j}" for j in range(1, 6)),
    )


def test_training_and_test_documents_are_drawn_apart() -> None:
    problem = toy_problem(n_train=40, n_test=40)
    assert abs(np.corrcoef(problem.train.features[:, -1], problem.test.features[:, -1])[0, 1]) < 0.5


def test_the_training_part_is_standardised_and_the_test_part_alike() -> None:
    problem = toy_problem(n_train=50)
    np.testing.assert_allclose(problem.train.features.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(problem.train.features.std(axis=0), 1.0)
    assert abs(problem.test.features.mean(axis=0)).max() > 1e-3


def test_documents_stand_in_random_order() -> None:
    """Ties keep the order of the file: sorted by class, a model that says nothing would be ideal."""
    assert 15 < toy_problem(n_train=100).train.relevance[:50].sum() < 35


def test_only_relevant_features_differ_between_classes_noise_is_independent_and_each_class_has_its_covariance() -> None:
    large = toy_problem(n_relevant=4, n_features=12, n_train=20_000).train
    negative, positive = by_class(large)
    apart = (positive.mean(axis=0) - negative.mean(axis=0)) / large.features.std(axis=0)
    assert abs(apart[:4]).min() > 0.1
    assert abs(apart[4:]).max() < 0.06
    negative, positive = (np.corrcoef(part.T) - np.eye(12) for part in by_class(large))
    for correlation in (negative, positive):
        assert abs(correlation[4:]).max() < 0.06
        assert abs(correlation[:4, :4]).max() > 0.3
    assert abs(negative[:4, :4] - positive[:4, :4]).max() > 0.3


def test_variances_are_those_of_a_wishart_distribution_with_r_degrees_of_freedom() -> None:
    """In units of mu^2 = 1 they are chi-square with r degrees of freedom: mean r, variance 2 r."""
    r, variances = 6, []
    for seed in range(150):
        negative, positive = by_class(toy_problem(n_relevant=r, n_features=r, n_train=3000, n_test=2, seed=seed).train)
        half_way = (positive.mean(axis=0) - negative.mean(axis=0)) / 2
        variances += [part.var(axis=0) / half_way**2 for part in (negative, positive)]
    assert np.mean(variances) == pytest.approx(r, rel=0.06)
    assert np.var(variances) == pytest.approx(2 * r, rel=0.25)


def test_the_signs_of_the_means_are_drawn() -> None:
    signs = set()
    for seed in range(20):
        negative, positive = by_class(toy_problem(n_relevant=2, n_features=2, n_train=4000, seed=seed).train)
        signs.add(tuple(np.sign(positive.mean(axis=0) - negative.mean(axis=0))))
    assert len(signs) == 4


def test_more_training_documents_are_tested_on_the_same_ones() -> None:
    few, many = (toy_problem(n_train=n, n_test=50, seed=1) for n in (30, 300))
    scale = np.polyfit(few.test.features[:, 0], many.test.features[:, 0], 1)
    np.testing.assert_allclose(np.polyval(scale, few.test.features[:, 0]), many.test.features[:, 0], atol=1e-9)
    assert few.test.relevance.tolist() == many.test.relevance.tolist()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"n_relevant": 0}, r"^0 of 30 features\b.*\b1 to 30\b"),
        ({"n_relevant": 31}, r"\b31 of 30 features\b"),
        ({"n_train": 1}, r"\b1 training\b.*\b1000 test\b.*too few"),
    ],
)
def test_a_problem_that_cannot_be_is_refused(sizes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        toy_problem(**sizes)


def test_in_the_catalogue_its_draws_are_folds_with_30_of_100_for_validation() -> None:
    toy = open_dataset("toy")
    assert (toy.n_folds, toy.fold_names[1]) == (10, "draw 2")
    folds = [toy.fold(number) for number in (1, 2)]
    for fold in folds:
        assert [part.n_documents for part in fold.parts().values()] == [70, 30, 1000]
        assert int(fold.train.relevance.sum()) == 35
    assert folds[1].test.fingerprint == toy_problem(seed=1).test.fingerprint
    assert folds[0].train.feature_names == folds[1].train.feature_names


def test_malignant_is_positive_in_breast_cancer() -> None:
    found = load_breast_cancer()
    data = open_dataset("breast-cancer").fold().train
    assert data.relevance.tolist() == (found.target == 0).astype(int).tolist()
    assert found.target_names[0] == "malignant"
    assert data.features.tolist() == found.data.tolist()
    assert data.feature_names[0] == "mean radius"
    assert data.query_ids == ("malignant-against-benign",)


@pytest.mark.parametrize("digit", [None, *range(10)])
def test_every_digit_can_be_ranked_against_the_rest_and_without_a_choice_it_is_0(digit: int | None) -> None:
    data = Reading(positive=None if digit is None else str(digit)).open("digits").fold().train
    assert data.relevance.tolist() == (load_digits().target == (digit or 0)).astype(int).tolist()
    assert data.query_ids == (f"{digit or 0}-against-rest",)


def test_a_pixel_is_named_by_its_place() -> None:
    data = open_dataset("digits").fold().train
    row, column = 3, 6
    assert data.feature_names[8 * (row - 1) + column - 1] == "pixel row 3, column 6"
    assert (
        data.features[:, 8 * (row - 1) + column - 1].tolist() == load_digits().images[:, row - 1, column - 1].tolist()
    )


def test_they_are_listed_with_provenance_licence_and_classes() -> None:
    listed = {entry.name: entry for entry in catalogue()}
    for name, counts in (("breast-cancer", {"benign": 357, "malignant": 212}), ("digits", None)):
        entry = listed[name]
        assert (entry.state, entry.undivided, entry.n_folds) == (READY, True, 1)
        assert "scikit-learn" in entry.provenance
        assert entry.licence == "CC BY 4.0"
        assert counts is None or entry.classes().counts == counts
