"""Sets with a class that come inside scikit-learn, and their place in the catalogue."""

import pytest
from sklearn.datasets import load_breast_cancer, load_digits

from core.data import DataError, Reading, open_dataset
from core.data.catalogue import READY, catalogue


def test_malignant_is_positive_in_breast_cancer() -> None:
    found = load_breast_cancer()
    data = open_dataset("breast-cancer").fold().train
    assert data.relevance.tolist() == (found.target == 0).astype(int).tolist()
    assert found.target_names[0] == "malignant"
    assert data.features.tolist() == found.data.tolist()
    assert data.feature_names[0] == "mean radius"
    assert data.query_ids == ("malignant-against-benign",)


@pytest.mark.parametrize("digit", range(10))
def test_every_digit_can_be_ranked_against_the_rest(digit: int) -> None:
    found = load_digits()
    data = Reading(positive=str(digit)).open("digits").fold().train
    assert data.relevance.tolist() == (found.target == digit).astype(int).tolist()
    assert data.query_ids == (f"{digit}-against-rest",)


def test_without_a_choice_it_is_the_digit_0() -> None:
    assert open_dataset("digits").fold().train.query_ids == ("0-against-rest",)


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


def test_a_class_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(DataError, match=r"^breast-cancer, column class: .*no class 'M'.* 'benign', 'malignant'"):
        Reading(positive="M").open("breast-cancer")
