"""How data is read is one value: made once, refused at once; and what it leaves out."""

from dataclasses import fields
from pathlib import Path

import pytest

from core.data import DataError, Reading, open_dataset
from tests.says import assert_says

TABLE = b"qid,words,a,label,b\n1,red,1,0,5\n1,blue,2,1,4\n2,red,3,1,1\n2,,1,0,2\n"
LETOR = b"#1: a\n#2: b\n1 qid:1 1:3 2:5\n0 qid:1 1:4 2:7\n1 qid:2 1:6 2:8\n0 qid:2 1:1 2:3\n"


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"scale": "log"}, ("no scaling", "'log'")),
        ({"repeats": 0}, ("repeats", "0", "1", "1000")),
        ({"missing": "guess"}, ("'guess'", "missing", "drop", "median")),
        ({"seed": -1}, ("seed", "-1", "0", "1e+09")),
    ],
)
def test_what_nothing_can_be_read_with_is_refused_when_it_is_said(
    options: dict[str, object], facts: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as caught:
        Reading(**options)
    assert_says(str(caught.value), *facts)


def test_readings_alike_are_equal_and_have_one_hash() -> None:
    said = Reading(drop_columns=[" 1", "3 "], missing="drop")  # type: ignore[arg-type]
    assert said == Reading(drop_columns=("1", "3"), missing="drop")
    assert len({said, Reading(drop_columns=("1", "3"), missing="drop"), Reading()}) == 2


def test_nothing_is_asked_that_only_some_data_needs() -> None:
    """Every option has a default, with which a dataset stands as it is."""
    assert Reading() == Reading(**{field.name: field.default for field in fields(Reading)})
    assert open_dataset("planted").fold(1).train.fingerprint == Reading().open("planted").fold(1).train.fingerprint


@pytest.mark.parametrize("dropped", [("words", "b"), ("2", "5"), ("WORDS", "5", "none")])
def test_columns_of_a_table_with_queries_are_not_read(dropped: tuple[str, ...]) -> None:
    """Not even as numbers: a column of words is no reason to refuse the file."""
    data = Reading(drop_columns=dropped).open("mine.csv", TABLE).fold(1).train
    assert data.feature_names == ("a",)
    assert data.features.tolist() == [[1], [2], [3], [1]]
    assert data.relevance.tolist() == [0, 1, 1, 0]


def test_a_row_that_is_too_short_is_told_by_the_columns_of_the_file() -> None:
    with pytest.raises(DataError, match=r"line 6\b.*\b4 fields\b.*\b5\b"):
        Reading(drop_columns=("words",)).open("mine.csv", TABLE + b"2,red,1,0\n")


@pytest.mark.parametrize("dropped", ["b", "2"])
@pytest.mark.parametrize("scale", ["none", "standard", "query-minmax"])
def test_features_of_letor_text_are_zero_and_the_others_keep_their_numbers(
    dropped: str, scale: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(LETOR)
    whole = Reading(scale=scale, split=0.5).open(str(path)).fold(1)
    dataset = Reading(scale=scale, split=0.5, drop_columns=(dropped,)).open(str(path))
    fold = dataset.fold(1)
    assert "b (number 2)" in dataset.notes[-1]
    assert fold.test is not None
    assert whole.test is not None
    for part, before in ((fold.train, whole.train), (fold.test, whole.test)):
        assert part.feature_names == before.feature_names == ("a", "b")
        assert not part.features[:, 1].any()
        assert (part.features[:, 0] == before.features[:, 0]).all()
        assert part.fingerprint != before.fingerprint
    uploaded = Reading(scale=scale, split=0.5, drop_columns=(dropped,)).open("mine.txt", LETOR)
    assert uploaded.fold(1).train.fingerprint == fold.train.fingerprint


def test_folds_leave_features_out_of_every_part_and_refuse_what_is_not_there() -> None:
    fold = Reading(drop_columns=("3",)).open("planted").fold(2)
    assert all(not data.features[:, 2].any() and data.features[:, 3].any() for data in fold.parts().values())
    with pytest.raises(DataError, match=r"^planted\b.*no feature 'x'.*\b1 to 60\b"):
        Reading(drop_columns=("x",)).open("planted")
