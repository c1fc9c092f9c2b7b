"""A regular file read without the compiled parser: the same arrays, and nothing that is not regular."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from core.data.files.limits import Limits
from core.data.letor import letor_format
from core.data.letor.letor_lines import parse, plain_lines

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
LINES = b"2 qid:a 1:0.5 2:1.25 #docid = x\n0 qid:a 1:0.1 2:17.0 #\n1 qid:b 1:0.0 2:0.333333333 # rest of it\n"


@pytest.mark.parametrize("name", ["python-docs", "planted"])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_samples_are_what_the_parser_makes_of_them(name: str, precision: type[np.floating]) -> None:
    content = gzip.decompress((SAMPLES / name / "partitions" / "S1.txt.gz").read_bytes())
    plain, parsed = plain_lines(content, precision), parse(content, name, Limits.of(content), precision)
    assert plain is not None
    for part, array in vars(parsed).items():
        found = getattr(plain, part)
        assert (found.dtype, found.tobytes()) == (array.dtype, array.tobytes()), part


@pytest.mark.parametrize(
    "content",
    [
        LINES.replace(b" 2:17.0", b""),
        LINES.replace(b"2:17.0", b"3:17.0"),
        LINES.replace(b"2:17.0", b"2:1e1"),
        LINES.replace(b"2:17.0", b"2:-1.0"),
        LINES.replace(b"2 qid", b"2000 qid"),
        LINES.replace(b"2 qid", b"+2 qid"),
        LINES.replace(b"#\n", b"\n"),
        LINES.removesuffix(b"\n"),
        b"# all of it\n" + LINES,
        b"",
    ],
)
def test_whatever_is_not_regular_is_left_to_the_parser(content: bytes) -> None:
    assert plain_lines(LINES, np.float64) is not None
    assert plain_lines(content, np.float64) is None


def test_a_file_is_read_plainly_before_the_parser_is_compiled_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = letor_format.read_letor(LINES)
    monkeypatch.setattr(letor_format, "parse", lambda *_: pytest.fail("it would be compiled"))
    with pytest.raises(pytest.fail.Exception):
        letor_format.read_letor(LINES)
    monkeypatch.setattr(letor_format, "is_cached", lambda _: False)
    assert letor_format.read_letor(LINES).fingerprint == expected.fingerprint
