"""Paths of several methods on several folds as one job, with progress, time left, Stop and Continue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan, fold_judge, paths_of_folds
from core.content import text_key
from pages.shared.cache import Results
from pages.shared.choice import access, ready
from pages.shared.choice.choice import Choice, Source
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_panel, make_latest
from pages.shared.work.paths import settings_of

GRIDS = {"quick": 17, "full": 50}  # models a path


def fold_results() -> Results:
    """Paths and best single features of folds that this server knows, by key."""
    return Results("paths of folds")


def plans_of_folds(choice: Choice, method_ids: Sequence[str], points: int) -> list[FoldPlan]:
    """Every fold of the chosen dataset, with the chosen parameters."""
    dataset = access.dataset(choice.source)
    return [
        FoldPlan(
            name=f"{dataset.name}, {name}",
            open=partial(fold_judge, dataset, number, dataset.convention),
            paths=_path_plans(choice.source, number, {m: settings_of(choice, m) for m in method_ids}, points, choice),
            single=text_key("single", ready.version_of(choice.source), choice.source, number),
            keep=not choice.source.upload,
        )
        for number, name in enumerate(dataset.fold_names, start=1)
    ]


def _path_plans(
    source: Source, number: int, settings: dict[str, dict[str, float]], points: int, choice: Choice
) -> tuple[PathPlan, ...]:
    """Of methods with their settings, under the choice's rules for features."""
    version = ready.version_of(source)
    rules = {method: choice.rules_for(method) for method in settings}
    return tuple(
        PathPlan(
            text_key("path", version, source, number, method, sorted(values.items()), points, rules[method]),
            method,
            values,
            rules[method],
        )
        for method, values in settings.items()
    )


def complete_folds(plans: Sequence[FoldPlan]) -> list[FoldPlan]:
    """The folds of which everything is known."""
    results = fold_results()
    return [plan for plan in plans if all(key in results for key in plan.keys)]


def fit_folds(plans: Sequence[FoldPlan], points: int, name: str) -> None:
    """Start what is not known yet, and draw how far it is; the page is drawn again whenever a fold is complete.

    Call it from a page's script, not from a fragment. ``name`` tells the batches of a page apart.
    """
    drawn = len(complete_folds(plans))
    if drawn == len(plans):
        return
    key = f"folds-{text_key(points, [plan.keys for plan in plans])}"
    job: Job[FoldPaths] | None = board().find(key, session_id())
    forgotten = job is not None and job.state == "finished" and job.run is not None and not job.run.problems
    if job is None or forgotten:
        results = fold_results()
        known = {key for plan in plans for key in plan.keys if key in results}
        make = partial(paths_of_folds, plans, known, points)
        job = board().submit(Job(key, session_id(), make, publish=partial(results.take, known)))
    make_latest(job, f"{name}_job")
    jobs = [job]
    panel = Panel(
        key=name,
        reached=lambda: counted(jobs, "models"),
        way_out="Change a control to try again.",
        more_to_see=lambda: len(complete_folds(plans)) > drawn,
    )
    draw_panel(panel, jobs, active=job.active)
