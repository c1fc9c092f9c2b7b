"""Judgments and feature logs as the tools write them: what is joined, left out and said."""

import itertools
import json
from pathlib import Path

import pytest

from core.data import DataError
from tests.cli.conftest import Answer, Command
from tests.data.imports.joining import joined, read, rows
from tests.says import assert_says

LOG = "#1: a\n#2: b\n0 qid:1 1:0.5 2:1 # d1 rambo\n0 qid:1 1:1.5 2:2 # d2 rambo\n0 qid:2 1:2.5 2:3 # d3 rocky\n"


def imported(run: Command, out: Path, *files: Path) -> tuple[list[str], Answer]:
    answer = run("import", *files, "--out", out)
    assert answer.status == 0, answer.err
    return [line for line in out.read_text().splitlines() if not line.startswith("#")], answer


def test_an_unrated_query_of_quepids_basic_export_is_left_out_and_counted(
    run: Command, cases: Path, tmp_path: Path
) -> None:
    case = cases / "quepid-basic-export"
    lines, answer = imported(run, tmp_path / "mine.txt", case / "basic_export.csv", case / "log.jsonl")
    unrated = [line for line in (case / "basic_export.csv").read_text().splitlines() if line and "," not in line]
    assert (len(lines), len({line.split()[1] for line in lines})) == (72, 12)
    assert_says(answer.out, "72 documents", "12 queries", f"{len(unrated)} judgments", "without a rating")


def test_qrels_of_quepid_have_grades_such_as_1_0(run: Command, cases: Path, tmp_path: Path) -> None:
    case = cases / "quepid-trec-export"
    lines, _ = imported(run, tmp_path / "mine.txt", case / "qrels.txt", case / "log.txt")
    qrels = [line.split() for line in (case / "qrels.txt").read_text().splitlines() if line.strip()]
    grades = {(query, document): float(grade) for query, _, document, grade in qrels}
    written = {(line.split()[1].removeprefix("qid:"), line.split()[-1]): float(line.split()[0]) for line in lines}
    assert len(lines) == 72
    assert written == {pair: grades[pair] for pair in written}
    assert len({query for query, _ in written}) == 12


def test_a_log_that_is_sorted_by_grade_joins_whole(run: Command, cases: Path, tmp_path: Path) -> None:
    case = cases / "sorted-by-grade"
    lines, _ = imported(run, tmp_path / "mine.txt", case / "judgments.csv", case / "log_sorted.jsonl")
    assert len(lines) == len((case / "judgments.csv").read_text().splitlines()) - 1 == 360


@pytest.mark.parametrize(
    ("judged", "left_out"),
    [
        # search-relevance: documents that the language model could not judge.
        (
            '{"judgmentRatings": [{"query": "rambo", "ratings": [{"docId": "d1", "rating": "2.0"}], "failures": '
            '[{"docId": "d2"}]}, {"query": "rocky", "failures": [{"docId": "d3", "reason": "timeout"}]}]}',
            2,
        ),
        # Elasticsearch's plug-in: the header names the query, the comment has the document's title.
        ("# qid:1: rambo\n#\n2\tqid:1 #\td1\tRambo: First Blood\n-1\tqid:1 # d2\tRambo III\n", 1),
        ("2 qid:1 # d1 Rambo: First Blood\n-1 qid:1 # d2 Rambo III\n", 1),
        # Quepid's detailed export, with fields of the documents.
        (
            "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,year\n"
            "t,c,1,rambo,d1,1,Rambo,2,1982\nt,c,1,rambo,d2,2,,,1988\nt,c,1,rocky,d3,1,,null,\n",
            2,
        ),
        # Ratings in other words, line ends, byte order marks and separators.
        ("query,docid,rating\nrambo,d1,2.0\nrambo,d2,None\nrocky,d3,null\n", 2),
        ('query,docid,rating\nrambo,d1,"2,0"\nrambo,d2,-1\nrocky,d3,-1.0\n', 2),
        ("\ufeffquery,docid,rating\r\nrambo,d1,2\r\nrocky\r\n", 1),
        ("query,docid,rating\nrocky\nrambo,d1,2\n", 1),
        ("sep=;\r\nquery;docid;rating\r\nrambo;d1;2\r\nrambo;d2;NaN\r\n", 1),
        ("1 0 d1 2.00\n1 0 d2 -1\n", 1),
    ],
)
def test_every_form_of_one_judgment_gives_one_document(judged: str, left_out: int) -> None:
    data, _, report = read(judgments=judged, log=LOG)
    assert (list(data.relevance), data.document_ids, data.features.tolist()) == ([2], ("d1",), [[0.5, 1.0]])
    assert report.counts["unrated"] + report.counts["not_judged"] == left_out


@pytest.mark.parametrize(("encoding", "title"), [("cp1252", "Windows-1252"), ("utf-16", "UTF-16")])
def test_a_text_in_another_encoding_is_read_and_said(encoding: str, title: str) -> None:
    data, texts, report = read(
        j="query,docid,rating\ncafé €,d1,2\n".encode(encoding), log=LOG.replace("rambo", "café €")
    )
    assert rows(data, texts) == {("café €", "d1"): (2, [0.5, 1.0])}
    assert_says(report.sentences()[0], title)


def test_relevant_documents_without_features_and_repeated_judgments_are_counted() -> None:
    judged = "query,docid,rating\nrambo,d1,2\nrambo,d1,2.0\nrambo,gone,3\nrambo,gone2,0\n"
    _, report = joined(judgments=judged, log=LOG)
    assert (report.unmatched_judgments, report.unmatched_relevant, report.counts["repeated_judgments"]) == (2, 1, 1)
    assert_says(" ".join(report.sentences()), "2 of 3 judgments", "1 of them is relevant", "1 judgment repeats")


def test_a_file_that_only_names_its_separator_is_empty() -> None:
    with pytest.raises(DataError, match="empty"):
        joined(judgments="sep=;", log=LOG)


def hit(document: str, *entries: dict[str, float]) -> dict[str, object]:
    listed = [[{"name": name, "value": value} for name, value in entry.items()] for entry in entries]
    return {"_id": document, "fields": {"_ltrlog": [{f"log_entry{k}": e for k, e in enumerate(listed, 1)}]}}


def logged(hits: list[dict[str, object]]) -> str:
    return json.dumps({"query": "rambo", "hits": {"hits": hits}})


@pytest.mark.parametrize("complete", [{"z": 1.0, "a": 2.0, "m": 3.0}, {"z": 1.0, "m": 3.0}])
def test_features_have_one_order_whichever_hit_comes_first(complete: dict[str, float]) -> None:
    hits = [hit("d1", {"m": 5.0}), hit("d2", complete), hit("d3", {"a": 7.0, "z": 8.0})]
    judged = "query,docid,rating\nrambo,d1,0\nrambo,d2,1\nrambo,d3,2\n"
    files = [read(judgments=judged, log=logged(list(order)))[0] for order in itertools.permutations(hits)]
    assert {data.feature_names for data in files} == {("z", "a", "m") if len(complete) == 3 else ("a", "m", "z")}
    assert {tuple(sorted(map(tuple, data.features.tolist()))) for data in files} == {
        tuple(sorted(map(tuple, files[0].features.tolist())))
    }


def test_two_log_entries_with_equal_values_are_one_and_others_are_refused() -> None:
    judged = "query,docid,rating\nrambo,d1,2\n"
    data, _, _ = read(judgments=judged, log=logged([hit("d1", {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0})]))
    assert data.features.tolist() == [[1.0, 2.0]]
    with pytest.raises(DataError, match="feature a is listed twice"):
        joined(judgments=judged, log=logged([hit("d1", {"a": 1.0}, {"a": 3.0})]))
