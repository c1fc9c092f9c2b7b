"""Judgments in the formats of the tools, each with an example of its own documentation."""

import pytest

from core.data import DataError
from core.data.imports.kinds import recognise
from core.data.imports.logged_features import Judgments
from core.data.imports.text_file import TextFile
from tests.says import assert_says

# Quepid's documentation: a rating may be missing.
QUEPID = 'query,docid,rating\n"star wars, original",11,3\ndog,i_802,0\ndog,i_801,\nparrot,,\n'
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title,Rating\n"
    "(3/5/26) Week,2026-03-05,8,dog,doc-1,1,Good dog,2\n"
)
# OpenSearch's documentation, "Importing judgments".
OPENSEARCH = """{"name": "Imported Judgments", "description": "Judgments generated outside SRW",
    "type": "IMPORT_JUDGMENT", "judgmentRatings": [
        {"query": "red dress", "ratings": [
            {"docId": "B077ZJXCTS", "rating": "3.000"}, {"docId": "B071S6LTJJ", "rating": "2.000"}]},
        {"query": "blue jeans", "ratings": [{"docId": "B07L9V4Y98", "rating": "0.000"}]}]}"""
IN_HITS = f'{{"took": 3, "hits": {{"total": {{"value": 1}}, "hits": [{{"_id": "b5", "_source": {OPENSEARCH}}}]}}}}'
QRELS = "301 0 FBIS3-10082 1\n301 0 FBIS3-10169 0\n302 0 clueweb09-en0 -2\n"
LETOR = "# qid:1: star trek\n3 qid:1 # 1370 star trek\n0\tqid:2\t # 7555\trambo\n"
OF_QUEPID = {"star wars, original": {"11": 3}, "dog": {"i_802": 0}}
OF_OPENSEARCH = {"red dress": {"B077ZJXCTS": 3, "B071S6LTJJ": 2}, "blue jeans": {"B07L9V4Y98": 0}}


def judged(text: str) -> tuple[str, dict[str, dict[str, int]], Judgments]:
    """Kind, and ratings by query and document."""
    file = TextFile(text.encode(), "j")
    kind, judgments = recognise(file), Judgments(file.limits)
    assert kind.judgments is not None
    for _ in kind.judgments(file, judgments):
        pass
    ratings: dict[str, dict[str, int]] = {query.text or query.id: {} for query in judgments.queries}
    names = list(ratings)
    for pair in judgments.pairs:
        ratings[names[pair.query]][pair.document] = pair.rating
    return kind.title, ratings, judgments


@pytest.mark.parametrize(
    ("text", "tool", "expected", "counts"),
    [
        (QUEPID, "Quepid", OF_QUEPID, (2, 0)),
        (QUEPID.replace("docid", "doc"), "Quepid", OF_QUEPID, (2, 0)),
        (QUEPID.replace("docid", "url"), "Quepid", OF_QUEPID, (2, 0)),
        (SNAPSHOT, "Quepid", {"dog": {"doc-1": 2}}, (0, 0)),
        (OPENSEARCH, "OpenSearch", OF_OPENSEARCH, (0, 0)),
        (IN_HITS, "OpenSearch", OF_OPENSEARCH, (0, 0)),
        (QRELS, "qrels", {"301": {"FBIS3-10082": 1, "FBIS3-10169": 0}, "302": {"clueweb09-en0": 0}}, (0, 1)),
        (LETOR, "LETOR", {"star trek": {"1370": 3}, "rambo": {"7555": 0}}, (0, 0)),
    ],
)
def test_ratings_are_those_that_the_tools_own_example_means(
    text: str, tool: str, expected: dict[str, dict[str, int]], counts: tuple[int, int]
) -> None:
    kind, ratings, judgments = judged(text)
    assert tool in kind
    assert ratings == expected
    assert (judgments.counts["unrated"], judgments.counts["below_zero"]) == counts


def test_queries_of_letor_judgments_keep_their_ids() -> None:
    assert [query.id for query in judged(LETOR)[2].queries] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("query,docid,rating\na,1,2\nb,1,2\na,1,3\n", ("j, line 4", "document 1", "query a", "3", "2", "line 2")),
        ("query,docid,rating\na,1,good\n", ("j, line 2", "relevance", "'good'", "number")),
        ("query,docid,rating\na,1,2.5\n", ("j, line 2", "relevance", "2.5", "whole number")),
        ("query,docid,rating\na,1\n", ("j, line 2", "2 fields", "3")),
        ('query,docid,rating\na,"1,2\n', ("j, line 2", "quotes")),
        ("query,docid,rating\n,1,2\n", ("j, line 2", "query", "no name")),
        ("1 0 a 1\n1 0 b 1\n1 0 b\n", ("j, line 3", "3 words", "qrels", "four")),
        ("3 qid:1 # a b\n3 quid:1 # c b\n", ("j, line 2", "judgment", "qid:1")),
        (
            '{"judgmentRatings": [{"query": "a", "ratings": [{"docId": 1}]}]}',
            ("j, line 1, column 22", "rating", "query a"),
        ),
        ('{"judgmentRatings": [{"query": "a", ', ("j, line 1, column 37", "not valid JSON", "file ends")),
        ('{"judgmentRatings": [\n{"query" "a"}]}', ("j, line 2, column 10", "not valid JSON")),
        (
            '{"judgmentRatings": [{"query": "a", "ratings": [{"docId": 1, "rating": 1}]},\n {"query": "a", "ratings": '
            '[{"docId": 1, "rating": 2}]}]}',
            ("j, line 2, column 2", "document 1", "query a", "2", "1", "line 1, column 22", "keep one"),
        ),
        ('{"judgmentRatings": ' + "[" * 100_000, ("nested too deeply",)),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_place(text: str, facts: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as error:
        judged(text)
    assert_says(str(error.value), *facts)
    assert "\n" not in str(error.value)


def test_a_csv_with_numbers_beside_the_rating_is_data_already() -> None:
    kind = recognise(TextFile(b"query,docid,rating,title\ndog,doc-1,2,0.5\n", "j"))
    assert (kind.role, kind.labelled) == ("log", True)
