"""Finished paths as files: those that this user's servers have kept, and those that come with the program.

A file is found by the digest of all that its numbers depend on: data, method, settings and the code that fits and
measures this method. Where one of them differs there is no such file, and the path is fitted. Its models have every
digit. How features rank alone comes with
the program, too: no compiled kernel is needed to read either.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.ingredient import AtOnce, Ingredient, Made
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.code_version import code_version
from core.content import Series
from core.data import Convention, Fold
from core.data.files.disk import DiskCache
from core.methods import Method, get_method
from core.values import plain, rebuilt

PATHS = "core.analysis.tradeoff.fold_paths"
"""The module that fits paths, under rules for features too."""
REGISTRY = "core.methods.registry"
"""The module that imports every method, of which a path needs its own."""
_LIBRARIES = ("numpy", "scipy", "numba")
_LEVEL = 6  # of compression, while a server waits
SHIPPED = Path(__file__).parents[2] / "sample_data" / "paths"
COMMAND = "python sample_data/build_paths.py"
"""Writes the files that come with the program anew."""
DATASET, FOLD, METHODS = "python-docs", 1, ("l1", "log", "mcp", "l0.5")
FIRST_RATIO = 10**-1.5
"""The lambda / lambda_max of the model that a new visitor sees first."""
ALONE = "core.analysis.tradeoff.best_single_feature", "core.analysis.features.single_feature"
"""The modules that measure features alone."""


class KeptPaths:
    """Paths by key, in the cache on the disk. A path of other code is never found, nor one whose file is damaged."""

    def __init__(self) -> None:
        self._files = DiskCache("paths")

    def get(self, key: str, names: Sequence[str]) -> list[PathPoint] | None:
        """Return the path that was kept under a key; None where there is none.

        Parameters
        ----------
        key : str
            From `path_key`.
        names : sequence of str
            Of the features.
        """
        return self._files.get(_name(key), lambda file: [_point_of(each, names) for each in _unpacked(file)])

    def put(self, key: str, points: Sequence[PathPoint]) -> None:
        """Keep a finished path. Where the disk refuses, it is only not kept, and the log says so once."""
        packed = _packed([_point_record(point) for point in points], _LEVEL)
        self._files.put(_name(key), lambda file: file.write(packed), len(packed))


def path_key(
    fold: Fold, convention: Convention, method: Method, settings: Mapping[str, float], *, points: int, rules: object
) -> str:
    """Return a key of all that a path over a method's own range of lambda depends on.

    Parameters
    ----------
    fold : Fold
        Its parts count by their content.
    settings : mapping
        The method's parameters.
    points : int
        Models of the path.
    rules : object
        For features, told apart by how they are written; None without.
    """
    data = tuple((name, part.fingerprint) for name, part in fold.parts().items())
    code = code_version(PATHS, get_method(method.id).module, without=REGISTRY)  # rules make another method of it
    parts = (data, convention, method.id, sorted(settings.items()), points, rules, code)
    return "path-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _name(key: str) -> str:
    return hashlib.sha256(repr((key, [version(name) for name in _LIBRARIES])).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class ShippedPath:
    """A finished path that comes with the program, so that a server just started can draw it at once.

    Attributes
    ----------
    frames : Series of Frame
        As `core.analysis.path_frames` makes them of the refined path.
    first : PathPoint
        The model at `FIRST_RATIO`, fitted from zero, with its trace.
    """

    points: list[PathPoint]
    frames: Series[Frame]
    first: PathPoint


def shipped_path(
    fold: Fold, convention: Convention, method: Method, settings: Mapping[str, float], folder: Path = SHIPPED
) -> ShippedPath | None:
    """The path that was shipped for exactly this; None where there is none, or it cannot be read.

    A method that has been changed, such as one under rules for features, has none.
    """
    if method != get_method(method.id):
        return None
    try:
        kept = _unpacked(folder / file_name(fold, convention, method.id, settings))
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    *points, first = (_point_of(each, fold.train.feature_names) for each in [*kept["points"], kept["first"]])
    return ShippedPath(points, Series(rebuilt(Frame, frame) for frame in kept["frames"]), first)


def file_name(fold: Fold, convention: Convention, method: str, settings: Mapping[str, float]) -> str:
    """The name of the file for this data, method and settings, and the code as it is now."""
    own = get_method(method)
    return f"{path_key(fold, convention, own, settings, points=len(own.ratios), rules=None)[:29]}.json.gz"


def packed_path(path: ShippedPath) -> bytes:
    """A path as a file has it: every digit, and the same bytes for the same path."""
    points, first = [_point_record(point) for point in path.points], _point_record(path.first)
    return _packed({"points": points, "frames": plain(path.frames), "first": first})


def shipped_result(ingredient: Ingredient[Made]) -> Made | None:
    """What was shipped of exactly this: how features rank alone; None where nothing was."""
    several = isinstance(ingredient, SingleFeatureScores)
    if not several and not (isinstance(ingredient, AtOnce) and best_single_feature.makes(ingredient)):
        return None
    kept = _alone().get(ingredient.key)
    if kept is None:
        return None
    made: Any = tuple(SingleFeatureScore(**row) for row in kept) if several else SingleFeatureReference(**kept)
    return cast("Made", made)


def packed_results(results: Mapping[str, Any]) -> bytes:
    """Scores and references by the keys of their ingredients, as the file `alone_name` has them."""
    return _packed(plain(results))


def alone_name() -> str:
    """The name of the file of features alone, for the code as it is now."""
    return f"alone-{hashlib.sha256(repr([*map(code_version, ALONE)]).encode()).hexdigest()[:24]}.json.gz"


@cache
def _alone() -> dict[str, Any]:
    try:
        kept: dict[str, Any] = _unpacked(SHIPPED / alone_name())
    except (OSError, EOFError, zlib.error, ValueError):
        return {}
    return kept


def _packed(record: Any, level: int = 9) -> bytes:
    return gzip.compress(json.dumps(record, separators=(",", ":")).encode(), level, mtime=0)


def _unpacked(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


def _point_record(point: PathPoint) -> dict[str, Any]:
    """Return a model as plain data; names of features are left out."""
    record: dict[str, Any] = plain(replace(point, fit=replace(point.fit, feature_names=())))
    return record


def _point_of(record: Mapping[str, Any], names: Sequence[str]) -> PathPoint:
    """Return the model of a record, with the names of the features."""
    point: PathPoint = rebuilt(PathPoint, record)
    return replace(point, fit=replace(point.fit, feature_names=tuple(names)))
