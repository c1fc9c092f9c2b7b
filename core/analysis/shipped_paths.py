"""Paths of the sample data that come with the program, so that a server just started can draw them at once.

A file is found by a key of all that its numbers depend on: the data, the method, its settings and the code. Where one
of them differs there is no such file, and the path is worked out.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_records import point_of, point_record
from core.data import Convention, Fold
from core.methods import Method, get_method
from core.solvers import Certificate

SHIPPED = Path(__file__).parents[2] / "sample_data" / "paths"
COMMAND = "python sample_data/build_paths.py"
"""Writes the files anew."""
DATASET, FOLD, METHODS = "python-docs", 1, ("l1", "log", "mcp", "l0.5")
_CORE = Path(__file__).parents[1]
_CODE = (
    "analysis/between.py", "analysis/choosing.py", "analysis/evaluation.py", "analysis/path.py",
    "analysis/path_frames.py", "analysis/warm_start.py", "losses/base.py", "losses/squared_hinge.py",
    "losses/_squared_hinge_kernels.py", "methods/base.py", "methods/ranksvm_l1.py", "methods/ranksvm_nonconvex.py",
    "methods/training.py", "metrics/*.py", "penalties/base.py", "penalties/l1.py", "penalties/log.py",
    "penalties/lp.py", "penalties/mcp.py", "solvers/base.py", "solvers/certificates.py", "solvers/line_search.py",
    "solvers/newton/*.py", "solvers/problem.py", "solvers/run.py",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ShippedPath:
    """A finished path.

    Attributes
    ----------
    points : list of PathPoint
    frames : list of Frame
        As `core.analysis.path_frames` makes them of the refined path.
    """

    points: list[PathPoint]
    frames: list[Frame]


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
    return ShippedPath(
        [point_of(each, fold.train.feature_names) for each in kept["points"]],
        [_frame(each) for each in kept["frames"]],
    )


def file_name(fold: Fold, convention: Convention, method: str, settings: Mapping[str, float]) -> str:
    """The name of the file for this data, method and settings, and the code as it is now."""
    data = [(name, part.fingerprint) for name, part in fold.parts().items()]
    key = repr((data, convention, method, sorted(settings.items()), code_version()))
    return f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json.gz"


@cache
def code_version() -> str:
    """The sha256 of the source that decides the numbers of these paths."""
    digest = hashlib.sha256()
    for pattern in _CODE:
        for path in sorted(_CORE.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def packed_path(points: Sequence[PathPoint], frames: Sequence[Frame]) -> bytes:
    """A path as a file has it: every digit, and the same bytes for the same path."""
    kept = {"points": [point_record(point) for point in points], "frames": [_frame_record(f) for f in frames]}
    return gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), mtime=0)


def _frame_record(frame: Frame) -> dict[str, Any]:
    return asdict(frame) | {"weights": frame.weights.tolist()}


def _frame(kept: Mapping[str, Any]) -> Frame:
    parts = {
        "weights": np.array(kept["weights"]),
        "judgement": Judgement(**kept["judgement"]),
        "certificate": Certificate(**kept["certificate"]),
    }
    return Frame(**(dict(kept) | parts))
