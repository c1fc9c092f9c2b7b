"""Short fits that a page waits for, shared between all sessions."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.methods import Fit, MethodRun
from core.warm_up import warm_up_method
from pages.shared.cache import Results, kept
from pages.shared.choice.choice import Loaded
from pages.shared.work.paths import shipped_fit

QUICK_SECONDS = 1.0
"""Of the processor, that a fit in passing may take."""
WAITED_SECONDS = 4.0
"""By the clock, where others want the processor, too."""


def out_of_time(model: PathPoint) -> bool:
    """Whether more time would have changed a model."""
    return model.fit.result.stop == "time limit"


def quick_fit(choice: Loaded, start: NDArray[np.float64] | None = None) -> tuple[PathPoint, float] | None:
    """The model of a choice, fitted once for all sessions, and the seconds of the processor that it has had.

    None where it cannot be fitted.

    A fit that has run out of time is not for others: the server may only have been busy.

    Parameters
    ----------
    choice : Loaded
    start : ndarray, shape (n_features,), optional
        Weights from which the fit of a convex method may begin; zero by default.
    """
    return kept("quick fit", (choice.key, start is not None), lambda: _fitted(choice, start), worth=_ended)


def known_fit(choice: Loaded) -> PathPoint | None:
    """The model of a choice, where it has been fitted in passing before, from wherever; fits nothing."""
    fits = Results("quick fit")
    found: tuple[PathPoint, float] | None = fits.get((choice.key, False)) or fits.get((choice.key, True))
    return None if found is None else found[0]


def judged(choice: Loaded, fit: Fit) -> Judgement:
    """The metrics of a fit on the parts of the fold; once for all who show it, unless the fit is still under way."""
    of = (choice.judge, fit.weights)
    ended = fit.result.stop != "stopped"
    return kept("judgement", of, lambda: choice.judge.judgement(fit.weights), worth=lambda _: ended)


def _ended(found: tuple[PathPoint, float] | None) -> bool:
    return found is not None and not out_of_time(found[0])


def in_passing(run: MethodRun) -> Fit:
    """Finish a fit that a page waits for, or end it with a time limit.

    Seconds are those of the processor: where many click, the clock counts their work as well, and a fit that is not
    finished for that reason would not be kept, so that everybody fits again and the server never catches up.

    Raises
    ------
    DataError
        If double precision does not suffice.
    """
    begun, since = time.thread_time(), time.monotonic()
    while not run.done:
        run.advance()
        if time.thread_time() - begun >= QUICK_SECONDS or time.monotonic() - since >= WAITED_SECONDS:
            run.steps.stop = replace(run.steps.stop, max_seconds=0.0)
    return run.fit()


def _fitted(choice: Loaded, start: NDArray[np.float64] | None) -> tuple[PathPoint, float] | None:
    if start is None and (shipped := shipped_fit(choice)) is not None:
        return shipped, 0.0
    try:
        warm_up_method(choice.method_id)  # its second is for fitting
        parameters, begun = dict(choice.parameters), time.thread_time()
        run = choice.method.run(choice.training, choice.lam, parameters=parameters, stop=choice.stop, start=start)
        fit = in_passing(run)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return None  # the Fit page runs it as a job and says what went wrong
    return PathPoint(fit, judged(choice, fit)), time.thread_time() - begun
