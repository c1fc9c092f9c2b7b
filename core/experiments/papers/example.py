"""Small finished runs of experiments that come with the program, to be shown before there is one of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.experiments.papers.experiment import PaperExperiment, Request
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES
from core.experiments.run.plan import DatasetSource

DATASET = "planted"
EXAMPLES: tuple[PaperExperiment[Any, Any], ...] = (FSMRANK_SIZES, FSMRANK_CONVERGENCE, FENCHELRANK_TIME)
EXAMPLE = Path(__file__).with_name("example_runs.json")
"""Written by ``sample_data/build_example_experiments.py``."""


@cache
def example_cells(name: str) -> tuple[Any, ...]:
    """Return the pieces of an example, in the order of computation. It reads the data."""
    experiment = next(experiment for experiment in EXAMPLES if experiment.name == name)
    return tuple(experiment.cells(Request((DatasetSource(DATASET),), quick=experiment.has_quick)))


@cache
def example_outcomes(name: str) -> Sequence[Any]:
    """Return the outcomes of an experiment on the sample data; none where the program has no example of it."""
    packed = json.loads(EXAMPLE.read_text(encoding="utf-8")).get(name)
    if packed is None:
        return ()
    experiment = next(experiment for experiment in EXAMPLES if experiment.name == name)
    return [experiment.unpack(cell, piece) for cell, piece in zip(example_cells(name), packed, strict=True)]


def rounded(part: Any) -> Any:
    """Return packed values with as many digits as a picture shows."""
    if isinstance(part, float):
        return float(f"{part:.6g}")
    if isinstance(part, Mapping):
        return {name: rounded(value) for name, value in part.items()}
    return [rounded(value) for value in part] if isinstance(part, list | tuple) else part
