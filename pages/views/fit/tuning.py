"""Choosing C, and what its paper chooses with it, on the validation part: progress, curves, one click to take it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.choosing import RULE_TITLES, RULES, ChoiceRule, check_rule
from core.analysis.evaluation import FoldJudge
from core.analysis.further_measures import measured_by
from core.analysis.path import PathPoint
from core.analysis.path_run import PathRun
from core.analysis.tuning.choice_noise import PathNoise
from core.analysis.tuning.tuning import best_on_validation, settings_to_try, tuning_grid, tuning_path, values_tried
from core.api.solver_tables import tuning_table
from core.data.nouns import Nouns
from core.export.scripts.choosing import tuning_script
from core.figures.look.style import short
from core.figures.path.tuning import metric_path_figure
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.choice_noise_panel import RULES_HELP, RULES_HELP_OF_CLASSES, choice_of, noise_sentence
from pages.shared.live_chart import live_chart
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_panel

_TUNE_BY = "tune_by"
_TUNE_RULE = "tune_rule"
_TUNE_TRIED = "tune_tried"
MEASURES = (
    *("MAP", "NDCG@10", "Top", "RR", "ERR@10", "R@10", "MeanNDCG"),
    *(f"{kind}@{k}" for kind in ("NDCG", "P") for k in (1, 3, 5)),
    "P@10",
)
"""All that the app shows: any of them can choose."""


def tuning_panel(choice: Loaded) -> None:
    """Draw the panel for the sidebar's choice; everything but C counts."""
    key = tuning_key(choice)
    job: Job[PathRun] | None = board().find(key, session_id())
    active = job is not None and job.active
    with st.expander(
        "Choose C on the validation part", icon=":material/target:", key="tuning", expanded=job is not None
    ):
        if choice.fold.vali is None:
            st.markdown(
                "This data has no validation part. Use a dataset with train, vali and test to choose C here, or set C "
                "by hand."
            )
            return
        _controls(choice, key, active)
        if job is not None:
            jobs = [job]
            panel = Panel(
                key="tune", reached=lambda: counted(jobs, "models"), beneath=lambda: _curve_so_far(choice, job)
            )
            draw_panel(panel, jobs, active=active)


def tuning_key(choice: Loaded) -> str:
    """Of the job that tries all C: all of the choice but C."""
    given = sorted(_given(choice).items())
    parts = (choice.fingerprint, choice.method_id, choice.solver_id, given, choice.tol, choice.where,
             choice.rules_for(choice.method_id))  # fmt: skip
    return "path-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _given(choice: Loaded) -> dict[str, float]:
    """Parameters that stay as the sidebar has them."""
    tried = _tried(choice) if st.session_state.get(_TUNE_TRIED, True) else {}
    return {name: value for name, value in choice.parameters if name not in tried}


def _tried(choice: Loaded) -> dict[str, tuple[float, ...]]:
    """Values that could be tried, by name of the parameter."""
    could = {parameter.name for parameter in choice.method.parameters if parameter.tried}
    given = {name: value for name, value in choice.parameters if name not in could}
    return values_tried(choice.method, given, choice.fold.train.n_features)


def _measures_words(nouns: Nouns) -> str:
    one = nouns.irrelevant if nouns.by_class else f"{nouns.irrelevant} one"
    first = nouns.relevant if nouns.by_class else f"{nouns.relevant} {nouns.row}"
    return (
        "Laporte et al. choose C by MAP on the validation part, FenchelRank by NDCG@10; Top is the share of "
        f"{nouns.relevant_rows} above every {one}, which the infinite push aims at. RR is 1 over the rank of the first "
        f"{first}, ERR@10 the same for a reader who stops sooner at more {nouns.relevant_rows}, R@10 the share of "
        f"{nouns.relevant_rows} among the first ten. Tied {nouns.rows} count in expectation over their orders."
    )


def _controls(choice: Loaded, key: str, active: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "By",
            MEASURES,
            key=_TUNE_BY,
            bind="query-params",
            width=130,
            help=_measures_words(choice.nouns),
        )
        st.segmented_control(
            "Rule",
            RULES,
            default="best",
            required=True,
            key=_TUNE_RULE,
            bind="query-params",
            help=RULES_HELP_OF_CLASSES if choice.nouns.by_class else RULES_HELP,
        )
        if tried := _tried(choice):
            values = "; ".join(f"{name} = {', '.join(f'{value:g}' for value in row)}" for name, row in tried.items())
            st.toggle(
                f"Also choose {' and '.join(tried)}",
                value=True,
                key=_TUNE_TRIED,
                persist_state="session",
                help=f"Chosen on the validation part together with C: every C is tried with {values}. Off: as in the "
                "sidebar.",
            )
        if button("Try all C", key="tune", disabled=active, help="Fits the whole path, starting from the empty model."):
            _start(choice, key)
            st.rerun()


def _start(choice: Loaded, key: str) -> None:
    training, judge, method, given = choice.training, choice.judge, choice.method, _given(choice)

    def make() -> PathRun:
        lams = tuning_grid(method, training, given)
        settings = settings_to_try(method, given, training.data.n_features)
        points = tuning_path(method, training, lams, judge, solver=choice.solver_id, parameters=given, stop=choice.stop)
        return PathRun(points, len(lams) * len(settings))

    board().submit(Job(key=key, owner=session_id(), make=make))


def _curve_so_far(choice: Loaded, job: Job[PathRun]) -> None:
    points = job.run.points if job.run is not None else []
    if len(points) > 1 and job.state != "failed":
        _curve(choice, job, points)


def _curve(choice: Loaded, job: Job[PathRun], points: list[PathPoint]) -> None:
    measure: str = st.session_state.get(_TUNE_BY) or "MAP"
    rule = check_rule(st.session_state.get(_TUNE_RULE) or "best")
    finished = job.run is not None and job.run.done
    found = choice_of(points, choice.judge, measure, rule) if finished else None
    noise = found.noise if found is not None else None
    points = [_measured(point, choice.judge, measure) for point in points]
    best = points[found.chosen] if found is not None else best_on_validation(points, measure)
    fit = best.fit
    title = _title(best, measure, rule if found is not None else "best")
    waits = found is None and rule != "best"
    title = f"{title} so far; the rule {rule} needs the whole path" if waits else title
    chosen = {name: fit.parameters[name] for name in _tried(choice) if name not in _given(choice)}
    figure = metric_path_figure(
        [point for point in points if point.fit.parameters == fit.parameters],
        measure,
        best=best,
        others=_by_settings([point for point in points if point.fit.parameters != fit.parameters]),
        chosen_again=_shares(points, noise) if noise is not None else None,
        title=title,
        subtitle=f"{choice.where} · {choice.title} · {_words(chosen)}C = {short(fit.c)}, "
        f"{short(fit.lam / fit.lam_max)} λ_max" + (" · faint: other values tried, on validation" if chosen else ""),
        convention=choice.convention,
    )
    script = tuning_script(
        scripts.chosen_data(choice),
        scripts.method_of(choice, choice.method_id),
        _given(choice),
        measure=measure,
        choose=rule,
        solver=choice.solver_id,
        tol=None if choice.tol == choice.method.stop.tol else choice.tol,
    )
    live_chart(figure, "tuning", alt=title, table=tuning_table(points, measure), script=script)
    if found is not None:
        st.markdown(noise_sentence(noise, measure, choice.nouns))
    words = "Sets it in the sidebar; it is fitted at once if that is switched on."
    label = f"Use {_words(chosen)}C = {short(fit.c)}"
    if button(
        label,
        key="use_c",
        on_click=use_model,
        kwargs={"method_id": choice.method_id, "parameters": chosen, "c": fit.c},
        help=words,
        disabled=waits,
    ):
        st.rerun()  # of the whole page: this panel is a fragment


@cached()
def _measured(point: PathPoint, judge: FoldJudge, measure: str) -> PathPoint:
    """The point with its measure, which most points have already."""
    return measured_by([point], judge, measure)[0]


def _title(best: PathPoint, measure: str, rule: ChoiceRule) -> str:
    reached = f"{best.judgement.fair('vali', measure):.4f}"
    size = best.fit.result.nonzero
    kept = f"{size} feature{'' if size == 1 else 's'}"
    if rule == "best":
        return f"Validation {measure} is best, {reached}, with {kept}"
    return f"{RULE_TITLES[rule].capitalize()}: validation {measure} {reached} with {kept}"


def _shares(points: Sequence[PathPoint], noise: PathNoise) -> dict[float, float]:
    """How often each lambda / lambda_max is chosen again, whatever else is chosen with it."""
    shares: dict[float, float] = {}
    for place, share in zip(noise.noise.places.tolist(), noise.noise.shares.tolist(), strict=True):
        fit = points[place].fit
        ratio = fit.lam / fit.lam_max
        shares[ratio] = shares.get(ratio, 0.0) + share
    return shares


def _words(chosen: Mapping[str, float]) -> str:
    return "".join(f"{name} = {value:g}, " for name, value in chosen.items())


def _by_settings(points: Sequence[PathPoint]) -> list[list[PathPoint]]:
    """A path each, in the order in which they were fitted."""
    paths: dict[tuple[float, ...], list[PathPoint]] = {}
    for point in points:
        paths.setdefault(tuple(point.fit.parameters.values()), []).append(point)
    return list(paths.values())
