"""The Queries page: why a document stands above another, and which queries another model ranks better or worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.analysis.queries.side_by_side import QueryChanges, main_mover, moving_features
from core.data import RankingData
from core.experiments.results.statistics import Trait, trait
from core.export.scripts.description import ModelDescription
from core.export.scripts.picture import Fitted
from core.figures.queries.picture import QUERY_MEASURES, QueriesPicture, signed
from core.metrics.conventions import describe_convention
from core.names.plain import in_markdown
from core.names.short import shortened
from pages.shared import frame, keys
from pages.shared.choice import access, address
from pages.shared.choice.choice import Loaded
from pages.shared.headline import Shown
from pages.shared.live_chart import clicked
from pages.shared.show import model_of, numbers, show_chosen
from pages.shared.wording import PART_WORDS
from pages.views.queries.one import one_query
from pages.views.queries.place import (
    EVERY,
    QUERIES_LOOK,
    SWAP,
    Baseline,
    QueryView,
    best_alone,
    choose_compared,
    choose_query,
    open_query,
    part_of,
    place_of,
    with_weights,
)

WORST = 5
MOST_MOVED = 1000
FloatArray = NDArray[np.float64]


def every_query(now: Shown, other: Baseline, place: QueryView) -> None:
    """Draw the section."""
    choice = now.choice
    data, dataset = choice.fold.parts()[place.part], access.dataset(choice.source)
    heading = st.container()
    measure = address.one_of(
        "Measure",
        QUERY_MEASURES,
        key="queries_measure",
        help="AP: average precision. NDCG@10 looks at the ten first documents and at how relevant they are.",
    )
    weights = place.edits.model(now.fit.weights)
    model = replace(now.model, fit=with_weights(now.fit, weights)) if place.edits.weights else now.model
    picture = QueriesPicture(
        model,
        other.as_drawn(model),
        part=place.part,
        measure=measure,
        texts=dataset.query_texts,
        where=choice.where,
        edited=bool(place.edits.weights),
        other_title=other.title,
        hint="click: its lists",
    )
    found = numbers(picture)
    assert found is not None, "it needs nothing else"
    changes, difference = found.by_measure[measure], found.differences[measure]
    heading.subheader(in_markdown(picture.sentence(found)), anchor=False)
    names = picture.query_names
    b: dict[str, Fitted] = {"other": other.described} if isinstance(other.described, ModelDescription) else {}
    left, right = st.columns([2.1, 1])
    with left:
        show_chosen(
            picture,
            choice,
            found=found,
            fits=lambda: {"model": model_of(choice, now.fit), **b},
            scripted=other.scripted and not place.edits.weights,  # no fit has edited weights
            on_click=partial(_open_clicked, data.query_ids),
        )
    with right:
        _worst(changes, data, names, weights, other.weights, measure)
    st.caption(
        f"{in_markdown(choice.where)}, {PART_WORDS[place.part]} part. The "
        f"mean's 95 % interval is a paired bootstrap over the queries: {difference.words}. Click a bar to see the "
        "query's lists. A query is moved most by the feature that changed the score gaps most in the direction of the "
        "loss, over the pairs of documents that A and B order differently. "
        f"{describe_convention(choice.convention, choice.nouns)}"
    )


def _worst(
    changes: QueryChanges, data: RankingData, names: Sequence[str], a: FloatArray, b: FloatArray | None, measure: str
) -> None:
    """The queries that lose most, with what moved them; and what all that lose have in common."""
    losing = changes.delta < 0
    if not losing.any():
        st.markdown("**No query loses.**")
        return
    movers = _movers(data, changes, a, b)
    st.markdown(f"**The worst hit** by Δ{QUERY_MEASURES[measure]}")
    for q in changes.order[:WORST]:
        if changes.delta[q] >= 0:
            break
        mover = movers.get(int(q))
        by = "" if mover is None else f", moved most by {data.feature_names[mover]}"
        st.button(
            f"**{signed(float(changes.delta[q]), 3)}** {in_markdown(shortened(names[q], 60))}",
            key=f"queries_worst_{data.query_ids[q]}",
            type="tertiary",
            on_click=open_query,
            args=(data.query_ids[q],),
            help=in_markdown(
                f"{names[q]}: {changes.n_relevant[q]:,} of {changes.n_documents[q]:,} documents relevant{by}"
            ),
        )
    st.markdown(f"**What the {int(losing.sum()):,} that lose have in common**")
    moved = "No feature moved them"
    if movers:
        (first, count), *others = Counter(movers.values()).most_common(3)
        more = "".join(f", {in_markdown(data.feature_names[j])} {n:,}" for j, n in others)
        most = f"{in_markdown(data.feature_names[first])} in {count:,} of {len(movers):,}{more}"
        moved = f"The feature that moved them most: {most}"
    lines = [
        _trait_words("Relevant documents", trait(changes.n_relevant, losing)),
        _trait_words("Documents", trait(changes.n_documents, losing)),
        moved,
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))


def _trait_words(what: str, found: Trait | None) -> str:
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


def _movers(data: RankingData, changes: QueryChanges, a: FloatArray, b: FloatArray | None) -> dict[int, int]:
    """The feature that moved each losing query most towards its loss; of many, only those that lose most."""
    found = {}
    for q in changes.order[:MOST_MOVED]:
        if changes.delta[q] < 0:
            mover = main_mover(moving_features(data, int(q), a, b)[0], float(changes.delta[q]))
            if mover is not None:
                found[int(q)] = mover
    return found


def _open_clicked(query_ids: Sequence[object]) -> None:
    if point := clicked("query_changes"):
        open_query(str(query_ids[int(point[0])]))


QUESTIONS = {SWAP: "Which one number would swap the two?", EVERY: "Which queries gain, and which lose?"}
"""What can be asked further, by its name in the address."""


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    now = frame.model()
    if now is None:
        st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.")
        return
    heading = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
        part = part_of(choice)
        data = choice.fold.parts()[part]
        query = choose_query(data, access.dataset(choice.source).query_texts, shown=not choice.nouns.by_class)
        other = choose_compared(now)
    place = place_of(choice, data, part, query)
    every_swap = one_query(now, other, place, heading)
    asked = address.ask_further({SWAP: QUESTIONS[SWAP]} if choice.nouns.by_class else QUESTIONS, key=QUERIES_LOOK)
    if asked == EVERY:
        every_query(now, other or best_alone(now), place)
    elif asked == SWAP:
        every_swap()
