"""The search tree of the best subset, growing before one's eyes."""

from __future__ import annotations

import streamlit as st

from core.analysis.best_subset.growing_tree import MOST_NODES, GrowingTree
from core.analysis.best_subset.points import BEST
from core.api.best_subset_tables import tree_table
from core.export.scripts.best_subset import tree_script
from core.figures.best_subset.tree import tree_figure, tree_words
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached, draw_panel

PACES = {"full speed": 0.0, "4 nodes a second": 0.25, "1 node a second": 1.0}
_PACE = "tree_pace"
_TIMES = "tree_times"


def panel(choice: Loaded) -> None:
    """A button to grow the tree, then the tree, with Stop; nothing for other methods."""
    if choice.method_id != BEST:
        return
    st.subheader("How the search proves it", anchor=False)
    key = f"tree-{choice.key}-{st.session_state.get(_TIMES, 0)}"
    job: Job[GrowingTree] | None = board().find(key, session_id())
    with st.container(horizontal=True, vertical_alignment="center"):
        pace = st.selectbox(
            "Pace of the tree", list(PACES), key=_PACE, width=180, persist_state="session",
            label_visibility="collapsed", help="Slow motion, to watch the tree grow.",
        )  # fmt: skip
        if button("Grow the tree" if job is None else "Again", key="tree_grow", icon=":material/account_tree:",
                     help="Starts the search again and draws each part as it is examined."):  # fmt: skip
            st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1  # a new tree, not the one that has grown
            job = board().submit(_job(choice, f"tree-{choice.key}-{st.session_state[_TIMES]}"))
    if job is None:
        st.caption(
            "Branch and bound splits all sets of so many features into parts, bounds what each part can reach, and "
            "cuts off those that cannot be better than the best set so far. Small k is best to watch."
        )
        return
    job.delay = PACES[pace]
    names = choice.fold.train.feature_names
    active = job.active
    state = Panel(
        key="tree",
        reached=lambda: _reached(job),
        starting="fitting all features first",
        stop_help="Stops the tree; it can continue later",
        beneath=lambda: _draw(choice, job, names),
    )
    draw_panel(state, [job], active=active)


def _job(choice: Loaded, key: str) -> Job[GrowingTree]:
    method, training, lam, parameters = choice.method, choice.training, choice.lam, dict(choice.parameters)
    return Job(key, session_id(), lambda: GrowingTree(method.problem(training, lam, parameters)))


def _script(choice: Loaded) -> str:
    method = scripts.method_of(choice, choice.method_id)
    return tree_script(scripts.chosen_data(choice), method, c=choice.training.c_of(choice.lam))


def _reached(job: Job[GrowingTree]) -> Reached | None:
    tree = job.run.tree if job.run is not None else None
    return None if tree is None else Reached(f"{len(tree.nodes)} parts, {tree.count('open')} open", None)


def _draw(choice: Loaded, job: Job[GrowingTree], names: tuple[str, ...]) -> None:
    tree = job.run.tree if job.run is not None else None
    if tree is None:
        return
    title = tree_words(tree)
    figure = tree_figure(
        tree, names, title=title,
        subtitle=f"{choice.where} · {choice.title} · "
        "○ open · ● split · × cut off · ■ a single set",
    )  # fmt: skip
    live_chart(
        figure,
        "tree",
        alt=title,
        table=None if job.active else tree_table(tree, names),
        script="" if job.active else _script(choice),
    )
    if tree.too_large:
        st.caption(
            f"More than {MOST_NODES} parts cannot be seen, so the drawing ends here; the fit above continues to its "
            "proof. A smaller k or a smaller C makes a smaller tree."
        )
