"""The strip on top of every page: the same numbers in the same place, answering every touch of a control."""

from __future__ import annotations

import html
import math
import time
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.experiments.results.difference import NOT_CLEAR, TOO_FEW, signed
from core.figures.look.style import CERTIFICATES, certificate_help, seconds
from core.methods import Fit
from core.models import Model
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared.cache import kept
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.differences import difference
from pages.shared.export import export_button
from pages.shared.server.visits import is_known, visitor_id
from pages.shared.wording import PART_WORDS, telling_part
from pages.shared.work import paths
from pages.shared.work.board import board, job_for
from pages.shared.work.quick_fits import QUICK_SECONDS, judged, known_fit, out_of_time, quick_fit

_PINS = "pins"
_OUT_OF_TIME = "quick_fits"
QUICK_ENTRIES = 20_000_000  # of the feature matrix; larger data is fitted on request only
MOST_OUT_OF_TIME = 50
TRIED_AGAIN = 20.0  # seconds after which a fit that others have kept from ending is tried again
MOST_PINS = 10
Trace = Literal["no", "yes", "from zero"]


AnyChoice = TypeVar("AnyChoice", bound=Choice, covariant=True)


@dataclass(frozen=True, eq=False)
class Run(Generic[AnyChoice]):
    """A choice, and the judged model that came of it."""

    choice: AnyChoice
    where: str  # dataset and fold in words
    point: PathPoint

    @property
    def fit(self) -> Fit:
        """The fitted model."""
        return self.point.fit

    @property
    def label(self) -> str:
        """A few words that tell it from other runs of one session."""
        words = [self.choice.title, self.choice.rules_words, f"C = {short(self.fit.c)}", self.where]
        return ", ".join(filter(None, words))

    def name(self, where: str) -> str:
        """What it is called beside numbers of a dataset and fold: without these words where they are the same."""
        return self.label.removesuffix(f", {where}")

    def is_of(self, choice: Loaded) -> bool:
        """Whether it is of the very data of a choice, under the same name: a file may have been corrected meanwhile."""
        return (self.where, self.choice.fingerprint) == (choice.where, choice.fingerprint)

    @property
    def model(self: Shown) -> Model:
        """With its fold."""
        return self.choice.fold_model(self.point)

    @property
    def kept(self: Shown) -> Pinned:
        """What can be kept of it."""
        return Run(self.choice.alone, self.where, self.point)


Shown = Run[Loaded]
"""The run that the strip shows, with the data of its choice."""
Pinned = Run[Choice]
"""One to be kept: it holds no data."""


def shown(choice: Loaded, trace: Trace = "no") -> Shown | None:
    """The fitted model of a choice, by which all of a page shows it; None where fitting it would take long.

    It is the fit that has been run for it, else one that is known: fitted in passing before, or a point of its path.
    Only where none is known, it is fitted. ``trace`` says whether it is shown how the fit has converged: points of
    paths have no trace, and a fit of a convex method may begin at one of them.
    """
    job = job_for(choice.key)
    run = None if job is None or job.active or job.aside else job.run
    if run is not None and run.steps.trace:
        return describe(choice, run.fit())
    if waits_for_solvers(choice):
        trace = "no"
    if trace == "from zero" and (whole := from_zero(choice)) is not None and not out_of_time(whole.point):
        return whole
    quick = known_fit(choice)
    if quick is None:
        near = paths.nearest_known(choice)
        if near is not None and trace == "no" and paths.is_model_of(near, choice):
            return Run(choice, choice.where, near)
        quick = _quick_fit(choice, near)
    return None if quick is None else Run(choice, choice.where, quick)


def waits_for_solvers(choice: Loaded) -> bool:
    """Whether fitting the model of a choice would wait until the solvers have been compiled."""
    return board().fits.preparing and known_fit(choice) is None and paths.shipped_fit(choice) is None


def from_zero(choice: Loaded) -> Shown | None:
    """The chosen model fitted from zero in passing, with its whole trace; where that takes long, as far as it came."""
    quick = _quick_fit(choice, None)
    return None if quick is None else Run(choice, choice.where, quick)


def describe(choice: Loaded, fit: Fit) -> Shown:
    """A fit with its metrics."""
    return Run(choice, choice.where, PathPoint(fit, judged(choice, fit)))


def _quick_fit(choice: Loaded, near: PathPoint | None) -> PathPoint | None:
    """The fit in passing; one that ran out of time is kept for this session only, which need not wait for it again.

    Where only the clock has cut it off while others had the processor, it is tried again after a while.
    """
    data = choice.fold.train
    if data.n_documents * data.n_features > QUICK_ENTRIES:
        return None
    unfinished: dict[tuple[str, bool], tuple[PathPoint, float]] = st.session_state.setdefault(_OUT_OF_TIME, {})
    near = near if choice.method.convex else None
    key = (choice.key, near is not None)
    if key in unfinished:
        before, tried = unfinished[key]
        if time.monotonic() - tried < TRIED_AGAIN:
            return before
        del unfinished[key]
    found, used = quick_fit(choice, None if near is None else near.fit.weights) or (None, 0.0)
    if found is not None and out_of_time(found):
        while len(unfinished) >= MOST_OUT_OF_TIME:
            del unfinished[next(iter(unfinished))]
        unfinished[key] = found, time.monotonic() if used < QUICK_SECONDS else math.inf
    return found


def pins() -> list[Pinned]:
    """The pinned runs of this visitor, oldest first; of this session where no cookie tells the visitor."""
    pinned: list[Pinned] = st.session_state.setdefault(_PINS, [])
    if is_known():  # what is asked for stays in the cache, or comes back
        pinned = st.session_state[_PINS] = kept("pinned runs", visitor_id(), lambda: pinned)
    return pinned


def draw(strip: DeltaGenerator, choice: Loaded, now: Shown | None) -> None:
    """Draw the numbers of the choice's model and the buttons behind them; None where there is no model.

    Differences are to the run pinned last.
    """
    with strip:
        if now is None:
            job = job_for(choice.key)
            way = "press Fit" if job is None or not job.active else "its fit is under way"
            st.caption(f"No model yet for this choice: {way}.")
            return
        pinned = next(reversed(pins()), None)
        st.html(_numbers(now, pinned), width="stretch")
        if pinned is not None:
            alike = "≈: no clear difference, because the 95 % interval over the queries contains 0. "
            alike = "" if now.choice.nouns.by_class else alike
            st.button(
                "Unpin", key="unpin", on_click=pins().clear, type="tertiary",
                help=f"Differences are to the pinned {in_markdown(pinned.label)}. {alike}Click to unpin all runs.",
            )  # fmt: skip
        export_button(now.choice, now.fit)
        st.button(
            "Pin", key="pin", icon=":material/push_pin:", on_click=_pin, args=(now,), type="tertiary",
            disabled=len(pins()) >= MOST_PINS, help=
                f"Compare other runs with this one; at most {MOST_PINS} can be pinned",
        )  # fmt: skip


def readings(kept: int | str, judgement: Judgement, choice: Loaded) -> dict[str, str]:
    """What the strip says of a model, by the names of its cells; the browser changes them while the reader drags C.

    Under LETOR's conventions a cell behind each number has a mark where it is another one in the order of the file.
    """
    told, part = {"kept": f"{kept} of {choice.fold.train.n_features}"}, telling_part(judgement.metrics)
    for measure in _measures(choice):
        told[f"{measure}-{part}"], differs = _with_order(judgement, measure, part)
        if choice.convention != "standard":
            told[f"{measure}-{part}*"] = "*" if differs else ""
    return told


def _with_order(judgement: Judgement, measure: str, part: str) -> tuple[str, str]:
    """A number over orders of ties, and where it is another one in file order, both in words."""
    mean, official = (f"{values[part][measure]:.4f}" for values in (judgement.metrics, judgement.official))
    told = f"{mean} over the orders of tied documents; {official}* in the order of the file, as official scripts print"
    return mean, "" if mean == official else told


def _measures(choice: Loaded) -> tuple[str, str]:
    """The first ten of one long list say little; what counts there is how many positives stand above all negatives."""
    return ("Top", "MAP") if choice.fold.train.n_queries == 1 else ("NDCG@10", "MAP")


def _numbers(now: Shown, pinned: Pinned | None) -> str:
    """The test numbers in one line, each with its difference to the pinned run; on hover validation and exactness."""
    choice, measures, part = now.choice, _measures(now.choice), telling_part(now.point.metrics)
    itself = (choice.alone, now.fit.result.nonzero, now.point.metrics)
    if pinned is not None and (pinned.choice, pinned.fit.result.nonzero, pinned.point.metrics) == itself:
        pinned = None  # a run has no difference to itself
    deltas = {}
    if pinned is not None:
        deltas = {f"{measure}-{part}": _metric_delta(now, pinned, part, measure) for measure in measures}
        deltas["kept"] = _delta(f"{now.fit.result.nonzero - pinned.fit.result.nonzero:+d}".replace("-", "−"))
    cells = {
        name: f'<b data-reading="{name}">{text}</b>'
        for name, text in readings(now.fit.result.nonzero, now.point.judgement, choice).items()
    }
    rules = f" · <b>{choice.rules_words}</b>" if choice.rules_words else ""
    groups = [
        f"<b>{html.escape(choice.title)}</b>{rules} · {html.escape(choice.where)}",
        f"{cells['kept']}{deltas.get('kept', '')} features",
    ]
    for measure in measures:
        name, (_, told) = f"{measure}-{part}", _with_order(now.point.judgement, measure, part)
        mark = f'<span title="{told}">{cells.get(f"{name}*", "")}</span>'
        groups.append(f"{PART_WORDS[part]} {measure} {cells[name]}{mark}{deltas.get(name, '')}")
    if pinned is not None:
        groups.append(f"(differences to the pinned {html.escape(pinned.name(now.where))})")
    found = now.point.metrics.get("vali", {}) if part != "vali" else {}  # the part that chooses
    chose = ", ".join(f"{measure} {found[measure]:.4f}" for measure in measures if measure in found)
    told = html.escape(_exactness(now, pinned) + (f". {PART_WORDS['vali']}: {chose}" if chose else ""))
    return f'<div class="strip" title="{told}">{"".join(f"<span>{group}</span>" for group in groups)}</div>'


def _exactness(now: Shown, pinned: Pinned | None) -> str:
    """The certificate of the fit with its meaning, among which models it holds, and how long the fit took."""
    result = now.fit.result
    found = result.certificate
    among = found.among if not now.choice.rules_words else "under these rules" if found.among else ""
    only = f", among models {among} only" if among else ""
    partial = "partial " if among else ""
    certificate = f"{CERTIFICATES[found.kind]} {short(found.relative)}. {certificate_help(found.kind, found.share_of)}"
    time = seconds(result.seconds)
    if pinned is not None:
        difference = result.seconds - pinned.fit.result.seconds
        time = f"{time} {'+' if difference >= 0 else '-'}{seconds(abs(difference))}"
    return f"C {short(now.fit.c)}, {partial}{certificate}{only}. Fitted in {time}"


def _pin(run: Shown) -> None:
    """Pin a run with its trace, which the Fit page draws."""
    pins().append((shown(run.choice, "yes") or run).kept)


def _metric_delta(now: Shown, pinned: Pinned, part: str, measure: str) -> str:
    """The difference with its interval on hover; of other queries there are no pairs, hence no interval."""
    if part not in pinned.point.metrics or now.choice.source != pinned.choice.source:
        return ""  # a difference between datasets would mean nothing
    value = signed(now.point.metrics[part][measure] - pinned.point.metrics[part][measure])
    if not pinned.is_of(now.choice) or now.choice.convention != pinned.choice.convention:
        return _delta(value, f"The pinned run has other {now.choice.nouns.samples}: no interval")
    found = difference(now.choice, now.fit.weights, pinned.fit.weights, part, measure)
    return _delta(f"≈ {value}" if found.verdict in (NOT_CLEAR, TOO_FEW) else value, found.words)


def _delta(value: str, told: str = "") -> str:
    title = f' title="{html.escape(told)}"' if told else ""
    return f' <span class="delta"{title}>({value})</span>'
