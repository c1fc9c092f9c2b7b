"""What the Queries page looks at: part, query, selected documents and edits, and the sentences about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.queries.side_by_side import SideBySide
from core.analysis.queries.swaps import Edits, Swap, read_edits
from core.data import RankingData
from core.data.nouns import nouns_of
from core.data.ranking_data import FloatArray
from core.experiments.results.statistics import Trait
from core.names.short import short_names, shortened
from pages.shared import keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import choose_part
from pages.shared.server.visits import travelled
from pages.shared.wording import query_words_first

_QUERIES_PART = "queries_part"
_QUERIES_QUERY = "queries_query"
_QUERIES_DOCUMENTS = "queries_documents"
_QUERIES_EDITS = "queries_edits"
_QUERIES_SEEN = "queries_seen"
SWAP, EVERY = "swap", "all queries"


@dataclass(frozen=True)
class QueryView:
    """What is looked at."""

    part: str
    query: int  # its number, from 0
    # The one or two of its documents that a person has chosen, from 0, in the order of the file; else none.
    selected: tuple[int, ...]
    edits: Edits


def part_of(choice: Loaded) -> str:
    """Let a person choose a part, which the address keeps."""
    parts = list(choice.fold.parts())
    address.begin(_QUERIES_PART, parts, parts[-1])
    help = f"The part whose {choice.nouns.samples} are ranked."
    part = choose_part(choice, key=_QUERIES_PART, help=help)
    address.write(_QUERIES_PART, part)
    return part


def choose_query(data: RankingData, texts: Mapping[str, str], *, shown: bool) -> int:
    """Let a person choose a query, where the control is shown; the address names it by its id."""
    ids = data.query_ids
    address.begin(_QUERIES_QUERY, ids, ids[0])
    if not shown:  # the session forgets what belongs to a control that is not drawn
        st.session_state[_QUERIES_QUERY] = kept = st.session_state[_QUERIES_QUERY]
        return ids.index(kept)
    chosen = st.selectbox(
        "Query",
        ids,
        format_func=lambda query: f"{query}: {texts[query]}" if query in texts else f"query {query}",
        key=_QUERIES_QUERY,
        persist_state="session",
        width=270,
        label_visibility="collapsed",
        help="Type to search by id or text.",
    )
    return ids.index(chosen)


def place_of(choice: Loaded, data: RankingData, part: str, query: int) -> QueryView:
    """What is looked at; edits of another model and documents of another query are forgotten."""
    model, where = choice.key, (choice.fingerprint, part, data.query_ids[query])
    seen: tuple[str, tuple[str, str, str]] | None = st.session_state.get(_QUERIES_SEEN)
    n_documents = len(data.relevance[data.rows_of(query)])
    for key in (_QUERIES_DOCUMENTS, _QUERIES_EDITS):
        if key not in st.session_state or travelled():
            st.session_state[key] = st.query_params.get(key, "")
    edits = read_edits(st.session_state[_QUERIES_EDITS], n_documents, data.n_features)
    selected = _numbers(st.session_state[_QUERIES_DOCUMENTS], n_documents)
    if travelled():
        seen = None
    if seen is not None and seen[0] != model:
        edits = Edits()
    if seen is not None and seen[1] != where:
        edits, selected = edits.of_model, ()
    st.session_state[_QUERIES_SEEN] = (model, where)
    keep(selected, edits)
    for key in (_QUERIES_QUERY, _QUERIES_DOCUMENTS, _QUERIES_EDITS):
        address.write(key, st.session_state[key] or None)
    return QueryView(part, query, selected, edits)


def keep(selected: Sequence[int], edits: Edits) -> None:
    """Make this what is looked at; also for callbacks."""
    st.session_state[_QUERIES_DOCUMENTS] = ",".join(str(i + 1) for i in selected)
    st.session_state[_QUERIES_EDITS] = edits.text()


def open_query(query_id: str) -> None:
    """Look at the lists of this query; for callbacks."""
    st.session_state[_QUERIES_QUERY] = query_id
    st.session_state[keys.QUERIES_LOOK] = None


def _numbers(text: str, n_documents: int) -> tuple[int, ...]:
    found = [int(number) - 1 for number in text.split(",") if number.isascii() and number.isdigit()]
    return tuple(dict.fromkeys(i for i in found if 0 <= i < n_documents))[:2]


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
