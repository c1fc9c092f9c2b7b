"""The experiments of Rakotomamonjy (2012, §4), each reproducible from the page, with a quick setting for a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.data import DataError, Dataset
from core.experiments.infinite_push import top_table
from core.experiments.infinite_push.choosing_by_top import GRID_WORDS
from core.experiments.infinite_push.top_table import TopOutcome, TopSet
from core.experiments.infinite_push.toy_study import SETTINGS, Setting
from core.experiments.results.signed_rank import LEVEL, smallest_p
from core.export.scripts.description import DataDescription
from core.figures.top.sets_picture import TopSets
from core.names.plain import in_markdown
from pages.shared import scripts
from pages.shared.choice import access, link, ready
from pages.shared.choice.choice import Choice
from pages.shared.choice.source import Source
from pages.shared.option_controls import option_control
from pages.shared.show import numbers, show
from pages.shared.work.cell_batch import experiment_table
from pages.views.top import toy as toy_experiments

USUAL_SETS = ("sonar", "ionosphere", "breast-cancer", "digits")


def real_data(setting: Setting, choice: Choice) -> None:
    """Table 1: the sets at hand, and the chosen one, with the published figures beside them."""
    n_splits = top_table.splits_of(setting)
    names, own = _two_class_sets(), choice.source
    chosen_here = access.classes(own) is not None
    options = [*names, *([own.name] if chosen_here and own.name not in names else [])]
    usual = [name for name in options if name in USUAL_SETS or (chosen_here and name == own.name)]
    wanted = st.multiselect("Sets with two classes", options, default=usual, key="top_sets")
    adjusted = option_control(TopSets, "adjusted", "top_holm")
    st.caption(
        f"{n_splits} random splits, seeds 0 to {n_splits - 1}: 70 % of the documents to learn from, or the share "
        "that the paper prints (sonar and wpbc 90 %, spectf 80 %, ionosphere 70 %), standardised on it; settings "
        f"chosen by the rate on top of 30 % of that, among equals the largest λ. Grid: {GRID_WORDS}. The paper does "
        "not say which class is positive; here it is the one named."
    )
    sources = [own.read(split=None, repeats=None, scale="none") if chosen_here and name == own.name
               else Source(name) for name in wanted]  # fmt: skip
    usable = [source for source in sources if _usable(source)]
    if not usable:
        st.info("Choose at least one set.")
        return
    sets: dict[str, Dataset] = {source.name: access.dataset(source) for source in usable}
    picture = TopSets(sets, setting=setting, adjusted=adjusted)
    described = {source.name: scripts.data_of(source, 1) for source in usable}
    cells = top_table.top_cells(picture.read_sets(), n_splits)
    experiment_table("top_table", cells, top_table.top_outcome, lambda outcomes: _draw(outcomes, picture, described))


def _two_class_sets() -> list[str]:
    return [
        name
        for name, entry in ready.ready_datasets().items()
        if entry.undivided and (found := access.classes(Source(name))) is not None and len(found.counts) > 1
    ]


def _usable(source: Source) -> bool:
    """Whether a set can be used; if not, the page says why."""
    try:
        TopSet.of_dataset(access.dataset(source), source.name)
    except DataError as error:
        st.warning(f"{in_markdown(source.name)} is left out: {in_markdown(str(error))}")
        return False
    return True


def _draw(outcomes: Sequence[TopOutcome], picture: TopSets, described: Mapping[str, DataDescription]) -> None:
    known = {"outcomes": outcomes}
    rows = numbers(picture, known)
    if not rows:
        st.info("Press Start to fit the first split.")
        return
    show(picture, described, found=rows, known=known)
    least = smallest_p(max(row.n_splits for row in rows))
    if least > LEVEL:
        st.caption(f"So few splits cannot tell: the smallest p-value they can reach is {least:.2g}.")


def experiments(choice: Choice) -> None:
    """Draw the four experiments, one at a time, with their controls."""
    shown: dict[str, Callable[[Setting], None]] = {
        "Top against examples": toy_experiments.against_examples,
        "Top against noise": toy_experiments.against_noise,
        "Features found": toy_experiments.features_found,
        "Running time": toy_experiments.running_time,
        "Real data": lambda setting: real_data(setting, choice),
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = link.one_of(
            "Experiment", list(shown), key="experiment", label_visibility="visible",
            help="Figures 1, 2 and 3 and Table 1 of Rakotomamonjy (2012).",
        )  # fmt: skip
        setting = link.one_of(
            "Setting", list(SETTINGS), begins="quick", key="experiment_setting", label_visibility="visible",
            help=
                "Quick: three trials and few sizes, a matter of seconds. As in the paper: twenty trials of the toy "
                "problem, ten splits of real data, a matter of minutes. Either reuses the results of the other.",
        )  # fmt: skip
    shown[which](setting)
