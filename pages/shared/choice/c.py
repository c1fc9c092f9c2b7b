"""The sidebar's choice of C: a slider in lambda / lambda_max that reads in C, or a number typed in.

In the session it is the text of a C, from which the slider's step follows, or that step where there is no text.
"""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.cli.options import HUGE, TINY
from core.data.numbers import read_number
from core.methods import Training
from core.names.counted import FEWER_MORE
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.cache import kept
from pages.shared.choice import address
from pages.shared.choice.choice import DEFAULT_STEP, LAST_STEP, Regularization, ratio_at, read_c, step_at
from pages.shared.server.visits import travelled


def choose_c(training: Training, more: DeltaGenerator) -> Regularization:
    """A slider that reads in C and moves in lambda / lambda_max, so that a place on it means the same on all data.

    In ``more`` C can be typed.
    """
    # A linear program for the infinite push; known from then on.
    with nullcontext() if training.knows_lam_max else st.spinner("Computing λ_max …"):
        largest = training.lam_at(1.0)

    def texts_of() -> list[str]:
        return [short(training.c_of(largest * ratio_at(step))) for step in range(LAST_STEP + 1)]

    texts = kept("C of the slider", (training.loss.n_terms, largest), texts_of)
    written = more.container(key=keys.C).text_input(
        "Exact C",
        address.read(keys.C, ""),
        placeholder="from the slider",
        help="Type a number to set C exactly; clear it to return to the slider.",
        **address.versioned(keys.C),
    )
    address.write(keys.C, written or None)
    chosen = _typed(written, Regularization.at_step(training, _step_now()))
    step = st.session_state[keys.RATIO_STEP] = chosen.step
    now = f"C = {chosen.c:.6g}, λ/λ_max = {short(chosen.ratio)}, λ = {short(chosen.lam)}"

    st.select_slider(
        "C",
        range(len(texts)),
        value=step,
        format_func=texts.__getitem__,
        **address.versioned(
            keys.RATIO_STEP, lambda: st.session_state.update({keys.C: ""}), of=f"_{training.loss.n_terms}_{largest:.6e}"
        ),
        help="The weight of the data against the penalty: a larger C keeps more features. λ = 1/(C P) with "
        f"P preference pairs; at λ_max the ℓ1 model is empty. Now {now}.",
    )
    # A C that is typed, or where a handle was let go, may lie between two steps.
    on_a_step = chosen == Regularization.at_step(training, step)
    between = "" if on_a_step else f'<b class="exact-c">{short(chosen.c)}</b>'
    st.html(f'<div class="scale-of-c"><span>{FEWER_MORE[0]}</span>{between}<span>{FEWER_MORE[1]}</span></div>')
    address.write(keys.RATIO, ratio_text(step))
    return chosen


def _step_now() -> int:
    """Where the slider is to stand: as the session has it, or as the address has it after Back and Forward.

    Otherwise the session counts: a browser that is busy drawing still sends the address from before the last move.
    """
    kept: int | None = st.session_state.get(keys.RATIO_STEP)
    if kept is not None and not travelled():
        return kept
    named = _step_named(st.query_params.get(keys.RATIO, ""))
    return named if named is not None else DEFAULT_STEP if kept is None else kept


def _typed(written: str, slider: Regularization) -> Regularization:
    if not written.strip():
        return slider
    try:
        return slider.at_c(read_c(written))
    except ValueError:
        if address.asked(keys.C) != written:  # else one notice names all of a link that cannot be used
            st.warning(
                f"“{in_markdown(written.strip())}” is not a positive number from {TINY:g} to {HUGE:g}, so C "
                "comes from the slider. Write it like 0.02 or 2e-2."
            )
        return slider


def ratio_text(step: int) -> str:
    """lambda / lambda_max at a step of the slider, as links write it."""
    return f"{ratio_at(step):.4g}"


def ratio_query() -> dict[str, str]:
    """What a switch of pages names: the place of C. Without any parameter it would clear those bound to widgets."""
    return {keys.RATIO: ratio_text(st.session_state[keys.RATIO_STEP])}


def _step_named(ratio: str) -> int | None:
    """The slider's step nearest to a ratio from a link; None where it makes no sense."""
    try:
        return step_at(read_number(ratio))
    except (ValueError, OverflowError):
        return None
