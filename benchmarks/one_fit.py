"""One ℓ1 fit in a process of its own, told as one JSON object: what a fresh process pays in time and memory.

``python -m benchmarks.one_fit FOLDER [--warm]``, FOLDER holding the arrays of `save_arrays`. With ``--warm`` the
kernels are loaded before anything is measured.
"""

from __future__ import annotations

import time

BEGUN = time.perf_counter()  # before the imports, which are part of what is measured

import argparse  # noqa: E402
import json  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

from core.data import RankingData  # noqa: E402
from core.methods import get_method  # noqa: E402

RATIO = 0.01


def save_arrays(data: RankingData, folder: Path, precision: str = "float64") -> None:
    """Write what a fit needs, so that the measured process neither generates nor parses anything."""
    np.save(folder / "features.npy", data.features.astype(precision, copy=False))
    np.save(folder / "relevance.npy", data.relevance)
    np.save(folder / "query_offsets.npy", data.query_offsets)


def in_fresh_process(folder: Path, *, warm: bool) -> dict[str, Any]:
    """Run this module on the arrays of a folder and return what it measured."""
    words = [sys.executable, "-m", "benchmarks.one_fit", str(folder), *(["--warm"] if warm else [])]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


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
    imported = time.perf_counter()
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--warm", action="store_true")
    options = parser.parse_args()
    method = get_method("l1")
    arrays = [np.load(options.folder / f"{name}.npy") for name in ("features", "relevance", "query_offsets")]
    precision = arrays[0].dtype.type
    if options.warm:
        _toy_fit(precision)
    data = RankingData.build(*arrays, dtype=precision)
    before = peak_bytes()
    begun = time.perf_counter()
    training = method.training(data)
    fit = method.fit(training, training.lam_at(RATIO))
    fitted = time.perf_counter()
    record = {
        "import_seconds": imported - BEGUN,
        "fit_seconds": fitted - begun,
        "fit_bytes": peak_bytes() - before,
        "nonzero": fit.result.nonzero,
        "gap": fit.result.certificate.relative,
    }
    print(json.dumps(record))


def _toy_fit(precision: type[np.floating]) -> None:
    features = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]]
    data = RankingData.build(features, [1, 0, 1, 0], [0, 2, 4], dtype=precision)
    training = get_method("l1").training(data)
    get_method("l1").fit(training, training.lam_at(RATIO))


if __name__ == "__main__":
    main()
