"""What comments of LETOR text say of documents, queries and features."""

from __future__ import annotations

import pytest

from core.data.letor.letor_format import document_comment, named_document, read_letor, read_letor_and_texts

# As the demo of Elasticsearch LTR writes its training set.
RAMBO = "4 qid:1 1:12.3 2:10.5 # 7555\trambo\n3 qid:1 1:8.1 2:9.5 # 1370\trambo\n0 qid:40 1:1 2:0 # 7555\tstar trek\n"


def test_a_search_engines_comments_name_document_and_query_text() -> None:
    data, texts = read_letor_and_texts(RAMBO.encode())
    assert data.document_ids == ("7555", "1370", "7555")
    assert texts == {"1": "rambo", "40": "star trek"}


@pytest.mark.parametrize(
    "changed",
    [
        RAMBO.replace("1370\trambo", "1370\trocky"),  # a query with two texts
        RAMBO.replace("1370", "7555"),  # a document twice
        RAMBO.replace("1370\trambo", "1370"),  # no text
    ],
)
def test_comments_of_another_kind_are_the_document_id_whole(changed: str) -> None:
    data, texts = read_letor_and_texts(changed.encode())
    assert texts == {}
    assert data.document_ids is not None
    assert data.document_ids[0] == "7555\trambo"


def test_lines_above_the_first_document_name_features_and_queries() -> None:
    header = "#1: title\n# 2: body text\n#3: never listed\n\n# qid:1: first blood\n# qid:9: not here\n"
    data, texts = read_letor_and_texts((header + RAMBO).encode())
    assert data.feature_names == ("title", "body text", "never listed")
    assert data.features.tolist()[0] == [12.3, 10.5, 0.0]
    assert texts == {"1": "first blood", "40": "star trek"}
    assert read_letor((header + RAMBO).encode(), feature_names=["a", "b"]).feature_names == ("a", "b")


@pytest.mark.parametrize("header", ["#1: title\n", "#1: title\n#3: body\n", "#1: title\n#2: title\n"])
def test_names_that_are_not_those_of_all_features_are_left(header: str) -> None:
    assert read_letor((header + RAMBO).encode()).feature_names == ("feature 1", "feature 2")


@pytest.mark.parametrize("document", ["GX1", "two words", '"', '"quoted"', 'a "b" c', "ü # x", "http://a/b?c=d"])
def test_a_written_document_is_read_again(document: str) -> None:
    assert named_document(document_comment(document)) == document
