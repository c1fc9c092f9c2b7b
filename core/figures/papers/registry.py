"""The figures of each experiment of the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS
from core.experiments.papers.infinite_push_time import INFINITE_PUSH_TIME
from core.experiments.papers.infinite_push_toy import INFINITE_PUSH_NOISE, INFINITE_PUSH_SIZES
from core.figures.papers.fenchelrank_time import ball_figure
from core.figures.papers.fsmrank_convergence import convergence_panels
from core.figures.papers.fsmrank_sizes import size_figure
from core.figures.papers.infinite_push import found_figure, sets_figure, time_figure, top_figure

Draw = Callable[[Sequence[Any]], go.Figure]

PICTURES: Mapping[str, Mapping[str, Draw]] = {
    FENCHELRANK_TIME.name: {"time": ball_figure},
    FSMRANK_SIZES.name: {"sizes": size_figure},
    FSMRANK_CONVERGENCE.name: {"convergence": convergence_panels},
    INFINITE_PUSH_SETS.name: {"top": sets_figure},
    INFINITE_PUSH_SIZES.name: {"top": top_figure},
    INFINITE_PUSH_NOISE.name: {"found": found_figure},
    INFINITE_PUSH_TIME.name: {"time": time_figure},
}
"""Functions from outcomes (at least one) to a figure, by experiment, then by the figure's name."""
