"""The Methods page: any set of methods side by side on the chosen fold, and a card for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.choosing import choosing_part
from core.analysis.fitting import AtRatio, OnValidation
from core.analysis.tradeoff.tradeoff import DENSE, dense_reference, tradeoff_points
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC
from core.analysis.tuning.method_rows import BenchMethod
from core.figures.look.style import seconds
from core.figures.path.tuning import PART_WORDS
from core.figures.tradeoff.methods_picture import AGAINST, CHOSEN, MethodsPicture
from core.methods import METHODS, EmptyOptimumError
from core.metrics import describe_convention
from core.names.numbers import short
from core.names.plain import in_markdown
from core.names.tables import frame_csv
from pages.shared import frame, keys, panels
from pages.shared.choice import link
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measure_control, measures_of
from pages.shared.choice.menu import IDS, menu_title, method_pills
from pages.shared.choice.use_model import open_buttons, use_model
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
from pages.views.methods.cards import cards

TITLES = {method_id: menu_title(method_id) for method_id in IDS}


TABLE = "bench_table"
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
    state = st.dataframe(
        table,
        hide_index=True,
        height="content",
        key=TABLE,
        column_config=formats,
        on_select="rerun",
        selection_mode="single-row",
    )
    picked = [rows[k] for k in state["selection"]["rows"] if k < len(rows)]
    row = picked[0] if picked and picked[0].fit is not None else None
    with st.container(horizontal=True, vertical_alignment="center"):
        open_buttons(
            "bench",
            partial(_take, row) if row is not None else None,
            help="Uses the selected row's method, parameters and C on every page.",
        )
        st.download_button("CSV", lambda: frame_csv(table), "methods.csv", "text/csv", on_click="ignore",
                           key="bench_csv", icon=":material/save:", help="The table with all digits")  # fmt: skip
        st.caption(_hint(row, bool(picked)), width="stretch")


def _hint(row: BenchRow | None, picked: bool) -> str:
    if row is not None:
        return f"{menu_title(row.method)} is selected."
    return "This method has no model to open." if picked else "Select a row to open its model on another page."


def _take(row: BenchRow) -> None:
    """Make the row's model that of every page."""
    fit = row.fit
    if fit is None:
        return
    use_model(
        c=fit.c,
        method_id=row.method,
        parameters=fit.parameters,
        solver_id=fit.solver,
    )


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
        with stage:
            _first_look(choice, measure)
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


def _first_look(choice: Loaded, measure: str) -> None:
    """A few methods at the sidebar's share of lambda_max, where that takes a moment only: the page opens with it."""
    rows, plans, how = first_look(choice)
    if not rows:
        return
    ratio = short(choice.ratio)
    first = f"a first look before any run: {len(rows)} methods at λ/λ_max = {ratio}"
    settings = f"{first}, {seconds(GLANCE_SECONDS)} each at most"
    _show(choice, _picture(choice, plans, measure, how, settings=settings), rows)


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
    """How to read it, and what is not there."""
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
        budget = link.by_id(
            "Budget", BUDGETS, "5", key="bench_seconds",
            help="Solver time that each method may take for its whole grid. A step that has begun is finished.",
        )  # fmt: skip
    how = "sidebar"
    if "vali" in choice.fold.parts():
        how = link.by_id(
            "How C is set", HOW, "sidebar", key="bench_c", label_visibility="collapsed",
            help=
                "Either the sidebar's share of each loss's own λ_max, or the best of each method's own grid on the "
                "validation part. That fits up to 50 models a method for every value tried of its other parameters.",
        )  # fmt: skip
    else:
        more.caption("C: the sidebar's λ/λ_max, as there is no validation part to choose one on.", width="content")
    measure = measure_control(
        choice, "Quality", key="bench_measure", help="The measure that is drawn and that chooses C.", compact=True
    )
    # Digits that are certain: C and back must not make it another comparison, whose rows are not known.
    same = AtRatio(float(f"{choice.ratio:.12g}"))
    return ComparisonSettings(
        tuple(methods), float(budget), same if how == "sidebar" else OnValidation(measure)
    ), measure
