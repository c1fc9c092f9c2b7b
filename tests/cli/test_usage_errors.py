"""Bad usage and bad data: exit 2, one line on stderr that says what and where, nothing on stdout, no traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.methods import METHODS
from tests.ranking_files import wpbc_like
from tests.says import assert_says

Refused = Callable[..., str]

FILES = {
    "wpbc.csv": wpbc_like(),
    "record.json": b'{"MAP": 1}',
    "one-level.txt": b"1 qid:1 1:2\n1 qid:1 1:3\n0 qid:2 1:4\n",
    "constant.txt": b"1 qid:1 1:2 2:3\n0 qid:1 1:2 2:3\n",
}
"""A layout of the infinite push's sets, a record, one level of relevance in every query, and constant features."""
FIT = ["fit", "SMALL", "--C", "1"]
PROTOCOL = ["protocol", "FOLDS", "--out", "OUT", "--methods"]
PAPER = ["paper", "--out", "OUT"]
TABLE, PUSH_TABLE = "fsmrank-table3", "infinite-push-table1"


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ([], ("required", "COMMAND")),
        (["fit"], ("required", "DATA")),
        (["fit", "SMALL"], ("--C --lambda-ratio --tune", "required")),
        ([*FIT, "--lambda-ratio", "0.1"], ("--lambda-ratio", "not allowed", "--C")),
        ([*FIT, "--colour", "red"], ("unrecognized", "--colour red")),
        (["fit", "SMALL", "--lambda", "0.1"], ("--C --lambda-ratio --tune",)),
        ([*FIT, "--method", "lgo"], ("no method", "'lgo'", "log")),
        ([*FIT, "--method", "zzz"], ("no method", "'zzz'", ", ".join(method.id for method in METHODS))),
        ([*FIT, "--solver", "magic"], ("'magic'", "proximal-newton", "fista", "fista-fixed", "subgradient")),
        ([*FIT, "--method", "l2", "--solver", "reweighted-l1"], ("l2", "no solver", "'reweighted-l1'", "newton")),
        ([*FIT, "--set", "epsilon=1"], ("l1", "no parameter", "'epsilon'")),
        ([*FIT, "--method", "log", "--set", "epsilon"], ("NAME=VALUE",)),
        ([*FIT, "--method", "log", "--set", "epsilon=small"], ("epsilon", "number", "'small'")),
        ([*FIT, "--method", "log", "--set", "epsilon=-1"], ("epsilon", "0.0001", "100", "-1")),
        ([*FIT, "--off", "1,99"], ("99", "cannot be used", "1", "15")),
        ([*FIT, "--method", "l2", "--forced", "1"], ("l2", "not", "--off", "--helps", "--costs")),
        ([*FIT, "--helps", "1", "--solver", "subgradient"], ("subgradient", "signs")),
        ([*FIT, "--hurts", "1", "--set", "refit=yes"], ("refit", "signs", "refit", "no")),
        ([*FIT, "--tol", "-1e-6"], ("--tol",)),
        ([*FIT, "--max-seconds", "-1"], ("--max-seconds", "number", "0")),
        ([*FIT, "--fold", "9"], ("small", "1 fold", "no fold 9")),
        ([*FIT, "--split", "0.5", "--fold", "2"], ("no fold 2",)),
        ([*FIT, "--split", "0"], ("between 0 and 1",)),
        (["fit", "planted", "--tune", "accuracy"], ("no measure", "'accuracy'")),
        (["fit", "absent.txt", "--C", "1"], ("absent.txt", "no such file")),
        (["path", "SMALL", "--points", "0"], ("--points", "whole number", "1")),
        (["path", "SMALL", "--smallest-ratio", "1"], ("smallest ratio", "between 0 and 1")),
        (["path", "SMALL", "--option", "across=features"], ("--option", "--html")),
        (["datasets", "planted"], ("unrecognized", "planted")),
        (["evaluate", "SMALL", "absent.txt"], ("absent.txt", "no such file")),
        (["evaluate", "FOLDS", "SMALL"], ("name the file",)),
        (["evaluate", "SMALL", "record.json"], ("not the result of a fit",)),
        ([*PROTOCOL, "l7"], ("no method", "'l7'")),
        ([*PROTOCOL, ","], ("at least one",)),
        ([*PROTOCOL, "l1", "--workers", "2", "--dask", "tcp://x"], ("not allowed with argument",)),
        ([*PROTOCOL, "l1", "--grid", "0"], ("--grid", "whole number", "1")),
        ([*PROTOCOL, "l1", "--grid", "automatic"], ("--grid", "auto:N")),
        ([*PAPER, PUSH_TABLE], (PUSH_TABLE, "DATA", "two classes")),
        ([*PAPER, TABLE], ("fsmrank-table3 needs DATA",)),
        ([*PAPER, TABLE, "planted", "--quick"], ("no quick setting",)),
        ([*PAPER, PUSH_TABLE, "wpbc.csv"], ("--missing drop", "--missing median")),
        ([*PAPER, "infinite-push-fig1", "planted"], ("infinite-push-fig1", "own data", "leave out", "planted")),
        ([*PAPER, "infinite-push-fig4"], ("no experiment", "'infinite-push-fig4'", "infinite-push-fig1")),
        (["fit", "one-level.txt", "--C", "1"], ("no preference pairs",)),
        (["path", "one-level.txt"], ("no preference pairs",)),
        (["fit", "constant.txt", "--lambda-ratio", "0.1"], ("empty model", "every lambda")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_one_line_that_says_what_is_wrong(
    words: list[str], facts: tuple[str, ...], letor_file: Path, folds: Path, tmp_path: Path, refused: Refused
) -> None:
    places = {"SMALL": letor_file, "FOLDS": folds, "OUT": tmp_path / "out"}
    for name in FILES.keys() & set(words):
        places[name] = tmp_path / name
        places[name].write_bytes(FILES[name])
    assert_says(refused(*(places.get(word, word) for word in words)), *facts)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--C", "--lambda-ratio"])
@pytest.mark.parametrize("value", ["0", "-1", "-1e5", "nan", "inf", "1e308", "1e-308", "much"])
def test_c_and_lambda_are_numbers_that_arithmetic_can_bear(
    option: str, value: str, letor_file: Path, refused: Refused
) -> None:
    assert f"argument {option}" in refused("fit", letor_file, option, value)


@pytest.mark.parametrize("option", ["--C", "--lambda-ratio"])
@pytest.mark.parametrize("value", ["1e-100", "1e100"])
def test_the_ends_of_their_range_are_taken(
    option: str, value: str, letor_file: Path, run: Callable[..., object]
) -> None:
    assert run("fit", letor_file, option, value, "--json").status == 0
