"""Short names stay different, and are made of the words of their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.naming import KNOWN
from core.names.short import short_names, shortened

ROOM = (16, 19, 20, 22, 26, 34)
LISTS = {known.file: known.names for known in KNOWN}
SEEN = {
    "letor3_ohsumed_45.txt": {"log(BM25) in 'title + abstract'": "log(BM25)…title + abstract"},
    "mslr_136.txt": {"min of stream length normalized term frequency | anchor": "min…normalized…anchor"},
    "letor3_gov_64.txt": {
        "TF (term frequency) of body": "TF of body",
        "Hyperlink based score propagation: weighted in-link": "…score…weighted in-link",
    },
}


def words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", name)


def in_order(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


@pytest.mark.parametrize("longest", ROOM)
@pytest.mark.parametrize("file", LISTS)
def test_published_names_stay_different(file: str, longest: int) -> None:
    names = LISTS[file]
    labels = short_names(names, range(len(names)), longest)
    assert len(set(labels)) == len(names)
    assert max(map(len, labels)) <= longest
    assert [label for label, name in zip(labels, names, strict=True) if len(name) <= longest] == [
        name for name in names if len(name) <= longest
    ]


@pytest.mark.parametrize("file", LISTS)
def test_each_is_made_of_the_words_of_its_name_in_order(file: str) -> None:
    names = LISTS[file]
    labels = short_names(names, range(len(names)), 26)
    whole = [label for label in labels if not re.search(r"… \d+$", label)]
    assert len(labels) - len(whole) <= 5  # what is told apart by words longer than the room is cut and numbered
    for name, label in zip(names, labels, strict=True):
        assert label not in whole or in_order(words(label), words(name)), (name, label)
    for name, label in SEEN.get(file, {}).items():
        assert labels[names.index(name)] == label


@pytest.mark.parametrize("file", LISTS)
def test_the_program_knows_the_same_names_as_the_shared_lists(file: str, shared_data: Path) -> None:
    shared = shared_data / "features" / file
    if not shared.is_file():
        pytest.skip("the lists of published names are not here")
    lines = shared.read_text(encoding="utf-8").splitlines()
    assert tuple(line.partition("\t")[2].strip() for line in lines) == tuple(name.strip() for name in LISTS[file])


def test_a_long_word_is_cut_and_numbered() -> None:
    names = ["x" * 40 + "a", "x" * 40 + "b", "short"]
    assert short_names(names, [1, 0, 2], 10) == ["xxxxxxx… 2"[-10:], "xxxxxxx… 1"[-10:], "short"]


PIECES = ["a", "bb", "of", "(c d)", "TF*IDF", "TF", "|", "'q", "r'", "<b>"]
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map(" ".join)


@given(st.lists(NAMES, unique=True, max_size=12), st.integers(6, 30))
def test_no_two_of_any_names_become_equal(names: list[str], longest: int) -> None:
    labels = short_names(names, range(len(names)), longest)
    assert len({*labels}) == len(names)
    assert all(len(label) <= max(longest, 6) for label in labels)


@given(st.lists(NAMES.filter(lambda name: "(" not in name), unique=True, max_size=12))
def test_what_is_left_out_leaves_a_gap(names: list[str]) -> None:
    for name, label in zip(names, short_names(names, range(len(names)), 12), strict=True):
        assert "…" in label or words(label) == words(name), (name, label)
        assert "……" not in label


@pytest.mark.parametrize(
    ("text", "short"),
    [("abc", "abc"), ("a  b\nc", "a b c"), ("how to sort a list", "how to sort…"), ("x" * 30, "xxxxxxxxxxx…")],
)
def test_a_text_is_cut_between_words_where_that_leaves_enough(text: str, short: str) -> None:
    assert shortened(text, 12) == short
    assert len(shortened(text, 12)) <= 12
