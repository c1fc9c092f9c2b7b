"""What convex and non-convex mean for the answer: many starts, and the minima in which they end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.penalties.several_starts import Minimum, StartsRun, from_random_starts
from core.analysis.penalties.starts_spread import SPREAD, StartsSpread, starts_words
from core.content import text_key
from core.figures.penalties.starts_picture import Starts, certificate_of
from core.figures.penalties.two_features import letters
from core.methods import Method
from core.names.numbers import short
from core.names.plain import in_markdown
from core.names.tables import frame_csv
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.views.penalties.pair import Pair, Places

N_STARTS = 25


def starts_part(
    pair: Pair, method: Method, parameters: dict[str, float], ratio: float, choice: Loaded | None, places: Places
) -> None:
    """Starts on the map of two features and, on request, on all the chosen data."""
    seed = int(
        places.right.number_input(
            "Random draw of the starts",
            0, 9999, 0,
            key="throw",
            bind="query-params",
            persist_state="session",
            width=200,
            help="The same number gives the same starts. Start 1 is always zero.",
        )
    )  # fmt: skip
    picture = Starts(
        method.id, ratio=ratio, n=N_STARTS, seed=seed, parameters=parameters or None, pair=pair.features, headed=True
    )
    with places.left:
        found = pair.show(picture)
    if found is None:
        return
    places.head.header(in_markdown(picture.words(found).alt), anchor=False)
    with places.right:
        st.markdown(_explanation(method, found.minima))
        st.caption(f"{in_markdown(pair.where)} · λ = {short(ratio)} λ_max · start 1 is zero, as on the Fit page")
    st.dataframe(picture.rows(found), hide_index=True, key="starts_minima")
    if choice is not None:
        _full_data(method, parameters, choice, seed)


def _explanation(method: Method, minima: Sequence[Minimum]) -> str:
    if method.convex:
        return (
            f"**{method.title} is convex**: the objective is a bowl with one bottom. Every fit ends there, wherever it "
            "starts. The duality gap proves that no model has an objective lower by more than the gap."
            if _proved(minima)
            else f"**{method.title} is convex**: the objective is a bowl with one bottom. Here no duality gap proves "
            "that all fits ended there."
        )
    zero = next((letter for letter, m in zip(letters(len(minima)), minima, strict=True) if 0 in m.starts), "A")
    words = f"**{method.title} is not convex.** "
    if len(minima) == 1:
        return words + "At this λ all starts happen to end in the same minimum; try another λ."
    words += "Every fit goes downhill from its start, so the start decides in which minimum it ends. "
    words += "The certificate only says that the slope is nearly 0 there; it compares with no other model. "
    if zero == "A":
        return words + "From zero, where the Fit page starts, it reaches the lowest of these."
    return words + f"From zero, where the Fit page starts, it ends in **{zero}**, which is not the lowest."


def _proved(minima: Sequence[Minimum]) -> bool:
    """Whether every end has a duality gap among all models."""
    found = [minimum.fit.result.certificate for minimum in minima]
    return all(certificate.kind == "duality gap" and not certificate.among for certificate in found)


def _full_data(method: Method, parameters: dict[str, float], choice: Loaded, seed: int) -> None:
    st.subheader(f"The same with all features of {in_markdown(choice.where)}", anchor=False)
    training = access.training(method.id, choice.source, choice.fold_number, tuple(parameters.items()))
    lam = choice.lam
    make = partial(from_random_starts, method.id, training, lam, parameters, N_STARTS, seed)
    key = f"starts-{text_key(make)}"
    job: Job[StartsRun] | None = board().find(key, session_id())
    st.markdown(
        f"C is {short(training.c_of(lam))}, as in the sidebar. Start 1 is zero; the others are random, with weights as "
        "large as those of the model."
    )
    if job is None:
        if button(
            f"Fit from {N_STARTS} starts",
            key="starts_go",
            icon=":material/casino:",
            help="In the background; you can stop it",
        ):
            board().submit(Job(key, session_id(), make))
            st.rerun()
        return
    jobs = [job]
    panel = Panel(key="starts", reached=lambda: counted(jobs, "starts"), continue_help="Continue with the next start")
    draw_panel(panel, jobs, active=job.active)
    if job.run is not None and job.run.ends and not job.active:
        _outcome(job.run, method, choice)


def _outcome(run: StartsRun, method: Method, choice: Loaded) -> None:
    minima = run.minima()
    spread = StartsSpread.of(minima, choice.judge)
    table = pd.DataFrame(
        {
            "ends in": letters(len(minima)),
            "starts": [len(m.starts) for m in minima],
            "from zero": ["✓" if 0 in m.starts else "" for m in minima],
            "objective": [f"{m.fit.result.objective:.8f}" for m in minima],
            "certificate": [certificate_of(m) for m in minima],
            "features kept": [m.fit.result.nonzero for m in minima],
            **{f"{name} {spread.part}": [f"{found[name]:.4f}" for found in spread.measured] for name in SPREAD},
        }
    )
    sentence = f"{method.title}: {starts_words(spread.record())}"
    st.success(f"{sentence}.")
    st.dataframe(table, hide_index=True, key="starts_table")
    st.download_button(
        "CSV",
        lambda: frame_csv(table),
        "several-starts.csv",
        "text/csv",
        on_click="ignore",
        key="starts_csv",
        help="The table.",
    )
