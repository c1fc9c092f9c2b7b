"""Logged features in the formats of the tools, joined with judgments, in steps.

Judgments in the formats of the tools, each with an example of its own documentation.
"""

import gzip
import io
import json
from typing import Any

import pytest

from core.data import DataError
from core.data.files import packed
from core.data.imports import importing
from core.data.imports.kinds import recognise
from core.data.imports.logged_features import Judgments
from core.data.imports.text_file import TextFile
from core.work import Work
from tests.data.imports.joining import joined, read, rows
from tests.says import assert_says

JUDGED = "query,docid,rating\nrambo,7555,4\nrambo,1370,3\nrambo,1369,0\nrocky,1366,4\n"


def hit(document: str, **features: float | None) -> dict[str, Any]:
    """As in the documentation of Elasticsearch LTR, "Logging Feature Scores"."""
    listed = [{"name": name} | ({} if value is None else {"value": value}) for name, value in features.items()]
    said = {"_index": "tmdb", "_id": document, "_score": 1.0, "_source": {"title": "Rambo", "query": "not this"}}
    return said | {"fields": {"_ltrlog": [{"log_entry1": listed}]}, "matched_queries": ["logged_featureset"]}


def response(*hits: dict[str, Any]) -> dict[str, Any]:
    found = {"total": {"value": len(hits)}, "max_score": 1.0, "hits": list(hits)}
    return {"took": 27, "timed_out": False, "hits": found}


RAMBO = response(
    hit("7555", title_query=9.510193, body_query=10.7808075), hit("1370", title_query=7.5, body_query=None)
)
ROCKY = response(hit("1366", title_query=1, body_query=0.25))


ES_LINES = json.dumps({"query": "rambo", **RAMBO}) + "\n" + json.dumps({"query": "rocky", **ROCKY}) + "\n"
ES_ARRAY = json.dumps([{**RAMBO, "query": "rambo"}, {"response": ROCKY, "query": "rocky"}], indent=1)
ES_MSEARCH = json.dumps({"took": 3, "responses": [{"query": "rambo", **RAMBO}, {"query": "rocky", **ROCKY}]})
ES_ROWS = {
    ("rambo", "7555"): (4, [9.510193, 10.7808075]),
    ("rambo", "1370"): (3, [7.5, 0.0]),
    ("rocky", "1366"): (4, [1.0, 0.25]),
}
ENTRIES = [{"first": [{"name": "a", "value": 1.5}]}, {"second": [{"name": "b", "value": 2}]}]
ES_ENTRIES = json.dumps({"query": "rocky", **response({**hit("1366"), "fields": {"_ltrlog": ENTRIES}})})
# The Solr Reference Guide, "Learning To Rank": extracting features.
SOLR = """{"responseHeader": {"status": 0, "QTime": 0, "params": {"q": "test", "fl": "id,score,[features]"}},
    "response": {"numFound": 2, "start": 0, "maxScore": 1.959392, "docs": [
        {"id": "GB18030TEST", "score": 1.959392,
         "[features]": "documentRecency=0.020893794,isBook=0.0,originalScore=1.959392"},
        {"id": "UTF8TEST", "score": 1.5513437,
         "[features]": "documentRecency=0.020893794,isBook=0.0,originalScore=1.5513437"}]}}"""
SOLR_SPARSE = SOLR.replace("documentRecency=0.020893794,isBook=0.0,originalScore=1.959392", "documentRecency=0.02")
SOLR_SPARSE = SOLR_SPARSE.replace("documentRecency=0.020893794,isBook=0.0,originalScore=1.55", "originalScore=1.55")
SOLR_ROWS = {
    ("test", "GB18030TEST"): (0, [0.020893794, 0.0, 1.959392]),  # in the order of the log, not of the judgments
    ("test", "UTF8TEST"): (2, [0.020893794, 0.0, 1.5513437]),
}
SOLR_QRELS = "test 0 UTF8TEST 2\ntest 0 GB18030TEST 0\n"
# hello-ltr, the training set of its first example.
LETOR = "#1: title\n#2: body\n4 qid:1 1:12.318474 2:10.573917 # 7555 rambo\n3 qid:1 1:8.5 2:1e-3 # 1370 rambo\n"
CSV = gzip.compress(b"qid;docid;title;body\nrambo;7555;1.5;2\nrambo;1369;0;1\nrambo;5;0;1\n")
SPARSE_ROWS = {("test", "GB18030TEST"): (0, [0.02, 0.0]), ("test", "UTF8TEST"): (2, [0.0, 1.5513437])}
JOINED: dict[str, tuple[str, str | bytes, dict[tuple[str, str], tuple[int, list[float]]], str, int]] = {
    "Elasticsearch, lines": (JUDGED, ES_LINES, ES_ROWS, "title_query body_query", 1),
    "Elasticsearch, array": (JUDGED, ES_ARRAY, ES_ROWS, "title_query body_query", 1),
    "Elasticsearch, msearch": (JUDGED, ES_MSEARCH, ES_ROWS, "title_query body_query", 1),
    "Elasticsearch, several entries": (JUDGED, ES_ENTRIES, {("rocky", "1366"): (4, [1.5, 2.0])}, "a b", 0),
    "Solr, dense": (SOLR_QRELS, SOLR, SOLR_ROWS, "documentRecency isBook originalScore", 0),
    "Solr, defaults left out": (SOLR_QRELS, SOLR_SPARSE, SPARSE_ROWS, "documentRecency originalScore", 2),
    "LETOR, by query text; the judgment counts": (
        JUDGED.replace("7555,4", "7555,2"),
        LETOR,
        {("rambo", "7555"): (2, [12.318474, 10.573917]), ("rambo", "1370"): (3, [8.5, 0.001])},
        "title body",
        0,
    ),
    "LETOR, by query id": (
        "1 0 7555 2\n1 0 1370 0\n",
        LETOR,
        {("1", "7555"): (2, [12.318474, 10.573917]), ("1", "1370"): (0, [8.5, 0.001])},
        "title body",
        0,
    ),
    "CSV": (JUDGED, CSV, {("rambo", "7555"): (4, [1.5, 2.0]), ("rambo", "1369"): (0, [0.0, 1.0])}, "title body", 0),
}


@pytest.mark.parametrize("kind", JOINED)
def test_logs_join_with_judgments_as_the_tools_write_both(kind: str) -> None:
    judged, log, expected, names, not_listed = JOINED[kind]
    data, texts, report = read(judgments=judged, log=log)
    assert list(rows(data, texts).items()) == list(expected.items())
    assert data.feature_names == tuple(names.split())
    assert report.counts["not_listed"] == not_listed


def test_the_report_counts_and_names_what_is_left_out_and_filled_in() -> None:
    _, _, report = read(judgments=JUDGED, log=ES_LINES)
    assert (report.unmatched_judgments, report.first_unmatched_judgments) == (1, ("rambo: 1369",))
    *_, said = report.sentences()
    assert_says(said, "1 value", "missing from the logs", "0")
    _, _, report = read(judgments=JUDGED, log=CSV)
    assert (report.unmatched_logged, report.first_unmatched_logged) == (1, ("rambo: 5",))
    assert read(judgments=JUDGED.replace("7555,4", "7555,2"), log=LETOR)[2].counts["other_labels"] == 1


def test_an_elasticsearch_log_without_its_query_is_refused_and_told_where_to_put_it() -> None:
    with pytest.raises(DataError, match=r'log\.json, line 1, column \d+\b.*"query".*"hits"'):
        joined(judgments__csv=JUDGED, log__json=json.dumps(RAMBO))


def test_letor_logs_of_many_blocks_keep_every_line() -> None:
    lines = [f"{row % 3} qid:{row // 10} 1:{row} 2:0.5 # docid = d{row}\n" for row in range(10_000)]
    qrels = "".join(f"{row // 10} 0 d{row} {row % 3}\n" for row in range(10_000))
    data, _, _ = read(log="".join(lines), qrels=qrels)
    assert data.n_queries == 1000
    assert data.features[:, 0].tolist() == list(range(10_000))
    with pytest.raises(DataError, match=r"log, line 9001, column 13: feature 1"):
        joined(log="".join([*lines[:9000], "1 qid:900 1:x 2:0.5 # docid = d9000\n"]), qrels=qrels)


def test_logs_with_labels_need_no_judgments() -> None:
    data, texts, report = read(log__txt=LETOR, more__csv="qid,docid,label,title,body\n2,a,1,3,4\n2,b,0,5,6\n")
    assert rows(data, texts)[("rambo", "1370")] == (3, [8.5, 0.001])
    assert rows(data, texts)[("2", "b")] == (0, [5.0, 6.0])
    assert report.queries == 2


@pytest.mark.parametrize(
    ("matrix", "names"),
    [
        ("2 0:0.5 3:1\n0 0:0.25\n1 3:2\n", ("feature 0", "feature 3")),  # LightGBM counts from 0
        ("2\t0.5\t1\n0\t0.25\t0\n1\t0\t2\n", ("feature 1", "feature 2")),
        ("label,a,b\n2,0.5,1\n0,0.25,0\n1,0,2\n", ("a", "b")),
    ],
    ids=["svmlight", "tsv", "csv"],
)
def test_group_sizes_say_the_queries_of_a_matrix(matrix: str, names: tuple[str, ...]) -> None:
    data, _, _ = read(rank__train=matrix, rank__train__query="2\n1\n")
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.relevance.tolist() == [2, 0, 1]
    assert data.features.tolist() == [[0.5, 1.0], [0.25, 0.0], [0.0, 2.0]]
    assert data.feature_names == names
    assert data.document_ids == tuple(
        f"rank.train:{line}" for line in range(*((2, 5) if "label" in matrix else (1, 4)))
    )


@pytest.mark.parametrize("piece", [1, 2, 7, 64])
def test_it_does_not_matter_where_a_file_is_cut_into_pieces(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"judgments__csv": JUDGED.replace("rocky", "röcky"), "log__json": ES_ARRAY.replace("rocky", "röcky")}
    whole, wrong = joined(**files), problem(judgments__csv=JUDGED, log=ES_ARRAY[:-90])
    monkeypatch.setattr(packed, "PIECE", piece)
    assert joined(**files) == whole
    assert problem(judgments__csv=JUDGED, log=ES_ARRAY[:-90]) == wrong


def problem(**files: str | bytes) -> str:
    with pytest.raises(DataError) as error:
        joined(**files)
    assert "\n" not in str(error.value)
    return str(error.value)


def es(text: str) -> str:
    return '{"query": "rambo", "hits": {"hits": [\n' + text + "]}}"


@pytest.mark.parametrize(
    ("log", "facts"),
    [
        (es('{"_id": "1"}'), ("log, line 2, column 1", "hit 1", "no features", "fields._ltrlog")),
        (es('{"fields": {}}'), ("log, line 2, column 1", "hit", "no _id")),
        (es(json.dumps(hit("7555", a=1))).replace("1}]", '"high"}]'), ("feature a", "document 7555", "'high'")),
        (es(json.dumps(hit("7555", a=1))).replace("1}]", "NaN}]"), ("feature a", "nan")),
        (es(json.dumps(hit("7555", a=1))).replace("1}]", f"1{'0' * 400}}}]"), ("too large",)),
        (es(json.dumps(hit("7555", a=1))).replace("1}]", f"1{'0' * 9000}}}]"), ("number", "too long")),
        (es(json.dumps(hit("7555", a=1)))[:-40], ("file ends",)),
        (es(f"{json.dumps(hit('7555', a=1))}\n{json.dumps(hit('1370', a=1))}"), ("log, line 3, column 1", "not")),
        (es(f"{json.dumps(hit('7555', a=1))},\n{json.dumps(hit('7555', a=2))}"), ("other features", "line 2")),
        (SOLR.replace("isBook=0.0", "isBook"), ("document GB18030TEST", "'isBook'", "features")),
        ('{"hits": ' * 5000, ("nested too deeply",)),
        ("qid,docid,title\n" + "x" * (1 << 25), ("log, line 2", "longer", "16,777,216 characters")),
        ('{"hits": {"hits": []}}', ("no document", "features")),
        ('{"broken":', ("log, line 1, column 11", "not valid JSON", "file ends")),
        ('{"some":\n  json}', ("log, line 2, column 3", "not valid JSON")),
        ('{"some": "json"}', ("log", "JSON", "neither", "feature log")),
        ("4 qid:1 1:12,3 # 7555 rambo\n", ("log, line 1, column 11", "feature 1", "'12,3'", "decimal comma")),
        ("4 qid:1 1:12.3\n", ("log, line 1", "no document")),
        ("qid,docid,title\nrambo,7555,high\n", ("log, line 2, column title", "'high'", "number")),
        ("qid,page,a\nrambo,x7,1\n", ("log, line 2, column page", "'x7'", "number", "docid")),
        ("qid,docid,a,a\nrambo,7555,1,1\n", ("log, line 1, column a", "two columns", "'a'")),
        ("qid,docid,title\nrambo,99,1\n", ("no logged document", "judgment", "“rambo: 7555”")),
        (gzip.compress(LETOR.encode(), mtime=0)[:-12], ("log", "gzip", "ends")),
        (b"\x89PNG....", ("log", "PNG image")),
        (b"", ("log", "empty")),
        ("# nothing\n", ("log", "only comments")),
        ("2 0:0.5\n", ("log", "query", "qid column", "group sizes")),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_place(log: str | bytes, facts: tuple[str, ...]) -> None:
    assert_says(problem(judgments__csv=JUDGED, log=log), *facts)


def test_files_that_do_not_belong_together_are_told_what_is_missing() -> None:
    assert_says(problem(judgments__csv=JUDGED), "judgments.csv", "judgments", "without features", "feature log")
    assert_says(problem(log="qid,docid,a\n1,2,3\n"), "log", "features", "no relevance", "judgments")
    assert_says(problem(m="1 1:2\n", g="3\n"), "1 rows", "group sizes", "3")
    assert_says(problem(m="1 1:2\n", g="1\nx\n"), "g, line 2", "'x'", "number of rows")
    assert_says(problem(g="1\n"), "g", "group sizes only", "rows")
    assert_says(problem(log="qid,docid,a,label\n1,2,3,\n"), "log, line 2", "no relevance", "judgments")
    assert_says(problem(log=LETOR, g="3\n"), "group sizes", "one file")


@pytest.mark.parametrize("word", ["3", "x:3", ":3", "3:", "3:1_0", "3:4:5", "+3:4", "3:0x1A", "³:1", "3:٣"])
def test_a_word_of_a_matrix_that_is_no_feature_is_named(word: str) -> None:
    said = problem(m=f"1 1:2\n0 1:2 {word} 9:1\n", g="2\n")
    assert_says(said, "m, line 2", f"'{word}'", "index:value")


def test_what_another_file_says_differently_is_named_with_that_file_and_its_line() -> None:
    log = "query,docid,a\nrambo,7555,1\n"
    other, third = "query,docid,rating\n\nrambo,9,0\n", "query,docid,rating\nrambo,9,1\n"
    judged_again = problem(one__csv=JUDGED, two__csv=other, three__csv=third, log=log)
    assert_says(judged_again, "three.csv, line 2", "document 9", "rated 1", "line 3 of two.csv")
    logged_again = problem(judgments__csv=JUDGED, one=log, two="query,docid,a\n\nrambo,7555,2\n")
    assert_says(logged_again, "two, line 3", "7555", "other features", "line 2 of one")


def test_a_large_element_is_read_across_pieces_and_its_neighbours_keep_their_lines() -> None:
    fat = {**hit("1370", a=2), "_source": {"body": "x" * 5_000_000}}
    text = es(",\n".join(json.dumps(one) for one in (hit("7555", a=1), fat, hit("1369", a="no"))))  # type: ignore[arg-type]
    assert_says(problem(judgments__csv=JUDGED, log=text), "log, line 4, column 1", "feature a", "document 1369")


@pytest.mark.parametrize("ids", [("7555", "1366", "9"), ("a", "b", "c")], ids=["numbers", "words"])
@pytest.mark.parametrize("relevance", ["", ",label"], ids=["features", "features and labels"])
def test_a_column_id_names_the_documents_that_are_joined(ids: tuple[str, str, str], relevance: str) -> None:
    """Where no other column does; it is counted as logged documents and never becomes a feature."""
    a, b, c = ids
    judged = f"query,id,rating\nrambo,{a},2\nrambo,{b},0\n"
    end = ",0" if relevance else ""
    log = f"query,id,title{relevance}\nrambo,{b},1.5{end}\nrambo,{a},2.5{end}\nrambo,{c},3.5{end}\n"
    data, texts, report = read(judgments__csv=judged, log__csv=log)
    assert rows(data, texts) == {("rambo", a): (2, [2.5]), ("rambo", b): (0, [1.5])}
    assert data.feature_names == ("title",)
    assert (report.logged, report.matched, report.unmatched_logged) == (3, 2, 1)
    assert report.first_unmatched_logged == (f"rambo: {c}",)


def test_a_column_id_of_a_table_with_labels_names_documents_if_it_is_words() -> None:
    """As in a CSV that is opened alone: numbers are a feature there."""
    text = "query,id,title,label\nrambo,{},2.5,1\nrambo,{},1.5,0\n"
    words, texts, _ = read(log__csv=text.format("p", "q"))
    assert rows(words, texts) == {("rambo", "p"): (1, [2.5]), ("rambo", "q"): (0, [1.5])}
    numbers, _, _ = read(log__csv=text.format(7, 8))
    assert numbers.feature_names == ("id", "title")


def test_the_share_rises_step_by_step_and_no_step_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_STEP_SECONDS", 1e-6)
    documents = [f"query {row // 20},d{row}" for row in range(3000)]
    judged, log = (f"query,docid,{name}\n" + "".join(f"{one},1\n" for one in documents) for name in ("rating", "title"))
    out = io.BytesIO()
    work = importing.Import([("log.csv", log.encode()), ("judgments.csv", judged.encode())], out)
    assert isinstance(work, Work)
    shares, parts = [work.share], [work.now]
    while not work.done:
        work.advance()
        shares.append(work.share)
        parts.append(work.now)
    assert len(shares) > 50
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], work.seconds_left) == (0.0, 1.0, 0.0)
    assert list(dict.fromkeys(parts)) == ["", "judgments.csv", "log.csv", "writing"]
    assert out.getvalue().count(b"docid") == len(documents)


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
LETOR_RATINGS = "# qid:1: star trek\n3 qid:1 # 1370 star trek\n0\tqid:2\t # 7555\trambo\n"
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
        (LETOR_RATINGS, "LETOR", {"star trek": {"1370": 3}, "rambo": {"7555": 0}}, (0, 0)),
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
    assert [query.id for query in judged(LETOR_RATINGS)[2].queries] == ["1", "2"]


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
def test_what_is_wrong_with_judgments_is_one_sentence_with_the_place(text: str, facts: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as error:
        judged(text)
    assert_says(str(error.value), *facts)
    assert "\n" not in str(error.value)


def test_a_csv_with_numbers_beside_the_rating_is_data_already() -> None:
    kind = recognise(TextFile(b"query,docid,rating,title\ndog,doc-1,2,0.5\n", "j"))
    assert (kind.role, kind.labelled) == ("log", True)
