"""Every option of the reader does something to every kind of data, or is refused in a sentence on both.

Every reader takes the same texts for numbers, and gives them the same value.
"""

import io
import json
import math
import zipfile
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.features.rules import read_rules
from core.cli.options import within
from core.data import DataError, RankingData, Reading
from core.data.division import Division
from core.data.imports.text_file import read_scores
from core.data.letor.letor_format import read_letor
from core.data.numbers import is_number, read_number
from core.data.tables.table_format import read_table
from core.data.tables.table_options import Kind, TableOptions
from core.experiments.run.cells import MethodChoice
from tests.data.imports.joining import read
from tests.says import assert_says

VALUES: dict[str, Any] = {
    **dict.fromkeys(("class_column", "query_column", "relevance_column", "document_column"), "nowhere"),
    **{"split": 0.5, "positive": "a", "drop_columns": ("1",)},
}
"""Of each option that is neither chosen nor switched one that is not as by default."""
BESIDE: dict[str, dict[str, Any]] = {"seed": {"split": 0.5}}
"""What an option needs beside it."""
AT_REST = {("group", kind) for kind in Kind.CLASSES | Kind.SET} | {("missing", Kind.SET), ("drop_copies", Kind.SET)}
"""There is one query; the sets of the catalogue have neither missing values nor copies."""


def another(option: Any) -> Any:
    """A value of an option that is not as by default."""
    choices = [True, False] if isinstance(option.default, bool) else option.metadata["choices"] or ()
    return next((one for one in choices if one != option.default), VALUES.get(option.name))


def table(option: str) -> pd.DataFrame:
    """Queries with classes, with what the option is about: missing values, copies, documents of a query apart."""
    random = np.random.default_rng(0)
    made = pd.DataFrame({"x": random.normal(size=24).round(3), "y z": random.normal(size=24).round(3)})
    if option == "missing":
        made.loc[2, "x"] = np.nan
    if option == "drop_copies":
        made["again"] = made["x"]
    made.insert(0, "relevance", [0, 1, 2, 0] * 6)
    made.insert(0, "qid", [f"q{row % 6 if option == 'group' else row // 4}" for row in range(24)])
    return made


def content_of(kind: Kind, option: str) -> tuple[str, bytes | None]:
    """Name and content of data of a kind; of a set its name."""
    if kind is Kind.SET:
        return "breast-cancer", None
    made = table(option)
    if kind & Kind.CLASSES:
        made = made.drop(columns=["qid", "relevance"]).assign(kind=["a", "b", "a"] * 8)
    written = io.BytesIO()
    if kind & Kind.CSV:
        made.to_csv(written, index=False)
        return "mine.csv", written.getvalue()
    if kind & Kind.WORKBOOK:
        made.to_excel(written, index=False)
        return "mine.xlsx", written.getvalue()
    if kind is Kind.PARQUET:
        made.to_parquet(written, index=False)
        return "mine.parquet", written.getvalue()
    lines = [
        f"{row.relevance} qid:{row.qid} " + " ".join(f"{j}:{x}" for j, x in enumerate(row[3:], start=1))
        for row in made.fillna(1.7976931348623157e308).itertuples()
    ]
    text = "\n".join(lines) + "\n"
    if kind is Kind.LETOR:
        return "mine.txt", text.encode()
    with zipfile.ZipFile(written, "w") as archive:
        for part in ("train", "vali", "test"):
            archive.writestr(f"Fold1/{part}.txt", text.replace("qid:", f"qid:{part}"))
    return "mine.zip", written.getvalue()


def outcome(kind: Kind, option: str, **options: Any) -> object:
    """What is read in this way, or why nothing is."""
    try:
        dataset = Reading(**options).open(*content_of(kind, option))
        return dataset.fold_names, dataset.fold().fingerprint
    except DataError as error:
        return str(error)


@pytest.mark.parametrize("option", fields(Reading), ids=lambda option: option.name)
@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name)
def test_every_option_is_read_or_refused_on_every_kind_of_data(kind: Kind, option: Any) -> None:
    name, declared = option.name, option.metadata
    if not declared["of"] & kind:
        refused = outcome(kind, name, **{name: another(option)})
        assert isinstance(refused, str)
        assert_says(refused, declared["noun"], "only for", declared["of"].words, "not for", kind.words)
    elif (name, kind) not in AT_REST:
        beside = BESIDE.get(name, {})
        found = outcome(kind, name, **beside, **{name: another(option)})
        assert found != outcome(kind, name, **beside)
        assert "only for" not in str(found)


@pytest.mark.parametrize("part", [TableOptions, Division])
def test_a_value_that_no_option_can_have_is_refused_with_those_that_there_are(part: Any) -> None:
    for option in fields(part):
        choices = option.metadata["choices"] or ()
        wrong: list[Any] = ["no such"] if choices else []
        facts = [repr(choice) for choice in choices[:9]]
        if isinstance(choices, range):
            wrong, facts = [choices[0] - 1, 3.5, choices[-1] + 1], [f"{choices[0]:,}", f"{choices[-1]:,}"]
        for value in wrong:
            with pytest.raises(DataError) as caught:
                part(**{option.name: value})
            assert_says(str(caught.value), f"{option.name} is {value!r}", option.metadata["noun"], *facts)


NUMBERS = {
    "12": 12.0, "+1": 1.0, "-0.5": -0.5, ".5": 0.5, "1.": 1.0, "1e5": 1e5, "2E-3": 2e-3, "-.25e+1": -2.5, "007": 7.0,
    "123456789012345678901": 123456789012345678901.0, "0.1000000000000000055511151231257827": 0.1, "4e-324": 5e-324,
}  # fmt: skip
ENDLESS = ("inf", "-Infinity", "1e400")
NEVER = ("1_000", "٣", "３", "0x1A", "1,5", "1e", ".", "+", "1 2", "--1", "1d5", "½", "1e5.0", "\u00a01")
TEXTS = (*NUMBERS, *ENDLESS, "nan", *NEVER)


def scores(text: str, path: Path) -> float:
    path.write_text(f"{text}\n1\n", encoding="utf-8")
    return float(read_scores(path, 2)[0])


def solr_log(value: str) -> str:
    documents = [{"id": "a", "[features]": f"f={value}"}, {"id": "b", "[features]": "f=1"}]
    return json.dumps({"responseHeader": {"params": {"q": "1"}}, "response": {"docs": documents}})


QRELS = "1 0 a 0\n1 0 b 1\n"
READERS: dict[str, Callable[[str], RankingData]] = {
    "class table": lambda text: read_table(f'a;b;class\n"{text}";1;x\n1;2;y\n'.encode(), name="t.csv").data,
    "ranking table": lambda text: read_table(f'qid;relevance;a\n1;0;"{text}"\n1;1;1\n'.encode()).data,
    "LETOR": lambda text: read_letor(f"0 qid:1 1:{text}\n1 qid:1 1:1\n".encode()),
    "svmlight matrix": lambda text: read(m=f"0 1:{text}\n1 1:1\n", m__query="2\n")[0],
    "CSV log": lambda text: read(qrels=QRELS, log=f'qid;docid;f\n1;a;"{text}"\n1;b;1\n')[0],
    "LETOR log": lambda text: read(qrels=QRELS, log=f"0 qid:1 1:{text} # docid = a\n1 qid:1 1:1 # docid = b\n")[0],
    "Solr log": lambda text: read(qrels=QRELS, log=solr_log(text))[0],
}
"""Readers of a file whose first value is a text."""


def cost(text: str, path: Path) -> float:
    rules, problem = read_rules({"costs": f"1:{text}"}, 2)
    if problem:
        raise DataError(problem)
    return float(rules.every_cost[0])


def value_of(reader: Callable[[str, Path], float], text: str, path: Path) -> float | None:
    """The value that a reader gives the text; None where it refuses."""
    try:
        return reader(text, path / "file")
    except (DataError, ArgumentTypeError):
        return None


@pytest.mark.parametrize("reader", [*READERS, "scores"])
def test_every_reader_of_values_takes_the_same_texts(reader: str, tmp_path: Path) -> None:
    read_first = scores if reader == "scores" else lambda text, _: float(READERS[reader](text).features[0, 0])
    found = {text: value_of(read_first, text, tmp_path) for text in TEXTS}
    # A file that has decimal commas throughout may be read so, and said; see test_decimal_commas.
    expected = dict.fromkeys(TEXTS) | NUMBERS
    differ = {text: value for text, value in found.items() if value != expected[text] and text != "1,5"}
    assert not differ


def test_options_and_rules_take_the_same_texts(tmp_path: Path) -> None:
    """An option may be infinite where its range says so (a time limit is); a cost may not."""
    for text, value in NUMBERS.items():
        assert within(float)(text) == value
        assert value_of(cost, text, tmp_path) == (value if value >= 0.0 else None)
    for text in NEVER[:-1]:
        with pytest.raises(ArgumentTypeError, match="give a number"):
            within(float)(text)
        assert value_of(cost, text, tmp_path) is None
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
