"""Stability selection: how often features are kept over resampled queries and over the folds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.resampling import SelectedOnSamples
from core.analysis.features.stability import Resampling, SelectionRun, Stability, false_selections_bound
from core.content import text_key
from core.data.nouns import Nouns
from core.figures.features.stability_picture import SAMPLINGS, Counted, StabilityPicture
from core.names.plain import in_markdown
from pages.shared.choice import access, address, ready
from pages.shared.choice.choice import Loaded
from pages.shared.controls import button
from pages.shared.headline import Shown
from pages.shared.show import method_of, model_of, show_chosen
from pages.shared.work.board import ask_for, board, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted

TICK = 0.5
N_SAMPLES = 100
PATH_POINTS = 12
AT_C, ALONG_PATH = "at the chosen C", "down to the chosen C"
QUICK_SECONDS = 20.0  # of solver time for all samples, which then are drawn at once
Selection = Job[SelectionRun]
NOTHING = Stability(np.zeros((1, 0)), 0.0, 0)
"""What has been counted before the first fit."""


def stability(now: Shown, tools: DeltaGenerator) -> None:
    """Draw the section for the chosen method and C: at once where that is quick, else the folds first."""
    choice = now.choice
    if not choice.method.sparse:
        st.info(f"{choice.title} keeps every feature in every sample. Choose a sparse penalty in the sidebar.")
        return
    with tools:
        sampling, where, seed, threshold = _controls(now.choice.nouns)
    picture = StabilityPicture(
        choice.fold,
        choice.method_id,
        C=choice.training.c_of(choice.lam),
        dataset=access.dataset(choice.source),
        samples=N_SAMPLES,
        sampling=sampling,
        seed=seed,
        points=1 if where == AT_C else PATH_POINTS,
        threshold=threshold,
        tol=None if choice.tol == choice.method.stop.tol else choice.tol,
        convention=choice.convention,
        where=choice.where,
        **method_of(choice, choice.method_id).options,
    )
    work = picture.counts
    # What the folds hold follows from the dataset's source: reading all to tell would take long.
    source = (choice.source, ready.version_of(choice.source))
    keys = {
        name: one.key if isinstance(one, SelectedOnSamples) else f"folds-{text_key(one.selection, *source)}"
        for name, one in work.items()
    }
    quick = now.fit.result.seconds * N_SAMPLES * picture.points <= QUICK_SECONDS
    for name in reversed(work):  # the folds first: they are fewer
        if name == "folds" or quick:
            ask_for(keys[name], work[name].work)
    jobs: dict[str, Selection | None] = {name: job_for(key) for name, key in keys.items()}
    under_way = [job for job in jobs.values() if job is not None]
    active = any(job.active for job in under_way)
    samples = jobs["samples"]
    with tools:
        if samples is None:
            if button(f"Draw {N_SAMPLES} samples", type="primary", key="stability_draw", icon=":material/casino:",
                      help="Fits the chosen method on each."):  # fmt: skip
                ask_for(keys["samples"], work["samples"].work)
                st.rerun()
        elif (
            not active
            and samples.state == "finished"
            and button(
                f"{N_SAMPLES} more",
                key="stability_more",
                help="The error of a frequency falls with the square root of the number of samples.",
            )
        ):
            board().resume(samples)
            st.rerun()
    if under_way:
        Panel(
            key="stability",
            reached=lambda: counted(under_way[:1], "samples"),
            starting="fitting all of the data first",
            stop_help="Stops and keeps the samples so far",
            continue_help="Continue with the next sample",
            tick=TICK,
            beneath=lambda: _found(now, picture, jobs),
        ).draw(under_way, active=active)
    _explanation(choice)


def _controls(nouns: Nouns) -> tuple[Resampling, str, int, float]:
    """How samples are drawn, where on the path they are judged, the seed, and the threshold."""
    sampling: Resampling = address.one_of(
        "Samples",
        list(SAMPLINGS),
        key="stability_samples",
        bind=None,
        persist_state="session",
        help=f"Bootstrap: as many {nouns.samples} as there are, drawn with replacement. Halves: half of the "
        f"{nouns.samples}, drawn without replacement as by Meinshausen & Bühlmann (2010), whose bound then holds."
        + ("" if nouns.by_class else " If there is one query, its documents are drawn."),
    )
    threshold = st.slider(
        "Threshold π",
        min_value=0.55,
        max_value=1.0,
        value=0.8,
        step=0.05,
        key="stability_threshold",
        persist_state="session",
        label_visibility="collapsed",
        format="threshold %.2f",
        width=140,
        help="A feature is called stable when it is kept in at least this share of the samples. Anything from "
        "0.6 to 0.9 is usual; a higher threshold lets fewer features in by chance.",
    )
    with st.popover("More", key="stability_options", help="Where on the path features are counted, and the seed"):
        where = address.one_of(
            "Kept",
            (AT_C, ALONG_PATH),
            key="stability_where",
            bind=None,
            persist_state="session",
            label_visibility="visible",
            help=f"A feature's share of samples at the chosen λ/λ_max, or its largest share at any of {PATH_POINTS} "
            "places from λ_max down to it, which depends less on the choice of C.",
        )
        seed = st.number_input(
            "Seed", min_value=0, max_value=10**6, value=0, key="stability_seed", width=110, persist_state="session",
            help="The same seed draws the same samples.",
        )  # fmt: skip
    return sampling, where, int(seed), float(threshold)


def _explanation(choice: Loaded) -> None:
    n, nouns = choice.fold.train.n_queries, choice.nouns
    what = f"{n:,} training queries" if n > 1 else f"training {nouns.rows}"
    st.markdown(
        f"Would other {nouns.samples} have given the same features? Resample the {what} {N_SAMPLES} times, fit each "
        "sample and count. A feature that is kept in most of them is **stable**; two that replace each other share "
        "their votes. If on average $q$ of $p$ features are kept, the number $V$ of stable features that are there by "
        "chance is bounded:"
    )
    st.latex(r"\mathbb{E}[V] \le \frac{1}{2\pi - 1}\,\frac{q^2}{p}")
    st.caption(
        "Meinshausen & Bühlmann, Stability selection, JRSS B 2010, Theorem 1: for halves drawn without replacement, "
        "exchangeable features without influence, and a method that does no worse than guessing."
    )


def _found(now: Shown, picture: StabilityPicture, jobs: dict[str, Selection | None]) -> None:
    runs = {name: job.run if job is not None else None for name, job in jobs.items()}
    counts = {name: run.result() if run is not None else NOTHING for name, run in runs.items()}
    if not any(found.n_samples for found in counts.values()):
        return
    samples = counts["samples"]
    found = show_chosen(
        replace(picture, samples=max(samples.n_samples, 1)),
        now.choice,
        fits=lambda: {"model": model_of(now.choice, now.fit)},
        known={"model": now.fit, **counts},
        scripted=samples.n_samples > 0,
    )
    if found is not None and found.samples is not None:
        st.markdown(_bound_words(found, picture, int(now.choice.judge.usable_features.sum())))


def _bound_words(found: Counted, picture: StabilityPicture, usable: int) -> str:
    """How many stable features may be there by chance, and which are not in the model."""
    if usable == 0:
        return "No feature differs from zero, so there is nothing to select."
    q, threshold = found.first.mean_selected, picture.threshold
    bound, stable = false_selections_bound(q, threshold, usable), found.first.stable(threshold).tolist()
    formula = f"E[V] ≤ q²/((2π − 1) p) = **{bound:.1f}**"
    words = (
        f"On average q = {q:.1f} of p = {usable} features that are not zero everywhere are kept in a sample. "
        f"At π = {threshold:.2f} "
    )
    if stable and bound >= len(stable):
        words += (
            f"the bound on those that are there by chance, {formula}, says nothing of the **{len(stable)}** stable "
            "features: a smaller C keeps fewer features a sample, and the bound falls with q²."
        )
    else:
        words += f"at most {formula} of the **{len(stable)}** stable features are expected to be there by chance"
        words += ", where features without influence are exchangeable." if picture.sampling == "halves" else (
            ". The bound is proved for halves; for bootstrap samples it is a guide."
        )  # fmt: skip
    kept, names = set(found.model.selected.tolist()), found.model.feature_names
    newcomers = [names[j] for j in stable if j not in kept]
    if newcomers:
        words += f"\n\nStable, but not in the model: {', '.join(map(in_markdown, newcomers[:8]))}."
    return words
