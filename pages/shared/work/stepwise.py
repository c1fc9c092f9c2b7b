"""Numbers that may take long: worked out beside the page step by step, and shown once all are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from core.analysis.ingredient import Ingredient, Made
from core.analysis.stored_paths import shipped_result
from core.work import Work
from pages.shared.cache import kept
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, counted

PATIENCE = 0.6  # seconds that a page waits before it shows progress instead: most work is done by then

RunType = TypeVar("RunType", bound=Work)


def made(ingredient: Ingredient[Made], panel: str = "steps") -> Made | None:
    """An ingredient's result, shared with all visitors; None while it is worked out, as for `finished`.

    Parameters
    ----------
    ingredient : Ingredient
    panel : str
        Key of the progress bar: another one where two may stand on a page at the same time.
    """
    if not ingredient.in_steps or shipped_result(ingredient) is not None:
        return at_once(ingredient)
    work = cast("Callable[[], Work]", ingredient.work)  # it takes steps
    run = finished(ingredient.key, work, ingredient.what, panel=panel)
    return None if run is None else kept("ingredient", ingredient.key, lambda: ingredient.result(run))


def at_once(ingredient: Ingredient[Made]) -> Made:
    """An ingredient's result, shared with all visitors and computed while the page waits."""

    def make() -> Made:
        shipped = shipped_result(ingredient)
        return ingredient.made() if shipped is None else shipped

    return kept("ingredient", ingredient.key, make, says=f"{ingredient.what} …")


def finished(
    key: str, make: Callable[[], RunType], what: str, *, travels: bool = True, panel: str = "steps"
) -> RunType | None:
    """Work that has come to its end, or None while a progress bar with Stop stands on the page.

    The page is drawn again at the end. Call it from a page's script, not from a fragment.

    Parameters
    ----------
    key : str
        The same for the same work; it is not done twice in a session.
    make : callable
        Prepares the work; runs beside the page.
    what : str
        What is being worked out, in words, to stand before "12 of 46".
    travels : bool
        As for `Task`.
    panel : str
        As for `made`.
    """
    job: Job[RunType] | None = job_for(key)
    if job is None:
        job = ask_for(key, make, travels=travels)
        wait_a_moment(job, PATIENCE)
    active = job.active
    if job.state == "finished" and job.run is not None:
        return job.run
    Panel(
        key=panel,
        what=what,
        starting="preparing",
        reached=lambda: counted([job], ""),
        stop_help="Stops and keeps the results so far; you can continue later",
    ).draw([job], active=active)
    return None
