"""Every option of the reader does something to every kind of data, or is refused in a sentence on both."""

import io
import zipfile
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.data import DataError, Reading
from core.data.division import Division
from core.data.tables.table_options import Kind, TableOptions
from tests.says import assert_says

VALUES: dict[str, Any] = {
    **{"scale": "minmax", "split": 0.5, "seed": 3, "repeats": 2, "folds": 3, "positive": "a"},
    **dict.fromkeys(("class_column", "query_column", "relevance_column", "document_column"), "nowhere"),
    **{"drop_columns": ("1",), "missing": "zero", "drop_copies": True, "group": True},
}
"""Of each option one that is not as by default."""
BESIDE: dict[str, dict[str, Any]] = {"seed": {"split": 0.5}}
"""What an option needs beside it."""
AT_REST = {("group", kind) for kind in Kind.CLASSES | Kind.SET} | {("missing", Kind.SET), ("drop_copies", Kind.SET)}
"""There is one query; the sets of the catalogue have neither missing values nor copies."""


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
        refused = outcome(kind, name, **{name: VALUES[name]})
        assert isinstance(refused, str)
        assert_says(refused, declared["noun"], "only for", declared["of"].words, "not for", kind.words)
    elif (name, kind) not in AT_REST:
        beside = BESIDE.get(name, {})
        read = outcome(kind, name, **beside, **{name: VALUES[name]})
        assert read != outcome(kind, name, **beside)
        assert "only for" not in str(read)


@pytest.mark.parametrize("part", [TableOptions, Division])
def test_a_value_that_no_option_can_have_is_refused_with_those_that_there_are(part: Any) -> None:
    for option in fields(part):
        wrong: dict[object, list[str]] = {}
        if choices := option.metadata["choices"]:
            wrong["no such"] = [repr(choice) for choice in choices]
        if within := option.metadata["within"]:
            wrong |= {beyond: [f"{end:g}" for end in within] for beyond in (within[0] - 1, within[1] + 1)}
        for value, facts in wrong.items():
            with pytest.raises(DataError) as caught:
                part(**{option.name: value})
            assert_says(str(caught.value), f"{option.name} is {value!r}", option.metadata["noun"], *facts)
