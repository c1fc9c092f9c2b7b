"""Results of the sample data that come with the program, so that a server just started can draw them at once.

A file is found by a key of all that its numbers depend on: the data, the method, its settings and the code. Where one
of them differs there is no such file, and they are computed. No compiled kernel is needed to read them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from core.analysis.evaluation import Judgement
from core.analysis.features.single_feature import SingleFeatureScore, SingleFeatureScores
from core.analysis.ingredient import Ingredient, Made
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_records import point_of, point_record
from core.analysis.tradeoff.best_single_feature import BestSingleFeature, SingleFeatureReference
from core.code_version import code_version
from core.content import Series
from core.data import Convention, Fold
from core.methods import Method, get_method
from core.solvers import Certificate

SHIPPED = Path(__file__).parents[2] / "sample_data" / "paths"
COMMAND = "python sample_data/build_paths.py"
"""Writes the files anew."""
DATASET, FOLD, METHODS = "python-docs", 1, ("l1", "log", "mcp", "l0.5")
PATHS = "core.analysis.path_frames"
"""The module that makes paths and their frames."""
FIRST_RATIO = 10**-1.5
"""The lambda / lambda_max of the model that a new visitor sees first."""
ALONE = "core.analysis.tradeoff.best_single_feature", "core.analysis.features.single_feature"
"""The modules that measure features alone."""


@dataclass(frozen=True, eq=False)
class ShippedPath:
    """A finished path.

    Attributes
    ----------
    points : list of PathPoint
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
    path = folder / file_name(fold, convention, method.id, settings)
    try:
        kept = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    *points, first = (point_of(each, fold.train.feature_names) for each in [*kept["points"], kept["first"]])
    return ShippedPath(points, Series(_frame(each) for each in kept["frames"]), first)


def file_name(fold: Fold, convention: Convention, method: str, settings: Mapping[str, float]) -> str:
    """The name of the file for this data, method and settings, and the code as it is now."""
    data = [(name, part.fingerprint) for name, part in fold.parts().items()]
    key = repr((data, convention, method, sorted(settings.items()), code_version(PATHS)))
    return f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json.gz"


def packed_path(path: ShippedPath) -> bytes:
    """A path as a file has it: every digit, and the same bytes for the same path."""
    points, first = [point_record(point) for point in path.points], point_record(path.first)
    return _packed({"points": points, "frames": [_frame_record(frame) for frame in path.frames], "first": first})


def shipped_result(ingredient: Ingredient[Made]) -> Made | None:
    """What was shipped of exactly this: how features rank alone; None where nothing was."""
    if not isinstance(ingredient, SingleFeatureScores | BestSingleFeature):
        return None
    kept = _alone().get(ingredient.key)
    if kept is None:
        return None
    several = isinstance(ingredient, SingleFeatureScores)
    made: Any = tuple(SingleFeatureScore(**row) for row in kept) if several else SingleFeatureReference(**kept)
    return cast("Made", made)


def packed_results(results: Mapping[str, Any]) -> bytes:
    """Scores and references by the keys of their ingredients, as the file `alone_name` has them."""
    rows = {
        key: [asdict(score) for score in made] if isinstance(made, tuple) else asdict(made)
        for key, made in results.items()
    }
    return _packed(rows)


def alone_name() -> str:
    """The name of the file of features alone, for the code as it is now."""
    return f"alone-{hashlib.sha256(repr([*map(code_version, ALONE)]).encode()).hexdigest()[:24]}.json.gz"


@cache
def _alone() -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads(gzip.decompress((SHIPPED / alone_name()).read_bytes()))
    except (OSError, EOFError, zlib.error, ValueError):
        return {}
    return kept


def _packed(kept: Mapping[str, Any]) -> bytes:
    return gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), mtime=0)


def _frame_record(frame: Frame) -> dict[str, Any]:
    ends = None if frame.ends is None else [end.tolist() for end in frame.ends]
    return asdict(frame) | {"weights": frame.weights.tolist(), "ends": ends}


def _frame(kept: Mapping[str, Any]) -> Frame:
    parts = {
        "weights": np.array(kept["weights"]),
        "judgement": Judgement(**kept["judgement"]),
        "certificate": Certificate(**kept["certificate"]),
        "ends": None if kept["ends"] is None else tuple(np.array(end) for end in kept["ends"]),
    }
    return Frame(**(dict(kept) | parts))
