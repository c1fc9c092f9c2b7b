"""Words for why a fit stopped, shared by records, terminal, pages and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the command line reads these words before anything is fitted
    from core.solvers import FitResult

STOP_WORDS = {
    "converged": "converged",
    "the paper's rule": "the paper's rule",
    "the paper's step limit": "the paper's step limit reached",
    "step limit": "step limit reached",
    "time limit": "time limit reached",
    "stopped": "stopped by hand",
    "no further progress": "no further progress possible in double precision",
    "empty model": "empty model is optimal at every lambda",
    "empty model on what is left": "on the features that are left the empty model is optimal at every lambda",
}

REASONS = {
    "converged": "Converged",
    "the paper's rule": "The paper's own rule is met",
    "the paper's step limit": "The paper's step limit is reached",
    "step limit": "Step limit reached",
    "time limit": "Time limit reached",
    "stopped": "Stopped",
    "no further progress": "No further progress possible in double precision",
    "empty model": "The empty model is optimal at every λ",
    "empty model on what is left": "On the features that are left the empty model is optimal at every λ",
}
"""The same where a sentence begins."""

TO_A_STATIONARY_POINT = "converged to a stationary point"
"""Words for convergence by a residual; a saddle point is stationary too."""

CHOSEN_BY_A_MODEL_THAT = {
    "converged": "converged",
    "the paper's rule": "stopped at the paper's rule",
    "the paper's step limit": "stopped at the paper's step limit",
    "step limit": "stopped at the step limit",
    "time limit": "stopped at the time limit",
    "stopped": "was stopped by hand",
    "no further progress": "could make no further progress in double precision",
    "empty model": "is empty, which is optimal at every λ",
    "empty model on what is left": "is empty, which is optimal at every λ on the features that were left",
}
"""How the first stage of a refit ended, by its reason to stop, in words that follow "chosen by a model that"."""

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
