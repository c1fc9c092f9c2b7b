"""Every experiment outside the protocol. A new one is one file, one row here, and its figures."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from core.experiments.papers.experiment import PaperExperiment
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS
from core.experiments.papers.infinite_push_time import INFINITE_PUSH_TIME
from core.experiments.papers.infinite_push_toy import INFINITE_PUSH_NOISE, INFINITE_PUSH_SIZES
from core.experiments.run.presets import PRESETS

EXPERIMENTS: tuple[PaperExperiment[Any, Any], ...] = (
    FSMRANK_SIZES,
    FSMRANK_CONVERGENCE,
    FENCHELRANK_TIME,
    INFINITE_PUSH_SETS,
    INFINITE_PUSH_SIZES,
    INFINITE_PUSH_NOISE,
    INFINITE_PUSH_TIME,
)
_BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}


def get_experiment(name: str) -> PaperExperiment[Any, Any]:
    """Return the experiment of that name.

    Raises
    ------
    ValueError
        If there is no such experiment; the message lists similar names, or all.
    """
    experiment = _BY_NAME.get(name)
    if experiment is None:
        names = [*_BY_NAME, *(preset.name for preset in PRESETS)]
        near = get_close_matches(name, names, n=3) or names
        msg = f"there is no experiment {name!r}; try {', '.join(near)}"
        raise ValueError(msg)
    return experiment
