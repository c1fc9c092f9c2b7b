"""Stability selection: how often features are kept over resampled queries and over the folds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.stability import (
    Resampling,
    SelectionRun,
    Stability,
    false_selections_bound,
    resamples,
    warm_starts,
)
from core.api.tables import stability_table
from core.data import RankingData
from core.data.nouns import Nouns
from core.export.scripts.features import stability_script
from core.figures.features.stability import stability_figure
from core.figures.look.style import short
from core.names.plain import in_markdown
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.choice import access
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.headline import Shown
from pages.shared.live_chart import live_chart
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_panel

_SEED = "stability_seed"
TICK = 0.5
N_SAMPLES = 100
PATH_POINTS = 12
AT_C, ALONG_PATH = "at the chosen C", "down to the chosen C"
SAMPLINGS: dict[Resampling, str] = {"bootstrap": "bootstrap samples", "halves": "halves"}
MOST_ROWS = 24
QUICK_SECONDS = 20.0  # of solver time for all samples, which then are drawn at once
Selection = Job[SelectionRun]


def stability(now: Shown, tools: DeltaGenerator) -> None:
    """Draw the section for the chosen method and C: at once where that is quick, else the folds first."""
    choice = now.choice
    if not choice.method.sparse:
        st.info(f"{choice.title} keeps every feature in every sample. Choose a sparse penalty in the sidebar.")
        return
    with tools:
        sampling, where, seed, threshold = _controls(now.choice.nouns)
    ratio = now.fit.lam / now.fit.lam_max
    ratios = (ratio,) if where == AT_C or ratio >= 1.0 else tuple(np.geomspace(1.0, ratio, PATH_POINTS).tolist())
    keys = {"samples": _key(choice, sampling, ratios, seed), "folds": _key(choice, "folds", ratios, 0)}
    quick = now.fit.result.seconds * N_SAMPLES * len(ratios) <= QUICK_SECONDS
    if access.dataset(choice.source).n_folds > 1 and board().find(keys["folds"], session_id()) is None:
        board().submit(_folds_job(choice, keys["folds"], ratios))
    if quick and board().find(keys["samples"], session_id()) is None:
        board().submit(_samples_job(choice, keys["samples"], sampling, ratios, seed))
    jobs = {what: board().find(key, session_id()) for what, key in keys.items()}
    under_way = [job for job in jobs.values() if job is not None]
    active = any(job.active for job in under_way)
    samples = jobs["samples"]
    with tools:
        if samples is None:
            _draw_button(choice, sampling, ratios, seed, keys["samples"])
        elif not active and samples.state == "finished":
            _more_button(samples)
    if under_way:
        panel = Panel(
            key="stability",
            reached=lambda: counted(under_way[:1], "samples"),
            starting="fitting all of the data first",
            stop_help="Stops and keeps the samples so far",
            continue_help="Continue with the next sample",
            tick=TICK,
            beneath=lambda: _found(now, sampling, jobs, threshold, where, ratio),
        )
        draw_panel(panel, under_way, active=active)
    _explanation(choice)


def _controls(nouns: Nouns) -> tuple[Resampling, str, int, float]:
    """How samples are drawn, where on the path they are judged, the seed, and the threshold."""
    sampling: Resampling = st.segmented_control(
        "Samples",
        list(SAMPLINGS),
        default="bootstrap",
        required=True,
        key="stability_samples",
        persist_state="session",
        label_visibility="collapsed",
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
    with st.popover("⋯", key="stability_options", help="Where on the path features are counted, and the seed"):
        where = st.segmented_control(
            "Kept",
            (AT_C, ALONG_PATH),
            default=AT_C,
            required=True,
            key="stability_where",
            persist_state="session",
            help=f"A feature's share of samples at the chosen λ/λ_max, or its largest share at any of {PATH_POINTS} "
            "places from λ_max down to it, which depends less on the choice of C.",
        )
        seed = st.number_input(
            "Seed", min_value=0, max_value=10**6, value=0, key=_SEED, width=110, persist_state="session",
            help="The same seed draws the same samples.",
        )  # fmt: skip
    return sampling, where, int(seed), float(threshold)


def _key(choice: Choice, samples: str, ratios: tuple[float, ...], seed: int) -> str:
    parts = (choice.fingerprint, choice.source, choice.method_id, choice.parameters, choice.tol, samples, ratios, seed,
             choice.rules_for(choice.method_id))  # fmt: skip
    return "stability-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _draw_button(choice: Loaded, sampling: Resampling, ratios: tuple[float, ...], seed: int, key: str) -> None:
    if button(f"Draw {N_SAMPLES} samples", type="primary", key="stability_draw", icon=":material/casino:",
                 help="Fits the chosen method on each."):  # fmt: skip
        board().submit(_samples_job(choice, key, sampling, ratios, seed))
        st.rerun()


def _more_button(job: Selection) -> None:
    if button(
        f"{N_SAMPLES} more",
        key="stability_more",
        help="The error of a frequency falls with the square root of the number of samples.",
    ):
        board().resume(job)
        st.rerun()


def _samples_job(choice: Loaded, key: str, sampling: Resampling, ratios: tuple[float, ...], seed: int) -> Selection:
    data = choice.fold.train
    return _job(choice, key, partial(resamples, data, sampling, seed), N_SAMPLES, ratios)


def _folds_job(choice: Loaded, key: str, ratios: tuple[float, ...]) -> Selection:
    dataset = access.dataset(choice.source)

    def training_parts() -> Iterator[RankingData]:
        return (dataset.fold(number).train for number in range(1, dataset.n_folds + 1))

    return _job(choice, key, training_parts, dataset.n_folds, ratios, most=dataset.n_folds)


def _job(
    choice: Loaded,
    key: str,
    samples: Callable[[], Iterator[RankingData]],
    total: int,
    ratios: tuple[float, ...],
    most: int | None = None,
) -> Selection:
    method, training, parameters, tol = choice.method, choice.training, dict(choice.parameters), choice.tol

    off = list(choice.rules.off) if choice.rules_for(choice.method_id) is not None else []

    def make() -> SelectionRun:
        starts = warm_starts(training, ratios)
        starts[:, off] = 0.0  # the l1 model of all features may keep what is switched off
        return SelectionRun(
            method,
            samples(),
            total,
            ratios,
            starts,
            parameters=parameters,
            tol=tol,
            most=most,
            convention=choice.convention,
        )

    return Job(key=key, owner=session_id(), make=make)


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


def _found(
    now: Shown, sampling: Resampling, jobs: dict[str, Selection | None], threshold: float, where: str, ratio: float
) -> None:
    """Bars of what has been found so far."""
    found = {what: job.run.result() for what, job in jobs.items() if job is not None and job.run is not None}
    found = {what: result for what, result in found.items() if result.n_samples > 0}
    if found:
        _result(now, found.get("samples"), found.get("folds"), sampling, threshold, where, ratio)


def _result(
    now: Shown, samples: Stability | None, folds: Stability | None, sampling: Resampling, threshold: float,
    where: str, ratio: float,
) -> None:  # fmt: skip
    choice, names, kept = now.choice, now.fit.feature_names, now.fit.selected.tolist()
    judged = samples or folds
    assert judged is not None
    stable = judged.stable(threshold).tolist()
    drawn = f"{judged.n_samples} {'folds' if samples is None else SAMPLINGS[sampling]}"
    both = len(set(stable) & set(kept))
    title = f"Of {len(kept)} features that {choice.title} keeps, {both} are stable"
    figure = stability_figure(
        samples, folds, names, choice.method_id, threshold=threshold, kept=kept, most=MOST_ROWS, title=title,
        subtitle=f"{choice.where} · stable: kept in {threshold:.0%} of {drawn}, {where} ({short(ratio)} λ_max)"
        "\nbold: kept by the model · line: one standard error",
    )  # fmt: skip
    live_chart(
        figure,
        "stability",
        alt=title,
        table=stability_table(samples, folds, now.fit),
        script="" if samples is None else _script(now, samples, sampling, threshold, where),
        main=True,
    )
    if samples is not None:
        st.markdown(_bound_words(samples, stable, kept, threshold, now.usable, sampling, names))


def _script(now: Shown, samples: Stability, sampling: Resampling, threshold: float, where: str) -> str:
    return stability_script(
        scripts.chosen_data(now.choice),
        scripts.model_of(now.choice, now.fit),
        samples=samples.n_samples,
        sampling=sampling,
        seed=int(st.session_state[_SEED]),
        points=1 if where == AT_C else PATH_POINTS,
        threshold=threshold,
    )


def _bound_words(
    samples: Stability, stable: list[int], kept: list[int], threshold: float, usable: int, sampling: Resampling,
    names: tuple[str, ...],
) -> str:  # fmt: skip
    q = samples.mean_selected
    if usable == 0:
        return "No feature differs from zero, so there is nothing to select."
    bound = false_selections_bound(q, threshold, usable)
    words = (
        f"On average q = {q:.1f} of p = {usable} features are kept in a sample. At π = {threshold:.2f} at most "
        f"E[V] ≤ q²/((2π − 1) p) = **{bound:.1f}** of the **{len(stable)}** stable features are expected to be there "
        "by chance"
    )
    words += ", where features without influence are exchangeable." if sampling == "halves" else (
        ". The bound is proved for halves; for bootstrap samples it is a guide."
    )  # fmt: skip
    if stable and bound >= len(stable):
        words += " That says nothing here: a smaller C keeps fewer features a sample, and the bound falls with q²."
    newcomers = [names[j] for j in stable if j not in kept]
    if newcomers:
        words += f"\n\nStable, but not in the model: {', '.join(map(in_markdown, newcomers[:8]))}."
    return words
