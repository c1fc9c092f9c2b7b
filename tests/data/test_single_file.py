"""One file is a dataset with one fold, whatever its format, from disk or from the browser."""

import gzip
from pathlib import Path

import pytest

from core.data import Reading
from core.data.single_file import open_file

LETOR = b"".join(b"1 qid:%d 1:%d 2:1 #docid = GX%d\n0 qid:%d 1:0 #docid = GX0\n" % (q, q, q, q) for q in range(10))
RANKING = b"label,qid,tf\n1,a,1\n0,a,2\n"
CLASSES = b"".join(b"%d,%d,%s\n" % (k, k * k, b"b" if k % 3 else b"g") for k in range(12))


@pytest.mark.parametrize(
    ("content", "file_name", "queries", "names"),
    [
        (LETOR, "train.txt", 10, ("feature 1", "feature 2")),
        (LETOR, "mislabelled.csv", 10, ("feature 1", "feature 2")),
        (gzip.compress(LETOR), "train.txt.gz", 10, ("feature 1", "feature 2")),
        (b"# made by hand, with care\n" + LETOR, "x", 10, ("feature 1", "feature 2")),
        (RANKING, "table.csv", 1, ("tf",)),
        (RANKING.replace(b",", b"\t"), "table.txt", 1, ("tf",)),
        (CLASSES, "classes.data", 1, ("feature 1", "feature 2")),
    ],
)
def test_content_decides_the_format(content: bytes, file_name: str, queries: int, names: tuple[str, ...]) -> None:
    data = Reading().open(file_name, content).fold().train
    assert (data.n_queries, data.feature_names) == (queries, names)


def test_the_positive_class_is_passed_on_and_cached_apart() -> None:
    for positive in ("b", "g", "b"):
        dataset = Reading(positive=positive).open("c.csv", CLASSES)
        assert dataset.fold().train.query_ids[0].startswith(f"{positive}-against-")


def test_names_beside_a_file_are_picked_up(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(LETOR)
    (tmp_path / "feature_names.txt").write_text("tf\nidf\n")
    dataset = open_file(tmp_path / "mine.txt")
    assert (dataset.name, dataset.fold().train.feature_names) == ("mine", ("tf", "idf"))


@pytest.mark.parametrize(
    ("line", "file_name", "convention"),
    [
        (b"1 qid:1 1:1 46:1 #docid = GX1\n", "mine.txt", "letor4"),
        (b"1 qid:1 1:1 45:1 #docid = 12345\n", "mine.txt", "standard"),
        (b"1 qid:1 1:1 45:1 #docid = 12345\n", "testset.txt", "letor3"),
        (b"1 qid:1 1:1\n", "testset.txt", "standard"),
        (b"1 qid:1 1:1\n", "test.txt", "standard"),
        (RANKING, "table.csv", "standard"),
    ],
)
def test_name_or_content_decide_the_convention(line: bytes, file_name: str, convention: str) -> None:
    assert Reading().open(file_name, line).convention == convention
