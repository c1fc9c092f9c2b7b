"""What is written is read again to the same bits."""

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.letor.letor_format import read_letor
from core.data.ranking_data import RankingData
from core.data.tables.table_format import read_table
from tests.ranking_files import write_letor, write_table

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
        assert replace(read_letor(path), feature_names=data.feature_names).fingerprint == data.fingerprint


@settings(max_examples=60, deadline=None)
@given(ranking_data(), st.sampled_from(["a.csv", "a.csv.gz"]))
def test_a_table_gives_the_same_bits_and_names(data: RankingData, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_table(data, path)
        assert read_table(path).data.fingerprint == data.fingerprint
