"""What the Methods page asks for: which methods, how long each may take, and how C is set; all of it in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.analysis.fitting import AtRatio, OnValidation
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measure_control
from pages.shared.choice.pills import method_pills
from pages.views.methods.bench_batch import ComparisonSettings

SHOWN_FIRST = ("l1", "log", "l2", "fenchelrank", "fsmrank", "rwfs-l0")
BUDGETS = {"1": "1 s", "5": "5 s", "20": "20 s"}
HOW = {"sidebar": "the sidebar's λ/λ_max", "validation": "each its own, by validation"}


def controls(choice: Loaded) -> tuple[ComparisonSettings, str]:
    """Draw the controls; what is wanted, and the measure drawn, by which C is chosen, too."""
    more = st.popover("Methods and time", icon=":material/science:", key="bench_more")
    with more:
        methods = method_pills(
            "bench",
            SHOWN_FIRST,
            help="Click to add or remove a method. Its card below says what it does.",
        )
        budget = _linked(
            "Budget", BUDGETS, "5", key="bench_seconds",
            help="Solver time that each method may take for its whole grid. A step that has begun is finished.",
        )  # fmt: skip
    how = "sidebar"
    if "vali" in choice.fold.parts():
        how = _linked(
            "How C is set", HOW, "sidebar", key="bench_c", compact=True,
            help=
                "Either the sidebar's share of each loss's own λ_max, or the best of each method's own grid on the "
                "validation part. That fits up to 50 models a method for every value tried of its other parameters.",
        )  # fmt: skip
    else:
        more.caption("C: the sidebar's λ/λ_max, as there is no validation part to choose one on.", width="content")
    measure = measure_control(
        choice, "Quality", key="bench_measure", help="The measure that is drawn and that chooses C.", compact=True
    )
    # Digits that are certain: C and back must not make it another comparison, whose rows are not known.
    same = AtRatio(float(f"{choice.ratio:.12g}"))
    return ComparisonSettings(
        tuple(methods), float(budget), same if how == "sidebar" else OnValidation(measure)
    ), measure


def _linked(label: str, titles: Mapping[str, str], first: str, *, key: str, help: str, compact: bool = False) -> str:
    """One of a few, in the address by its id rather than by its title."""
    if st.session_state.get(key) not in titles:
        linked = st.query_params.get(key)
        st.session_state[key] = linked if linked in titles else first
    picked = st.segmented_control(
        label, list(titles), format_func=lambda k: titles.get(k, k), required=True, key=key, persist_state="session",
        help=help, label_visibility="collapsed" if compact else "visible",
    )  # fmt: skip
    address.write(key, picked or first)
    return picked or first
