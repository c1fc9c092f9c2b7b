"""Why a fit stopped, in words shared by records, terminal, pages and figures; and which fits are unfinished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.names.plain import unit_words

if TYPE_CHECKING:  # the command line reads these words before anything is fitted
    from core.solvers import FitResult

_WORDS = {
    "converged": ("converged", "Converged", "converged"),
    "the paper's rule": ("the paper's rule", "The paper's own rule is met", "stopped at the paper's rule"),
    "the paper's step limit": (
        "the paper's step limit reached", "The paper's step limit is reached", "stopped at the paper's step limit"
    ),
    "step limit": ("step limit reached", "Step limit reached", "stopped at the step limit"),
    "time limit": ("time limit reached", "Time limit reached", "stopped at the time limit"),
    "stopped": ("stopped by hand", "Stopped", "was stopped by hand"),
    "no further progress": (
        "no further progress possible in double precision", "No further progress possible in double precision",
        "could make no further progress in double precision",
    ),
    "empty model": (
        "empty model is optimal at every lambda", "The empty model is optimal at every λ",
        "is empty, which is optimal at every λ",
    ),
    "empty model on what is left": (
        "on the features that are left the empty model is optimal at every lambda",
        "On the features that are left the empty model is optimal at every λ",
        "is empty, which is optimal at every λ on the features that were left",
    ),
}  # fmt: skip
STOP_WORDS = {reason: words[0] for reason, words in _WORDS.items()}
REASONS = {reason: words[1] for reason, words in _WORDS.items()}
"""The same where a sentence begins."""
CHOSEN_BY_A_MODEL_THAT = {reason: words[2] for reason, words in _WORDS.items()}
"""How the first stage of a refit ended, by its reason to stop, in words that follow "chosen by a model that"."""
TO_A_STATIONARY_POINT = "converged to a stationary point"
"""Words for convergence by a residual; a saddle point is stationary too."""
REASON_OF = {words: reason for reason, words in STOP_WORDS.items()}
"""The reason to stop, by its words in a record."""


def first_stage_words(stop: str, kind: str) -> str:
    """Say how the features of a refitted model were chosen: "chosen by a model that stopped at the paper's rule".

    Parameters
    ----------
    stop : str
        The reason for which the first stage stopped.
    kind : {"duality gap", "stationarity"}
        Kind of the first stage's certificate.
    """
    stationary = stop == "converged" and kind == "stationarity"
    return f"chosen by a model that {TO_A_STATIONARY_POINT if stationary else CHOSEN_BY_A_MODEL_THAT[stop]}"


def ended_words(record: Mapping[str, Any]) -> str:
    """Return a record's ``stop`` in words; convergence by a residual is named as convergence to a stationary point."""
    certificate = record.get("certificate")
    if record["stop"] == "converged" and certificate and certificate["kind"] == "stationarity":
        return TO_A_STATIONARY_POINT
    return str(record["stop"])


def uncertified_first_stage(stop: str, kind: str) -> str:
    """Return a short addition to a refit's ending in a table: "; features chosen by a model that …".

    It is empty if the first stage has converged.
    """
    return "" if stop == "converged" else f"; features {first_stage_words(stop, kind)}"


def reason_words(result: FitResult) -> str:
    """Why it stopped, in a few words; of a refit also why its first stage did, if that has not converged."""
    first = result.first_stage
    return reason(result) + ("" if first is None else uncertified_first_stage(first.stop, first.certificate.kind))


def reason(result: FitResult) -> str:
    """Where a residual is all that is known, what it has converged to."""
    if result.converged_to_a_stationary_point:
        return TO_A_STATIONARY_POINT.capitalize()
    return REASONS[result.stop]


CUT_OFF = frozenset({"step limit", "the paper's step limit", "time limit", "stopped"})
FAR = 1e-3
"""A relative gap or residual above which a model that met a paper's rule, or got no further, is unfinished too."""
NOTHING_LEFT = frozenset({"converged", "empty model", "empty model on what is left"})


@dataclass(frozen=True)
class WorstGap:
    """The least accurate of some models.

    Attributes
    ----------
    relative : float
        The gap or residual as a share of ``unit``.
    unit : str
        ``"F"``, ``"λ"``, or what else it is a share of.
    among : str or None
        The models among which a gap holds; empty for all.
    """

    kind: str
    relative: float
    unit: str
    among: str | None = None

    def words(self, *, worst: bool = False) -> str:
        """The gap or residual with its unit: "gap 25 % of the objective"; of several "gap up to 25 % …"."""
        name = "gap" if self.kind == "duality gap" else "residual"
        among = f", {self.among}" if self.among and self.kind == "duality gap" else ""
        return f"{name} {'up to ' if worst else ''}{share_words(self.relative)} of {unit_words(self.unit)}{among}"


def share_words(share: float) -> str:
    """A share in per cent with two digits; a small one as a power of ten."""
    return f"{float(f'{100.0 * share:.2g}'):g} %" if share >= 1e-4 else f"{share:.1e}"


def worst_gap(record: Mapping[str, Any]) -> WorstGap | None:
    """Return the certificate of an unfinished model; None for a finished one.

    A fit that was cut off by a limit is unfinished, whatever its certificate says. One that met a rule of its paper or
    could make no further progress is so if its relative gap or residual exceeds `FAR`. Of a refitted model the first
    stage, which selected the features, counts as well.

    Parameters
    ----------
    record : mapping
        As `core.analysis.fit_records.fit_record` makes it; stores of references and examples may lack the ending.
    """
    stages = [record, *([record["first_stage"]] if record.get("first_stage") else [])]
    return worst_of([found for found in map(_unfinished, stages) if found is not None])


def worst_of(found: Sequence[WorstGap]) -> WorstGap | None:
    """The worst of these; a gap counts before a residual, which compares with no other model."""
    return max(found, key=lambda one: (one.kind == "duality gap", one.relative), default=None)


def _unfinished(stage: Mapping[str, Any]) -> WorstGap | None:
    certificate = stage.get("certificate")
    reason = REASON_OF.get(stage.get("stop", ""), "")
    if not certificate or reason in NOTHING_LEFT:
        return None
    if reason not in CUT_OFF and certificate["relative"] <= FAR:
        return None
    return WorstGap(certificate["kind"], certificate["relative"], certificate["unit"], certificate.get("among"))
