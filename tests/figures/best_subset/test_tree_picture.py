"""The picture of a search tree, alike in a notebook and on the page."""

from __future__ import annotations

import pytest

import core
from core.api import pictures
from tests.says import assert_says


def test_the_subtitle_names_method_c_and_marks() -> None:
    fold = core.open_dataset("planted").fold(1)
    picture = pictures.search_tree(fold, C=1e-4, parameters={"k": 1})
    words = picture.words(picture.found)
    assert_says(words.subtitle, "best subset", "C = 1.0e-4", "× cut off")
    assert_says(words.title, f"{(picture.table['state'] == 'cut').sum()} cut off", "proven")


def test_what_has_no_tree_is_refused_at_the_call() -> None:
    fold = core.open_dataset("planted").fold(1)
    for wrong in ({"C": 0.0}, {"C": 1.0, "parameters": {"q": 2}}, {"C": 1.0, "rules": core.FeatureRules(off=["?"])}):
        with pytest.raises(ValueError, match=r"C is|no parameter 'q'|'\?'"):
            pictures.search_tree(fold, **wrong)


def test_the_same_search_has_the_same_key_in_every_session() -> None:
    fold = core.open_dataset("planted").fold(1)
    one = pictures.search_tree(fold, C=1.0).search.key
    assert one == pictures.search_tree(core.open_dataset("planted").fold(1), C=1.0).search.key
    others = [{"C": 2.0}, {"parameters": {"k": 2}}, {"rules": core.FeatureRules(off=[1])}, {"convention": "letor4"}]
    assert len({one, *(pictures.search_tree(fold, **({"C": 1.0} | other)).search.key for other in others)}) == 5
