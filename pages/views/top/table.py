"""Table 1 of Rakotomamonjy (2012) on the page: real sets, ours beside what is published."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.api.experiment_tables import top_table as top_sets_table
from core.api.pictures.top_experiments import top_set
from core.data import DataError
from core.experiments.infinite_push import top_table
from core.experiments.infinite_push.choosing_by_top import GRID_WORDS
from core.experiments.infinite_push.published_top import SOURCE
from core.experiments.infinite_push.top_table import TopOutcome, TopSet, top_rows
from core.experiments.results.signed_rank import LEVEL, smallest_p
from core.export.scripts.top import top_sets_script
from core.figures.top.table import table_sentence, top_table_figure
from core.names.plain import in_markdown
from pages.shared import scripts
from pages.shared.choice import access
from pages.shared.choice.choice import Choice
from pages.shared.choice.source import Source
from pages.shared.live_chart import live_chart
from pages.shared.work.cell_batch import experiment_table
from pages.views.top.toy import Setting

USUAL_SETS = ("sonar", "ionosphere", "breast-cancer", "digits")


def real_data(setting: Setting, choice: Choice) -> None:
    """Table 1: the sets at hand, and the chosen one, with the published figures beside them."""
    iterations = top_table.QUICK_ITERATIONS if setting == "quick" else top_table.ITERATIONS
    names, own = _two_class_sets(), choice.source
    chosen_here = access.classes(own) is not None
    options = [*names, *([own.name] if chosen_here and own.name not in names else [])]
    usual = [name for name in options if name in USUAL_SETS or (chosen_here and name == own.name)]
    wanted = st.multiselect("Sets with two classes", options, default=usual, key="top_sets")
    adjusted = st.toggle(
        "Holm's correction", key="top_holm",
        help="Adjusts for the methods compared on each set. The paper does not.",
    )  # fmt: skip
    st.caption(
        f"{iterations} random splits, seeds 0 to {iterations - 1}: 70 % of the documents to learn from, or the share "
        "that the paper prints (sonar and wpbc 90 %, spectf 80 %, ionosphere 70 %), standardised on it; settings "
        f"chosen by the rate on top of 30 % of that, among equals the largest λ. Grid: {GRID_WORDS}. The paper does "
        "not say which class is positive; here it is the one named."
    )
    sets = _open_sets([own.read(split=None, repeats=None, scale="none") if chosen_here and name == own.name
                       else Source(name) for name in wanted])  # fmt: skip
    if not sets:
        st.info("Choose at least one set.")
        return
    described = {source.name: scripts.data_of(source, 1) for source in sets}
    script = top_sets_script(described, setting=setting, adjusted=adjusted)
    experiment_table("top_table", top_table.top_cells(list(sets.values()), iterations), top_table.top_outcome,
             lambda outcomes: _draw_table(outcomes, adjusted, script))  # fmt: skip


def _two_class_sets() -> list[str]:
    return [
        name
        for name, entry in access.ready_datasets().items()
        if entry.undivided and (found := access.classes(Source(name))) is not None and len(found.counts) > 1
    ]


def _open_sets(sources: Sequence[Source]) -> dict[Source, TopSet]:
    sets = {}
    for source in sources:
        try:
            sets[source] = top_set(access.dataset(source), source.name)
        except DataError as error:
            st.warning(f"{in_markdown(source.name)} is left out: {in_markdown(str(error))}")
    return sets


def _draw_table(outcomes: Sequence[TopOutcome], adjusted: bool, script: str) -> None:
    rows = top_rows(outcomes)
    if not rows:
        st.info("Press Start to fit the first split.")
        return
    title = table_sentence(rows, adjusted=adjusted)
    figure = top_table_figure(
        rows, adjusted=adjusted, title=title,
        subtitle=f"mean ± standard deviation over {max(row.n_splits for row in rows)} splits · grey and open: {SOURCE}"
        "\nin brackets: significantly worse than the best (Wilcoxon's signed-rank test at 0.05"
        f"{', Holm' if adjusted else ''})",
    )  # fmt: skip
    live_chart(figure, "top_table", alt=title, table=top_sets_table(rows, adjusted=adjusted), script=script)
    least = smallest_p(max(row.n_splits for row in rows))
    if least > LEVEL:
        st.caption(f"So few splits cannot tell: the smallest p-value they can reach is {least:.2g}.")
