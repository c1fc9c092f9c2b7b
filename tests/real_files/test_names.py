"""A model meets the data of other people by the names of its features, on every door."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import DataError, SparseRanker, fit, ranking_data
from core.analysis.fit_records import altered
from core.data.dataset import Fold
from core.data.matching import matched
from core.data.ranking_data import RankingData
from tests.cli.conftest import Command
from tests.oracles import ranking_problem
from tests.says import assert_says

NAMES = ("bm25", "clicks", "price", "age", "rating", "stock")
DATA = ranking_problem(3, n_queries=12, n_documents=120, n_features=6)
FRAME = pd.DataFrame(DATA.features, columns=NAMES)
MODEL = fit(DATA.with_features(DATA.features, NAMES), "l1", lambda_ratio=0.3)
USED = [NAMES[j] for j in MODEL.fit.selected]
UNUSED = [name for name in NAMES if name not in USED]
RANKER = SparseRanker(C=MODEL.fit.c).fit(FRAME, DATA.relevance, qid=DATA.query_of_document)


@pytest.fixture
def fitted(cases: Path, tmp_path: Path, run: Command) -> Path:
    code, out, _ = run("fit", cases / "columns-reordered/train.csv", "--lambda-ratio", 0.05, "--json")
    assert code == 0
    result = tmp_path / "r.json"
    result.write_text(out, encoding="utf-8")
    return result


@pytest.mark.parametrize(
    ("file", "facts"),
    [
        ("train", ()),
        ("reordered", ("by name", "order")),
        ("extra", ("1 column", "ignored", "'e'")),
        ("missing", ("lacks 1 feature", "not use")),
    ],
)
def test_a_table_is_scored_by_the_names_of_its_columns(
    file: str, facts: tuple[str, ...], fitted: Path, cases: Path, run: Command
) -> None:
    code, out, _ = run("evaluate", cases / f"columns-reordered/{file}.csv", fitted, "--json")
    told = json.loads(out)
    assert (code, round(told["MAP"], 4)) == (0, 0.9734)
    assert_says(" ".join(told.get("reading", [])), *facts)


def test_a_missing_feature_that_the_model_uses_is_refused_with_the_likely_column(
    fitted: Path, cases: Path, tmp_path: Path, run: Command
) -> None:
    table = pd.read_csv(cases / "columns-reordered/train.csv").rename(columns={"a": "A "})
    table.to_csv(tmp_path / "other.csv", index=False)
    code, _, err = run("evaluate", tmp_path / "other.csv", fitted)
    assert code == 2
    assert_says(err, "'a'", "may be", "'A'")


def test_text_that_leaves_zeros_out_may_end_at_a_lower_number(cases: Path, tmp_path: Path, run: Command) -> None:
    """As the reader of folds gives: 0.9265 in the order of the file, of which some documents are tied."""
    case = cases / "narrow-test"
    _, out, _ = run("fit", case / "train.txt", "--lambda-ratio", 0.01, "--json")
    (tmp_path / "r.json").write_text(out, encoding="utf-8")
    code, out, _ = run("evaluate", case / "test.txt", tmp_path / "r.json", "--json")
    folder = tmp_path / "folds"
    folder.mkdir()
    for part, source in (("train", "train"), ("vali", "test"), ("test", "test")):
        (folder / f"{part}.txt").write_bytes((case / f"{source}.txt").read_bytes())
    _, fold, _ = run("fit", folder, "--lambda-ratio", 0.01, "--json")
    assert code == 0
    assert json.loads(out)["MAP"] == pytest.approx(json.loads(fold)["metrics"]["test"]["MAP"], abs=1e-12)
    assert_says(" ".join(json.loads(out)["reading"]), "ends at feature 4", "count as 0")


def test_a_result_that_somebody_has_changed_is_told(fitted: Path, cases: Path, tmp_path: Path, run: Command) -> None:
    train, record = cases / "columns-reordered/train.csv", json.loads(fitted.read_text())
    ask: list[tuple[object, ...]] = [
        ("evaluate", train, fitted), ("export", fitted, "--format", "json", "--out", tmp_path / "m.json")
    ]  # fmt: skip
    assert not any("not those that the fit wrote" in run(*one)[1] for one in ask)
    record["features"][0]["weight"] *= -1
    fitted.write_text(json.dumps(record))
    for one in ask:
        code, out, _ = run(*one)
        assert code == 0
        assert_says(out, "not those that the fit wrote", "do not hold")


@pytest.mark.filterwarnings("ignore:.*matched by name|.*the model does not:UserWarning")
@settings(deadline=None, max_examples=30)
@given(st.permutations(NAMES), st.integers(0, 2), st.booleans())
def test_order_and_further_columns_change_no_score(order: list[str], further: int, lack: bool) -> None:
    columns = [name for name in order if not (lack and name == UNUSED[0])]
    other = FRAME[columns].copy()
    for k in range(further if not lack else 2):
        other.insert(k, f"other {k}", 7.0 + k)
    data = DATA.with_features(other.to_numpy(), list(other.columns))
    np.testing.assert_allclose(MODEL.score(data), DATA.features @ MODEL.fit.weights, atol=1e-12)
    np.testing.assert_allclose(MODEL.score(other), DATA.features @ MODEL.fit.weights, atol=1e-12)
    np.testing.assert_allclose(RANKER.predict(other), RANKER.predict(FRAME), atol=1e-12)


@pytest.mark.parametrize("door", ["ranking data", "table", "estimator"])
def test_a_renamed_feature_is_refused_on_every_door(door: str) -> None:
    other = FRAME.rename(columns={USED[0]: USED[0].upper()})
    score: dict[str, Any] = {
        "ranking data": lambda: MODEL.score(DATA.with_features(DATA.features, list(other.columns))),
        "table": lambda: MODEL.score(other),
        "estimator": lambda: RANKER.predict(other),
    }
    with pytest.raises(DataError) as refused:
        score[door]()
    assert_says(str(refused.value), repr(USED[0]), repr(USED[0].upper()))


def parts() -> tuple[RankingData, RankingData]:
    train = ranking_data(FRAME, DATA.relevance, DATA.query_of_document)
    return train, ranking_data(FRAME[list(NAMES[::-1])], DATA.relevance, DATA.query_of_document)


def test_parts_of_a_fold_are_brought_into_the_order_of_its_training_part() -> None:
    train, other = parts()
    fold = Fold("one", train, other, other)
    for part in fold.parts().values():
        assert part.feature_names == NAMES
        np.testing.assert_array_equal(part.features, DATA.features)


def test_a_part_without_a_feature_of_the_training_part_is_refused() -> None:
    train, other = parts()
    with pytest.raises(DataError, match=r"test part.*'price'"):
        Fold("one", train, test=other.with_features(other.features[:, :3], other.feature_names[:3]))


@pytest.mark.parametrize(
    ("model", "data", "facts"),
    [
        (("a", "b"), ("b", "b", "a"), ("'b'", "several")),
        (("a", "a"), ("a", "c"), ("'a'", "several")),
        (("feature 1", "feature 2"), ("only",), ("2 features", "without names", "cannot be told")),
    ],
)
def test_what_cannot_be_matched_is_refused(
    model: tuple[str, ...], data: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as refused:
        matched(model, data)
    assert_says(str(refused.value), *facts)


@pytest.mark.parametrize(
    ("model", "data", "columns", "facts"),
    [
        ("123", "312", [1, 2, 0], ()),
        ("13", "123", [0, 2], ()),
        ("123", "3129", [1, 2, 0], ()),
        ("13", "abc", [0, 2], ("model has no names",)),
        ("ab", "123", [0, 1], ("data has no names", "3 features", "ignored")),
        ("ab", ("column 3", "column 4"), [0, 1], ("data has no names",)),
    ],
)
def test_without_names_on_one_side_features_are_matched_by_number_in_any_order_and_it_is_said(
    model: str, data: Sequence[str], columns: list[int], facts: tuple[str, ...]
) -> None:
    match = matched(*([f"feature {one}" if one.isdigit() else one for one in names] for names in (model, data)))
    assert match.columns.tolist() == columns
    assert_says(" ".join(match.notes), *facts)


def test_the_notebook_is_warned_where_numbers_stand_for_names_or_data_ends_early() -> None:
    for unnamed in (DATA, DATA.features):
        with pytest.warns(UserWarning, match="no names of features"):
            assert MODEL.score(unnamed) == pytest.approx(DATA.features @ MODEL.fit.weights)
    plain = fit(DATA, "l1", C=MODEL.fit.c)
    with pytest.warns(UserWarning, match="ends at feature 3"):
        plain.score(ranking_data(DATA.features[:, :3], DATA.relevance, DATA.query_of_document))


@pytest.mark.parametrize("value", [np.nan, "x"])
@pytest.mark.parametrize("score", [MODEL.score, RANKER.predict])
def test_a_value_that_is_no_number_is_refused_with_its_column(value: object, score: Any) -> None:
    other = FRAME.astype(object)
    other.loc[3, USED[0]] = value
    with pytest.raises(DataError, match=USED[0]):
        score(other)


def test_the_estimator_matches_labels_that_are_numbers() -> None:
    frame = pd.DataFrame(DATA.features)
    ranker = SparseRanker(C=MODEL.fit.c).fit(frame, DATA.relevance, qid=DATA.query_of_document)
    np.testing.assert_allclose(ranker.predict(frame[frame.columns[::-1]]), ranker.predict(frame), atol=1e-12)


def test_the_estimator_selects_by_name_as_it_predicts() -> None:
    selected = FRAME[USED].to_numpy()
    np.testing.assert_array_equal(RANKER.transform(FRAME), selected)
    np.testing.assert_array_equal(RANKER.transform(FRAME[reversed(USED)]), selected)
    with pytest.raises(DataError, match=USED[0]):
        RANKER.transform(FRAME.drop(columns=USED[0]))


def test_a_result_that_another_program_has_written_again_is_not_changed(fitted: Path) -> None:
    record = json.loads(fitted.read_text(), parse_float=lambda text: int(x) if (x := float(text)).is_integer() else x)
    assert any(type(row["subtract"]) is int for row in record["scaling"]["features"])
    assert altered(record) == ()
