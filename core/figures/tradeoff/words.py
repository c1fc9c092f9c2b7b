"""What a trade-off says, in sentences computed from its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.analysis.choosing import choosing_part
from core.analysis.tradeoff.fold_tradeoff import FoldSummary
from core.analysis.tradeoff.tradeoff import Budget, TradeoffRow
from core.analysis.tuning.grid_end import GridEnd
from core.data.nouns import Nouns
from core.experiments.results.difference import Alike, Difference
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.metrics.equal_values import rounded
from core.names.counted import features
from core.names.numbers import short

Differ = Callable[[TradeoffRow, TradeoffRow, str], Difference]
"""The first model's mean minus the second one's, on a part."""

QUESTION = "What does sparsity cost?"
UNFINISHED = "The paths are not complete yet"


def budget_title(
    found: Budget, part: str, measure: str, n_features: int, titles: Mapping[str, str], differ: Differ
) -> str:
    """The model that is picked within the limit, beside the one that is picked without it, as the quoted part has them.

    Which of the two is higher is said only where the queries of the quoted part tell.
    """
    chosen, best = found.chosen, found.best
    by = PART_WORDS[choosing_part(chosen.values)].capitalize()
    start = f"{by} picks {titles[chosen.method]} with {chosen.kept} of {features(n_features)}"
    value = f"{PART_WORDS[part]} {measure} {chosen.value(part, measure):.4f}"
    if chosen == best:
        return f"{start}, with or without the limit: {value}"
    other = f"{titles[best.method]} with {best.kept}: {best.value(part, measure):.4f}"
    return f"{start}: {value}; without the limit {other} ({differ(best, chosen, part).verdict_on})"


def budget_help(found: Budget, measure: str, nouns: Nouns) -> str:
    """How the title's models are picked."""
    by = PART_WORDS[choosing_part(found.chosen.values)]
    compared = (
        "One list says nothing of others, so the two are not compared."
        if nouns.by_class
        else "The bracket compares the second with the first: one is clearly higher or lower if the 95 % "
        "interval of their difference over the queries excludes 0. It takes both models as they are: other validation "
        "queries might have picked others."
    )
    return (
        f"Of all models drawn with at most {features(int(found.limit))}, the one with the highest {by} {measure}; "
        "next to it the one picked in the same way from models of any size. Every feature has to be computed for "
        f"every {nouns.row}: set with the slider how many you can afford. {compared}"
    )


def path_end_words(end: GridEnd | None, model: str) -> str:
    """Say that a model lies at the end of its path, as a sentence; empty inside it."""
    if end is None:
        return ""
    return f"{model} has the {end} λ of its path: a better one may lie beyond."


def budget_words(found: Budget, part: str, measure: str, titles: Mapping[str, str], differ: Differ) -> str:
    """The model, what the limit costs, and what the next feature would bring, each with its interval; Markdown."""
    chosen, best = found.chosen, found.best
    picks = choosing_part(chosen.values)
    words = (
        f"**{titles[chosen.method]} with {features(chosen.kept)}**, C = {short(chosen.c)}, is the best with at most "
        f"{found.limit}, chosen on {_where(chosen)}: {measure} {_values(chosen, measure)}."
    )
    if chosen == best:
        return f"{words} No other number of features does better there."
    words += (
        f" The best of any size, {titles[best.method]} with {features(best.kept)}, has {_values(best, measure)}. "
        f"Its lead is {_difference(best, chosen, picks, differ)}"
    )
    if part != picks:
        words += f", and {_difference(best, chosen, part, differ)}"
    words += f". Feature number {found.limit + 1} would bring "
    if found.one_more != chosen:
        return f"{words}{_difference(found.one_more, chosen, picks, differ)}."
    words += f"nothing on {PART_TITLES[picks]}"
    if found.next_better is not None:
        gain = _difference(found.next_better, chosen, picks, differ)
        words += f"; the next gain takes {features(found.next_better.kept)}: {gain}"
    return f"{words}."


def _difference(more: TradeoffRow, fewer: TradeoffRow, part: str, differ: Differ) -> str:
    return f"on {PART_TITLES[part]} {differ(more, fewer, part).words}"


def _where(point: TradeoffRow) -> str:
    if choosing_part(point.values) == "vali":
        return "the validation part"
    return "the training part, as there is no validation part"


def _values(point: TradeoffRow, measure: str) -> str:
    shown = [part for part in point.values if part != "train" or choosing_part(point.values) == "train"]
    return ", ".join(f"{point.value(part, measure):.4f} on {PART_TITLES[part]}" for part in shown)


def alike_title(
    star: TradeoffRow | None, found: Alike | None, part: str, measure: str, titles: Mapping[str, str]
) -> str:
    """With how few features each method is not clearly different from the picked model."""
    if star is None:
        return "No model keeps a feature"
    value = f"{titles[star.method]} with {star.kept}, {PART_WORDS[part]} {measure} {star.value(part, measure):.4f}"
    if found is None:
        return f"{value}: too few lists to tell it from others"
    few = {method: point.kept for method, point in found.least.items() if point is not None}
    told = ", ".join(f"{titles[method]} {few[method]}" for method in sorted(few, key=lambda m: few[m]))
    clear = [titles[method] for method, point in found.least.items() if point is None]
    others = f"; every pick of {', of '.join(clear)} clearly differs" if clear else ""
    return f"Fewest features without a clear difference from {value}: {told}{others}"


def folds_title(summaries: Mapping[str, Sequence[FoldSummary]], value: str, titles: Mapping[str, str]) -> str:
    """The highest mean over folds that is drawn and its standard error; among equals the first.

    ``value`` says what is averaged.
    """
    rows = [(rounded(summary.value.mean), summary) for row in summaries.values() for summary in row]
    if not rows:
        return "No fold is complete yet"
    _, best = max(rows, key=lambda row: row[0])
    return (
        f"Highest mean {value} drawn: {best.value.words}, {titles[best.method]} with "
        f"{best.kept.mean:.0f} features on average"
    )
