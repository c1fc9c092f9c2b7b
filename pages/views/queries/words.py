"""Sentences of the Queries page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.queries.side_by_side import SideBySide
from core.analysis.queries.swaps import Swap
from core.data.nouns import nouns_of
from core.data.ranking_data import FloatArray
from core.experiments.results.trait import Trait
from core.names.short import short_names, shortened
from pages.shared.wording import query_words_first

LONGEST_TEXT, LONGEST_NAME = 34, 26  # letters of a query, and of a document in a title


def why_title(documents: Sequence[str], terms: FloatArray, features: Sequence[str], *, edited: bool) -> str:
    """Why the first of two documents stands above the other, or where the score of one comes from.

    ``terms`` has what each feature brings, and their sum is how far the first scores above the other, or the score.
    """
    first, *others = (shortened(name, LONGEST_NAME) for name in documents)
    asked = f"Why is {first} above {others[0]}?" if others else f"What makes the score of {first}?"
    if abs(terms.sum()) <= 1e-12 * abs(terms).sum():
        same = "the same score: they keep the order of the file" if others else "no weight on any feature"
        return f"{asked} {'Both have' if others else 'The model has'} {same}"
    most = int(np.argmax(terms if others else abs(terms)))
    feature = short_names(features, [most])[0]
    summed = f"all together{', as edited,' * edited} {_signed(terms.sum())}"
    return f"{asked} “{feature}” brings most, {_signed(terms[most])}; {summed}"


def query_title(pair: SideBySide, text: str | None, *, edited: bool, compared: bool) -> str:
    """How well the list of a query ranks, and what differs in that of B where there is one."""
    nouns = nouns_of(pair.data)
    called = f"“{shortened(text, LONGEST_TEXT)}”" if text else query_words_first(pair.data.query_ids[0])
    called = pair.data.query_ids[0].replace("-", " ") if nouns.by_class else called
    relevant = int((pair.data.relevance >= 1).sum())
    if not relevant:
        none = f"none of {pair.data.n_documents:,} {nouns.rows} is {nouns.relevant}"
        return f"{called}: {none}, so no order is better"
    a, b = pair.measure("MAP")
    if not compared:
        return f"{called}: AP {a:.4f}{' as edited' if edited else ''}"
    higher, lower, same = pair.relevant_moves
    if same == relevant:
        moved = f"no {nouns.relevant} {nouns.row} moves"
    else:
        (first, way), *rest = [(n, way) for n, way in ((higher, "up"), (lower, "down")) if n]
        moved = f"{first:,} {nouns.relevant} {nouns.row if first == 1 else nouns.rows} {way}"
        moved = ", ".join([moved, *(f"{n:,} {way}" for n, way in rest)])
    return f"{called}: AP {a:.4f} under A{', edited' if edited else ''}, {b:.4f} under B; {moved}"


def swap_words(swap: Swap, names: Sequence[str], above: str, below: str) -> str:
    """What a change swaps, for a button."""
    whose = "" if swap.document is None else f" in {above if swap.document == 'above' else below}"
    what = "the weight" if swap.document is None else "the value"
    now, needed = number(swap.now), number(swap.needed)
    change = f"{now} → {needed}" if now != needed else f"changed by {number(swap.change)}"
    return f"Swap the two: {what} of {names[swap.feature]}{whose} {change}"


def trait_words(what: str, found: Trait | None) -> str:
    """Compare the losing queries with all others, with the verdict of the interval."""
    if found is None:
        return f"{what}: there is only one group of queries"
    if found.alike:
        return f"{what}: {found.losing:,.4g} in every query"
    values = f"{found.losing:.1f} on average where A loses, {found.others:.1f} elsewhere"
    if found.interval is None:
        return f"{what}: {values}; too few queries for an interval"
    low, high = (f"{end:+.1f}".replace("-", "−") for end in found.interval)
    ends = f"95 % interval of the difference {low} to {high}"
    return f"{what}: {values} ({ends}: {'a clear difference' if found.clear else 'no clear difference'})"


def number(value: float) -> str:
    """A weight or a value with as many digits as one can tell apart."""
    return f"{value:.4g}".replace("-", "−")


def _signed(value: float) -> str:
    return f"{value:+.3g}".replace("-", "−")
