"""Which data is spoken of as rows of classes, and which as documents of queries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData, Reading
from core.data.nouns import CLASSES, DOCUMENTS, nouns_of

X = np.arange(12.0).reshape(6, 2)


def test_a_table_with_classes_has_rows_and_also_its_parts(tmp_path: Path) -> None:
    table = "a,b,class\n" + "\n".join(f"{k},{-k % 5},{'good' if k % 3 else 'bad'}" for k in range(30))
    (tmp_path / "one.csv").write_text(table, encoding="utf-8")
    whole, parts = (Reading(split=split).open(str(tmp_path / "one.csv")).fold().parts() for split in (None, 0.7))
    assert {nouns_of(data) for data in (*whole.values(), *parts.values())} == {CLASSES}


@pytest.mark.parametrize(
    ("offsets", "grades", "ids"),
    [
        ([0, 6], [0, 1, 0, 1, 0, 1], ["10"]),
        ([0, 3, 6], [0, 1, 0, 1, 0, 1], ["b-against-g", "c"]),
        ([0, 6], [0, 1, 2, 1, 0, 1], ["b-against-g"]),
    ],
)
def test_other_data_has_documents_also_one_list_of_two_levels(
    offsets: list[int], grades: list[int], ids: list[str]
) -> None:
    assert nouns_of(RankingData.build(X, grades, offsets, query_ids=ids)) is DOCUMENTS
