"""A folder in one of the known layouts is a dataset with folds; an incomplete one says what it lacks."""

import gzip
from pathlib import Path

import pytest

from core.data import DataError, UngroupedQueriesError
from core.data.letor import folders
from core.data.letor.folders import open_folder
from tests.says import assert_says

LETOR4 = ("train.txt", "vali.txt", "test.txt")
LETOR3 = ("trainingset.txt", "validationset.txt", "testset.txt")


def line(query: str, value: float, comment: str = "") -> str:
    return f"1 qid:{query} 1:{value} 2:1{comment}\n0 qid:{query} 1:0{comment}\n"


def write_fold(folder: Path, names: tuple[str, str, str] = LETOR4) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for k, name in enumerate(names):
        text = line(f"{folder.name}-{k}", k).encode()
        (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return folder


def write_partitions(folder: Path, n: int = 5) -> Path:
    (folder / "partitions").mkdir(parents=True)
    for k in range(1, n + 1):
        (folder / "partitions" / f"S{k}.txt.gz").write_bytes(gzip.compress(line(f"s{k}", k).encode()))
    return folder


@pytest.mark.parametrize(
    "names", [LETOR4, ("train.txt", "valid.txt", "test.txt"), ("Train.txt.gz", "vali.txt.gz", "test.txt"), LETOR3]
)
def test_the_three_parts_are_found_under_their_usual_names(tmp_path: Path, names: tuple[str, str, str]) -> None:
    for k in (10, 2, 1):
        write_fold(tmp_path / "mine" / f"Fold{k}", names)
    dataset = open_folder(tmp_path / "mine")
    assert (dataset.name, dataset.fold_names) == ("mine", ("Fold1", "Fold2", "Fold10"))
    parts = dataset.fold(3).parts()
    assert [(name, *part.query_ids) for name, part in parts.items()] == [
        (name, f"Fold10-{k}") for k, name in enumerate(("train", "vali", "test"))
    ]


def test_a_folder_with_the_files_themselves_is_one_fold(tmp_path: Path) -> None:
    dataset = open_folder(write_fold(tmp_path / "mine"))
    assert dataset.fold_names == ("Fold1",)
    assert dataset.fold().test.query_ids == ("mine-2",)


def test_partitions_rotate_as_letor_does(tmp_path: Path) -> None:
    dataset = open_folder(write_partitions(tmp_path / "mine"))
    assert dataset.n_folds == 5
    rotation = ["|".join(" ".join(p.query_ids) for p in dataset.fold(k).parts().values()) for k in range(1, 6)]
    assert rotation == ["s1 s2 s3|s4|s5", "s2 s3 s4|s5|s1", "s3 s4 s5|s1|s2", "s4 s5 s1|s2|s3", "s5 s1 s2|s3|s4"]
    assert dataset.fold(4).train.features.tolist() == [[4, 1], [0, 0], [5, 1], [0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize(("names", "missing"), [(LETOR4, "vali.txt"), (LETOR4, "train.txt"), (LETOR3, "testset.txt")])
def test_a_missing_part_is_named_with_its_fold(tmp_path: Path, names: tuple[str, str, str], missing: str) -> None:
    for k in (1, 2):
        write_fold(tmp_path / "mine" / f"Fold{k}", names)
    (tmp_path / "mine" / "Fold2" / missing).unlink()
    with pytest.raises(DataError) as caught:
        open_folder(tmp_path / "mine")
    assert_says(str(caught.value), "mine/Fold2", missing, "missing", "training", "validation", "test")


def test_a_missing_partition_is_noticed(tmp_path: Path) -> None:
    (write_partitions(tmp_path / "mine") / "partitions" / "S3.txt.gz").unlink()
    with pytest.raises(DataError, match=r"mine/partitions: .*missing.* S1, S2, S4, S5$"):
        open_folder(tmp_path / "mine")


def test_a_folder_without_data_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\bFold1, Fold2, .*\btrain\.txt"):
        open_folder(tmp_path)
    with pytest.raises(DataError, match="no such folder"):
        open_folder(tmp_path / "none")


def test_a_bad_line_is_named_by_dataset_fold_and_file(tmp_path: Path) -> None:
    (write_fold(tmp_path / "mine" / "Fold1") / "test.txt").write_text("1 qid:1 1:1\n1 1:1\n")
    dataset = open_folder(tmp_path / "mine")
    with pytest.raises(DataError) as caught:
        dataset.fold(1)
    assert (caught.value.file, caught.value.line, caught.value.column) == ("mine/Fold1/test.txt", 2, 3)


def test_queries_apart_are_grouped_when_asked(tmp_path: Path) -> None:
    (write_fold(tmp_path / "mine") / "vali.txt").write_text("1 qid:a 1:1\n1 qid:b 1:2\n0 qid:a 1:3\n")
    with pytest.raises(UngroupedQueriesError):
        open_folder(tmp_path / "mine").fold()
    assert open_folder(tmp_path / "mine", group=True).fold().vali.query_ids == ("a", "b")


def test_parts_are_as_wide_as_the_widest(tmp_path: Path) -> None:
    (write_fold(tmp_path / "mine") / "test.txt").write_text("1 qid:a 4:1\n")
    fold = open_folder(tmp_path / "mine").fold()
    assert [part.n_features for part in fold.parts().values()] == [4, 4, 4]
    assert len({part.feature_names for part in fold.parts().values()}) == 1
    assert fold.train.features[0].tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("names", "comment", "n_features", "convention"),
    [
        (LETOR4, " #docid = GX1-2-3", 46, "letor4"),
        (LETOR4, " #docid = G01-2-3", 64, "letor3"),
        (LETOR4, " #docid = 12345", 45, "standard"),
        (LETOR4, "", 46, "standard"),
        (LETOR3, " #docid = 12345", 45, "letor3"),
        (LETOR3, " #docid = shop-1", 45, "standard"),
        (LETOR3, " #docid = 12345", 5, "standard"),
        (LETOR3, "", 5, "standard"),
    ],
)
def test_ids_or_layout_and_ids_decide_the_convention(tmp_path, names, comment, n_features, convention) -> None:
    for name in names:
        (tmp_path / name).write_text(f"1 qid:1 1:1 {n_features}:1{comment}\n" * 3)
    assert open_folder(tmp_path).convention == convention


def test_the_description_of_a_dataset_is_read(tmp_path: Path) -> None:
    write_partitions(tmp_path / "mine")
    (tmp_path / "mine" / "dataset.json").write_text(
        '{"name": "My Set", "title": "A set of mine", "provenance": "Made by hand.", "convention": "letor4", '
        '"query_texts": "queries.tsv", "document_names": "documents.tsv", "support": [1, 2]}'
    )
    (tmp_path / "mine" / "queries.tsv").write_text("s1\tfirst query\ns2\tsecond\twith tab\n")
    (tmp_path / "mine" / "documents.tsv").write_bytes(b"d1\tA page\r\n")
    dataset = open_folder(tmp_path / "mine")
    assert (dataset.name, dataset.provenance, dataset.convention) == ("My Set", "Made by hand.", "letor4")
    assert dataset.query_texts == {"s1": "first query", "s2": "second\twith tab"}
    assert dataset.document_names == {"d1": "A page"}


@pytest.mark.parametrize(
    ("described", "texts", "message"),
    [
        ("{", "", r"mine/dataset\.json\b.*not valid JSON"),
        ("[]", "", r"mine/dataset\.json\b.*JSON object"),
        ('{"name": 3}', "", r"mine/dataset\.json\b.*'name'.*string"),
        ('{"convention": "letor5"}', "", r"convention\b.*'letor5'.*\bstandard, letor3, letor4\b"),
        ('{"query_texts": "none.tsv"}', "", r"mine/none\.tsv\b.*no such file"),
        ('{"query_texts": "q.tsv"}', "a\tb\nc\n", r"mine/q\.tsv, line 2\b.*\btab\b.*missing"),
    ],
)
def test_a_broken_description_is_an_error(tmp_path: Path, described: str, texts: str, message: str) -> None:
    write_fold(tmp_path / "mine")
    (tmp_path / "mine" / "dataset.json").write_text(described)
    (tmp_path / "mine" / "q.tsv").write_text(texts)
    with pytest.raises(DataError, match=message):
        open_folder(tmp_path / "mine")


def test_a_partition_is_parsed_once_for_all_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []

    def counting(path: Path, **options: object):
        parsed.append(path.name)
        return read_letor(path, **options)

    read_letor = folders.read_letor
    dataset = open_folder(write_partitions(tmp_path / "mine"))
    monkeypatch.setattr(folders, "read_letor", counting)
    for number in range(1, 6):
        dataset.fold(number)
    assert sorted(parsed) == [f"S{k}.txt.gz" for k in range(1, 6)]
