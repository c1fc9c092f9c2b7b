"""The Methods page: any set of methods side by side on the chosen fold, and a card for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.choosing import choosing_part
from core.analysis.convergence import rate_of
from core.analysis.fitting import AtRatio, OnValidation
from core.analysis.tradeoff.tradeoff import DENSE, dense_reference, tradeoff_points
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC
from core.analysis.tuning.method_rows import BenchMethod
from core.figures.look.style import seconds
from core.figures.path.lines import PART_WORDS
from core.figures.tradeoff.methods_picture import AGAINST, CHOSEN, MethodsPicture
from core.methods import METHODS, EmptyOptimumError, Method
from core.methods.registry import FAMILIES
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import in_markdown
from core.penalties import Parameter
from pages.shared import frame, keys, panels
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS, measure_control, measures_of, menu_title, method_pills
from pages.shared.choice.use_model import open_buttons, use_model
from pages.shared.controls import csv_button, picked_row
from pages.shared.show import numbers, show_chosen
from pages.shared.work.paths import complete, known_points
from pages.views.methods.bench_batch import (
    GLANCE_SECONDS,
    ComparisonSettings,
    first_look,
    plans_of,
    rows_of,
    run_methods,
)

TITLES = {method_id: menu_title(method_id) for method_id in IDS}


SPARSITY = "The sparsity ratio: features kept over features that are not zero everywhere"


def draw_table(rows: Sequence[BenchRow], table: pd.DataFrame) -> None:
    """The table, in which a row can be selected, and the buttons that open it elsewhere."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    measures = [str(column) for column in table if str(column).endswith(")")]
    formats: dict[str, Any] = {column: number(format="%.4f", width=100) for column in measures}
    formats |= {
        "method": text(pinned=True, width=115),
        "features": number(width=65, help="Features kept"),
        AGAINST: text(
            width="medium",
            help="Its value minus that of the method in the headline, with a 95 % interval over the queries "
            "where there are several. If the interval contains 0, there is no clear difference.",
        ),
        "sparsity ratio": number("sparsity", format="%.3f", width=70, help=SPARSITY),
        "seconds": number(format="%.2g", width=70, help="Solver time on this machine for all its fits"),
        "passes over X": number("passes", format="%.0f", width=65, help="How often the whole feature matrix is read"),
        "certificate": number(
            format="%.1e", width=85, help="The most by which the fit may miss its goal, as a share of what follows"
        ),
        "kind": text(
            "of",
            width=90,
            help="For instance a duality gap over the objective or a stationarity residual over λ; and among which "
            "models it holds, if not all",
        ),
        "ended": text(width="medium", help="Why it stopped, or why there is no model"),
        CHOSEN: text(
            width=105,
            help="Parameters that the validation part chose together with C; those set in the sidebar stay fixed.",
        ),
        "C": number(format="%.2e"),
        "λ/λ_max": number(format="%.2e", help="Of the method's own loss"),
        "id": None,
    }
    picked = picked_row(table, rows, key="bench_table", formats=formats, height="content")
    fit = None if picked is None else picked.fit
    hint = "Select a row to open its model on another page."
    if picked is not None:
        hint = "This method has no model to open." if fit is None else f"{menu_title(picked.method)} is selected."
    with st.container(horizontal=True, vertical_alignment="center"):
        help = "Uses the selected row's method, parameters and C on every page."
        model: dict[str, Any] = {} if fit is None else {"c": fit.c, "method_id": fit.method, "solver_id": fit.solver}
        take = None if fit is None else partial(use_model, **model, parameters=fit.parameters)
        open_buttons("bench", take, help=help)
        csv_button(table, "methods", key="bench_csv", icon=":material/save:", help="The table with all digits")
        st.caption(hint, width="stretch")


def render() -> None:
    """Draw the page for the sidebar's choice; the cards need none."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        cards(st.session_state.get(keys.METHOD))
        return
    _side_by_side(choice)
    cards(choice.method_id)


def _side_by_side(choice: Loaded) -> None:
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    stage = st.container()
    with tools:
        wanted, measure = controls(choice)
    plans = plans_of(choice, wanted)
    working = run_methods(choice, plans, wanted.how, tools)
    rows = rows_of(plans)
    part = list(choice.fold.parts())[-1]
    if not rows:
        heading.header(f"{len(METHODS)} methods: which serves best here?", anchor=False)
        # A few methods at the sidebar's share of lambda_max, where that takes a moment only: the page opens with it.
        with stage:
            rows, plans_now, how = first_look(choice)
        if rows:
            first = f"a first look before any run: {len(rows)} methods at λ/λ_max = {short(choice.ratio)}"
            settings = f"{first}, {seconds(GLANCE_SECONDS)} each at most"
            with stage:
                _show(choice, _picture(choice, plans_now, measure, how, settings=settings), rows)
        if working:
            st.caption("The first method is on its way.")
        elif plans:
            st.info(f"Press Run: they are fitted to {in_markdown(choice.where)}, one after the other.")
        else:
            st.info("Pick at least one method.")
        return
    picture = _picture(choice, plans, measure, wanted.how, times=True)
    found = numbers(picture, {"rows": rows})
    assert found is not None, "the rows are there"
    heading.header(picture.sentence(found), anchor=False, help=_explained(choice, part, measure))
    with stage:
        _show(choice, picture, rows)
    draw_table(rows, picture.rows(found))
    said = set()
    for row in rows:
        if row.refusal and row.refusal not in said:
            said.add(row.refusal)
            panels.empty_answer(EmptyOptimumError(row.refusal, row.way_out), row.method, TITLES[row.method])
    st.caption(_words(choice, wanted, rows, part, measure))


def _explained(choice: Loaded, part: str, measure: str) -> str:
    """Which part picks a method, and which is quoted."""
    by = PART_WORDS[choosing_part(choice.fold.parts())]
    unclear = "" if choice.nouns.by_class else ": if its 95 % interval over the queries contains 0, it is not clear"
    return (
        f"The method with the highest {by} {measure}, each method at its C here; the value is the one on "
        f"{PART_WORDS[part]}. Next comes the sparsest method without a clear difference to it"
        f"{unclear}."
    )


def _picture(
    choice: Loaded, plans: Sequence[BenchPlan], measure: str, how: HowToSetC, *, settings: str = "", times: bool = False
) -> MethodsPicture:
    return MethodsPicture(
        choice.fold,
        [BenchMethod.of_plan(plan) for plan in plans],
        measure=measure,
        measures=measures_of(choice)[:2],
        ratio=how.ratio if isinstance(how, AtRatio) else None,
        seconds=max(plan.budget for plan in plans),
        convention=choice.convention,
        where=choice.where,
        settings=settings,
        times=times,
    )


def _show(choice: Loaded, picture: MethodsPicture, rows: Sequence[BenchRow]) -> None:
    whole = len(rows) == len(picture.wanted)
    show_chosen(picture, choice, known={"rows": rows}, scripted=whole, main=True)


def _words(choice: Loaded, wanted: ComparisonSettings, rows: Sequence[BenchRow], part: str, measure: str) -> str:
    on_validation = isinstance(wanted.how, OnValidation)
    said = [
        "Seconds and passes are those of the whole grid."
        if on_validation
        else "At one λ/λ_max methods differ in how many features they keep: see Trade-off for every C.",
        _dense_words(choice, rows, part, measure),
        _names("Out of time", [row for row in rows if row.fit is not None and row.fitted < row.wanted]),
        _names("Not drawn, because they have no model or an empty one", [row for row in rows if not row.ranks]),
        "The sidebar's method uses the solver, parameters and accuracy set there; the others use their defaults.",
        describe_convention(choice.convention, choice.nouns),
    ]
    return " ".join(filter(None, said))


def _dense_words(choice: Loaded, rows: Sequence[BenchRow], part: str, measure: str) -> str:
    """How the row of all features stands to the line of all features on Trade-off; empty where both are the same."""
    row = next((row for row in rows if row.method == DENSE and row.fit is not None), None)
    if row is None or row.fit is None:
        return ""
    here = f"{TITLES[DENSE]} is shown here at C = {short(row.fit.c)}"
    line = f"the line of all features on Trade-off is {TITLES[DENSE]}"
    by = f"{PART_WORDS[choosing_part(choice.fold.parts())]} {measure}"
    known = tradeoff_points(known_points(choice, DENSE), choice.judge.usable_features)
    there = dense_reference(known, measure) if complete(choice, [DENSE]) else None
    if there is None:
        return f"{here}; {line} at the C that {by} picks."
    if math.isclose(there.c, row.fit.c, rel_tol=1e-9):
        return f"{here}, which {by} picks; {line} at the same C."
    value = f"{PART_WORDS[part]} {measure} {there.value(part, measure):.4f}"
    return f"{here}; {line} at the C that {by} picks, {short(there.c)}: {value}."


def _names(what: str, rows: Sequence[BenchRow]) -> str:
    return f"{what}: {', '.join(TITLES[row.method] for row in rows)}." if rows else ""


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
        budget = address.by_id(
            "Budget", BUDGETS, "5", key="bench_seconds",
            help="Solver time that each method may take for its whole grid. A step that has begun is finished.",
        )  # fmt: skip
    how = "sidebar"
    if "vali" in choice.fold.parts():
        how = address.by_id(
            "How C is set", HOW, "sidebar", key="bench_c", label_visibility="collapsed",
            help=
                "Either the sidebar's share of each loss's own λ_max, or the best of each method's own grid on the "
                "validation part. That fits up to 50 models a method for every value tried of its other parameters.",
        )  # fmt: skip
    else:
        more.caption("C: the sidebar's λ/λ_max, as there is no validation part to choose one on.", width="content")
    help = "The measure that is drawn and that chooses C."
    measure = measure_control(choice, "Quality", key="bench_measure", help=help)
    # Digits that are certain: C and back must not make it another comparison, whose rows are not known.
    same = AtRatio(float(f"{choice.ratio:.12g}"))
    return ComparisonSettings(
        tuple(methods), float(budget), same if how == "sidebar" else OnValidation(measure)
    ), measure


INTRODUCTIONS = {
    "RankSVM": "One loss, the squared hinge over every preference pair, with different penalties.",
    "infinite push": "One loss that counts only the top of each list, with different penalties.",
    "other learners": "Algorithms with a loss, a filter or a schedule of their own, as in their papers.",
}
# A long formula scrolls within its card rather than widening the page.
_LOOK = """<style>[class*=st-key-card_] .katex-display { overflow-x: auto; overflow-y: hidden; padding: .2rem 0 }
[class*=st-key-card_] .katex { font-size: 1.05em }</style>"""


def cards(chosen: str | None) -> None:
    """The cards of one family, which the address names; ``chosen`` is the id of the method of every page."""
    st.html(_LOOK)
    st.subheader("What every method minimises, and when to use it", anchor=False)
    names = list(FAMILIES)
    family = address.one_of(
        "Family",
        names,
        begins=next((name for name in names if chosen in {method.id for method in FAMILIES[name]}), None),
        key="card_family",
        label_visibility="visible",
        help="Methods grouped by their loss; those of the last group have a loss, a filter or a schedule of their own.",
    )
    st.caption(INTRODUCTIONS[family])
    for method in FAMILIES[family]:
        _card(method, method.id == chosen)


def _card(method: Method, in_use: bool) -> None:
    key = method.id.replace(".", "")
    with st.container(border=True, key=f"card_{key}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{menu_title(method.id)}** &nbsp; `{method.id}`", width="stretch")
            st.button(
                "In use" if in_use else "Use this method",
                key=f"use_{key}",
                icon=":material/check_circle:" if in_use else ":material/star:",
                disabled=in_use,
                on_click=use_model,
                kwargs={"method_id": method.id},
                help="Uses this method on every page; Back brings the other back.",
            )
        if method.variants:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("As in its paper's tables:", width="content")
                for number, variant in enumerate(method.variants):
                    st.button(
                        variant.title,
                        key=f"variant_{key}_{number}",
                        on_click=use_model,
                        kwargs={"method_id": method.id, "parameters": method.settings(variant.settings)},
                        help=f"{variant.help} Uses it on every page.",
                    )
        st.latex(method.objective)
        st.markdown(method.explanation)
        stops = [f"- Stops **as in its paper**: {method.stopping}"] if method.stopping else []
        first, *others = method.solvers
        rate = rate_of(method, first)
        lines = [f"- By **{first.title}**: {first.explanation}", f"- Convergence **{rate.order}**: {rate.words}."]
        also = ", ".join(f"{solver.title} ({rate_of(method, solver).order})" for solver in others)
        lines += [f"- Also by {also}."] if also else []
        st.markdown("\n".join([*lines, *stops, *map(_parameter, method.parameters)]))
        among = method.make_penalty(method.settings(), 1.0).among
        convex = f"convex: one optimum {among}".rstrip() if method.convex else "not convex: more than one answer"
        st.caption(f"{convex} · {method.source}")


def _parameter(parameter: Parameter) -> str:
    """Its default, what it does, and the values that are tried where C is chosen on the validation part."""
    values = ", ".join(f"{value:g}" for value in parameter.tried)
    where = f" and {parameter.needs[0]} is on" if parameter.needs is not None else ""
    tried = f" Where C is chosen on the validation part{where}, so is this, among {values}." if values else ""
    symbol = f" ({parameter.symbol})" if parameter.symbol != parameter.name else ""
    return f"- `{parameter.name}`{symbol} = {parameter.text(parameter.default)}: {parameter.help}{tried}"
