"""Other sets as good: all sets of features whose objective comes near the optimum, what they share, how they rank."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.best_subset.alternatives import Alternatives, AlternativesRun
from core.analysis.tradeoff.references import DENSE
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.api.best_subset_tables import alternatives_table
from core.export.scripts.best_subset import alternatives_script
from core.figures.best_subset.alternatives import shares_figure, spread_figure
from core.figures.best_subset.excess import percent
from core.figures.look.feature_rows import heading_height
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES, PART_WORDS
from pages.shared import scripts
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.headline import Shown
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.wording import features
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached, draw_panel
from pages.shared.work.paths import complete, paths
from pages.shared.work.yardstick import alternatives_job, ridge_lam, ridge_model, sizes_of, why_not

_K, _WITHIN = "alternatives_k", "alternatives_within"
USUAL, MOST = 5, 8
WITHIN = {f"within {percent:g} %": percent for percent in (0.1, 0.5, 1.0, 2.0, 5.0)}
"""Per cent by the words of the control, which are in the address, too."""


def alternatives(now: Shown, tools: DeltaGenerator, heading: DeltaGenerator) -> None:
    """Draw the section; the search runs beside the page."""
    choice = now.choice
    with tools:
        k, within = _controls(choice)
    if why_not(choice):
        heading.header("Which other sets are as good?", anchor=False)
        st.info(why_not(choice))
        return
    stage = st.container()
    points = tradeoff_points(paths(choice, [DENSE])[DENSE], choice.judge.usable_features)
    ridge = ridge_model(choice, points) if complete(choice, [DENSE]) else None
    if ridge is None:
        heading.header("Which other sets are as good?", anchor=False)
        return
    job = alternatives_job(choice, ridge_lam(choice, ridge), k, within / 100.0)
    active = job.active
    found = job.run.result if job.run is not None else None
    if found is not None and not active:
        heading.header(headline(found, k, within, ended=job.state == "finished"), anchor=False)
        with stage:
            _pictures(now, found, ridge, k, within)
    else:
        heading.header(f"Which sets of at most {features(k)} come within {within:g} % of the best?", anchor=False)
    panel = Panel(
        key="alternatives",
        reached=lambda: _reached(job),
        starting="fitting all features first",
        stop_help="Stops and keeps the sets found so far; some may be missing",
    )
    draw_panel(panel, [job], active=active)


def _controls(choice: Loaded) -> tuple[int, float]:
    most = min(MOST, sizes_of(choice))
    if not 1 <= st.session_state.get(_K, 1) <= most:
        st.session_state.pop(_K, None)
    k = min(USUAL, most) if most < 2 else st.slider(
        "Features at most", 1, most, min(USUAL, most), key=_K, bind="query-params", format="at most %d",
        label_visibility="collapsed", width=120, help="The most features that a set may have.",
    )  # fmt: skip
    within = st.select_slider(
        "Within", list(WITHIN), "within 1 %", key=_WITHIN, bind="query-params", label_visibility="collapsed",
        width=140, help="How far above the lowest objective a set may be.",
    )  # fmt: skip
    return int(k), WITHIN[within]


def headline(found: Alternatives, k: int, within: float, *, ended: bool) -> str:
    """How many sets there are, and how many features they have in common."""
    sets, common = len(found.found.sets), len(found.in_every)
    if sets == 1 and found.found.complete:
        return f"No other set of at most {features(k)} comes within {within:g} % of the best"
    count = (
        f"{sets} sets"
        if found.found.complete
        else f"More than {sets} sets"
        if found.found.cut
        else f"{sets} sets so far"
    )
    where = f"of at most {features(k)} come within {within:g} % of the best"
    share = (
        f"{features(common)} {'is' if common == 1 else 'are'} in every one" if common else "no feature is in every one"
    )
    if found.found.cut:
        share = share.replace("in every one", f"in all of the best {sets}")
    return f"{count} {where}; {share}"


def _pictures(now: Shown, found: Alternatives, ridge: TradeoffPoint, k: int, within: float) -> None:
    choice, names = now.choice, now.fit.feature_names
    part, measure = list(choice.fold.parts())[-1], measures_of(choice)[0]
    title = _shares_title(found, names)
    spread = spread_title(found, part, measure)
    left_subtitle = (
        f"{choice.where} · filled: in every set · thick edge: in the best set · bold: kept by {choice.title}"
    )
    right_subtitle = f"one dot a set, {PART_TITLES[part]} part"
    height = max(heading_height(title, left_subtitle), heading_height(spread, right_subtitle))
    table = alternatives_table(found, names)
    script = alternatives_script(
        scripts.chosen_data(choice), ridge=ridge.ratio, k=k, within=within / 100.0, part=part, measure=measure
    )
    with main_picture():
        left, right = st.columns(2)
    with left:
        figure = shares_figure(found, names, kept=now.fit.selected.tolist(), title=title, subtitle=left_subtitle)
        live_chart(figure, "alternatives", alt=title, table=table, script=script, fill=True)
    with right:
        figure = spread_figure(
            found, names, part=part, measure=measure, up=f"{measure} ({PART_TITLES[part]}, {choice.convention})",
            heading=height, title=spread, subtitle=right_subtitle,
        )  # fmt: skip
        live_chart(figure, "spread", alt=spread, table=table, script=script, fill=True)
    words = (
        f"All sets of at most {features(k)} whose objective, with the λ of RankSVM ℓ2 that validation picks (λ/λ_max = "
        f"{short(ridge.ratio)}), is within {within:g} % of the lowest. "
    )
    if found.found.cut:
        words += f"The list has the {len(found.found.sets)} best, and there are more."
    elif found.found.complete:
        words += "The search is complete: no such set is missing."
    else:
        reached = max(found.found.complete_within, 0.0)
        words += f"The search was stopped: no set within {percent(reached)} % is missing, others may be."
    st.caption(f"{words} The objective is that of the training part; sets that are as good there may rank differently.")


def _shares_title(found: Alternatives, names: tuple[str, ...]) -> str:
    common = [names[j] for j in found.in_every]
    if not common:
        return f"No feature is in all {len(found.found.sets)} sets"
    return f"In every set: {', '.join(common[:3])}{f' and {len(common) - 3} more' if len(common) > 3 else ''}"


def spread_title(found: Alternatives, part: str, measure: str) -> str:
    """The range of the measure over the sets, and where the best set is."""
    values = found.values(part, measure)
    if len(values) == 0:
        return "Not measured yet"
    best = f"{PART_WORDS[part].capitalize()} {measure} of the best set {values[0]:.4f}"
    return f"{best}, of all from {values.min():.4f} to {values.max():.4f}"


def _reached(job: Job[AlternativesRun]) -> Reached | None:
    found = job.run.result if job.run is not None else None
    if found is None:
        return None
    sets = len(found.found.sets)
    if found.found.done:
        return Reached(f"measuring {len(found.judgements)} of {sets} sets", len(found.judgements) / max(sets, 1))
    return Reached(f"{sets} sets so far; {found.found.nodes:,} nodes examined, {found.found.waiting:,} to go", None)
