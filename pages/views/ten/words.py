"""What the page of budgets says, in sentences computed from its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.choosing import choosing_part
from core.analysis.queries.side_by_side import QueryChanges
from core.analysis.tradeoff.tradeoff import Budget, TradeoffRow
from core.data.nouns import DOCUMENTS, Nouns
from core.experiments.results.difference import Difference, signed
from core.figures.path.lines import PART_TITLES
from core.figures.tradeoff.budget_picture import within
from core.methods import Fit
from core.names.numbers import short
from pages.shared.choice.menu import TITLES
from pages.shared.wording import PART_WORDS, exact_words, features, first_of

WAITING = "Ten features, and what they cost: computing the first paths"
MOST_NAMES = 8

Differ = Callable[[TradeoffRow, TradeoffRow, str], Difference]
"""The first model's mean minus the second one's, on a part."""


def nothing_title(limit: float, unit: str, least: float, *, complete: bool) -> str:
    """No model is within the budget: of all there will be, or of those so far."""
    so_far = "" if complete else " so far"
    return f"No model{so_far} has {within(limit, cost=unit == 'cost')}: the least is {least:g}"


def budget_title(
    found: Budget, dense: TradeoffRow | None, part: str, measure: str, n_features: int, differ: Differ
) -> str:
    """How the model within the budget ranks beside the model of all features, on the part that is quoted."""
    chosen = found.chosen
    name, value = f"{PART_WORDS[part]} {measure}", f"{chosen.value(part, measure):.4f}"
    if dense is None or dense.value(part, measure) <= 0.0:
        return f"{TITLES[chosen.method]} with {chosen.kept} of {features(n_features)}: {name} {value}"
    verdict, whole = differ(chosen, dense, part).verdict, f"{dense.value(part, measure):.4f}"
    start = f"{features(chosen.kept)} ({TITLES[chosen.method]}) instead of {n_features}"
    return f"{start}: {name} {value}, with all {whole}; {verdict}"


def rules_words(found: Budget, free: TradeoffRow, part: str, measure: str, lost: Difference) -> str:
    """How the model under the rules stands beside the best one without them."""
    value = f"{PART_TITLES[part].capitalize()} {measure} {found.chosen.value(part, measure):.4f}"
    return f"{value}, without the rules {free.value(part, measure):.4f}: {lost.words}"


def among_words(complete: int, wanted: int, all_methods: int) -> str:
    """Which methods have been looked at."""
    if complete < wanted:
        return f"on {complete} complete path{'s' * (complete != 1)} so far, of {wanted}"
    return f"on the paths of {'all ' if wanted == all_methods else ''}{wanted} methods"


def certified_words(fit: Fit, limit: float, unit: str, ended: int, total: int, nouns: Nouns = DOCUMENTS) -> str:
    """What is proven of the best subset, after how many of the searches, and what it is a yardstick of."""
    gap = fit.result.certificate.relative
    if fit.result.stop == "converged":
        proof = f"no other features have a lower objective on the training part; this is proven, {exact_words(gap)}"
    else:
        proof = (
            f"the search ended before the proof: other features may have an objective lower by up to {short(gap)} of it"
        )
    so_far = f" {ended} of {total} C have been searched so far; another may be picked." if ended < total else ""
    return (
        f"◇ the best subset with {within(limit, cost=unit == 'cost')}, at C = {short(fit.c)}: {proof}.{so_far} It is a "
        f"yardstick of the objective, not of the ranking of other {nouns.samples}."
    )


def next_title(found: Budget, measure: str, unit: str, differ: Differ) -> str:
    """What spending more would bring, on the part that chooses."""
    by = choosing_part(found.chosen.values)
    if found.next_better is None:
        more = "dearer" if unit == "cost" else "larger"
        return f"No {more} model does better by {PART_WORDS[by]} {measure}"
    gain = differ(found.next_better, found.chosen, by)
    brings = f"{signed(gain.value)} {PART_WORDS[by]} {measure}, {gain.verdict}"
    if unit == "cost":
        return f"The next better model brings {brings}"
    if found.next_better.kept == found.limit + 1:
        return f"Feature number {found.next_better.kept} would bring {brings}"
    return f"Feature number {int(found.limit) + 1} brings nothing; {features(found.next_better.kept)} bring {brings}"


def next_words(found: Budget, part: str, measure: str, cost: Callable[[TradeoffRow], float] | None,
               names: Sequence[str], differ: Differ) -> tuple[str, str]:  # fmt: skip
    """Which features would come and go, and what the queries of both parts say."""
    chosen, more = found.chosen, found.next_better
    if more is None:
        return "The budget costs nothing on the part that chooses", "Models beyond it are no better there."
    come, go = (
        first_of([names[j] for j in one.selected if j not in other.selected], MOST_NAMES) or "nothing"
        for one, other in ((more, chosen), (chosen, more))
    )
    price = "" if cost is None else f" · cost {cost(chosen):g} before, {cost(more):g} after"
    by = choosing_part(chosen.values)
    quoted = f"{PART_TITLES[part].capitalize()} {measure} {differ(more, chosen, part).words}"
    chose = f"{PART_TITLES[by]}, which chose, {differ(more, chosen, by).words} · " if part != by else ""
    models = f"{TITLES[more.method]} with {features(more.kept)} against {TITLES[chosen.method]} with {chosen.kept}"
    return f"{models}: {quoted}", f"{chose}in: {come} · out: {go}{price}"


def suffering_title(changes: QueryChanges, part: str, worst: int, nouns: Nouns = DOCUMENTS) -> str:
    """How many queries lose and gain, and how much those lose that lose most."""
    measure, (lose, gain, _) = changes.measure, changes.counts
    if nouns.by_class:
        return f"{PART_WORDS[part].capitalize()} {measure} goes from {changes.b[0]:.4f} to {changes.a[0]:.4f}"
    start = f"{lose or 'None'} of {len(changes.a)} {PART_WORDS[part]} queries lose{'s' * (lose < 2)} {measure}"
    marked = [-changes.delta[q] for q in changes.order[: min(lose, worst)]]
    if len(marked) > 1:
        start += f", the worst {len(marked)} by {marked[-1]:.4f} to {marked[0]:.4f}"
    elif marked:
        start += f", by {marked[0]:.4f}"
    return f"{start}; {gain} gain{'s' * (gain == 1)}"
