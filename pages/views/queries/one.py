"""One query: its list, why one document stands above another in it, what swaps the two, and its list under B."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.queries.side_by_side import SideBySide, side_by_side
from core.analysis.queries.swaps import (
    Edits,
    Swap,
    contributions,
    edits_of,
    exact_gap,
    gap_terms,
    value_swaps,
    weight_swaps,
)
from core.data import RankingData
from core.data.nouns import nouns_of
from core.data.ranking_data import FloatArray
from core.figures.browser.drawing_code import UNPACKED
from core.figures.queries.lists import MOST_PLACES, ListedDocument, Offer, lists_spec
from core.metrics.conventions import describe_convention
from core.names.plain import in_markdown
from core.names.short import short_names, shortened
from core.solvers.problem import pair_scores
from pages.shared.cache import cached
from pages.shared.choice import access
from pages.shared.headline import Shown
from pages.shared.lazy import lazy_popover
from pages.shared.live_chart import main_picture
from pages.shared.wording import PART_WORDS, query_words_first
from pages.views.queries.place import Baseline, QueryView, keep


def one_query(now: Shown, other: Baseline | None, place: QueryView, heading: DeltaGenerator) -> Callable[[], None]:
    """Draw the section, and return what draws every change of one number that swaps the two documents."""
    choice, edits = now.choice, place.edits
    data, dataset, nouns = choice.fold.parts()[place.part], access.dataset(choice.source), choice.nouns
    rows = data.rows_of(place.query)
    before = pair_scores(data, now.fit.weights)
    scores_b = before if other is None else other.scores(data)
    pair = side_by_side(data, place.query, before, scores_b, choice.convention)
    after = pair
    if edits:
        changed = before.copy()
        changed[rows] = edits.features(pair.data.features) @ edits.model(now.fit.weights)
        after = side_by_side(data, place.query, changed, scores_b, choice.convention)
    names, ids = dataset.document_names, pair.data.document_ids
    documents = [ListedDocument(name, names.get(name, "")) for name in ids or ()]
    documents = documents or [ListedDocument(f"{nouns.row} {k + 1}") for k in range(pair.data.n_documents)]
    selected = tuple(sorted(place.selected or pair.telling_pair, key=lambda i: after.places_a[i]))
    weights, x = edits.model(now.fit.weights), edits.features(pair.data.features)[list(selected)]
    terms = gap_terms(weights, *x) if len(selected) > 1 else contributions(weights, x[0])
    title = why_title([documents[i].name for i in selected], terms, now.fit.feature_names, edited=bool(edits))
    heading.header(in_markdown(title), anchor=False)
    ranges, swaps = _ranges(data), _swaps(now, after, edits, selected)
    b = "" if other is None else f"B: {other.title}"
    spec = lists_spec(
        pair,
        now.fit.weights,
        ranges,
        documents,
        titles=(f"{'A: ' * (other is not None)}{now.choice.title}{', edited' * bool(edits)}", b),
        edits=edits,
        selected=selected,
        offers=_offers(swaps, now, ranges, documents, selected, edits),
        highest=int(data.relevance.max()),
    )
    with main_picture():
        sent = spec | {"alt": title, "picture": {"filename": "lists"}}
        _LISTS(key=_KEY, data=json.dumps(sent, ensure_ascii=False).encode(), on_changed_change=_changed)
    lazy_popover(
        "Numbers",
        lambda: _numbers(now, after, documents, edits, selected, compared=other is not None),
        key="queries_more",
        icon=":material/table:",
        type="tertiary",
    )
    cut = f" Each list is drawn up to place {MOST_PLACES}." if pair.data.n_documents > MOST_PLACES else ""
    cut += f" With edits, places count only the drawn {nouns.rows}." if cut and edits else ""
    text = dataset.query_texts.get(data.query_ids[place.query])
    how = query_title(after, text, edited=bool(edits), compared=other is not None)
    lines = f"Lines join the two places of a {nouns.row}; ▲3: three places higher under A than under B. Edits change "
    lines += "only A; B ranks the data as it is. "
    st.caption(
        f"{in_markdown(how)}. {in_markdown(choice.where)}, {PART_WORDS[place.part]} part. {lines * (other is not None)}"
        f"{nouns.rows.capitalize()} with the same score keep the order of the file.{cut} "
        f"{describe_convention(choice.convention, nouns)}"
    )

    def every_swap() -> None:
        if not any(swaps):
            st.caption(f"Choose two {nouns.rows} with different scores in the list.")
            return
        whose = {None: "weight", "above": documents[selected[0]].name, "below": documents[selected[1]].name}
        rows = [
            {
                "feature": now.fit.feature_names[swap.feature],
                "of": whose[swap.document],
                "now": number(swap.now),
                "needed": number(swap.needed),
                "change": swap.change,
            }
            for swap in (*swaps[0], *swaps[1])
        ]
        _table(pd.DataFrame(rows), "queries_swaps")
        st.caption(
            "Computed exactly: at the needed number, the lower one is just above the other. Weights of different "
            "features are comparable only if their values have the same scale."
        )

    return every_swap


@cached()
def _ranges(data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(data.features.min(axis=0), dtype=np.float64), np.asarray(data.features.max(axis=0), dtype=float)


def _swaps(now: Shown, pair: SideBySide, edits: Edits, selected: tuple[int, ...]) -> tuple[tuple[Swap, ...], ...]:
    """Of the two selected documents, by weight and by value, smallest change first; empty where there are not two."""
    if len(selected) < 2:
        return (), ()
    weights, x = edits.model(now.fit.weights), edits.features(pair.data.features)
    above, below = x[selected[0]], x[selected[1]]
    if exact_gap(weights, above, below) < 0:
        return (), ()  # they are tied but for rounding
    return weight_swaps(weights, above, below), value_swaps(weights, above, below)


def _offers(
    swaps: tuple[tuple[Swap, ...], ...], now: Shown, ranges: tuple[np.ndarray, np.ndarray],
    documents: list[ListedDocument], selected: tuple[int, ...], edits: Edits,
) -> list[Offer]:  # fmt: skip
    """The smallest change of a weight that the model has, and of a value within what the part has."""
    if len(selected) < 2:
        return []
    above, below = (documents[i].name for i in selected)
    by_weight, by_value = swaps
    names, weights, (low, high) = now.fit.feature_names, edits.model(now.fit.weights), ranges
    offers = []
    if (weight := next((swap for swap in by_weight if weights[swap.feature]), None)) is not None:
        new = dict(edits.weights) | {weight.feature: weight.further}
        offers.append(Offer(swap_words(weight, names, above, below), edits_of(new.items(), edits.values)))
    inside = (swap for swap in by_value if low[swap.feature] <= swap.further <= high[swap.feature])
    if (value := next(inside, None)) is not None:
        document = selected[0] if value.document == "above" else selected[1]
        values = {(i, j): x for i, j, x in edits.values} | {(document, value.feature): value.further}
        offers.append(
            Offer(
                swap_words(value, names, above, below),
                edits_of(edits.weights, ((i, j, x) for (i, j), x in values.items())),
            )
        )
    return offers


def _numbers(
    now: Shown, pair: SideBySide, documents: list[ListedDocument], edits: Edits, selected: tuple[int, ...],
    *, compared: bool,
) -> None:  # fmt: skip
    names, weights, x = now.fit.feature_names, edits.model(now.fit.weights), edits.features(pair.data.features)
    nouns, kept = nouns_of(pair.data), np.flatnonzero(weights)
    grades = pair.data.relevance
    table = pd.DataFrame(
        {
            nouns.row: [document.name for document in documents],
            "text": [document.text for document in documents],
            nouns.grade: [nouns.level(int(grade)) for grade in grades] if nouns.by_class else grades,
            "place under A": pair.places_a,
            "place under B": pair.places_b,
            "score under A": pair.scores_a,
            "score under B": pair.scores_b,
        }
    ).sort_values("place under A")
    _table(table if compared else table.drop(columns=["place under B", "score under B"]), "queries_table")
    columns: dict[str, object] = {"feature": [names[j] for j in kept], "weight": weights[kept]}
    for i in selected:
        columns[f"value of {documents[i].name}"] = x[i, kept]
        columns[f"weight × value of {documents[i].name}"] = contributions(weights, x[i])[kept]
    if len(selected) == 2:
        columns["weight × difference"] = gap_terms(weights, x[selected[0]], x[selected[1]])[kept]
    _table(pd.DataFrame(columns), "queries_terms")


def _table(table: pd.DataFrame, key: str) -> None:
    st.dataframe(table, hide_index=True, key=key)


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


def number(value: float) -> str:
    """A weight or a value with as many digits as one can tell apart."""
    return f"{value:.4g}".replace("-", "−")


def _signed(value: float) -> str:
    return f"{value:+.3g}".replace("-", "−")


_HERE = Path(__file__).parent
_SCRIPTS = (UNPACKED, _HERE / "why.js", _HERE / "lists.js")
_LISTS = st.components.v2.component(
    "ranked_lists",
    js="\n".join(path.read_text(encoding="utf-8") for path in _SCRIPTS),
    css=(_HERE / "lists.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)
_KEY = "ranked_lists"


def _changed() -> None:
    told: dict[str, Any] | None = st.session_state[_KEY]["changed"]
    if told is not None:
        edits = edits_of(
            ((int(j), float(weight)) for j, weight in told["weights"]),
            ((int(i), int(j), float(value)) for i, j, value in told["values"]),
        )
        keep([int(i) for i in told["selected"]], edits)
