"""What stands behind the buttons of the Lab: what is seen, prepared stories, downloads, and bringing one's own data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared import keys
from pages.shared.button import button
from pages.shared.choice import presets
from pages.shared.choice.c import ratio_query
from pages.shared.lazy import lazy_popover
from pages.shared.lesson.links import link_html

PURPOSE = (
    "A ranking model scores documents by a weighted sum of features, and every feature costs time to compute: which "
    "few of them are enough?"
)
STEPS = (
    "**Path.** C says how much the data counts against the penalty. As C grows, one feature after another leaves "
    "zero. Drag the line, or press ▶: all four views follow. Grey lines are features without a name here; thin lines "
    "are those of the other method. Click the star to use the C that is best on validation.",
    "**Trade-off.** A line goes through the models that validation picks within so many features. The test part "
    "judges them, so a line falls where the two differ. The dot is the model under the line, which need not be a pick. "
    "Click a point to use its method and C.",
    "**Features.** How well each feature ranks the training part alone. Filled: what the model keeps. Often these are "
    "not the best ones alone, because those say the same thing twice. Point at a feature: its path lights up.",
    "**Convergence.** How the fit of the chosen model reached its certificate, which bounds how far from its optimum "
    "it may be. Choose other data, another method or solver, and watch the fit.",
)


def introduction(downloads: Callable[[], None] | None = None) -> None:
    """What one sees behind one button, all else behind another: first what can be saved of the views."""
    lazy_popover("What am I looking at?", _tour, key="lab_tour", icon=":material/lightbulb:")
    lazy_popover(
        "More",
        lambda: _more(downloads),
        key="lab_more",
        help="The views as a page without a network, their Python script, and how to bring your own data",
    )


def _tour() -> None:
    st.markdown(PURPOSE)
    st.html(f"New here? {link_html('Take a lesson', 'lessons')}: it asks what you expect before it shows it.")
    st.markdown("\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, start=1)))
    st.markdown(
        "Data, fold, method and C are chosen on the left; a fold is one division of the dataset into training, "
        "validation and test part. Each page of the menu shows the same choice."
    )
    st.markdown("Three stories begin with a choice made for you:")
    for preset in presets.GUIDED:
        shown: dict[str, Any] = {"type": "tertiary", "icon": ":material/menu_book:", "help": preset.sentence}
        key = f"guided_{preset.title}"
        if button(preset.title, key=key, on_click=presets.open_guided, args=(preset,), **shown):
            st.switch_page(f"pages/{preset.page}.py", query_params=ratio_query(preset.state[keys.RATIO_STEP]))


def _more(downloads: Callable[[], None] | None) -> None:
    if downloads is not None:
        downloads()
    _own_data()


def _own_data() -> None:
    st.markdown(
        "Drop a file of your own anywhere on this page, or press **Your own data** on the left; it stays on this "
        "machine. Two kinds are read, plain or `.gz`:\n\n"
        "- **LETOR / SVMlight**: a document a line, `2 qid:10 1:0.5 3:0.25 # comment`: relevance, query, "
        "`feature:value`.\n"
        "- **CSV**: columns for relevance (`relevance`), query (`qid`) and features by name; or features with a class "
        "in the last or first column, or in one named `class`, which the model learns to put on top.\n\n"
        "Whole datasets with folds go into a folder named by the environment variable `SPARSE_RANK_DATA`, as "
        "`NAME/Fold1/train.txt`, `vali.txt`, `test.txt` and so on. "
        "[Everything that is read](docs?document=reference/file_formats)"
    )
