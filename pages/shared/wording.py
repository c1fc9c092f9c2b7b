"""What a fit's certificate and end mean, in sentences."""

from __future__ import annotations

from core.figures.style import seconds, short
from core.methods import Fit, get_method
from core.solvers import Certificate

REASONS = {
    "converged": "Converged",
    "step limit": "Step limit reached",
    "time limit": "Time limit reached",
    "stopped": "Stopped",
    "no further progress": "No further progress possible in double precision",
    "empty model": "The empty model is optimal at every λ",
}


def certificate_words(certificate: Certificate) -> str:
    """One sentence on what the certificate promises."""
    relative, unit = short(certificate.relative), certificate.share_of
    if certificate.kind == "duality gap":
        among = certificate.among or "whatever"
        share = "this one" if unit == "F" else f"the empty model's {unit}"
        return f"No model {among} has an objective lower by more than {relative} of {share} (duality gap)."
    other = "The problem is not convex, so another start may end elsewhere."
    if unit == "F":
        return f"Another round would lower the objective by at most {relative} of it (stationarity). {other}"
    return f"The slope is within {relative} {unit} of zero (stationarity): a minimum among its neighbours. {other}"


def stop_words(fit: Fit) -> str:
    """Why it stopped, after how much work."""
    result = fit.result
    work = f"{result.steps:,} steps, {seconds(result.seconds)} of solver time, {result.passes:,.0f} passes over X"
    return f"{REASONS[result.stop]} after {work}."


def kept_words(fit: Fit, usable: int) -> str:
    """How many features are kept of those that are not zero everywhere."""
    kept = fit.result.nonzero
    title = get_method(fit.method).title
    if kept == 0:
        return f"{title} keeps none of {usable} features: the model is empty at this C"
    return f"{title} keeps {kept} of {usable} features"
