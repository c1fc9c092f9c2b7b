"""Which measures tell models apart on the chosen data, and the controls of measure and part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import streamlit as st

from core.data.nouns import Nouns
from core.figures.path.lines import PART_TITLES
from core.metrics.measures import MeasureName, telling_measures
from pages.shared.choice import link
from pages.shared.choice.choice import Loaded

Name = TypeVar("Name", bound=str)


def measures_of(choice: Loaded) -> tuple[MeasureName, ...]:
    """The measures to offer, the most telling first."""
    return telling_measures(choice.fold.train)


def measure_control(choice: Loaded, label: str, *, key: str, help: str, **options: Any) -> MeasureName:
    """One of the measures of the chosen data; ``options`` as for `link.one_of`."""
    return choose_measure(measures_of(choice), label, key=key, help=f"{help} {explained(choice.nouns)}", **options)


def choose_measure(offered: Sequence[Name], label: str, *, key: str, **options: Any) -> Name:
    """One of some measures, in the address; the first of another kind of data where the choice has gone over to it."""
    seen = f"{key}_offered"
    if st.session_state.get(seen, offered) != offered:
        st.session_state[key] = offered[0]
    st.session_state[seen] = offered
    chosen: Name = link.one_of(label, offered, key=key, **options)
    return chosen


def explained(nouns: Nouns) -> str:
    """What the measures say, in a sentence each."""
    if nouns.by_class:
        return (
            "Top is the share of positives above every negative; MAP is average precision; NDCG@10 looks at the first "
            "ten rows."
        )
    return (
        "MAP is the mean over queries of average precision; NDCG@10 looks at the ten first documents and at how "
        "relevant they are; Top is the share of relevant documents above every irrelevant one."
    )


def choose_limit(label: str, choice: Loaded, *, key: str, **options: Any) -> int:
    """Let a person say how many features they can afford, from 1 to all; the other arguments are those of a slider."""
    n_features = choice.fold.train.n_features
    if n_features <= 1:
        return 1
    if not 1 <= st.session_state.get(key, 1) <= n_features:
        st.session_state.pop(key, None)
    return int(
        st.slider(
            label, 1, n_features, min(10, n_features), key=key, format="at most %d", label_visibility="collapsed",
            help=f"Every feature has to be computed for every {choice.nouns.row}. Say how many you can afford.",
            **options,
        )
    )  # fmt: skip


def choose_part(choice: Loaded, *, key: str, help: str, first: bool = False) -> str:
    """One of the parts the data has: the last one, or the first, under a label; a part of other data is forgotten."""
    parts = list(choice.fold.parts())
    if st.session_state.get(key) not in (None, *parts):
        st.session_state.pop(key, None)
    picked = st.segmented_control(
        "Measured on",
        parts,
        default=parts[0 if first else -1],
        required=True,
        format_func=PART_TITLES.__getitem__,
        key=key,
        persist_state="session",
        help=help,
        label_visibility="visible" if first else "collapsed",
    )
    return picked or parts[0 if first else -1]
