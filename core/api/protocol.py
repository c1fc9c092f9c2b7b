"""The papers' protocol in one call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from core.analysis.choosing import ChoiceRule
from core.data import Reading
from core.data.reading import AS_IT_STANDS
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.results.report import choose_reference
from core.experiments.results.run import Run
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.presets import parse_rows
from core.experiments.run.protocol import DEFAULT_POINTS
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.file import default_store_path
from core.experiments.run.workers.local_workers import LocalWorkers


def run_protocol(
    datasets: Sequence[str | tuple[str, Reading]],
    methods: Sequence[str],
    *,
    points: int = DEFAULT_POINTS,
    measure: str = "MAP",
    choose: ChoiceRule = "best",
    starts: int = 1,
    bootstrap_training: int = 0,
    widen: bool = False,
    reference: str | None = None,
    margin: float = DEFAULT_MARGIN,
    workers: int | None = None,
) -> Run:
    """Run methods on all folds of datasets: a grid of C on training, one chosen on validation, measured on test.

    Finished cells are kept where the app and the command line keep theirs, and none is worked out twice.

    Parameters
    ----------
    datasets : sequence of str or (str, Reading)
        Names of the catalogue or paths, and how each is read where that matters.
    methods : sequence of str
        Such as ``"log"``, ``"mcp:gamma=2"``, or the name of a paper's table.
    points : int
        Size of the grid.
    measure : {"MAP", "NDCG@10"}
        That chooses.
    choose : {"best", "one-se", "average"}
    starts : int
        For non-convex penalties: from how many starts the problem of each chosen model is fitted, for the spread.
    bootstrap_training : int
        How often the training queries of every fold are drawn again with replacement, for the ± by training.
    widen : bool
        Whether grids widen until the choice lies inside, by at most four decades at each end.
    reference : str, optional
        The method that the others are compared with; the dense one by default.
    margin : float
        Methods whose MAP or NDCG@10 differs by no more, the choice of C included, are equivalent (`Run.comparisons`).
    workers : int, optional
        Processes on this machine; by default one a core.

    Returns
    -------
    Run
        For the pictures whose names begin with ``protocol_``. What failed is in its ``problems``.

    Raises
    ------
    DataError
        If a dataset cannot be used.
    ValueError
        If an option cannot be used.
    """
    sources = [DatasetSource(one, AS_IT_STANDS) if isinstance(one, str) else DatasetSource(*one) for one in datasets]
    how: dict[str, Any] = {"points": points, "measure": measure, "rule": choose, "starts": starts}
    plan = plan_protocol(sources, parse_rows(methods), **how, draws=bootstrap_training, widen=widen)
    compared_with = choose_reference(plan.choices, reference)
    with ProtocolRun(plan, default_store_path(), partial(LocalWorkers, plan, workers)) as run:
        run.finish()
        return Run(plan, run.results(), run.failures, compared_with, margin=margin)
