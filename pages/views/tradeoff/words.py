"""What a trade-off says, in sentences computed from its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.choosing import choosing_part
from core.analysis.tradeoff.fold_tradeoff import FoldSummary
from core.analysis.tradeoff.tradeoff import Budget, TradeoffPoint, pareto_front
from core.figures.look.style import seconds, short
from core.figures.path.tuning import PART_TITLES
from core.metrics.equal_values import rounded
from pages.shared.wording import features

NEAR = 0.01  # "within 1 % of the best"


def budget_title(found: Budget, part: str, measure: str, usable: int, titles: Mapping[str, str]) -> str:
    """How much the chosen number of features keeps of the best there is."""
    chosen, best = found.chosen, found.best
    value = f"{PART_TITLES[part]} {measure}"
    start = f"{chosen.kept} of {features(usable)}, chosen by {titles[chosen.method]},"
    if chosen.kept == 1:
        start = f"1 of {features(usable)}"
    if chosen == best:
        return f"{start} {_verb(chosen, 'rank')} best: {value} {chosen.value(part, measure):.4f}"
    whole = best.value(part, measure)
    share = chosen.value(part, measure) / whole if whole > 0 else 1.0
    if share > 0.9995:
        return f"{start} {_verb(chosen, 'lose')} nothing: {value} {chosen.value(part, measure):.4f}"
    return f"{start} {_verb(chosen, 'keep')} {100 * share:.1f} % of the best {value}"


def _verb(point: TradeoffPoint, verb: str) -> str:
    return f"{verb}s" if point.kept == 1 else verb


def budget_words(found: Budget, measure: str, titles: Mapping[str, str]) -> str:
    """The model, what it costs against the best, and what the next feature would bring; Markdown."""
    chosen, best = found.chosen, found.best
    words = (
        f"**{titles[chosen.method]} with {features(chosen.kept)}**, C = {short(chosen.c)}, is the best with at most "
        f"{found.limit}, chosen on {_where(chosen)}: {measure} {_values(chosen, measure)}."
    )
    if chosen == best:
        return f"{words} No number of features does better there."
    words += (
        f" The best of all, {titles[best.method]} with {features(best.kept)}, has {_values(best, measure)}: "
        f"the limit costs {_loss(chosen, best, measure)}."
    )
    gain = found.one_more.judged(measure) - chosen.judged(measure)
    if gain > 0:
        return f"{words} Feature number {found.limit + 1} would bring {gain:+.4f} there."
    words += f" Feature number {found.limit + 1} would bring nothing"
    if found.next_better is not None:
        gain = found.next_better.judged(measure) - chosen.judged(measure)
        words += f"; the next gain, {gain:+.4f}, takes {found.next_better.kept}"
    return f"{words}."


def _where(point: TradeoffPoint) -> str:
    if choosing_part(point.values) == "vali":
        return "the validation part"
    return "the training part, as there is no validation part"


def _values(point: TradeoffPoint, measure: str) -> str:
    shown = [part for part in point.values if part != "train" or choosing_part(point.values) == "train"]
    return ", ".join(f"{point.value(part, measure):.4f} on {PART_TITLES[part]}" for part in shown)


def _loss(chosen: TradeoffPoint, best: TradeoffPoint, measure: str) -> str:
    part = choosing_part(best.values)
    lost, whole = best.judged(measure) - chosen.judged(measure), best.judged(measure)
    share = f" ({100 * lost / whole:.1f} %)" if whole > 0 else ""
    return f"{lost:.4f}{share} on {PART_TITLES[part]}"


def comparison_title(curves: Mapping[str, Sequence[TradeoffPoint]], measure: str, titles: Mapping[str, str]) -> str:
    """Which methods come near the best with the fewest and with the most features."""
    fronts = {method: pareto_front(points, measure) for method, points in curves.items() if points}
    if not fronts:
        return "No model keeps a feature"
    best = max(front[-1].judged(measure) for front in fronts.values())
    needs = {}
    for method, front in fronts.items():
        near = [point.kept for point in front if point.judged(measure) >= (1 - NEAR) * best]
        if near:
            needs[method] = near[0]
    few, many = min(needs, key=lambda m: needs[m]), max(needs, key=lambda m: needs[m])
    who = "every method" if len(set(needs.values())) == 1 < len(needs) == len(fronts) else titles[few]
    start = f"Within 1 %: {who} with {features(needs[few])}"
    if never := [titles[method] for method in fronts if method not in needs]:
        return f"{start}; {', '.join(never)} never"
    return f"{start}, {titles[many]} with {needs[many]}" if needs[many] > needs[few] else start


def folds_title(summaries: Mapping[str, Sequence[FoldSummary]], titles: Mapping[str, str]) -> str:
    """The best mean over folds and its standard error; among equals the first."""
    rows = [(rounded(summary.value.mean), summary) for row in summaries.values() for summary in row]
    if not rows:
        return "No fold is complete yet"
    _, best = max(rows, key=lambda row: row[0])
    return (
        f"Best mean {best.value.mean:.4f} ± {best.value.error:.4f}: {titles[best.method]}, "
        f"{best.kept.mean:.0f} features"
    )


def time_title(curves: Mapping[str, Sequence[TradeoffPoint]], measure: str, titles: Mapping[str, str]) -> str:
    """The fastest and the slowest method where each is best."""
    best = {method: pareto_front(points, measure)[-1].seconds for method, points in curves.items() if points}
    if not best:
        return "No model keeps a feature"
    fast, slow = min(best, key=lambda m: best[m]), max(best, key=lambda m: best[m])
    if fast == slow:
        return f"{titles[fast]} takes {seconds(best[fast])} where it ranks best"
    return f"Best fits take {seconds(best[fast])} ({titles[fast]}) to {seconds(best[slow])} ({titles[slow]})"


def spider_title(removed: Mapping[str, Mapping[str, float]], titles: Mapping[str, str]) -> str:
    """Which method removes most features on average over the branches that all have."""
    common = set.intersection(*(set(row) for row in removed.values())) if removed else set()
    if not common:
        return "Nothing to compare yet"
    means = {method: sum(row[branch] for branch in common) / len(common) for method, row in removed.items()}
    most, least = max(means, key=lambda m: means[m]), min(means, key=lambda m: means[m])
    if most == least:
        return f"{titles[most]} removes {means[most]:.0%} of the features on average"
    return f"{titles[most]} removes {means[most]:.0%} on average, {titles[least]} {means[least]:.0%}"
