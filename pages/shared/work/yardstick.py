"""The certified best subsets of the chosen data, and methods' sets with the same ridge: worked out beside pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.analysis.best_subset.certified_path import BestSubsets, refuse_too_many
from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet, Ridge, refits_along, selections
from core.analysis.best_subset.yardstick import BEST, MOST_FEATURES, Yardstick, certified_rows
from core.analysis.path import PathPoint
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffRow, dense_reference
from core.content import text_key
from core.work import Steps
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import measures_of
from pages.shared.work.board import ask_for, board
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached
from pages.shared.work.paths import known_points

Refits = Job[Steps[RefittedSet]]


def ridge_model(choice: Loaded, dense: Sequence[TradeoffRow]) -> TradeoffRow | None:
    """The model of all features whose lambda is the ridge of all refits: the one that validation picks, as for l2.

    It does not depend on the measure that a page shows.
    """
    return dense_reference(dense, measures_of(choice)[0])


def ridge_lam(choice: Loaded, ridge: TradeoffRow) -> float:
    """Its lambda; its path has to be known."""
    return next(point.fit.lam for point in known_points(choice, DENSE) if point.fit.c == ridge.c)


def why_not(choice: Loaded) -> str:
    """Why there are no best possible sets to show, in sentences; empty where there are."""
    if choice.rules_for(BEST) is not None:
        return (
            "The best possible sets are those of all features at the same cost. Remove the rules of **What if** on "
            "the Features page to see them."
        )
    try:
        refuse_too_many(choice.fold.train.n_features)
    except ValueError as refusal:
        return str(refusal)
    return ""


def sizes_of(choice: Loaded) -> int:
    """The largest number of features of the yardstick."""
    return min(MOST_FEATURES, int(choice.judge.usable_features.sum()))


def _ridge(choice: Loaded, lam: float) -> Ridge:
    return Ridge.of(access.training(BEST, choice.source, choice.fold_number), lam, choice.judge)


def yardstick_job(choice: Loaded, ridge: TradeoffRow) -> Job[Yardstick]:
    """The search, put in line if there is none; a first look at all sizes comes first, then the proofs."""
    search = BestSubsets(choice.fold, choice.convention, ridge.ratio, MOST_FEATURES)
    return ask_for(search.key, search.work, prompt=lambda run: run is None or not run.sketched)


def refits_of_path(choice: Loaded, lam: float, points: Sequence[PathPoint]) -> Refits:
    """The sets along a complete path, refitted."""
    return _asked(partial(refits_along, points, _ridge(choice, lam), sizes_of(choice)))


def refits_by_hand(choice: Loaded, lam: float) -> dict[str, Refits]:
    """The sets of every selection by hand, refitted."""
    ridge, most = _ridge(choice, lam), sizes_of(choice)
    return {method_id: _asked(partial(selections, method_id, ridge, most)) for method_id in BY_HAND}


def _asked(make: Callable[[], Steps[RefittedSet]]) -> Refits:
    return ask_for(f"refits-{text_key(make)}", make)


def yardstick_panel(job: Job[Yardstick], refits: Sequence[Refits], *, ended: int, active: bool) -> None:
    """How far the search is, with Stop and Continue; the page is drawn again whenever a size is done.

    ``ended`` is what `parts_ended` has told, and ``active`` whether anything was, before the page was drawn.
    """
    Panel(
        key="yardstick",
        what="Certified best subsets",
        reached=lambda: _reached(job),
        starting="fitting all features first",
        stop_help="Stops and keeps the sets found so far; the picture stays true, with wider bands",
        continue_help="Continue the search where it was stopped",
        more_to_see=lambda: parts_ended(job, refits) > ended,
    ).draw([job, *refits], active=active)
    rows = certified_rows(job.run) if job.run is not None and not active else []
    left = [row.k for row in rows if not row.proven]
    if job.state == "finished" and left:
        st.button(
            "Go on proving",
            key="yardstick_more",
            icon=":material/hourglass_empty:",
            on_click=board().resume,
            args=(job,),
            help=f"Not proven in the time given: {', '.join(map(str, left))} features. Gives each as much time again.",
        )


def parts_ended(search: Job[Yardstick], refits: Sequence[Refits]) -> int:
    """How much has come to its end: the first look at all sizes, sizes of the search, and jobs."""
    run = search.run
    return (run.sketched + run.searched if run is not None else 0) + sum(not job.active for job in refits)


def _reached(job: Job[Yardstick]) -> Reached | None:
    run = job.run
    if run is None:
        return None
    sizes = len(run.sizes)
    if not run.sketched:
        return Reached(f"a first look at {run.count} of {sizes} sizes", run.share)
    return Reached(f"{run.searched} of {sizes} sizes searched, now {run.now}", run.share)
