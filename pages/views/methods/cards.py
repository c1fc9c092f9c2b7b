"""A card for every method: what it minimises, when to use it, how fast it gets there, and a button to use it."""

from __future__ import annotations

import streamlit as st

from core.analysis.convergence import rate_of
from core.methods import Method, Variant
from core.methods.registry import FAMILIES
from core.penalties import Parameter
from pages.shared.choice import link
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model

INTRODUCTIONS = {
    "RankSVM": "One loss, the squared hinge over every preference pair, with different penalties.",
    "infinite push": "One loss that counts only the top of each list, with different penalties.",
    "other learners": "Algorithms with a loss, a filter or a schedule of their own, as in their papers.",
}
# A long formula scrolls within its card rather than widening the page.
_LOOK = """<style>[class*=st-key-card_] .katex-display { overflow-x: auto; overflow-y: hidden; padding: .2rem 0 }
[class*=st-key-card_] .katex { font-size: 1.05em }</style>"""


def key_of(method_id: str) -> str:
    """An id as keys of elements have it."""
    return method_id.replace(".", "")


def cards(chosen: str | None) -> None:
    """The cards of one family, which the address names.

    Parameters
    ----------
    chosen : str or None
        Id of the method of every page.
    """
    st.html(_LOOK)
    st.subheader("What every method minimises, and when to use it", anchor=False)
    names = list(FAMILIES)
    family = link.one_of(
        "Family",
        names,
        begins=next((name for name in names if chosen in [m.id for m in FAMILIES[name]]), None),
        key="card_family",
        label_visibility="visible",
        help="Methods grouped by their loss; those of the last group have a loss, a filter or a schedule of their own.",
    )
    st.caption(INTRODUCTIONS[family])
    for method in FAMILIES[family]:
        _card(method, method.id == chosen)


def _card(method: Method, in_use: bool) -> None:
    with st.container(border=True, key=f"card_{key_of(method.id)}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{menu_title(method.id)}** &nbsp; `{method.id}`", width="stretch")
            st.button(
                "In use" if in_use else "Use this method",
                key=f"use_{key_of(method.id)}",
                icon=":material/check_circle:" if in_use else ":material/star:",
                disabled=in_use,
                on_click=use_model,
                kwargs={"method_id": method.id},
                help="Uses this method on every page; Back brings the other back.",
            )
        _variants(method)
        st.latex(method.objective)
        st.markdown(method.explanation)
        st.markdown("\n".join([*_solvers(method), *_stop(method), *_parameters(method)]))
        among = method.make_penalty(method.settings(), 1.0).among
        convex = f"convex: one optimum {among}".rstrip() if method.convex else "not convex: more than one answer"
        st.caption(f"{convex} · {method.source}")


def _variants(method: Method) -> None:
    if not method.variants:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("As in its paper's tables:", width="content")
        for number, variant in enumerate(method.variants):
            st.button(
                variant.title,
                key=f"variant_{key_of(method.id)}_{number}",
                on_click=_use_variant,
                args=(method, variant),
                help=f"{variant.help} Uses it on every page.",
            )


def _use_variant(method: Method, variant: Variant) -> None:
    use_model(method_id=method.id, parameters=method.settings(variant.settings))


def _solvers(method: Method) -> list[str]:
    first, *others = method.solvers
    rate = rate_of(method, first)
    lines = [f"- By **{first.title}**: {first.explanation}", f"- Convergence **{rate.order}**: {rate.words}."]
    also = [f"{solver.title} ({rate_of(method, solver).order})" for solver in others]
    return [*lines, f"- Also by {', '.join(also)}."] if also else lines


def _stop(method: Method) -> list[str]:
    return [f"- Stops **as in its paper**: {method.stopping}"] if method.stopping else []


def _parameters(method: Method) -> list[str]:
    return [
        f"- `{p.name}`{f' ({p.symbol})' if p.symbol != p.name else ''} = {p.text(p.default)}: {p.help}{_tried(p)}"
        for p in method.parameters
    ]


def _tried(parameter: Parameter) -> str:
    values = ", ".join(f"{value:g}" for value in parameter.tried)
    where = f" and {parameter.needs[0]} is on" if parameter.needs is not None else ""
    return f" Where C is chosen on the validation part{where}, so is this, among {values}." if values else ""
