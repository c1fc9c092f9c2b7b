"""Digests: equal content has one, and whatever differs in anything has another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.evaluation import FoldJudge
from core.content import Series, content_key
from core.data import Fold, RankingData
from core.data.dataset import AppliedScaling
from core.methods import get_method


@dataclass(frozen=True, eq=False)
class Model:
    weights: np.ndarray
    name: str = "a"


class Colour(Enum):
    RED = 1
    BLUE = 2


def plain_things() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


def told_apart(one: object, other: object) -> bool:
    """Whether two plain things differ, in kind or in value; numbers by their bits."""
    return repr(one) != repr(other)


@given(plain_things(), plain_things())
def test_plain_things_have_the_same_digest_exactly_if_they_are_the_same(one: object, other: object) -> None:
    assert (content_key(one) != content_key(other)) == told_apart(one, other)


DIFFERENT: list[object] = [
    None, 0, False, 0.0, -0.0, "", b"", "0", (), (None,), ((),), {}, {"a": 1}, {"a": 1.0}, {"b": 1}, "ab", ("a", "b"),
    np.zeros(3), np.zeros(4), np.zeros((3, 1)), np.zeros(3, dtype=np.float32), np.zeros(3, dtype=int), np.float64(0),
    np.zeros(100), np.array([0.0] * 99 + [1e-300]), Colour.RED, Colour.BLUE, Model(np.zeros(3)), Model(np.ones(3)),
    Model(np.zeros(3), "b"), len, content_key, partial(content_key, 1), partial(content_key, 2), Model, Colour,
    frozenset({1, 2}), frozenset({1, 3}), AppliedScaling(), AppliedScaling("minmax", np.zeros(2), np.ones(2)),
]  # fmt: skip


def test_different_things_have_different_digests() -> None:
    things = [thing for thing in DIFFERENT if thing is not len]
    digests = [content_key(thing) for thing in things]
    assert len(set(digests)) == len(things)


def test_equal_things_have_one_digest_whichever_object_they_are() -> None:
    for make in (lambda: Model(np.arange(50.0)), lambda: {"a": [1, (2.0, "x")]}, lambda: np.arange(9.0)[::2]):
        assert content_key(make()) == content_key(make())
    assert content_key([1, 2]) == content_key((1, 2))
    assert content_key({1, 2, 3}) == content_key(frozenset({3, 2, 1}))


@dataclass(frozen=True)
class Named:
    name: str
    opener: object = field(compare=False, default=None)


def test_fields_by_which_a_dataclass_does_not_compare_itself_do_not_count() -> None:
    assert content_key(Named("a", lambda: 1)) == content_key(Named("a", lambda: 2)) != content_key(Named("b"))


@pytest.mark.parametrize(
    "thing",
    [lambda: 1, object(), (1, object()), iter([1]), open],
    ids=["lambda", "object", "within", "iterator", "builtin"],
)
def test_what_has_no_content_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match="give what it is made from"):
        content_key(thing)


def fold(**changes: object) -> Fold:
    """Three parts; ``changes`` are to the test part, to all names of features, or to the fold's name and scaling."""
    rng = np.random.default_rng(1)

    def part(relevance: list[int], **other: object) -> RankingData:
        given: dict[str, object] = {"query_ids": ["1", "2"], "feature_names": ["f", "g"], **other}
        return RankingData.build(rng.normal(size=(4, 2)), relevance, [0, 2, 4], **given)  # type: ignore[arg-type]

    names = {name: value for name, value in changes.items() if name == "feature_names"}  # alike in all parts
    train, vali = part([0, 1, 1, 0], **names), part([0, 1, 0, 2], **names)
    of_part = {name: value for name, value in changes.items() if name in ("query_ids", "feature_names", "document_ids")}
    test = part(list(changes.get("relevance", [1, 0, 0, 1])), **of_part)  # type: ignore[call-overload]
    scaling = changes.get("scaling", AppliedScaling())
    return Fold(str(changes.get("name", "Fold1")), train, vali, test, scaling)  # type: ignore[arg-type]


def test_a_fold_counts_with_every_part_its_name_and_its_scaling() -> None:
    changes: list[dict[str, object]] = [
        {},
        {"relevance": [1, 0, 0, 2]},
        {"name": "Fold2"},
        {"scaling": AppliedScaling("minmax", np.zeros(2), np.ones(2))},
        {"scaling": AppliedScaling("minmax", np.zeros(2), np.full(2, 2.0))},
        {"query_ids": ["1", "3"]},
        {"feature_names": ["f", "h"]},
        {"document_ids": list("abcd")},
        {"feature_names": ["f\x1fg", "h"], "query_ids": ["1", "2"]},
        {"feature_names": ["f", "g\x1fh"], "query_ids": ["1", "2"]},
    ]
    folds = [fold(**change) for change in changes]
    folds += [replace(folds[0], test=None), replace(folds[0], vali=None, test=folds[0].vali)]
    for make in (content_key, lambda one: content_key(FoldJudge(one, "standard"))):
        digests = {make(one) for one in folds}
        assert len(digests) == len(folds)
        assert make(fold()) == make(folds[0])
    assert content_key(FoldJudge(folds[0], "standard")) != content_key(FoldJudge(folds[0], "letor4"))


def test_training_data_counts_with_its_loss() -> None:
    data, push = fold().train, get_method("infinite-push-l1")
    made = [get_method("l1").training(data), get_method("rsrank").training(data), push.training(data)]
    made += [push.training(data, {"top_share": 0.5}), get_method("l1").training(data, convention="letor4")]
    assert len({content_key(one) for one in made}) == len(made)
    assert content_key(get_method("l1").training(data)) == content_key(get_method("log").training(data))


def test_a_series_is_told_apart_by_every_item_and_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [Model(np.arange(100.0) + k) for k in range(3)]
    series = Series(models)
    assert content_key(series) == content_key(Series(Model(np.arange(100.0) + k) for k in range(3)))
    others = [
        models[:-1],
        models[::-1],
        [*models[:-1], Model(np.arange(100.0))],
        [*models[:-1], replace(models[-1], name="b")],
    ]
    assert len({content_key(Series(one)) for one in [models, *others]}) == 1 + len(others)
    known = content_key(series)
    monkeypatch.setattr("core.content._frozen", lambda *_: pytest.fail("read again"))
    assert content_key(series) == known
