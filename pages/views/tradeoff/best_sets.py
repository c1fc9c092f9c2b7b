"""The best possible sets on the Trade-off page: the certified line, how far every method is from it, what they rank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet
from core.analysis.best_subset.yardstick import (
    CertifiedSubset,
    Excess,
    Yardstick,
    best_known,
    best_set,
    certified_rows,
    excesses,
)
from core.analysis.choosing import choosing_part
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffRow
from core.experiments.results.difference import Verdict
from core.figures.best_subset.alternatives_picture import percent
from core.figures.best_subset.objective_picture import HOW_FAR, LINE, BestSubsetsPicture
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.names.numbers import short
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import TITLES
from pages.shared.differences import difference
from pages.shared.show import show_chosen
from pages.shared.wording import features
from pages.shared.work.jobs import Job
from pages.shared.work.paths import complete, known_points
from pages.shared.work.yardstick import (
    Refits,
    parts_ended,
    refits_by_hand,
    refits_of_path,
    ridge_lam,
    ridge_model,
    why_not,
    yardstick_job,
    yardstick_panel,
)

REFERENCE = "l1"
"""The method that the best subset's ranking is compared with, where it is drawn; else the first one."""
NAMED = 3
RANKING: Mapping[Verdict, str] = {
    "no clear difference": "Better objective, not reliably better ranking",
    "clearly higher": "Better objective, and here a better ranking",
    "clearly lower": "Better objective, yet a worse ranking",
    "one list, no interval": "Better objective; one list cannot tell whether the ranking is better",
    "too few queries to tell": "Better objective; so few queries cannot tell whether the ranking is better",
}
"""By the verdict on the difference in ranking, where the objectives differ."""


def best_sets_panel(
    choice: Loaded,
    methods: Sequence[str],
    dense: Sequence[TradeoffRow],
    limit: int,
    measure: str,
) -> None:
    """Draw the line, or the table of excesses, as far as it is known; what is under way stands beneath it.

    It is for methods whose paths the page draws, the path of all features, and a largest number of features.
    """
    if why_not(choice):
        st.info(why_not(choice))
        return
    ridge = ridge_model(choice, dense) if complete(choice, [DENSE]) else None
    if ridge is None:
        st.caption("The search begins when all features have been fitted.")
        return
    found = _certified(choice, methods, ridge)
    row = found.row(limit)
    if row is not None:
        on_paths = [one for one in found.compared if one.method in methods]
        st.markdown(f"**{line_title(row, on_paths if found.finished else ())}.**")
        _draw(choice, found, methods)
        part = list(choice.fold.parts())[-1]
        st.markdown(ranking_words(choice, found, limit, part, measure))
        st.caption(caption(found.ridge, found.rows, choosing_part(choice.fold.parts())))
    yardstick_panel(found.job, found.refits, ended=found.ended, active=not found.finished)


def _draw(choice: Loaded, found: Certified, methods: Sequence[str]) -> None:
    drawn = [method for method in methods if method in found.sets and known_points(choice, method)]
    shown = address.one_of(
        "Show", (LINE, HOW_FAR), key="tradeoff_yardstick", bind=None,
        help="Line: the objective against the number of features. How far: a table of methods and numbers of features, "
        "with the per cent by which the objective is above the lowest, and how many are those of the best set.",
    )  # fmt: skip
    picture = BestSubsetsPicture(
        choice.fold,
        ridge=found.ridge.ratio,
        most=found.rows[-1].k,
        paths=[choice.fold_path(known_points(choice, method)) for method in drawn],
        view=HOW_FAR if shown == HOW_FAR else LINE,
        convention=choice.convention,
        where=choice.where,
    )
    show_chosen(picture, choice, known={"best": found.rows, "sets": found.sets})


@dataclass(frozen=True, eq=False)
class Certified:
    """The best possible sets so far."""

    ridge: TradeoffRow  # the model of all features whose C is that of all refits
    rows: Sequence[CertifiedSubset]  # of all sizes, once each has been looked at; most are not proven then
    sets: Mapping[str, Sequence[RefittedSet]]  # sets of the methods, refitted; those of complete paths
    compared: Sequence[Excess]
    finished: bool  # whether nothing more is to come by itself
    job: Job[Yardstick]
    refits: Sequence[Refits]
    ended: int  # `parts_ended`, as of these

    def row(self, limit: int) -> CertifiedSubset | None:
        """The largest size within a limit."""
        return next((row for row in reversed(self.rows) if row.k <= limit), None)


def _certified(choice: Loaded, methods: Sequence[str], ridge: TradeoffRow) -> Certified:
    """What is known; begins the search, and refits of the paths that are complete and of the selections by hand."""
    lam = ridge_lam(choice, ridge)
    job = yardstick_job(choice, ridge)
    on_paths = [m for m in methods if m not in BY_HAND and complete(choice, [m]) and known_points(choice, m)]
    jobs = {method: refits_of_path(choice, lam, known_points(choice, method)) for method in on_paths}
    jobs |= refits_by_hand(choice, lam)
    refits = list(jobs.values())
    # Before anything is read that is drawn.
    ended, finished = parts_ended(job, refits), not (job.active or any(one.active for one in refits))
    sets = {
        method: list(one.run.found) for method, one in jobs.items() if one.state == "finished" and one.run is not None
    }
    known = certified_rows(job.run) if job.run is not None and job.run.sketched else []
    rows = best_known(known, [found for own in sets.values() for found in own])
    return Certified(ridge, rows, sets, excesses(rows, sets), finished, job, refits, ended)


def line_title(row: CertifiedSubset, compared: Sequence[Excess]) -> str:
    """The lowest objective within the limit, and how far above it the nearest and the furthest method are."""
    at = {one.method: one.excess for one in compared if one.k == row.k}
    start = f"At most {features(row.k)}: no objective below {rounded_down(row.bound):.4f}"
    if not row.proven:
        start = (
            f"At most {features(row.k)}: best known objective {row.objective:.4f}, at most {percent(row.gap)} % above "
        )
        start += "the lowest possible"
    if not at:
        return start
    near, far = min(at, key=lambda method: at[method]), max(at, key=lambda method: at[method])
    exact = [TITLES[method] for method, excess in at.items() if percent(excess) == "0"]
    if len(exact) == len(at):
        return f"{start}; {_together(exact)} {'find' if len(exact) > 1 else 'finds'} a set as good"
    further = f"{TITLES[far]} is {percent(at[far])} % above it"
    if exact:
        return f"{start}; {_together(exact)} {'find' if len(exact) > 1 else 'finds'} a set as good, {further}"
    return f"{start}; {further}" if near == far else f"{start}; {TITLES[near]} is {percent(at[near])} %, {further}"


def rounded_down(bound: float) -> float:
    """A bound with four digits that is still one."""
    return math.floor(bound * 1e4) / 1e4


def _together(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{len(names)} methods"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def ranking_words(choice: Loaded, found: Certified, k: int, part: str, measure: str) -> str:
    """Whether the better objective of at most k features ranks better, with the numbers of these data; Markdown."""
    row, reference = found.row(k), REFERENCE if REFERENCE in found.sets else next(iter(found.sets), "")
    other = best_set(found.sets.get(reference, ()), k)
    if row is None or other is None:
        return ""
    title, at = TITLES[other.method], f"At most {features(row.k)}"
    if other.columns == row.columns:
        return (
            f"{at}: {title} keeps the best set itself, so both rank alike once {title} is fitted again with the ridge."
        )
    differs = difference(choice, row.weights, other.weights, part, measure)
    start = RANKING[differs.verdict]
    ours, theirs = row.judgement.metrics[part][measure], other.judgement.metrics[part][measure]
    return (
        f"**{start}.** {at}: {PART_WORDS[part]} {measure} {ours:.4f} of the best set, {theirs:.4f} of {title}'s set "
        f"fitted with the same ridge ({differs.words}). The best subsets are a yardstick of the objective, on the "
        "training part."
    )


def caption(ridge: TradeoffRow, rows: Sequence[CertifiedSubset], picks: str) -> str:
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
