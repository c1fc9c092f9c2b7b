"""Words that several pages use: numbers of features, parts of the data, what a fit's certificate and end mean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.analysis.endings import REASONS as REASONS
from core.analysis.endings import first_stage_words, reason
from core.analysis.endings import reason_words as reason_words
from core.analysis.path_views import telling_part as telling_part
from core.figures.fit.picture import exact_words as exact_words
from core.figures.fit.picture import kept_words as kept_words
from core.figures.fit.picture import size_words as size_words
from core.figures.look.style import CERTIFICATES, seconds
from core.figures.path.lines import PART_WORDS as PART_WORDS
from core.methods import Fit, MethodRun, get_method
from core.names.counted import counted
from core.names.counted import features as features
from core.names.numbers import short
from core.names.plain import unit_words
from core.solvers import FitResult


def query_words(query_id: str) -> str:
    """A query by its id, which may begin with that word itself."""
    return query_id if re.match(r"query(?![a-z])", query_id, re.IGNORECASE) else f"query {query_id}"


def query_words_first(query_id: str) -> str:
    """The same where a sentence begins."""
    words = query_words(query_id)
    return words[0].upper() + words[1:]


def first_of(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def certificate_words(fit: Fit) -> str:
    """What the certificate promises, and among which models; of a refit, how its features were chosen, too."""
    return " ".join(filter(None, [_promise(fit), chosen_words(fit.result)]))


def chosen_words(result: FitResult) -> str:
    """How the model ended that chose the features of a refitted one; empty where there is no such."""
    if result.first_stage is None:
        return ""
    found = result.first_stage.certificate
    bound = f"{CERTIFICATES[found.kind]} {short(found.relative)} of {unit_words(found.share_of)} {found.among}".rstrip()
    return f"Its features were {first_stage_words(result.first_stage.stop, found.kind)}, {bound}."


def _promise(fit: Fit) -> str:
    certificate = fit.result.certificate
    relative, unit = short(certificate.relative), certificate.share_of
    if certificate.kind == "duality gap":
        which = f"No model {certificate.among}" if certificate.among else "No model at all"
        share = "its value" if unit == "F" else f"the empty model's {unit}"
        return f"{which} can have an objective lower by more than {relative} of {share} (duality gap)."
    within = f"The slope is within {relative} {unit} of zero (stationarity)"
    if unit == "F":
        within = f"The last round's own problem could be lowered by at most {relative} of it (stationarity)"
    looked_at = f", as far as models {certificate.among} go" if certificate.among else ""
    if get_method(fit.method).convex:
        return f"{within}{looked_at}; how much lower a model could be is not known."
    return f"{within}{looked_at}. The problem is not convex, so another start may end elsewhere."


def stop_words(fit: Fit) -> str:
    """Why it stopped, after how much work."""
    result = fit.result
    work = (
        f"{counted(result.steps, 'step')}, {seconds(result.seconds)} of solver time, {result.passes:,.0f} passes over X"
    )
    return f"{reason(result)} after {work}."


def fit_ended(run: MethodRun | None) -> str:
    """Why a fit has ended and how large its model is, for the status line."""
    if run is None or not run.steps.trace:
        return "The fit has ended."
    result = run.fit().result
    why = reason(result)
    return f"Fit {why[:1].lower()}{why[1:]}: {result.nonzero} of {len(result.weights)} features."
