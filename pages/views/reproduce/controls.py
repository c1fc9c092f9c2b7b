"""What the Reproduce page asks for: datasets, methods, how C is chosen, and where it is worked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.choosing import RULES, ChoiceRule, check_rule
from core.experiments.results.comparison import DEFAULT_REFERENCE
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import REFERENCES
from core.experiments.run.plan import Plan
from core.experiments.run.presets import PRESETS, find_preset
from core.experiments.run.protocol import DEFAULT_POINTS, TESTED
from core.experiments.run.titles import choice_titles
from core.experiments.run.workers.dask_workers import DaskWorkers
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Workers
from core.losses.threads import thread_count
from pages.shared.choice.pills import method_pills
from pages.shared.choice.source import Source
from pages.shared.choice_noise_panel import RULES_HELP
from pages.views.reproduce.data import dataset_names

_REPRODUCE_BY = "reproduce_by"
_REPRODUCE_DATA = "reproduce_data"
_REPRODUCE_REFERENCE = "reproduce_reference"
_REPRODUCE_ROWS = "reproduce_rows"
SHOWN_FIRST = ("l1", "log", "mcp", "l0.5", "fenchelrank", "fsmrank", "l2", "rwfs-l0")
GRIDS = (5, 10, 20, 50)


PROTOCOL, SINGLE = "the protocol", "single figures and tables"


@dataclass(frozen=True)
class Wanted:
    """What the controls ask for.

    Attributes
    ----------
    datasets : tuple of str
        As the page lists them.
    choices : tuple of MethodChoice
    points : int
        Size of the grid.
    measure : str
        By which C is chosen on the validation part.
    rule : {"best", "one-se", "average"}
        How.
    workers : int
        Processes on this machine.
    dask : str
        Address of a scheduler that works instead of them; empty for none.
    """

    datasets: tuple[str, ...]
    choices: tuple[MethodChoice, ...]
    points: int
    measure: str
    rule: ChoiceRule
    workers: int
    dask: str

    def make_workers(self, plan: Plan) -> Callable[[], Workers]:
        """How the workers come about; it may take a while, and fail, so it is for the job."""
        if self.dask:
            return lambda: DaskWorkers(plan, self.dask)
        return lambda: LocalWorkers(plan, self.workers)


def controls(datasets: Sequence[str]) -> tuple[Wanted, DeltaGenerator]:
    """Draw the controls of a run on these datasets; and where those stand that are used rarely."""
    with st.popover("Methods", icon="🧪", key="reproduce_methods_box"):
        choices = _table_rows()
        if not choices:
            choices += [MethodChoice.parse(picked) for picked in method_pills("reproduce", SHOWN_FIRST, help=_PILLS)]
        choices += _references()
    measure = st.segmented_control(
        "C chosen by", TESTED, default=TESTED[0], required=True, key=_REPRODUCE_BY, bind="query-params",
        label_visibility="collapsed",
        help="On the validation part: MAP as Laporte et al. do, NDCG@10 as Lai et al. Published numbers stand "
        "beside ours where both were chosen alike.",
    )  # fmt: skip
    more = st.popover("⋯", key="reproduce_more", help="Rule, grid of C, other parameters, where it is worked out")
    with more:
        rule = st.segmented_control(
            "Rule", RULES, default="best", required=True, key="reproduce_rule", bind="query-params",
            help=RULES_HELP,
        )  # fmt: skip
        points = st.segmented_control(
            "Values of C a method", GRIDS, default=DEFAULT_POINTS, required=True, key="reproduce_grid",
            bind="query-params", help="Evenly spaced in log. A method whose own grid is shorter keeps that.",
        )  # fmt: skip
        workers, dask = _place()
        choices += _variants()
    unique = tuple(dict.fromkeys(choices))
    return Wanted(tuple(datasets), unique, int(points), measure, check_rule(rule), workers, dask.strip()), more


def what_control() -> bool:
    """Whether it is the protocol that is wanted, rather than single figures and tables."""
    what = st.segmented_control(
        "What", (PROTOCOL, SINGLE), default=PROTOCOL, required=True, key="reproduce_what", bind="query-params",
        label_visibility="collapsed",
        help="The protocol: methods by datasets, the papers' tables of ranking quality and sparsity. Single ones: what "
        "they draw beside those, such as quality against the number of features.",
    )  # fmt: skip
    return what != SINGLE


def reference(choices: Sequence[MethodChoice]) -> str | None:
    """Label of the method that the others are compared with; None where there is no other."""
    labels = [choice.label for choice in choices]
    if len(labels) < 2:
        return None
    chosen: str | None = st.session_state.get(_REPRODUCE_REFERENCE)
    return chosen if chosen in labels else DEFAULT_REFERENCE if DEFAULT_REFERENCE in labels else labels[0]


def reference_control(choices: Sequence[MethodChoice]) -> None:
    """Where it is chosen, in the section that shows it."""
    titles = choice_titles(choices)
    if (now := reference(choices)) is not None:
        st.session_state[_REPRODUCE_REFERENCE] = now
        st.selectbox(
            "Compared with", list(titles), format_func=lambda label: titles.get(label, label), width=260,
            key=_REPRODUCE_REFERENCE, persist_state="session",
            help="The dense model by default: what is lost by leaving features out?",
        )  # fmt: skip


def _table_rows() -> list[MethodChoice]:
    """The rows of a paper's table instead of methods of one's own, with the measure that chose there; none at first."""
    names = [preset.name for preset in PRESETS]
    if _REPRODUCE_ROWS not in st.session_state:
        linked = st.query_params.get(_REPRODUCE_ROWS)
        st.session_state[_REPRODUCE_ROWS] = linked if linked in names else None
        if _REPRODUCE_BY not in st.query_params:
            _as_chosen_there()
    picked = st.selectbox(
        "Rows of a table", names, index=None, key=_REPRODUCE_ROWS, persist_state="session", on_change=_as_chosen_there,
        format_func=lambda name: getattr(find_preset(name), "title", name), placeholder="methods of your own",
        help="All rows of a paper's table at once, chosen by the measure of its paper.",
    )  # fmt: skip
    preset = find_preset(picked or "")
    if preset is None:
        st.query_params.pop(_REPRODUCE_ROWS, None)
        return []
    st.query_params[_REPRODUCE_ROWS] = preset.name
    st.caption(f"{preset.help} C is chosen by {preset.measure} in the paper.")
    return list(preset.choices)


def _as_chosen_there() -> None:
    preset = find_preset(st.session_state[_REPRODUCE_ROWS] or "")
    if preset is not None:
        st.session_state[_REPRODUCE_BY] = preset.measure


_PILLS = "Click to add a row to the tables or to leave one out. What each does is on the Methods page."


def datasets_control(chosen: Source | None) -> list[str]:
    """Which datasets; the sidebar's is picked at first."""
    names = dataset_names()
    if _REPRODUCE_DATA not in st.session_state:
        linked = [name for name in st.query_params.get(_REPRODUCE_DATA, "").split(",") if name in names]
        st.session_state[_REPRODUCE_DATA] = linked or ([chosen.name] if chosen is not None else [])
    st.session_state[_REPRODUCE_DATA] = [name for name in st.session_state[_REPRODUCE_DATA] if name in names]
    with st.popover("Datasets", icon="🗂️", key="reproduce_data_box"):
        picked = st.multiselect(
            "Datasets", names, key=_REPRODUCE_DATA, persist_state="session", placeholder="Pick at least one",
            help="Every fold of each. A single file is split into training, validation and test part several times.",
        )  # fmt: skip
    st.query_params[_REPRODUCE_DATA] = ",".join(picked)
    return picked


def _place() -> tuple[int, str]:
    cores = thread_count()
    workers = st.number_input(
        "Processes on this machine", 1, max(4 * cores, 1), cores, key="reproduce_workers", persist_state="session",
        help="One a core by default; fewer where memory is short, whatever stands here.",
    )  # fmt: skip
    dask = st.text_input(
        "Or a Dask cluster", key="reproduce_dask", persist_state="session", placeholder="tcp://10.0.0.1:8786",
        help="Address of its scheduler. Its workers need this program at the same version; data is sent to them.",
    )  # fmt: skip
    return int(workers), dask or ""


def _references() -> list[MethodChoice]:
    """Rows that are no methods of the papers."""
    picked = []
    for learner in REFERENCES:
        missing = learner.missing
        wanted = st.toggle(
            f"{learner.title}, as a reference", key=f"reproduce_{learner.id}", bind="query-params",
            disabled=missing is not None, help=f"What is to be had from all features, by {learner.source}.",
        )  # fmt: skip
        if missing is not None:
            st.caption(f"{missing}.")
        elif wanted:
            picked.append(MethodChoice(learner.id))
    return picked


def _variants() -> list[MethodChoice]:
    """Methods with other parameters, in the words of the command line; what cannot be read is said."""
    text = st.text_input(
        "Variants", key="reproduce_variants", bind="query-params", placeholder="mcp:gamma=2, rwfs-l0:share=0.3",
        help="More rows: a method's id and the parameters that differ, between commas. mcp:gamma=2 is MCP as printed; "
        "mcp alone has a knee of our own, and no published number.",
    )  # fmt: skip
    found = []
    for word in (word.strip() for word in (text or "").split(",")):
        if not word:
            continue
        try:
            found.append(MethodChoice.parse(word))
        except ValueError as error:
            st.warning(f"“{word}” is left out: {error}")
    return found
