"""The search tree of the best subset, growing before one's eyes."""

from __future__ import annotations

import streamlit as st

from core.analysis.best_subset.growing_tree import MOST_NODES, GrowingTree
from core.analysis.best_subset.points import BEST
from core.analysis.features.feature_rules import FeatureRules
from core.figures.best_subset.tree_picture import SearchTreePicture
from pages.shared import scripts
from pages.shared.button import button
from pages.shared.choice.choice import Loaded
from pages.shared.show import show
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
    picture = _picture(choice)
    key = picture.search.key
    job: Job[GrowingTree] | None = board().find(f"{key}-{st.session_state.get(_TIMES, 0)}", session_id())
    with st.container(horizontal=True, vertical_alignment="center"):
        pace = st.selectbox(
            "Pace of the tree", list(PACES), key=_PACE, width=180, persist_state="session",
            label_visibility="collapsed", help="Slow motion, to watch the tree grow.",
        )  # fmt: skip
        if button("Grow the tree" if job is None else "Again", key="tree_grow", icon=":material/account_tree:",
                     help="Starts the search again and draws each part as it is examined."):  # fmt: skip
            st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1  # a new tree, not the one that has grown
            job = board().submit(Job(f"{key}-{st.session_state[_TIMES]}", session_id(), picture.search.work))
    if job is None:
        st.caption(
            "Branch and bound splits all sets of so many features into parts, bounds what each part can reach, and "
            "cuts off those that cannot be better than the best set so far. Small k is best to watch."
        )
        return
    job.delay = PACES[pace]
    active = job.active
    state = Panel(
        key="tree",
        reached=lambda: _reached(job),
        starting="fitting all features first",
        stop_help="Stops the tree; it can continue later",
        beneath=lambda: _draw(choice, picture, job),
    )
    draw_panel(state, [job], active=active)


def _picture(choice: Loaded) -> SearchTreePicture:
    options = scripts.method_of(choice, BEST).options
    parameters = options.pop("parameters", None)
    return SearchTreePicture(
        choice.fold,
        C=choice.c,
        parameters=parameters,
        rules=FeatureRules(**options) if options else None,
        convention=choice.convention,
        where=choice.where,
    )


def _reached(job: Job[GrowingTree]) -> Reached | None:
    tree = job.run.tree if job.run is not None else None
    return None if tree is None else Reached(f"{len(tree.nodes)} parts, {tree.count('open')} open", None)


def _draw(choice: Loaded, picture: SearchTreePicture, job: Job[GrowingTree]) -> None:
    ended = job.state == "finished"  # before the tree is read, which may grow meanwhile
    tree = job.run.tree if job.run is not None else None
    if tree is None:
        return
    show(picture, scripts.chosen_data(choice), choice.fold, known={"tree": tree}, scripted=ended)
    if tree.too_large:
        st.caption(
            f"More than {MOST_NODES} parts cannot be seen, so the drawing ends here; the fit above continues to its "
            "proof. A smaller k or a smaller C makes a smaller tree."
        )
