"""Digests: equal content has one, and whatever differs in anything has another.

The version of code follows its imports: any source that it depends on changes it, and no other.

What counts as another program: what it does, not what is said of it or where it stands.
"""

import shutil
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.evaluation import FoldJudge
from core.code_version import TREE, code_version, files_of, meanings
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


@given(plain_things(), plain_things())
def test_plain_things_have_the_same_digest_exactly_if_they_are_the_same(one: object, other: object) -> None:
    """In kind or in value; numbers by their bits."""
    assert (content_key(one) != content_key(other)) == (repr(one) != repr(other))


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


MODULE = "core.analysis.stored_paths"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Another copy of the package: of a copy, code and imports are read once a process."""
    shutil.copytree(TREE / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("file", ["solvers/newton/_quadratic_kernel.py", "losses/__init__.py"])
def test_it_changes_with_what_is_imported_however_far_away(tree: Path, file: str) -> None:
    with (tree / "core" / file).open("a") as source:
        source.write("\nEDITED = 1\n")
    assert code_version(MODULE, tree=tree) != code_version(MODULE)


def test_it_changes_with_nothing_else_and_is_the_same_wherever_the_package_is_installed(tree: Path) -> None:
    edits = {
        "core/solvers/newton/_quadratic_kernel.py": "\n# a remark\n",
        "core/figures/path/path.py": "\nEDITED = 1\n",  # draws what was computed
        "core/cli/fit.py": "\nEDITED = 1\n",
        "numpy/__init__.py": "OTHER = 1\n",
    }
    (tree / "numpy").mkdir()
    for file, added in edits.items():
        with (tree / file).open("a") as source:
            source.write(added)
    assert code_version(MODULE, tree=tree) == code_version(MODULE)


def test_modules_that_are_imported_inside_of_functions_count(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.py").write_text("def work():\n    from core.two import three\n    import core.four\n")
    for name in ("two", "four", "five"):
        (tmp_path / "core" / f"{name}.py").write_text("import numpy\n")
    assert {path.name for path in files_of("core.one", tmp_path)} == {"one.py", "two.py", "four.py"}


SOURCE = '''"""A module."""
import numpy as np
from core.solvers.admm import Admm as Solver
from core.solvers.base import Iterate, Solver as Base

LIMIT = 3
"""Why three."""


def double(x: float, *, times: int = 2) -> float:
    """Twice."""
    total = x * times  # as often as asked
    return total + LIMIT


class Row:
    """A row."""

    size: int = 1
    """Its size."""

    def grow(self) -> int:
        """More."""
        return self.size + 1
'''


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ('"""Twice."""', '"""Two times, at least."""'),
        ('    """Twice."""\n', ""),
        ('"""Why three."""', '"""Because."""'),
        ('"""Its size."""', '"""How many."""'),
        ("  # as often as asked", ""),
        ("x * times", "(x\n        * times)"),
        ("core.solvers.admm", "core.solvers.multipliers.admm"),
        (
            "from core.solvers.base import Iterate, Solver as Base",
            "from core.a import Solver as Base\nfrom core.b import Iterate",
        ),
        ("LIMIT = 3", "LIMIT = (3)"),
    ],
)
def test_words_layout_and_the_place_of_our_own_modules_do_not_count(said: str, instead: str) -> None:
    assert said in SOURCE
    assert meanings(SOURCE.replace(said, instead)) == meanings(SOURCE)


@pytest.mark.parametrize(
    ("does", "instead"),
    [
        ("x * times", "x + times"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("times: int = 2", "times: int = 3"),
        ("self.size + 1", "self.size"),
        ("import Admm as Solver", "import Dual as Solver"),
        ("import numpy as np", "import scipy as np"),
        ("Solver as Base", "Problem as Base"),
        ("size: int = 1", "size: int = 0"),
        ("return total + LIMIT", 'return "total"'),
    ],
)
def test_what_it_does_counts(does: str, instead: str) -> None:
    assert does in SOURCE
    assert meanings(SOURCE.replace(does, instead)) != meanings(SOURCE)
