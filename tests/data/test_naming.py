"""Features get the names that lie beside the data, or those known for data of this shape.

Which data is spoken of as rows of classes, and which as documents of queries.
How data is read is one value: made once, refused at once; and what it leaves out.
"""

from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, RankingData, Reading
from core.data.naming import KNOWN, feature_names_for, names_file_beside, names_note, read_feature_names, recognise
from core.data.nouns import CLASSES, DOCUMENTS, nouns_of
from tests.says import assert_says


def data(n_features: int, *document_ids: str) -> RankingData:
    n = max(len(document_ids), 1)
    return RankingData.build(np.ones((n, n_features)), [0] * n, [0, n], document_ids=document_ids or None)


@pytest.mark.parametrize(
    ("given", "place", "first", "last"),
    [
        (data(46, "GX015-44-4118282"), "any", "TF (term frequency) of body", "Number of child page"),
        (data(64, "G21-63-2483329"), "any", "TF (term frequency) of body", "LMIR.JM of extracted title"),
        (
            data(45, "40626"),
            "/data/OHSUMED/Fold1/test.txt",
            "sum_{qi in q&d} TF(qi,d) in 'title'",
            "LMIR.ABS in 'title + abstract'",
        ),
        (data(136), "MSLR-WEB10K/Fold2/test.txt", "covered query term number | body", "url dwell time"),
    ],
    ids=["LETOR 4.0", ".Gov", "OHSUMED", "MSLR"],
)
def test_published_sets_are_recognised_where_the_data_says_so(
    given: RankingData, place: str, first: str, last: str
) -> None:
    names = feature_names_for(given, None, place)
    assert len(names) == given.n_features
    assert (names[0], names[-1]) == (first, last)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (data(46, "G21-63-1"), "MQ2008/test.txt"), (data(46), "MQ2008/test.txt"), (data(64, "GX01-1"), "TD2003/t.txt"),
        (data(45, "40626", "abc"), "OHSUMED/t.txt"), (data(136, "page"), "MSLR/t.txt"), (data(47, "GX1"), "MQ2008/t"),
        (data(45, "40626"), "shop/Fold1/train.txt"), (data(136), "home/msl/train.txt"), (data(45, "7"), "ohsu/med.txt"),
        (data(45, "40626"), "OHSUMED/of/my/own/shop/train.txt"),
    ],
)  # fmt: skip
def test_neither_the_count_nor_the_place_alone_names_features(given: RankingData, place: str) -> None:
    assert recognise(given, place) is None
    assert feature_names_for(given, None, place)[0] == "feature 1"


def test_built_in_names_are_complete_and_distinct() -> None:
    for known in KNOWN:
        assert len(set(known.names)) == known.n_features
        assert all(known.names)


def test_names_that_were_inferred_come_with_a_note() -> None:
    notes = {known.n_features: names_note(known.names) for known in KNOWN}
    assert notes[46] is None
    assert "1–39" in notes[64]
    assert "13–15 and 28–30" in notes[45]
    assert "71–136" in notes[136]
    assert names_note(["my own"]) is None


@pytest.mark.parametrize(
    "text", ["tf\nlength of URL\n", "1\ttf\n2\tlength of URL", "2\tlength of URL\r\n1\ttf\r\n\r\n"]
)
def test_a_names_file_has_one_name_a_line_or_indices(tmp_path: Path, text: str) -> None:
    (tmp_path / "features.txt").write_bytes(text.encode())
    assert feature_names_for(data(2), tmp_path / "features.txt", "any") == ("tf", "length of URL")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("a\nb\nc\n", ("3 features", "2")),
        ("a\n", ("1 features", "2")),
        ("1\ta\n3\tb\n", ("indices", "1 to 2", "once")),
        ("a\n\nb\n", ("line 2", "name", "missing")),
        ("a\na\n", ("line 2", "'a'", "feature 1")),
        ("", ("empty",)),
    ],
)
def test_a_names_file_that_disagrees_is_an_error(tmp_path: Path, text: str, facts: tuple[str, ...]) -> None:
    (tmp_path / "names.txt").write_text(text)
    with pytest.raises(DataError) as caught:
        feature_names_for(data(2), tmp_path / "names.txt", "any")
    assert caught.value.file == "names.txt"
    assert_says(str(caught.value), "names.txt", *facts)


def test_the_nearest_names_file_is_taken(tmp_path: Path) -> None:
    fold = tmp_path / "Fold1"
    fold.mkdir()
    train = fold / "train.txt.gz"
    assert names_file_beside(train, tmp_path) is None
    for path in (tmp_path / "feature_names.txt", fold / "feature_names.txt"):
        path.write_text("a\n")
        assert names_file_beside(train, tmp_path) == path


def test_a_data_file_is_never_its_own_names_file(tmp_path: Path) -> None:
    path = tmp_path / "feature_names.txt"
    path.write_text("1 qid:1 1:1\n")
    assert names_file_beside(path) is None


def test_names_may_be_any_text(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("ℓ1 norm\nTF*IDF of body\n", encoding="utf-8")
    assert read_feature_names(tmp_path / "names.txt") == ("ℓ1 norm", "TF*IDF of body")


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


TABLE = b"qid,words,a,label,b\n1,red,1,0,5\n1,blue,2,1,4\n2,red,3,1,1\n2,,1,0,2\n"
LETOR = b"#1: a\n#2: b\n1 qid:1 1:3 2:5\n0 qid:1 1:4 2:7\n1 qid:2 1:6 2:8\n0 qid:2 1:1 2:3\n"


def test_readings_alike_are_equal_and_have_one_hash() -> None:
    said = Reading(drop_columns=[" 1", "3 "], missing="drop")  # type: ignore[arg-type]
    assert said == Reading(drop_columns=("1", "3"), missing="drop")
    assert len({said, Reading(drop_columns=("1", "3"), missing="drop"), Reading()}) == 2


@pytest.mark.parametrize("dropped", [("words", "b"), ("2", "5"), ("WORDS", "5", "none")])
def test_columns_of_a_table_with_queries_are_not_read(dropped: tuple[str, ...]) -> None:
    """Not even as numbers: a column of words is no reason to refuse the file."""
    data = Reading(drop_columns=dropped).open("mine.csv", TABLE).fold(1).train
    assert data.feature_names == ("a",)
    assert data.features.tolist() == [[1], [2], [3], [1]]
    assert data.relevance.tolist() == [0, 1, 1, 0]


def test_a_row_that_is_too_short_is_told_by_the_columns_of_the_file() -> None:
    with pytest.raises(DataError, match=r"line 6\b.*\b4 fields\b.*\b5\b"):
        Reading(drop_columns=("words",)).open("mine.csv", TABLE + b"2,red,1,0\n")


@pytest.mark.parametrize("dropped", ["b", "2"])
@pytest.mark.parametrize("scale", ["none", "standard", "query-minmax"])
def test_features_of_letor_text_are_zero_and_the_others_keep_their_numbers(
    dropped: str, scale: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(LETOR)
    whole = Reading(scale=scale, split=0.5).open(str(path)).fold(1)
    dataset = Reading(scale=scale, split=0.5, drop_columns=(dropped,)).open(str(path))
    fold = dataset.fold(1)
    assert "b (number 2)" in dataset.notes[-1]
    assert fold.test is not None
    assert whole.test is not None
    for part, before in ((fold.train, whole.train), (fold.test, whole.test)):
        assert part.feature_names == before.feature_names == ("a", "b")
        assert not part.features[:, 1].any()
        assert (part.features[:, 0] == before.features[:, 0]).all()
        assert part.fingerprint != before.fingerprint
    uploaded = Reading(scale=scale, split=0.5, drop_columns=(dropped,)).open("mine.txt", LETOR)
    assert uploaded.fold(1).train.fingerprint == fold.train.fingerprint


def test_folds_leave_features_out_of_every_part_and_refuse_what_is_not_there() -> None:
    fold = Reading(drop_columns=("3",)).open("planted").fold(2)
    assert all(not data.features[:, 2].any() and data.features[:, 3].any() for data in fold.parts().values())
    with pytest.raises(DataError, match=r"^planted\b.*no feature 'x'.*\b1 to 60\b"):
        Reading(drop_columns=("x",)).open("planted")
