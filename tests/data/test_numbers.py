"""Every reader takes the same texts for numbers, and gives them the same value."""

import json
import math
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.features.rules import read_rules
from core.cli.options import within
from core.data import DataError
from core.data.imports.text_file import read_scores
from core.data.letor.letor_format import read_letor
from core.data.numbers import is_number, read_number
from core.data.tables.table_format import read_table
from core.experiments.run.cells import MethodChoice
from tests.data.imports.joining import joined

NUMBERS = {
    "12": 12.0, "+1": 1.0, "-0.5": -0.5, ".5": 0.5, "1.": 1.0, "1e5": 1e5, "2E-3": 2e-3, "-.25e+1": -2.5, "007": 7.0,
    "123456789012345678901": 123456789012345678901.0, "0.1000000000000000055511151231257827": 0.1, "4e-324": 5e-324,
}  # fmt: skip
ENDLESS = ("inf", "-Infinity", "1e400")
NEVER = ("1_000", "٣", "３", "0x1A", "1,5", "1e", ".", "+", "1 2", "--1", "1d5", "½", "1e5.0", "\u00a01")
TEXTS = (*NUMBERS, *ENDLESS, "nan", *NEVER)


def table(text: str, path: Path) -> float:
    return float(read_table(f'a;b;class\n"{text}";1;x\n1;2;y\n'.encode(), name="t.csv").data.features[0, 0])


def ranking_table(text: str, path: Path) -> float:
    content = f'qid;relevance;a\n1;0;"{text}"\n1;1;1\n'.encode()
    return float(read_table(content).data.features[0, 0])


def letor(text: str, path: Path) -> float:
    return float(read_letor(f"0 qid:1 1:{text}\n1 qid:1 1:1\n".encode()).features[0, 0])


def scores(text: str, path: Path) -> float:
    path.write_text(f"{text}\n1\n", encoding="utf-8")
    return float(read_scores(path, 2)[0])


def imported(*files: tuple[str, str]) -> float:
    return float(read_letor(joined(**dict(files))[0].encode()).features[0, 0])


QRELS = ("qrels", "1 0 a 0\n1 0 b 1\n")


def svmlight_matrix(text: str, path: Path) -> float:
    return imported(("m", f"0 1:{text}\n1 1:1\n"), ("m.query", "2\n"))


def csv_log(text: str, path: Path) -> float:
    return imported(QRELS, ("l", f'qid;docid;f\n1;a;"{text}"\n1;b;1\n'))


def letor_log(text: str, path: Path) -> float:
    return imported(QRELS, ("l", f"0 qid:1 1:{text} # docid = a\n1 qid:1 1:1 # docid = b\n"))


def solr_log(text: str, path: Path) -> float:
    document = [{"id": "a", "[features]": f"f={text}"}, {"id": "b", "[features]": "f=1"}]
    log = {"responseHeader": {"params": {"q": "1"}}, "response": {"docs": document}}
    return imported(QRELS, ("l", json.dumps(log)))


def cost(text: str, path: Path) -> float:
    rules, problem = read_rules({"costs": f"1:{text}"}, 2)
    if problem:
        raise DataError(problem)
    return float(rules.every_cost[0])


READERS = (table, ranking_table, letor, scores, svmlight_matrix, letor_log, solr_log)


def outcome(reader: Callable[[str, Path], float], text: str, path: Path) -> float | None:
    """The value that a reader gives the text; None where it refuses."""
    try:
        return reader(text, path / "file")
    except (DataError, ArgumentTypeError):
        return None


@pytest.mark.parametrize("reader", [*READERS, csv_log], ids=lambda r: r.__name__)
def test_every_reader_of_values_takes_the_same_texts(reader: Callable[[str, Path], float], tmp_path: Path) -> None:
    found = {text: outcome(reader, text, tmp_path) for text in TEXTS}
    # A file that has decimal commas throughout may be read so, and said; see test_decimal_commas.
    expected = dict.fromkeys(TEXTS) | NUMBERS
    differ = {text: value for text, value in found.items() if value != expected[text] and text != "1,5"}
    assert not differ


def test_options_and_rules_take_the_same_texts(tmp_path: Path) -> None:
    """An option may be infinite where its range says so (a time limit is); a cost may not."""
    for text, value in NUMBERS.items():
        assert within(float)(text) == value
        assert outcome(cost, text, tmp_path) == (value if value >= 0.0 else None)
    for text in NEVER[:-1]:
        with pytest.raises(ArgumentTypeError, match="give a number"):
            within(float)(text)
        assert outcome(cost, text, tmp_path) is None
    for text in NEVER:
        with pytest.raises(ValueError, match="gamma"):
            MethodChoice.parse(f"mcp:gamma={text}")


@given(st.text("0123456789.eE+-_infatyxX ٣\u00a0", max_size=8))
@settings(max_examples=300, deadline=None)
def test_python_reads_more_but_never_another_value(text: str) -> None:
    if is_number(text):
        value, known = read_number(text), float(text)
        assert value == known or (math.isnan(value) and math.isnan(known))
    else:
        try:
            float(text)
        except ValueError:
            return
        assert "_" in text or not text.isascii()
