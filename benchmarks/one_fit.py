"""One ℓ1 fit in a process of its own, told as one JSON object: what a fit adds to the memory of a fresh process.

``python -m benchmarks.one_fit FOLDER``, FOLDER holding the arrays of `save_arrays`. The kernels are loaded before
anything is measured.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.data import RankingData
from core.methods import get_method

RATIO = 0.01


def save_arrays(data: RankingData, folder: Path, precision: str = "float64") -> None:
    """Write what a fit needs, so that the measured process neither generates nor parses anything."""
    np.save(folder / "features.npy", data.features.astype(precision, copy=False))
    np.save(folder / "relevance.npy", data.relevance)
    np.save(folder / "query_offsets.npy", data.query_offsets)


def added_in_fresh_process(folder: Path) -> int:
    """Bytes that a fit to the arrays of a folder adds to the peak of a process of its own."""
    words = [sys.executable, "-m", "benchmarks.one_fit", str(folder)]
    return int(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["fit_bytes"])


def peak_bytes() -> int:
    """Most memory this process has held so far.

    Linux hands ``ru_maxrss`` down to a started process from the one that started it, so there the kernel's own record
    of the process is read instead.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024 * int(line.split()[1])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    arrays = [np.load(options.folder / f"{name}.npy") for name in ("features", "relevance", "query_offsets")]
    precision = arrays[0].dtype.type
    _toy_fit(precision)
    data = RankingData.build(*arrays, dtype=precision)
    before = peak_bytes()
    method = get_method("l1")
    training = method.training(data)
    result = method.fit(training, training.lam_at(RATIO)).result
    added = peak_bytes() - before
    print(json.dumps({"fit_bytes": added, "nonzero": result.nonzero}))


def _toy_fit(precision: type[np.floating]) -> None:
    features = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]]
    data = RankingData.build(features, [1, 0, 1, 0], [0, 2, 4], dtype=precision)
    training = get_method("l1").training(data)
    get_method("l1").fit(training, training.lam_at(RATIO))


if __name__ == "__main__":
    main()
