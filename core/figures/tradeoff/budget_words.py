"""What the picture of a budget says, in sentences computed from its numbers."""

from __future__ import annotations

from core.analysis.choosing import choosing_part
from core.analysis.tradeoff.tradeoff import Budget, TradeoffPoint
from core.experiments.results.difference import Difference
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.names.counted import features

NOTHING_TITLE = "No model is within the budget"


def within(limit: float, *, cost: bool) -> str:
    """The budget."""
    return f"a cost of at most {limit:g}" if cost else f"at most {features(int(limit))}"


def beside_words(
    found: Budget, dense: TradeoffPoint | None, part: str, measure: str, differs: Difference | None
) -> str:
    """How the model within the budget stands beside the model of all features."""
    value = f"{PART_TITLES[part].capitalize()} {measure} {found.chosen.value(part, measure):.4f}"
    if dense is None or differs is None:
        return value
    return f"{value}, all features {dense.value(part, measure):.4f}: {differs.words}"


def chosen_words(found: Budget, measure: str, among: str, *, cost: bool) -> str:
    """Who chose the model, among which."""
    by = PART_WORDS[choosing_part(found.chosen.values)]
    return f"★ best with {within(found.limit, cost=cost)} {among}, by {by} {measure}, ties in expectation"
