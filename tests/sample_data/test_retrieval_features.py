"""Features of text, against the formulas written out for one small collection."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.stand_ins import module_at

retrieval_features = module_at(Path(__file__).parents[2] / "sample_data" / "retrieval_features.py")
QUERY = ["open", "file"]
FIELD = retrieval_features.Field([["open", "file", "file"], ["close", "file"], ["open", "socket", "port", "open"], []])


def values_of(document: int) -> dict[str, float]:
    return dict(zip(retrieval_features.KINDS, FIELD.features(QUERY, document), strict=True))


def test_term_statistics_of_a_document() -> None:
    values = values_of(0)
    idf = math.log(2.5 / 2.5 + 1)
    assert values["TF"] == 3
    assert values["IDF"] == pytest.approx(2 * idf)
    assert values["TF·IDF"] == pytest.approx(3 * idf)
    assert values["length"] == 3
    assert values["covered terms"] == 1


def test_terms_that_the_field_lacks_are_not_covered() -> None:
    values = values_of(1)
    assert values["covered terms"] == 0.5
    assert values["IDF"] == pytest.approx(math.log(2.5 / 2.5 + 1))


def test_bm25() -> None:
    idf, norm = math.log(2), 2.5 * (0.2 + 0.8 * 3 / (9 / 4))
    expected = idf * 1 * 3.5 / (1 + norm) + idf * 2 * 3.5 / (2 + norm)
    assert values_of(0)["BM25"] == pytest.approx(expected)


def test_language_models() -> None:
    values = values_of(0)
    p_open = p_file = 3 / 9
    absolute = math.log(0.3 / 3 + 0.7 * 2 / 3 * p_open) + math.log(1.3 / 3 + 0.7 * 2 / 3 * p_file)
    dirichlet = math.log((1 + 2000 * p_open) / 2003) + math.log((2 + 2000 * p_file) / 2003)
    mercer = math.log(0.9 * 1 / 3 + 0.1 * p_open) + math.log(0.9 * 2 / 3 + 0.1 * p_file)
    assert values["LMIR.ABS"] == pytest.approx(absolute)
    assert values["LMIR.DIR"] == pytest.approx(dirichlet)
    assert values["LMIR.JM"] == pytest.approx(mercer)


def test_an_empty_field_is_the_collection() -> None:
    values = values_of(3)
    assert values["LMIR.ABS"] == pytest.approx(values["LMIR.DIR"]) == pytest.approx(2 * math.log(1 / 3))
    assert values["LMIR.JM"] == pytest.approx(2 * math.log(0.1 / 3))


def test_a_term_that_nobody_uses_changes_no_language_model() -> None:
    assert FIELD.features([*QUERY, "unheard"], 0)[5:8] == FIELD.features(QUERY, 0)[5:8]


def test_normalisation_is_by_column_and_a_constant_becomes_zero() -> None:
    rows = [[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]]
    assert retrieval_features.query_normalised(rows) == [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPServer.handle_requests", ["http", "server", "handle", "request"]),
        ("Return the entries of a class", ["return", "entry", "class"]),
        ("status 42 x", ["status"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert retrieval_features.terms(text) == expected
