"""The first fit of a fresh process, with the compiled kernels already in their cache."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.one_fit import in_fresh_process, save_arrays
from benchmarks.real_data import SAMPLE, size_of
from benchmarks.report import Column, Goal, Report
from benchmarks.threads import limited_to
from core.data import open_dataset

COMMAND = ("-m", "core", "fit", SAMPLE, "--lambda-ratio", "0.01", "--json")
ROUNDS = 5
GOAL = 1.0


def run(threads: int | None) -> Report:
    """The whole command line, and inside a process the imports and the fit apart."""
    train = open_dataset(SAMPLE).fold(1).train
    seconds: dict[str, list[float]] = {
        f"the whole command: {' '.join(('python', *COMMAND))}": [],
        "in the process: imports of the core": [],
        "in the process: first ℓ1 fit, kernels loaded on the way": [],
    }
    whole, imports, first_fit = seconds.values()
    with limited_to(threads) as used, TemporaryDirectory() as folder:
        save_arrays(train, Path(folder))
        for turn in range(ROUNDS + 1):
            begun = time.perf_counter()
            subprocess.run([sys.executable, *COMMAND], check=True, capture_output=True)
            elapsed = time.perf_counter() - begun
            measured = in_fresh_process(Path(folder), warm=False)
            if turn > 0:  # the first one may still compile
                whole.append(elapsed)
                imports.append(measured["import_seconds"])
                first_fit.append(measured["fit_seconds"])
    goals = [
        Goal(f"{what} under {GOAL:g} s", f"{np.median(taken):.2f} s", float(np.median(taken)) < GOAL)
        for what, taken in (("first fit in a fresh process", first_fit), ("the whole command", whole))
    ]
    return Report(
        title="First fit in a fresh process, compile cache warm",
        setting=f"{SAMPLE} fold 1: {size_of(train)}; {used}; {ROUNDS} processes",
        columns=(Column("what"), Column("median, s", ".2f"), Column("least, s", ".2f"), Column("most, s", ".2f")),
        rows=[(name, float(np.median(taken)), min(taken), max(taken)) for name, taken in seconds.items()],
        goals=goals,
    )
