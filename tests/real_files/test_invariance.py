"""How a file happens to be laid out changes no number; notebook and app tell what the command line does.

Columns, rows and queries in another order: the model and its measures stay what they were.
"""

from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.analysis.audit.audit import Audit
from core.analysis.features.random_ranking import random_order, random_weights
from core.analysis.features.stability import Resampling, resample
from core.analysis.penalties.two_features import two_feature_training
from core.api.data import ranking_data
from core.data import Fold, RankingData
from core.data.division import draw_seed, rotated_fold, split_with_validation
from core.data.sample import sampled
from core.metrics.kendall import sample_documents
from tests.cli.conftest import Ask

Rearranged = Callable[[pd.DataFrame], pd.DataFrame]
FEATURES = ["bm25", "clicks", "price", "age", "rating"]
RNG = np.random.default_rng(20260)


def table() -> pd.DataFrame:
    """Twelve queries of ten documents; all values are multiples of 2^-6."""
    frames = []
    for query in range(12):
        values = np.round(RNG.normal(size=(10, len(FEATURES))) * 64) / 64
        signal = values @ [1.0, 0.6, -0.8, 0.0, 0.0] + RNG.normal(size=10)
        frames.append(
            pd.DataFrame(values, columns=FEATURES).assign(
                qid=f"q{query}", relevance=np.digitize(signal, [0.3, 1.5]), docid=[f"d{query}-{k}" for k in range(10)]
            )
        )
    return pd.concat(frames)[["qid", "relevance", "docid", *FEATURES]]


TABLE = table()


def other_columns(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[["rating", "docid", "price", "relevance", "age", "qid", "clicks", "bm25"]]


def other_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The documents of every query in another order, and the queries too."""
    shuffled = frame.sample(frac=1.0, random_state=7)
    order = {query: place for place, query in enumerate(np.random.default_rng(3).permutation(frame["qid"].unique()))}
    return shuffled.sort_values("qid", key=lambda ids: ids.map(order), kind="stable")


BEFORE: dict[tuple[str, str], dict[str, Any]] = {}
"""What is told of the table as it is, by method and scaling."""


def told(frame: pd.DataFrame, method: str, scale: str, folder: Path, ask: Ask) -> dict[str, Any]:
    """Everything of a fit's record that a person would quote."""
    file = folder / "table.csv"
    frame.to_csv(file, index=False)
    record = ask("fit", file, "--method", method, "--lambda-ratio", 0.1, "--scale", scale)
    numbers = {name: record[name] for name in ("objective", "lambda_max", "nonzero")}
    return numbers | {row["name"]: row["weight"] for row in record["features"]} | record["metrics"]["train"]


@pytest.mark.parametrize("method", ["l1", "mcp", "infinite-push-l1"])
@pytest.mark.parametrize("scale", ["none", "standard"])
@pytest.mark.parametrize("layout", [other_columns, other_rows])
def test_the_command_line_tells_the_same_numbers(
    layout: Rearranged, scale: str, method: str, tmp_path: Path, ask: Ask
) -> None:
    """Of columns shifted or in other units: tests/solvers/test_units.py."""
    if (method, scale) not in BEFORE:
        BEFORE[method, scale] = told(TABLE, method, scale, tmp_path, ask)
    found = told(layout(TABLE), method, scale, tmp_path, ask)
    assert found == pytest.approx(BEFORE[method, scale], rel=1e-6, abs=1e-9)


CLASSES = TABLE.drop(columns=["qid", "docid", "relevance"]).round(1).assign(kind=TABLE["relevance"].clip(upper=1))
"""A table with a class and no queries: rows have no names, and some are equal."""


@pytest.mark.parametrize("asked", ["--split 0.6", "--folds 3 --fold 2", "--repeats 2 --fold 2"])
def test_rows_of_classes_are_divided_by_what_they_are(asked: str, tmp_path: Path, ask: Ask) -> None:
    file, found = tmp_path / "classes.csv", []
    for frame in (CLASSES, other_classes().assign(age=lambda t: (4 * t["age"] - 8).round(1))):
        frame.to_csv(file, index=False)
        record = ask("fit", file, *asked.split(), "--scale", "standard", "--lambda-ratio", 0.2)
        found.append(record["metrics"]["test"] | {one: record[one] for one in ("objective", "lambda_max", "nonzero")})
    assert found[1] == pytest.approx(found[0], rel=1e-6, abs=1e-9)


def named(data: RankingData) -> set[str]:
    """The queries and the first feature's values of what was drawn: the same whatever its order."""
    return {*data.query_ids, *map(str, data.features[:, column(data, "bm25")].tolist())}


def column(data: RankingData, name: str) -> int:
    return data.feature_names.index(name)


MANY = pd.concat([table().assign(qid=lambda t, k=k: f"{k}" + t["qid"]) for k in range(4)])
DRAWS: dict[str, Callable[[RankingData], Any]] = {
    "split": lambda data: [named(part) for part in split_with_validation(data, 0.6, 1)],
    "folds": lambda data: [named(part) for part in rotated_fold(data, 4, 1, 5)],
    "bootstrap": lambda data: named(resample(data, "bootstrap", draw_seed(data), 1)),
    "halves": lambda data: named(resample(data, "halves", draw_seed(data), 1)),
    "first picture": lambda data: [named(sampled(data)), len(sampled(data).query_ids)],
    "audit": lambda data: named(Audit.of(Fold("1", data), "standard").pairs),
    "similarity": lambda data: sorted(data.features[sample_documents(data, largest=50), column(data, "bm25")]),
    "two features": lambda data: {
        *two_feature_training(data, (column(data, "bm25"), column(data, "price"))).data.query_ids
    },
    "random orders": lambda data: list(astuple(random_order(data, "standard", n_draws=20).of("MAP"))),
    "random weights": lambda data: list(astuple(random_weights(data, "standard").of("MAP"))),
}  # fmt: skip
"""Whatever draws queries, documents or weights of features."""


@pytest.mark.parametrize("name", DRAWS)
def test_what_is_drawn_is_the_same_in_any_order_of_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, most in (("sample.QUERIES", 9), ("sample.FEWEST", 4)):
        monkeypatch.setattr(f"core.data.{where}", most)
    monkeypatch.setattr("core.analysis.audit.audit.MOST_ENTRIES", 2000)
    monkeypatch.setattr("core.analysis.penalties.two_features.MOST_DOCUMENTS", 100)
    one, other = (
        DRAWS[name](ranking_data(frame[[c for c in frame if c in FEATURES]], frame["relevance"], frame["qid"]))
        for frame in (MANY, other_columns(other_rows(MANY)))
    )
    assert other == (pytest.approx(one, rel=1e-12) if name.startswith("random") else one)


@pytest.mark.parametrize("rule", ["best", "one-se", "average"])
def test_the_choice_and_its_noise_are_the_same_in_any_order_of_the_file(rule: str, tmp_path: Path, ask: Ask) -> None:
    found = []
    for frame in (MANY, other_rows(MANY)):
        frame.to_csv(tmp_path / "table.csv", index=False)
        record = ask("fit", tmp_path / "table.csv", "--folds", 3, "--tune", "map", "--choose", rule)
        found.append(record["tuned"]["choice"])
    assert found[0]["resamples"] > 0
    assert [*flat(found[1])] == pytest.approx([*flat(found[0])], rel=1e-9)


def flat(value: Any) -> Iterator[float]:
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from flat(one)
    if isinstance(value, int | float):
        yield value


@pytest.mark.parametrize("resampling", ["bootstrap", "halves"])
def test_rows_of_classes_are_resampled_by_what_they_are(resampling: Resampling) -> None:
    one, other = (ranking_data(frame[FEATURES], frame["kind"]) for frame in (CLASSES, other_classes()))
    assert draw_seed(one) == draw_seed(other)
    first, second = (resample(data, resampling, 3, 1) for data in (one, other))
    assert first.features.tolist() == second.features.tolist()
    assert first.relevance.tolist() == second.relevance.tolist()


def other_classes() -> pd.DataFrame:
    return CLASSES.sample(frac=1.0, random_state=5)[["kind", *reversed(FEATURES)]]
