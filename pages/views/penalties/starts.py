"""Parts of the page Penalties: two features as a map, and what convex and non-convex mean for where fits end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.penalties.several_starts import (
    SPREAD,
    Minimum,
    StartsRun,
    StartsSpread,
    from_random_starts,
    starts_words,
)
from core.analysis.penalties.two_features import RATIOS
from core.content import text_key
from core.data.ranking_data import FloatArray
from core.figures.penalties.pair_pictures import GROUNDS, Starts, TwoFeatures, certificate_of
from core.figures.penalties.two_features import letters
from core.methods import Fit, Method
from core.methods.sources import LOSS_LATEX
from core.names.numbers import short
from core.names.plain import in_markdown
from pages.shared.choice import access, address
from pages.shared.choice.choice import Loaded
from pages.shared.controls import button, csv_button
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted
from pages.views.penalties.pair import Problem


def two_features_part(problem: Problem) -> None:
    """Draw the map with the minima at this lambda, and the path of the lowest one as lambda falls."""
    pair, method = problem.pair, problem.method
    training = pair.features.training
    with problem.right:
        ground = address.one_of(
            "Level lines of",
            GROUNDS,
            key="ground",
            persist_state="session",
            label_visibility="visible",
            help="Loss: its level lines, and the penalty's ball that touches them. Objective: loss and penalty "
            "together, dark where low; every minimum is a dark well.",
        )
    minima = problem.draw(TwoFeatures(method.id, ground=ground, **problem.options))
    if minima is None:
        return
    found = minima.now
    way = np.array([fits[0].weights for fits in minima.path])
    with problem.right:
        st.latex("F(w) = L(w)" + method.objective.removeprefix(LOSS_LATEX))
        st.markdown(_map_explanation(method, found, way, minima.here, ground == GROUNDS[0]))
        first, second = pair.features.names
        table = {
            "minimum": ["lowest", *["another"] * (len(found) - 1)],
            first: [f"{fit.weights[0]:.4g}" for fit in found],
            f"{second} ": [f"{fit.weights[1]:.4g}" for fit in found],
            "objective": [f"{fit.result.objective:.6f}" for fit in found],
        }
        st.dataframe(pd.DataFrame(table), hide_index=True, key="pair_minima")
        st.caption(
            f"{in_markdown(pair.where)} · {training.data.n_pairs:,} preference pairs · each feature divided by its "
            f"deviation within queries · λ = {short(training.lam_at(problem.ratio))}"
        )


def _map_explanation(method: Method, found: Sequence[Fit], way: FloatArray, here: int, ball: bool) -> str:
    lines = []
    if ball and np.any(found[0].weights):
        lines.append(
            "Weights on a thin line have the same **loss**; weights on the coloured line, the ball, have the same "
            "**penalty** as the answer. The answer is where the ball touches the lowest level line that it reaches. "
            + _corners(method)
        )
    elif ball:
        lines.append("λ is so large that **no weight is worth its price**: the ball is the point 0.")
    else:
        lines.append("Dark is low. Every dark well is a **minimum**: no small step from there lowers the objective.")
    unshrunk = way[-1]
    lines.append(
        f"With hardly any penalty the weights would be {unshrunk[0]:.2g} and {unshrunk[1]:.2g} (the dotted line's end)."
    )
    leaps = np.abs(np.diff(way, axis=0)).max(axis=1)
    if not method.convex and leaps.max() > 0.25 * np.abs(way).max():
        k = int(leaps.argmax())
        lines.append(
            f"As λ falls, the lowest minimum **jumps** between λ = {short(RATIOS[k])} and {short(RATIOS[k + 1])} "
            "λ_max; under ℓ1 it would move without a jump."
        )
    if len(found) > 1:
        lines.append(
            "The problem is not convex: which minimum a fit finds depends on its **start**. A fit stops in any of "
            "them, because every model near by is worse."
        )
    elif method.convex:
        lines.append("The problem is convex: there is **one** answer, wherever a fit starts.")
    return "\n\n".join(lines)


def _corners(method: Method) -> str:
    if method.id == "l2":
        return "This ball is round: it would touch exactly on an axis only by coincidence, so both weights stay."
    if method.convex:
        return "This ball has corners on the axes, where a weight is exactly 0, and a level line often meets a corner."
    return "This ball has spikes on the axes, where a weight is exactly 0, and a level line mostly meets a spike."


N_STARTS = 25


def starts_part(problem: Problem, choice: Loaded | None) -> None:
    """Starts on the map of two features and, on request, on all the chosen data."""
    method = problem.method
    seed = int(
        problem.right.number_input(
            "Random draw of the starts",
            0, 9999, 0,
            key="throw",
            bind="query-params",
            persist_state="session",
            width=200,
            help="The same number gives the same starts. Start 1 is always zero.",
        )
    )  # fmt: skip
    picture = Starts(method.id, n=N_STARTS, seed=seed, **problem.options)
    found = problem.draw(picture)
    if found is None:
        return
    with problem.right:
        st.markdown(_explanation(method, found.minima))
        where, lam = in_markdown(problem.pair.where), short(problem.ratio)
        st.caption(f"{where} · λ = {lam} λ_max · start 1 is zero, as on the Fit page")
    st.dataframe(picture.rows(found), hide_index=True, key="starts_minima")
    if choice is not None:
        _full_data(method, problem.parameters, choice, seed)


def _explanation(method: Method, minima: Sequence[Minimum]) -> str:
    if method.convex:
        ends = [minimum.fit.result.certificate for minimum in minima]
        proved = all(certificate.kind == "duality gap" and not certificate.among for certificate in ends)
        return (
            f"**{method.title} is convex**: the objective is a bowl with one bottom. Every fit ends there, wherever it "
            "starts. The duality gap proves that no model has an objective lower by more than the gap."
            if proved
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


def _full_data(method: Method, parameters: dict[str, float], choice: Loaded, seed: int) -> None:
    st.subheader(f"The same with all features of {in_markdown(choice.where)}", anchor=False)
    training = access.training(method.id, choice.source, choice.fold_number, tuple(parameters.items()))
    lam = choice.lam
    make = partial(from_random_starts, method.id, training, lam, parameters, N_STARTS, seed)
    key = f"starts-{text_key(make)}"
    job: Job[StartsRun] | None = job_for(key)
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
            ask_for(key, make)
            st.rerun()
        return
    panel = Panel(key="starts", reached=lambda: counted([job], "starts"), continue_help="Continue with the next start")
    panel.draw([job], active=job.active)
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
    csv_button(table, "several-starts", key="starts_csv", help="The table.")
