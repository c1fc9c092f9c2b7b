"""Tables as other programs write them are read with the right values, or refused with a way out that works.

The right values are computed with pandas and NumPy alone.
"""

import re
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from core.api.data import ranking_data
from core.api.estimator import SparseRanker
from core.cli import main
from core.data import DataError, Reading
from tests.says import assert_says

RANDOM = np.random.default_rng(3)
N = 48
TABLE = pd.DataFrame(
    {
        "query": [f"shoes {k // 6}" for k in range(N)],
        "title": [f"item {k}" for k in range(N)],
        "relevance": RANDOM.integers(0, 3, N),
        "bm25": RANDOM.normal(size=N).round(3),
        "price": (RANDOM.uniform(0, 5000, N)).round(2),
        "stock": RANDOM.integers(0, 2, N).astype(bool),
    }
)
GERMAN = TABLE.rename(columns={"title": "Dokument", "bm25": "Übereinstimmung"})
VALUES = TABLE[["bm25", "price", "stock"]].to_numpy(float)


WRITERS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "t.csv": (lambda p: TABLE.to_csv(p, index=False), ()),
    "crlf.csv": (lambda p: TABLE.to_csv(p, index=False, lineterminator="\r\n"), ()),
    "quoted.csv": (lambda p: TABLE.assign(title=[f'a,\n"{k}"' for k in range(N)]).to_csv(p, index=False), ()),
    "semicolons.csv": (lambda p: TABLE.to_csv(p, index=False, sep=";", decimal=","), ("decimal comma",)),
    "sep.csv": (
        lambda p: p.write_text("sep=;\n" + TABLE.to_csv(index=False, sep=";", decimal=",")),
        ("decimal comma",),
    ),
    "tabs16.txt": (lambda p: TABLE.to_csv(p, index=False, sep="\t", encoding="utf-16"), ()),
    "mark.csv": (lambda p: TABLE.to_csv(p, index=False, encoding="utf-8-sig"), ()),
    "german.csv": (
        lambda p: GERMAN.to_csv(p, index=False, encoding="cp1252"),
        ("Windows-1252",),
    ),
    "t.xlsx": (lambda p: TABLE.to_excel(p, index=False), ()),
    "grades.csv": (lambda p: TABLE.assign(relevance=TABLE.relevance.astype(float)).to_csv(p, index=False), ()),
    "t.parquet": (lambda p: TABLE.to_parquet(p), ()),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_other_programs_write_has_the_values_that_they_wrote(tmp_path: Path, name: str) -> None:
    write, said = WRITERS[name]
    write(tmp_path / name)
    for dataset in (Reading().open(str(tmp_path / name)), Reading().open(name, (tmp_path / name).read_bytes())):
        data = dataset.fold().train
        np.testing.assert_allclose(data.features, VALUES, rtol=1e-12)
        np.testing.assert_array_equal(data.relevance, TABLE.relevance)
        assert (data.n_queries, len(set(data.document_ids or ()))) == (N // 6, N)
        assert_says(" ".join(dataset.notes), *said)
        assert ("names the documents" in " ".join(dataset.notes)) is True


@pytest.mark.parametrize("how", ["median", "zero", "drop"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_missing_values_are_filled_from_the_training_part_of_each_fold(
    cases: Path, tmp_path: Path, how: str, ending: str
) -> None:
    path = cases / "null-cells" / "train.csv"
    out: tuple[str, ...] = ("date_time", "gross_bookings_usd", "booking_bool")
    frame = pd.read_csv(path).drop(columns=list(out))
    if ending == "parquet":
        path = tmp_path / "train.parquet"
        frame.to_parquet(path)
    roles = {
        "query_column": "srch_id",
        "relevance_column": "click_bool",
        "drop_columns": out if ending == "csv" else (),
    }
    dataset = Reading(**roles, missing=how, folds=5).open(str(path))
    if how == "drop":
        frame = frame.dropna()
    names = [name for name in frame.columns if name not in ("srch_id", "click_bool")]
    whole = frame.fillna(0.0)
    for number in range(1, 6):
        fold = dataset.fold(number)
        medians = frame[frame.srch_id.isin(list(map(int, fold.train.query_ids)))][names].median()
        for part in fold.parts().values():
            mine = pd.concat([frame[frame.srch_id == int(query)] for query in part.query_ids])[names]
            expected = mine.fillna(medians) if how == "median" else whole.loc[mine.index, names]
            np.testing.assert_allclose(part.features, expected)
    assert_says(" ".join(dataset.notes), "missing", "prop_review_score")


def advised(capsys: pytest.CaptureFixture[str], words: list[str]) -> list[str]:
    """Take the first way out of every refusal until the command succeeds; return all options taken."""
    taken: list[str] = []
    for _ in range(6):
        if main([*words, *taken]) == 0:
            return taken
        told = capsys.readouterr().err.strip().splitlines()[-1]
        assert ": add --" in told, told
        advice = re.split(r" or --|; or --", told.rpartition(": add ")[2])[0]
        taken += shlex.split(advice)
    raise AssertionError(taken)


FILES = {
    "null": TABLE.assign(price=[None, *TABLE.price[1:]]),
    "words": TABLE.assign(brand="adidas", date="2013-04-01 08:00:00"),
    "apart": TABLE.iloc[::-1].sort_values("bm25"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_the_way_out_that_a_refusal_names_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, ending: str
) -> None:
    """Of text every way is taken in test_advice.py."""
    path, table = tmp_path / f"t.{ending}", FILES[name]
    (table.to_parquet if ending == "parquet" else partial(table.to_excel, index=False))(path)
    assert advised(capsys, ["fit", str(path), "--lambda-ratio", "0.1", "--method", "l1"])


@pytest.mark.parametrize("more", [(), ("--scale", "standard"), ("--folds", "3")])
def test_the_largest_double_is_a_missing_value(
    cases: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    path = cases / "dblmax" / "istella.txt"
    assert advised(capsys, ["fit", str(path), "--C", "0.01", *more])[0] == "--missing"
    data = Reading(missing="median").open(str(path)).fold().train
    raw = Reading().open(str(path)).fold().train.features
    present = np.where(raw > 1e300, np.nan, raw)
    np.testing.assert_array_equal(data.features, np.where(np.isnan(present), np.nanmedian(present, axis=0), present))


@pytest.mark.parametrize("name", ["de_utf8bom.csv", "t_title.csv"])
def test_the_column_of_documents_is_guessed_or_said(cases: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = cases / "document-column" / name
    taken = advised(capsys, ["fit", str(path), "--lambda-ratio", "0.1"])
    assert "--document-column" not in taken
    column = pd.read_csv(path, sep=None, engine="python", encoding="utf-8-sig").columns
    renamed = path.read_bytes().replace(b"Dokument", b"Ding").replace(b"title,", b"thing,", 1)
    roles = {"query_column": column[0], "relevance_column": column[2]}
    with pytest.raises(DataError, match="docid"):
        Reading(**roles).open("t.csv", renamed)
    data = Reading(**roles, document_column="2").open("t.csv", renamed).fold().train
    assert data.document_ids is not None
    assert data.n_features == len(column) - 3


FRAME = TABLE[["bm25", "price", "stock"]]


@pytest.mark.parametrize(
    "features",
    [
        FRAME,
        FRAME.astype({"bm25": "Float64", "stock": "boolean"}),
        FRAME.astype({"bm25": "category"}),
        FRAME.astype(object),
        sparse.csr_matrix(VALUES),
        sparse.csr_array(VALUES),
        VALUES.tolist(),
    ],
    ids=["frame", "nullable", "category", "objects", "matrix", "array", "lists"],
)
@pytest.mark.parametrize("queries", [TABLE["query"], np.arange(N) // 6, (np.arange(N) // 6).astype(float)])
def test_a_notebook_takes_what_notebooks_have(features: Any, queries: Any) -> None:
    data = ranking_data(features, TABLE.relevance.astype("Int64"), queries)
    np.testing.assert_array_equal(data.features, VALUES)
    assert data.n_queries == N // 6
    assert not any("." in query for query in data.query_ids)
    fitted = SparseRanker(C=1e-4).fit(features, TABLE.relevance, queries)
    np.testing.assert_allclose(fitted.predict(features), VALUES @ fitted.coef_)


@pytest.mark.parametrize(
    ("features", "relevance", "facts"),
    [
        (FRAME.assign(brand="adidas"), TABLE.relevance, ("brand", "drop(columns=['brand'])")),
        (FRAME.assign(day=pd.Timestamp("2013-04-01")), TABLE.relevance, ("day",)),
        (FRAME.assign(size=pd.array([pd.NA] * N, dtype="Int64")), TABLE.relevance, ("size", "missing", "fillna")),
        (FRAME.assign(price=np.inf), TABLE.relevance, ("price", "infinite")),
        (FRAME, [3e9, *TABLE.relevance[1:]], ("relevance", "document 1", "3000000000.0", "whole number")),
        (FRAME, [0.5, *TABLE.relevance[1:]], ("relevance", "document 1", "0.5", "whole number")),
        (FRAME, pd.array([pd.NA, *TABLE.relevance[1:]], dtype="Int64"), ("document 1", "missing")),
        (FRAME, [-1, *TABLE.relevance[1:]], ("document 1", "-1")),
        (FRAME.to_numpy(object)[:, :1].astype(str) + "x", TABLE.relevance, ("not all numbers",)),
        (FRAME.to_numpy() * 1j, TABLE.relevance, ("not all numbers",)),
    ],
)
def test_a_notebook_names_the_column_or_document_that_cannot_be_used(
    features: Any, relevance: Any, facts: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as refused:
        ranking_data(features, relevance, TABLE["query"])
    assert_says(str(refused.value), *facts)
    with pytest.raises(ValueError, match=r"document 3 has no query"):
        ranking_data(FRAME, TABLE.relevance, [0.0, 0.0, np.nan, *[1.0] * (N - 3)])
