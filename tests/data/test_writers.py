"""What is written is read again to the same bits."""

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.errors import DataError
from core.data.letor.letor_format import read_letor
from core.data.naming import read_feature_names
from core.data.ranking_data import RankingData
from core.data.tables.table_format import read_table
from tests.ranking_files import write_feature_names, write_letor, write_table

words = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P"], exclude_characters="#"), min_size=1, max_size=6
)
values = st.one_of(st.just(0.0), st.just(-0.0), st.floats(allow_nan=False, allow_infinity=False))


@st.composite
def ranking_data(draw: st.DrawFn) -> RankingData:
    queries = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    sizes = [draw(st.integers(1, 3)) for _ in queries]
    n, width = sum(sizes), draw(st.integers(1, 4))
    features = [[draw(values) for _ in range(width)] for _ in range(n)]
    return RankingData.build(
        features,
        draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)),
        np.cumsum([0, *sizes]),
        query_ids=queries,
        feature_names=[f"name {j}" for j in range(width)],
        document_ids=draw(st.none() | st.lists(words, min_size=n, max_size=n)),
    )


@settings(max_examples=60, deadline=None)
@given(ranking_data(), st.booleans(), st.sampled_from(["a.txt", "a.txt.gz"]))
def test_letor_text_gives_the_same_bits(data: RankingData, zeros: bool, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_letor(data, path, zeros=zeros)
        assert read_letor(path, feature_names=data.feature_names).fingerprint == data.fingerprint
        assert read_letor(path).n_features == data.n_features


@settings(max_examples=60, deadline=None)
@given(ranking_data(), st.sampled_from(["a.csv", "a.csv.gz"]))
def test_a_table_gives_the_same_bits_and_names(data: RankingData, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_table(data, path)
        assert read_table(path).data.fingerprint == data.fingerprint


def example(**changes: object) -> RankingData:
    given = {"query_ids": ["7"], "document_ids": ["d1", "two words"], "feature_names": ["tf", "idf"]} | changes
    return RankingData.build([[0, 0.5], [2, 0]], [1, 0], [0, 2], **given)


def test_letor_text_looks_as_letor_has_it(tmp_path: Path) -> None:
    write_letor(example(), tmp_path / "dense.txt")
    assert (tmp_path / "dense.txt").read_text() == (
        '1 qid:7 1:0.0 2:0.5 # docid = d1\n0 qid:7 1:2.0 2:0.0 # docid = "two words"\n'
    )
    write_letor(example(), tmp_path / "sparse.txt", zeros=False)
    assert (tmp_path / "sparse.txt").read_text() == (
        '1 qid:7 2:0.5 # docid = d1\n0 qid:7 1:2.0 # docid = "two words"\n'
    )


def test_the_same_data_gives_the_same_gzip_bytes_as_its_text(tmp_path: Path) -> None:
    write_letor(example(), tmp_path / "a.txt")
    write_letor(example(), tmp_path / "a.txt.gz")
    written = (tmp_path / "a.txt.gz").read_bytes()
    assert gzip.decompress(written) == (tmp_path / "a.txt").read_bytes()
    assert written[4:8] == bytes(4), "a time stamp would make every file differ"


def test_feature_names_are_read_again(tmp_path: Path) -> None:
    write_feature_names(["tf", "length of URL"], tmp_path / "features.txt")
    assert read_feature_names(tmp_path / "features.txt") == ("tf", "length of URL")


@pytest.mark.parametrize(
    ("write", "changes", "reason"),
    [
        (write_letor, {"query_ids": ["two words"]}, "the query id 'two words' cannot be written"),
        (write_letor, {"query_ids": ["a#b"]}, "the query id 'a#b' cannot be written"),
        (write_letor, {"document_ids": ["a\nb", "c"]}, "it has a line break"),
        (write_table, {"feature_names": ["tf", "tf"]}, "two features have the same name"),
        (write_table, {"feature_names": ["tf", "DocID"]}, "a feature is named 'DocID'"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_before_anything_is_written(tmp_path, write, changes, reason) -> None:
    with pytest.raises(DataError, match=reason):
        write(example(**changes), tmp_path / "out")
    assert not (tmp_path / "out").exists()
