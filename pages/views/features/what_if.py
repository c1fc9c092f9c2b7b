"""What if: features off, forced in, or at a cost, refitted at once beside the model as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from core.analysis.features.what_if import FeatureChange, feature_changes, penalty_factors, weighted
from core.experiments.results.difference import Difference
from core.figures.features.what_if import what_if_figure
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES
from core.methods import Fit, MethodRun
from pages.shared import panels
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.differences import difference
from pages.shared.headline import Shown
from pages.shared.wording import certificate_words, reason_words
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.panel import Panel, Reached, draw_panel
from pages.shared.work.stepwise import wait_a_moment
from pages.views.features.rules import Rules

TICK = 0.3
PATIENCE = 0.8  # seconds that the page waits for the refit before it shows progress instead
FloatArray = NDArray[np.float64]


def what_if(now: Shown) -> None:
    """Draw the section for the model as it is."""
    choice = now.choice
    if not choice.method.separable:
        st.info(f"{choice.title} keeps every feature whatever it costs. Choose a sparse penalty in the sidebar.")
        return
    rules = Rules(now)
    left, right = st.columns([2, 3])
    with left:
        off, forced = rules.switches()
        costs = rules.costs()
    with right:
        try:
            factors = penalty_factors(len(now.fit.weights), costs=costs, off=off, forced=forced)
        except ValueError as error:
            st.error(f"The costs cannot be used: {error}.", icon="🪙")
            return
        if np.all(factors == 1.0):
            st.info(
                "Switch a feature off, force one in, or change a cost: the model is refitted at once, at the same C, "
                "and the difference stands here.",
                icon="🧪",
            )
            return
        after = _refitted(choice, factors)
        if after is not None:
            _difference(now, after, costs, off, forced)


def _refitted(choice: Loaded, factors: FloatArray) -> Fit | None:
    """The fit under the rules; None while progress stands on the page instead."""
    key = f"what-if-{choice.key}-{hashlib.sha256(factors.tobytes()).hexdigest()}"
    job: Job[MethodRun] | None = board().find(key, session_id())
    if job is None:
        method, training = weighted(choice.method, factors), choice.training
        job = board().submit(
            Job(
                key=key,
                owner=session_id(),
                # From zero, as every fit of the choice: what differs is due to the rules, not to the start.
                make=lambda: method.run(training, choice.lam, parameters=dict(choice.parameters), stop=choice.stop),
            )
        )
    wait_a_moment(job, PATIENCE)
    active = job.active
    if active or job.state == "failed":
        way_out = "Change a rule or the choice in the sidebar."
        panel = Panel(key="what_if", what="Refitting", reached=lambda: _reached(job), way_out=way_out, tick=TICK)
        draw_panel(panel, [job], active=active)
        return None
    return job.run.fit() if job.run is not None and job.run.steps.trace else None


def _reached(job: Job[MethodRun]) -> Reached:
    steps = job.run.steps.trace[-1].step if job.run is not None and job.run.steps.trace else 0
    return Reached(f"step {steps:,}", share=None)


def _difference(now: Shown, after: Fit, costs: FloatArray, off: Sequence[int], forced: Sequence[int]) -> None:
    choice, before = now.choice, now.fit
    metrics = choice.judge.metrics(after.weights)
    changes = feature_changes(before, after)
    part = next(reversed(metrics))
    measures = measures_of(choice)
    best = measures[0]
    differ = partial(difference, choice, after.weights, before.weights)
    found = differ(part, best)
    title = (
        f"{_rules_words(before.feature_names, off, forced, costs)}: {after.result.nonzero} features instead of "
        f"{before.result.nonzero}, {PART_TITLES[part]} {best} {metrics[part][best]:.4f} "
        f"({found.value:+.4f}, {found.verdict})"
    )
    st.subheader(title, anchor=False)
    figure = what_if_figure(
        changes, before.method, title="Weights before and after", subtitle=f"{choice.where} · {choice.title}, "
        f"C = {short(before.c)} · + comes in, − goes out",
    )  # fmt: skip
    st.markdown(_moves(changes, before, after, costs))
    digits = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        _metric_table(now.metrics, metrics, measures, differ),
        hide_index=True,
        key="what_if_metrics",
        column_config={
            "before": digits,
            "after": digits,
            "difference": st.column_config.NumberColumn(format="%+.4f"),
        },
    )
    panels.chart(figure, "what_if", alt=title, table=_change_table(changes, costs))
    st.caption(
        f"Under these rules: {reason_words(after.result)}. {certificate_words(after)} {choice.convention} convention."
    )


def _rules_words(names: Sequence[str], off: Sequence[int], forced: Sequence[int], costs: FloatArray) -> str:
    words = []
    if off:
        words.append(f"without {_listed([names[j] for j in off])}")
    if forced:
        words.append(f"with {_listed([names[j] for j in forced])} forced in")
    if np.ptp(costs) > 0.0:
        words.append("at these costs")
    sentence = ", ".join(words)
    return sentence[0].upper() + sentence[1:]


def _listed(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _moves(changes: Sequence[FeatureChange], before: Fit, after: Fit, costs: FloatArray) -> str:
    """Who comes, who goes, and what the whole costs."""
    lines = [
        f"- **{title}**: {_listed(names, 8)}"
        for title, change in (("In", "in"), ("Out", "out"))
        if (names := [row.name for row in changes if row.change == change])
    ] or ["- The same features, with other weights."]
    if np.ptp(costs) > 0.0:
        old, new = (float(costs[fit.weights != 0.0].sum()) for fit in (before, after))
        lines.append(f"- **Cost of the kept features**: {old:g} before, {new:g} after")
    return "\n".join(lines)


def _metric_table(
    before: dict[str, dict[str, float]],
    after: dict[str, dict[str, float]],
    measures: Sequence[str],
    differ: Callable[[str, str], Difference],
) -> pd.DataFrame:
    """Both models by part and measure, and whether the queries tell them apart."""
    found = {(part, measure): differ(part, measure) for measure in measures for part in after}
    return pd.DataFrame(
        [
            {
                "part": PART_TITLES[part],
                "measure": measure,
                "before": before[part][measure],
                "after": after[part][measure],
                "difference": after[part][measure] - before[part][measure],
                "95 % interval": one.range,
                "verdict": one.verdict,
            }
            for (part, measure), one in found.items()
        ]
    )


def _change_table(changes: Sequence[FeatureChange], costs: FloatArray) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "feature": row.feature + 1,
                "name": row.name,
                "before": row.before,
                "after": row.after,
                "change": row.change,
                "cost": costs[row.feature],
            }
            for row in changes
        ],
        columns=["feature", "name", "before", "after", "change", "cost"],
    )
