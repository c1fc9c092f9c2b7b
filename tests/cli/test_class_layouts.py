"""Files in the layouts of UCI on the command line: what reads them, what is said of it, and one line of advice.

What the command line prints of nasty names is text to a terminal.
The words of the command line describe a reading completely, and nothing that goes without saying.
"""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cli import main
from core.cli.reading import add_division_options, add_reading_options, reading_of, reading_words
from core.data import Reading
from core.data.division import FEWEST_FOLDS, LARGEST_SEED, MOST_FOLDS, MOST_REPEATS
from core.data.scaling import SCALINGS
from tests.app.shown_names import nasty_csv
from tests.cli.conftest import Ask, Command
from tests.ranking_files import wpbc_like
from tests.says import assert_says

FIT = ("--lambda-ratio", 0.3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wpbc.csv").write_bytes(wpbc_like())
    return tmp_path


def test_what_was_done_stands_in_the_record_and_above_the_text(folder: Path, ask: Ask, run: Command) -> None:
    words = (folder / "wpbc.csv", "--missing", "drop")
    record = ask("fit", *words, *FIT)
    classes, ids, missing = record["reading"]
    assert_says(classes, "Column 2", "classes")
    assert_says(ids, "Column 1", "left out")
    assert_says(missing, "4 values", "left out")
    text = run("fit", *words, *FIT).out
    assert text.startswith("\n".join(record["reading"]))
    for command in ("path", "features"):
        more = ["--points", 3] if command == "path" else []
        assert ask(command, *words, *more)["reading"] == record["reading"]
        assert run(command, *words, *more).out.startswith(record["reading"][0])


@pytest.mark.parametrize("command", [["features"], ["fit", "--method", "l1", "--C", "0.1"]])
def test_no_control_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    file = tmp_path / "a\x1b[31m\u202eb.csv"
    file.write_bytes(nasty_csv())
    assert main([command[0], str(file), *command[1:]]) == 0
    shown = capsys.readouterr().out
    assert "\\x1b[31mred" in shown or "nonzero" in shown or "kept" in shown
    assert not [c for c in shown if not c.isprintable() and c not in "\n"], shown
    assert main([command[0], str(file), *command[1:], "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert any(row["name"] == "\x1b[31mred\x1b[0m\x07" for row in record["features"]) or command[0] == "fit"


def test_an_error_that_names_a_file_is_one_line_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad\x1b]0;title\x07\n.csv"
    file.write_bytes(b"1 qid:x")
    assert main(["features", str(file)]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "\x1b" not in shown
    assert "\\x1b" in shown


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
    assert reading_words(Reading()) == [], "what goes without saying"


@pytest.mark.parametrize(
    ("typed", "columns"),
    [("1,3", ("1", "3")), ("none, id ,,name", ("none", "id", "name")), ('"city, state",id', ("city, state", "id"))],
)
def test_columns_stand_between_commas(typed: str, columns: tuple[str, ...]) -> None:
    assert parsed(["--drop-columns", typed]).drop_columns == columns
