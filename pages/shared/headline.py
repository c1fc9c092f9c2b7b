"""The strip on top of every page: the same numbers in the same place, answering every touch of a control."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.analysis.evaluation import Judgement, Metrics
from core.analysis.path import PathPoint
from core.figures.look.style import certificate_label, seconds, short
from core.methods import Fit
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.work import paths
from pages.shared.work.board import board, session_id

_PINS = "pins"
_QUICK_FITS = "quick_fits"
QUICK_ENTRIES = 20_000_000  # of the feature matrix; larger data is fitted on request only
QUICK_SECONDS = 1.0
MOST_PINS = 10
_DELTA = "font-size:.8rem;opacity:.8;font-variant-numeric:tabular-nums"


@dataclass(frozen=True, eq=False)
class Run:
    """A fit with what is said of it, to be kept: it holds no data.

    Attributes
    ----------
    label : str
        Short; tells runs of one session apart.
    choice : Choice
    where : str
        Dataset and fold in words.
    fit : Fit
    judgement : Judgement
    usable : int
        Features that are not zero everywhere.
    """

    label: str
    choice: Choice
    where: str
    fit: Fit
    judgement: Judgement
    usable: int

    @property
    def metrics(self) -> Metrics:
        """As the official scripts count, by part and measure."""
        return self.judgement.metrics

    @property
    def point(self) -> PathPoint:
        """As a point of a path."""
        return PathPoint.of(self.fit, self.judgement)


@dataclass(frozen=True, eq=False)
class Shown(Run):
    """The run that the strip shows, with the data of its choice."""

    choice: Loaded

    @property
    def kept(self) -> Run:
        """What can be kept of it."""
        return Run(self.label, self.choice.alone, self.where, self.fit, self.judgement, self.usable)


def shown(choice: Loaded, *, quick: bool = True) -> Shown | None:
    """The chosen model: the fit that has been run for it, else a quick one; None where that would take long.

    ``quick`` False: what has been run only, for the page on which people press Fit and watch.
    """
    job = board().find(choice.key, session_id())
    fit = None
    if job is not None and not job.active and job.run is not None and job.run.steps.trace:
        fit = job.run.fit()
    elif job is None and quick:
        fit = _quick_fit(choice)
    return None if fit is None else describe(choice, fit)


def describe(choice: Loaded, fit: Fit) -> Shown:
    """A fit with its metrics and a label."""
    label = f"{choice.title}, C = {short(fit.c)}, {choice.where}"
    judge = choice.judge
    return Shown(label, choice, choice.where, fit, judge.judgement(fit.weights), int(judge.usable_features.sum()))


def _quick_fit(choice: Loaded) -> Fit | None:
    data = choice.fold.train
    if data.n_documents * data.n_features > QUICK_ENTRIES:
        return None
    kept: dict[str, Fit] = st.session_state.setdefault(_QUICK_FITS, {})
    fit = kept.get(choice.key)
    if fit is None:
        near = _nearest(choice) if choice.method.convex else None
        stop = replace(choice.stop, max_seconds=QUICK_SECONDS)
        parameters = dict(choice.parameters)
        try:
            fit = choice.method.fit(choice.training, choice.lam, parameters=parameters, stop=stop, start=near)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return None  # the Fit page runs it as a job and says what went wrong
        kept[choice.key] = fit
        while len(kept) > 50:
            kept.pop(next(iter(kept)))
    return fit


def _nearest(choice: Loaded):  # type: ignore[no-untyped-def]
    """Weights at the nearest larger lambda of a path that is known, or None."""
    points = [p for p in paths.known_points(choice, choice.method_id) if p.fit.lam >= choice.lam]
    return points[-1].fit.weights if points else None


def pins() -> list[Run]:
    """The pinned runs of this session, oldest first."""
    kept: list[Run] = st.session_state.setdefault(_PINS, [])
    return kept


def strip(now: Shown | None) -> None:
    """Draw the strip; differences are to the run pinned last."""
    pinned = pins()[-1] if pins() else None
    with st.container(border=True, key="headline"):
        if now is None:
            st.caption("No model yet for this choice: press Fit.")
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{now.label}**", width="stretch")
            if pinned is not None:
                st.caption(f"differences to the pinned {pinned.label}", width="content")
                st.button("Unpin", key="unpin", on_click=pins().clear, type="tertiary", help="Forget all pinned runs")
            st.button(
                "Pin", key="pin", icon="📌", on_click=_pin, args=(now,), type="tertiary",
                disabled=len(pins()) >= MOST_PINS, help=f"Keep this run to compare others with, {MOST_PINS} at most",
            )  # fmt: skip
        st.html(_numbers(now, pinned))


def _numbers(now: Shown, pinned: Run | None) -> str:
    """The numbers as a row that wraps on narrow screens; each with its difference to the pinned run beneath."""
    result = now.fit.result
    cells = [("features kept", f"{result.nonzero} of {now.usable}", _features_delta(now, pinned))]
    # The first ten of one long list say little; what counts there is how many positives stand above all negatives.
    for measure in ("Top", "MAP") if now.choice.fold.train.n_queries == 1 else ("MAP", "NDCG@10"):
        for part, title in (("vali", "validation"), ("test", "test"), ("train", "train")):
            if part in now.metrics and (part != "train" or len(now.metrics) == 1):
                value = f"{now.metrics[part][measure]:.4f}"
                cells.append((f"{measure}, {title}", value, _metric_delta(now, pinned, part, measure)))
    found = result.certificate
    cells.append((certificate_label(found.kind, found.share_of, found.among), short(found.relative), ""))
    cells.append(("solver time", seconds(result.seconds), _time_delta(now.fit, pinned)))
    drawn = "".join(
        f'<div><div style="opacity:.65;font-size:.8rem">{label}</div>'
        f'<div style="font-size:1.3rem;font-variant-numeric:tabular-nums">{value}</div>'
        + ("" if pinned is None else f'<div style="{_DELTA}">{delta}&nbsp;</div>')
        + "</div>"
        for label, value, delta in cells
    )
    return f'<div style="display:flex;flex-wrap:wrap;column-gap:1.6rem">{drawn}</div>'


def _pin(run: Shown) -> None:
    pins().append(run.kept)


def _features_delta(now: Shown, pinned: Run | None) -> str:
    return "" if pinned is None else f"{now.fit.result.nonzero - pinned.fit.result.nonzero:+d}"


def _metric_delta(now: Shown, pinned: Run | None, part: str, measure: str) -> str:
    if pinned is None or part not in pinned.metrics or now.choice.source != pinned.choice.source:
        return ""  # a difference between datasets would mean nothing
    return f"{now.metrics[part][measure] - pinned.metrics[part][measure]:+.4f}"


def _time_delta(fit: Fit, pinned: Run | None) -> str:
    if pinned is None:
        return ""
    difference = fit.result.seconds - pinned.fit.result.seconds
    return f"{'+' if difference >= 0 else '-'}{seconds(abs(difference))}"
