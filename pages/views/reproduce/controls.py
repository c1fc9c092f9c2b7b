"""What the Reproduce page asks for: datasets, methods, how C is chosen, and where it is worked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.choosing import RULES, check_rule
from core.cli.reading import reading_words
from core.data import Reading
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.results.comparison import DEFAULT_REFERENCE
from core.experiments.results.report import choose_reference
from core.experiments.run.cells import Cell, MethodChoice, choice_titles
from core.experiments.run.learners.registry import REFERENCES
from core.experiments.run.plan import Choosing, Plan
from core.experiments.run.presets import PRESETS, find_preset
from core.experiments.run.protocol import DEFAULT_POINTS, TESTED
from core.experiments.run.workers.dask_workers import DaskWorkers
from core.experiments.run.workers.local_workers import LocalWorkers
from core.experiments.run.workers.workers import Workers
from core.names.plain import in_markdown
from core.program import COMMAND
from core.threads import thread_count
from pages.shared.choice import address
from pages.shared.choice.choice import Source
from pages.shared.choice.menu import method_pills
from pages.shared.differences import RULES_HELP, margin_control
from pages.views.reproduce.data import dataset_names

_REPRODUCE_BY = "reproduce_by"
_REPRODUCE_DATA = "reproduce_data"
_REPRODUCE_REFERENCE = "reproduce_reference"
_REPRODUCE_ROWS = "reproduce_rows"
SHOWN_FIRST = ("l1", "log", "mcp", "l0.5", "fenchelrank", "fsmrank", "l2", "rwfs-l0")
GRIDS = (5, 10, 20, 50)
STARTS = (1, 5, 10, 25)
DRAWS = (0, 10, 25, 50, 100)


@dataclass(frozen=True, kw_only=True)
class ProtocolOptions(Choosing):
    """What the controls ask for, beside how models are chosen."""

    datasets: tuple[str, ...]  # as the page lists them
    choices: tuple[MethodChoice, ...]
    margin: float  # within which two methods are equivalent
    workers: int  # processes on this machine
    dask: str  # address of a scheduler that works instead of them; empty for none

    def make_workers(self, plan: Plan) -> Callable[[], Workers[Cell]]:
        """How the workers come about; it may take a while, and fail, so it is for the job."""
        if self.dask:
            return lambda: DaskWorkers(plan, self.dask)
        return lambda: LocalWorkers(plan, self.workers)


def controls(datasets: Sequence[str]) -> tuple[ProtocolOptions, DeltaGenerator]:
    """Draw the controls of a run on these datasets; also return the place of the rarely used ones."""
    with st.popover("Methods", icon=":material/science:", key="reproduce_methods_box"):
        choices = _table_rows()
        if not choices:
            choices += [MethodChoice.parse(picked) for picked in method_pills("reproduce", SHOWN_FIRST, help=_PILLS)]
        choices += _references()
    measure = address.one_of(
        "C chosen by", TESTED, key=_REPRODUCE_BY,
        help=
            "The measure that chooses C on the validation part: MAP as in Laporte et al., NDCG@10 as in Lai et al. "
            "Published numbers are shown next to ours if the same measure chose C.",
    )  # fmt: skip
    more = st.popover(
        "More", key="reproduce_more", help="Rule of choice, grid of C, margin, other parameters, where the work runs"
    )
    with more:
        rule = address.one_of(
            "Rule", RULES, begins="best", key="reproduce_rule", label_visibility="visible", help=RULES_HELP
        )
        points = address.one_of(
            "Values of C per method", GRIDS, begins=DEFAULT_POINTS, key="reproduce_grid",
            label_visibility="visible", help=
                "Evenly spaced on a log scale. A method with a shorter grid of its own uses that one.",
        )  # fmt: skip
        widen = st.toggle(
            "Widen grids", key="reproduce_widen", bind="query-params", help=
                "While a choice lies at an end of its grid, a decade of λ is added there, four at most at each end. "
                "The papers' grids stay as printed when this is off.",
        )  # fmt: skip
        margin = margin_control()
        starts = address.one_of(
            "Starts of non-convex rows", STARTS, key="reproduce_starts", label_visibility="visible", help=
                "With more than one, the problem of each chosen model is fitted from as many starts, and a second "
                "table says in how many different minima they end. The model stays the one from the plain start.",
        )  # fmt: skip
        draws = address.one_of(
            "Draws of the training queries", DRAWS, key="reproduce_draws", label_visibility="visible", help=
                "Draws the training queries of every fold again with replacement, and fits and chooses on each draw, "
                "for a third ±, by training. Each draw takes about as long as the run without any; finished draws are "
                "saved.",
        )  # fmt: skip
        cores = thread_count()
        workers = st.number_input(
            "Processes on this machine", 1, max(4 * cores, 1), cores, key="reproduce_workers", persist_state="session",
            help="By default one per core, or fewer if memory is short.",
        )  # fmt: skip
        dask = st.text_input(
            "Or a Dask cluster", key="reproduce_dask", persist_state="session", placeholder="tcp://10.0.0.1:8786",
            help="The address of its scheduler. Its workers need the same version of this program; the run sends them "
            "the data.",
        )  # fmt: skip
        choices += _variants()
    return ProtocolOptions(
        datasets=tuple(datasets), choices=tuple(dict.fromkeys(choices)), points=int(points), measure=measure,
        rule=check_rule(rule), margin=margin, workers=int(workers), dask=(dask or "").strip(), starts=int(starts),
        draws=int(draws), widen=widen,
    ), more  # fmt: skip


def reference(choices: Sequence[MethodChoice]) -> str | None:
    """Label of the method that the others are compared with; None where there is no other."""
    chosen: str | None = st.session_state.get(_REPRODUCE_REFERENCE)
    return choose_reference(choices, chosen if chosen in choice_titles(choices) else None)


def reference_control(choices: Sequence[MethodChoice]) -> None:
    """Draw the control that chooses the reference method, in the section that uses it."""
    titles = choice_titles(choices)
    if (now := reference(choices)) is not None:
        st.session_state[_REPRODUCE_REFERENCE] = now
        st.selectbox(
            "Compared with", list(titles), format_func=lambda label: titles.get(label, label), width=260,
            key=_REPRODUCE_REFERENCE, persist_state="session",
            help="By default the dense model: the differences then show what leaving features out costs.",
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
        help="Adds all rows of a paper's table, and sets the measure by which the paper chooses C.",
    )  # fmt: skip
    preset = find_preset(picked or "")
    if preset is None:
        st.query_params.pop(_REPRODUCE_ROWS, None)
        return []
    address.write(_REPRODUCE_ROWS, preset.name)
    st.caption(f"{preset.help} C is chosen by {preset.measure} in the paper.")
    return list(preset.choices)


def _as_chosen_there() -> None:
    preset = find_preset(st.session_state[_REPRODUCE_ROWS] or "")
    if preset is not None:
        st.session_state[_REPRODUCE_BY] = preset.measure


_PILLS = "Click a method to add its row to the tables or to remove it. The Methods page explains each."


def datasets_control(chosen: Source | None) -> list[str]:
    """Which datasets; the sidebar's is picked at first."""
    names = dataset_names()
    if _REPRODUCE_DATA not in st.session_state:
        linked = [name for name in st.query_params.get(_REPRODUCE_DATA, "").split(",") if name in names]
        st.session_state[_REPRODUCE_DATA] = linked or ([chosen.name] if chosen is not None else [])
    st.session_state[_REPRODUCE_DATA] = [name for name in st.session_state[_REPRODUCE_DATA] if name in names]
    with st.popover("Datasets", icon=":material/folder_open:", key="reproduce_data_box"):
        picked = st.multiselect(
            "Datasets", names, key=_REPRODUCE_DATA, persist_state="session", placeholder="Pick at least one",
            help="Every fold of each dataset is used. A single file is divided several times into training, validation "
            "and test part.",
        )  # fmt: skip
    address.write(_REPRODUCE_DATA, ",".join(picked))
    return picked


def _references() -> list[MethodChoice]:
    picked = []
    for learner in REFERENCES:
        missing = learner.missing
        wanted = st.toggle(
            f"{learner.title}, as a reference", key=f"reproduce_{learner.id}", bind="query-params",
            disabled=missing is not None, help=f"What can be reached with all features: {learner.source}.",
        )  # fmt: skip
        if missing is not None:
            st.caption(f"{missing}.")
        elif wanted:
            picked.append(MethodChoice(learner.id))
    return picked


def _variants() -> list[MethodChoice]:
    """Read methods with other parameters, written as on the command line; warn about what cannot be read."""
    text = st.text_input(
        "Variants", key="reproduce_variants", bind="query-params", placeholder="mcp:gamma=2, rwfs-l0:share=0.3",
        help=
            "Adds rows: write a method's id and the parameters that differ, with commas between rows. mcp:gamma=2 is "
            "MCP as in the paper; mcp alone uses our own knee, so it has no published number.",
    )  # fmt: skip
    found = []
    for word in (word.strip() for word in (text or "").split(",")):
        if not word:
            continue
        try:
            found.append(MethodChoice.parse(word))
        except ValueError as error:
            st.warning(f"“{in_markdown(word)}” is left out: {in_markdown(str(error))}")
    return found


OUT = "runs"


def commands(plan: Plan, wanted: ProtocolOptions, reference: str | None) -> list[list[str]]:
    """In words; one command for all datasets that are read alike, as its options hold for each."""
    alike: dict[Reading, list[str]] = {}
    for dataset in plan.datasets:
        alike.setdefault(dataset.source.reading, []).append(dataset.source.name_or_path)
    words = ["--methods", ",".join(choice.label for choice in plan.choices), "--measure", plan.measure.lower()]
    if plan.widen:
        words += ["--grid", "auto" if plan.points == DEFAULT_POINTS else f"auto:{plan.points}"]
    elif plan.points != DEFAULT_POINTS:
        words += ["--grid", str(plan.points)]
    if plan.rule != "best":
        words += ["--choose", plan.rule]
    words += ["--starts", str(plan.starts)] if plan.starts > 1 else []
    words += ["--bootstrap-training", str(plan.draws)] if plan.draws else []
    if reference is not None and reference != DEFAULT_REFERENCE:
        words += ["--reference", reference]
    words += ["--margin", f"{wanted.margin:g}"] if wanted.margin != DEFAULT_MARGIN else []
    words += ["--dask", wanted.dask] if wanted.dask else []
    how = [*words, "--out", OUT]
    return [[*COMMAND, "protocol", *names, *how, *reading_words(reading)] for reading, names in alike.items()]
