"""How data is read is one value: made once, refused at once, and the same from a path and from bytes."""

from dataclasses import fields
from pathlib import Path

import pytest

from core.data import DataError, Reading, open_dataset
from tests.says import assert_says

CLASSES = b"a,b,class\n1,2,x\n3,4,y\n5,6,y\n7,8,x\n2,1,y\n"


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


def test_a_path_and_its_bytes_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "sides.csv"
    path.write_bytes(CLASSES)
    reading = Reading(positive="x", split=0.6, seed=2, scale="minmax")
    here, uploaded = reading.open(str(path)), reading.open("sides.csv", CLASSES)
    assert (here.name, here.fold_names) == (uploaded.name, uploaded.fold_names) == ("sides", ("split 0.6, seed 2",))
    assert here.fold(1).test is not None
    assert uploaded.fold(1).test is not None
    assert here.fold(1).train.fingerprint == uploaded.fold(1).train.fingerprint
