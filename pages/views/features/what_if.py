"""What if: features off, forced in, of one sign, or at a cost; the model under these rules beside the one without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.rules import Rules
from core.analysis.features.what_if import FeatureChange, feature_changes
from core.experiments.results.difference import signed
from core.figures.features.what_if_picture import WhatIfPicture
from core.figures.path.lines import PART_TITLES
from core.methods import Fit, MethodRun
from core.names.plain import in_markdown
from pages.shared import headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import measures_of
from pages.shared.choice.rules import RulesControls, switch_clicked
from pages.shared.differences import difference
from pages.shared.headline import Shown
from pages.shared.show import model_of, show_chosen
from pages.shared.wording import certificate_words, first_of, reason_words
from pages.shared.work.board import ask_for
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, Reached

TICK = 0.3
MOST_ROWS = 24
LONGEST_NAMES = 44  # letters of a title that names features
PATIENCE = 0.8  # seconds that the page waits for the refit before it shows progress instead
FloatArray = NDArray[np.float64]


def what_if(now: Shown, tools: DeltaGenerator, heading: DeltaGenerator) -> None:
    """Draw the section for the model under the rules, beside the one without any."""
    choice = now.choice
    if not choice.method.separable:
        st.info(f"{choice.title} keeps every feature whatever it costs. Choose a sparse penalty in the sidebar.")
        return
    before = headline.shown(replace(choice, rules=Rules(choice.rules.n_features))) if choice.rules.active else now
    with tools:
        RulesControls(choice, now.fit if before is None else before.fit).draw()
    if before is None:
        st.info("The model without rules has not been fitted: remove the rules and press Fit on the Fit page.")
        return
    if choice.rules.active:
        heading.header(in_markdown(_title(now, before)), anchor=False)
    _picture(now, before)
    if choice.rules.active:
        _difference(now, before)


def refit(choice: Loaded) -> None:
    """Fit the choice where that takes longer than the strip may wait, with its progress on the page."""
    # From zero, as every fit of the choice: what differs is due to the rules, not to the start.
    job: Job[MethodRun] = ask_for(choice.key, choice.from_zero)
    wait_a_moment(job, PATIENCE)
    if not job.active and job.state == "finished":
        st.rerun()

    def reached() -> Reached:
        steps = job.run.steps.trace[-1].step if job.run is not None and job.run.steps.trace else 0
        return Reached(f"step {steps:,}", share=None)

    way_out = "Change a rule or the choice in the sidebar."
    panel = Panel(key="what_if", what="Refitting", reached=reached, way_out=way_out, tick=TICK)
    panel.draw([job], active=job.active)


def _title(now: Shown, before: Shown) -> str:
    metrics = now.point.metrics
    part, measure = next(reversed(metrics)), measures_of(now.choice)[0]
    found = difference(now.choice, now.fit.weights, before.fit.weights, part, measure)
    rules, names = now.choice.rules, now.fit.feature_names
    said = {"without {}": rules.off, "with {} forced in": rules.forced, "with {} only helping": rules.helps}
    said["with {} only hurting"] = rules.hurts
    words = [text.format(first_of([names[j] for j in columns], 3)) for text, columns in said.items() if columns]
    words += ["at these costs"] if np.ptp(rules.every_cost) > 0.0 else []
    sentence = ", ".join(words)
    sentence = f"With {rules.words}" if len(sentence) > LONGEST_NAMES else sentence[0].upper() + sentence[1:]
    return (
        f"{sentence}: {now.fit.result.nonzero} features instead of "
        f"{before.fit.result.nonzero}, {PART_TITLES[part]} {measure} {metrics[part][measure]:.4f} "
        f"({signed(found.value)}, {found.verdict})"
    )


def _picture(now: Shown, before: Shown) -> None:
    choice, rules = now.choice, now.choice.rules
    changes = feature_changes(before.fit, now.fit)
    picture = WhatIfPicture(
        before.model,
        now.model,
        costs={j + 1: cost for j, cost in rules.costs} or None,
        most=MOST_ROWS,
        where=choice.where,
        invitation="" if rules.active else "Click a feature to see the model without it",
    )
    show_chosen(
        picture,
        choice,
        fits=lambda: {
            "before": model_of(before.choice, before.fit),
            "after": model_of(choice, now.fit),
        },
        on_click=partial(switch_clicked, "what_if"),
    )
    more = f" The {len(changes) - MOST_ROWS} smallest weights are in the numbers only." * (len(changes) > MOST_ROWS)
    st.caption(
        "Click a feature to switch it off, or on again: the model is refitted at the same C, for every page. The link "
        f"of this page includes the rules.{more}"
    )


def _difference(now: Shown, before: Shown) -> None:
    choice, rules = now.choice, now.choice.rules
    st.markdown(_moves(feature_changes(before.fit, now.fit), before.fit, now.fit, rules.every_cost))
    rows = []
    for measure in measures_of(choice):
        for part in now.point.metrics:
            old, new = (one.point.metrics[part][measure] for one in (before, now))
            found = difference(choice, now.fit.weights, before.fit.weights, part, measure)
            row = {"part": PART_TITLES[part], "measure": measure, "before": old, "after": new, "difference": new - old}
            rows.append(row | {"95 % interval": found.range, "verdict": found.verdict})
    digits = {"before": "%.4f", "after": "%.4f", "difference": "%+.4f"}
    formats = {name: st.column_config.NumberColumn(format=one) for name, one in digits.items()}
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="what_if_metrics", column_config=formats)
    st.caption(
        f"Under these rules: {reason_words(now.fit.result)}. {certificate_words(now.fit)} {choice.convention} "
        "convention."
    )


def _moves(changes: Sequence[FeatureChange], before: Fit, after: Fit, costs: FloatArray) -> str:
    """Who comes, who goes, and what the whole costs."""
    lines = [
        f"- **{title}**: {in_markdown(first_of(names, 8))}"
        for title, change in (("In", "in"), ("Out", "out"))
        if (names := [row.name for row in changes if row.change == change])
    ] or ["- The same features, with other weights."]
    if np.ptp(costs) > 0.0:
        old, new = (float(costs[fit.weights != 0.0].sum()) for fit in (before, after))
        lines.append(f"- **Cost of the kept features**: {old:g} before, {new:g} after")
    return "\n".join(lines)
