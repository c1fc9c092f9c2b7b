"""What the best possible sets say, in sentences computed from their numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.analysis.best_subset.excess import Excess
from core.analysis.best_subset.yardstick import CertifiedSubset
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.experiments.results.difference import Verdict
from core.figures.best_subset.excess import percent
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from core.names.numbers import short
from pages.shared.wording import features
from pages.views.tradeoff.certified import Beside

UNFINISHED = "How low can the objective be with few features? The search has begun"
NAMED = 3

RANKING: Mapping[Verdict, str] = {
    "no clear difference": "Better objective, not reliably better ranking",
    "clearly higher": "Better objective, and here a better ranking",
    "clearly lower": "Better objective, yet a worse ranking",
    "one list, no interval": "Better objective; one list cannot tell whether the ranking is better",
    "too few queries to tell": "Better objective; so few queries cannot tell whether the ranking is better",
}
"""By the verdict on the difference in ranking, where the objectives differ."""


def line_title(row: CertifiedSubset | None, compared: Sequence[Excess], titles: Mapping[str, str]) -> str:
    """The lowest objective within the limit, and how far above it the nearest and the furthest method are."""
    if row is None:
        return UNFINISHED
    at = {one.method: one.excess for one in compared if one.k == row.k}
    start = _lowest(row)
    if not at:
        return start
    near, far = min(at, key=lambda method: at[method]), max(at, key=lambda method: at[method])
    exact = [titles[method] for method, excess in at.items() if percent(excess) == "0"]
    if len(exact) == len(at):
        return f"{start}; {_together(exact)} {'find' if len(exact) > 1 else 'finds'} a set as good"
    further = f"{titles[far]} is {percent(at[far])} % above it"
    if exact:
        return f"{start}; {_together(exact)} {'find' if len(exact) > 1 else 'finds'} a set as good, {further}"
    return f"{start}; {further}" if near == far else f"{start}; {titles[near]} is {percent(at[near])} %, {further}"


def _lowest(row: CertifiedSubset) -> str:
    if row.proven:
        return f"At most {features(row.k)}: no objective below {rounded_down(row.bound):.4f}"
    return (
        f"At most {features(row.k)}: best known objective {row.objective:.4f}, at most {percent(row.gap)} % above the "
        "lowest possible"
    )


def rounded_down(bound: float) -> float:
    """A bound with four digits that is still one."""
    return math.floor(bound * 1e4) / 1e4


def _together(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{len(names)} methods"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def ranking_words(beside: Beside | None, part: str, measure: str, titles: Mapping[str, str]) -> str:
    """Whether the better objective ranks better, with the numbers of these data; Markdown."""
    if beside is None:
        return ""
    row, other, difference = beside.row, beside.other, beside.difference
    title, at = titles[other.method], f"At most {features(row.k)}"
    if other.columns == row.columns:
        return (
            f"{at}: {title} keeps the best set itself, so both rank alike once {title} is fitted again with the ridge."
        )
    start = RANKING[difference.verdict]
    ours, theirs = row.judgement.metrics[part][measure], other.judgement.metrics[part][measure]
    return (
        f"**{start}.** {at}: {PART_WORDS[part]} {measure} {ours:.4f} of the best set, {theirs:.4f} of {title}'s set "
        f"fitted with the same ridge ({difference.words}). The best subsets are a yardstick of the objective, on the "
        "training part."
    )


def caption(ridge: TradeoffPoint, rows: Sequence[CertifiedSubset], picks: str) -> str:
    """What is minimised, who chose the ridge, and what is proven."""
    left = [str(row.k) for row in rows if not row.proven]
    proof = (
        "Every mark is proven to 1e-5: no set of so few features has a lower F"
        if not left
        else (f"Hollow: not proven yet, at {', '.join(left)} features; a better set can only lie in the band")
    )
    return (
        f"F = L(w) + (λ/2)‖w‖², with the λ of RankSVM ℓ2 that {PART_TITLES[picks]} picks (C = {short(ridge.c)}, "
        f"λ/λ_max = {short(ridge.ratio)}); every method's set is fitted again with this ridge, so only the choice of "
        f"features differs. {proof}."
    )
