"""The words of the command line describe a reading completely, and nothing that goes without saying."""

from argparse import ArgumentParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import DataError, Reading
from core.data.division import FEWEST_FOLDS, MOST_FOLDS, MOST_REPEATS
from core.data.reading import LARGEST_SEED
from core.data.scaling import SCALINGS
from core.reading_words import add_division_options, add_reading_options, reading_of, reading_words

# `argparse` takes a lone "--" for the end of all options, even as a value.
LABELS = st.text().filter(lambda text: text != "--")
COLUMNS = st.text(min_size=1).map(str.strip).filter(bool)
READINGS = st.builds(
    Reading,
    scale=st.sampled_from([scaling.id for scaling in SCALINGS]),
    split=st.none() | st.floats(allow_nan=False),
    seed=st.integers(0, LARGEST_SEED),
    repeats=st.none() | st.integers(1, MOST_REPEATS),
    positive=st.none() | LABELS,
    class_column=st.none() | LABELS,
    drop_columns=st.lists(COLUMNS, max_size=4).map(tuple),
    missing=st.sampled_from([None, "drop", "median"]),
    group=st.booleans(),
)


def parsed(words: list[str]) -> Reading:
    parser = ArgumentParser(allow_abbrev=False)
    add_reading_options(parser)
    add_division_options(parser)
    return reading_of(parser.parse_args(words))


FOLDED = st.builds(Reading, folds=st.integers(FEWEST_FOLDS, MOST_FOLDS), seed=st.integers(0, LARGEST_SEED))


@given(READINGS | FOLDED)
def test_what_is_printed_is_parsed_as_the_same_reading(reading: Reading) -> None:
    assert parsed(reading_words(reading)) == reading


def test_what_goes_without_saying_is_not_said() -> None:
    assert reading_words(Reading()) == []


def test_the_words_are_those_that_people_type() -> None:
    reading = Reading(
        scale="standard", split=0.7, seed=3, repeats=10, positive="-1", class_column="label", missing="drop", group=True
    )
    assert reading_words(reading) == [
        "--scale", "standard", "--split", "0.7", "--seed", "3", "--repeats", "10", "--positive=-1",
        "--class-column", "label", "--missing", "drop", "--group",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "columns"),
    [("1,3", ("1", "3")), ("none, id ,,name", ("none", "id", "name")), ('"city, state",id', ("city, state", "id"))],
)
def test_columns_stand_between_commas(typed: str, columns: tuple[str, ...]) -> None:
    assert parsed(["--drop-columns", typed]).drop_columns == columns


def test_a_command_without_some_options_reads_with_their_defaults() -> None:
    parser = ArgumentParser()
    add_reading_options(parser)
    assert reading_of(parser.parse_args(["--positive", "b"])) == Reading(positive="b")


@pytest.mark.parametrize("options", [{"scale": "log"}, {"repeats": 0}, {"missing": "guess"}, {"seed": -1}])
def test_a_reading_that_nothing_can_follow_is_refused_when_it_is_made(options: dict[str, object]) -> None:
    with pytest.raises(DataError):
        Reading(**options)
