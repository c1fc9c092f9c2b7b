"""A text parsed in chunks, by several threads, gives the data and the errors of one that is parsed as a whole."""

import pytest

from core.data.errors import DataError
from core.data.letor import letor_lines
from core.data.letor.letor_format import read_letor

LINE = b"%d qid:%d 1:%d.25 2:-.5 7:0.12345678901234567 #docid = D%d\n"
TEXT = b"# head\n" + b"".join(LINE % (row % 3, row // 4, row, row) for row in range(60)) + b"\n# foot"
WRONG = {
    "label": b"x qid:90 1:1\n",
    "query": b"1 1:1\n",
    "index": b"1 qid:90 0:1\n",
    "order": b"1 qid:90 2:1 1:1\n",
    "value": b"1 qid:90 1:one\n",
    "infinite": b"1 qid:90 1:1e999\n",
    "cut off": b"1 qid:90 1:1 2:",
}


@pytest.fixture(params=[1, 40, 500])
def small_chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letor_lines, "_CHUNK", request.param)
    monkeypatch.setenv("SPARSE_RANK_THREADS", "3")


@pytest.fixture(scope="module")
def whole() -> str:
    return read_letor(TEXT).fingerprint


@pytest.mark.usefixtures("small_chunks")
def test_chunks_give_the_data_of_the_whole(whole: str) -> None:
    data = read_letor(TEXT)
    assert data.fingerprint == whole
    assert data.n_queries == 15
    assert data.n_features == 7


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("kind", WRONG)
def test_the_first_error_is_told_with_line_and_column(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT[: -len(b"\n# foot")] + WRONG[kind]
    text += b"" if kind == "cut off" else b"1 qid:91 1:two\n" + TEXT[7:]
    with pytest.raises(DataError) as in_chunks:
        read_letor(text)
    monkeypatch.setattr(letor_lines, "_CHUNK", 1 << 22)
    with pytest.raises(DataError) as at_once:
        read_letor(text)
    assert str(in_chunks.value) == str(at_once.value)
    assert in_chunks.value.line == 62
