"""Cut-down models over all folds of a dataset: the means and bands of FSMRank's Figs. 1-3, as one job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.content import text_key
from core.experiments.papers.folds import FoldRef
from core.experiments.papers.fsmrank_sizes import QUICK_SIZES, SizeOutcome, size_cells, size_outcome
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners.registry import get_learner
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation_over_folds import TruncationOverFolds
from pages.shared import keys, scripts
from pages.shared.choice import access, ready
from pages.shared.choice.choice import Loaded
from pages.shared.show import numbers, show
from pages.shared.work.cell_batch import experiment_table
from pages.shared.work.paths import given_to
from pages.views.tradeoff.folds import GRIDS

QUICK = "quick"


def truncation_folds(
    choice: Loaded, method_ids: Sequence[str], view: View, titles: Mapping[str, str], limit: int
) -> None:
    """Draw the panel for the methods of the page, over every fold.

    Parameters
    ----------
    method_ids : sequence of str
    limit : int
        The number of features that the page is about.
    """
    st.subheader("Cut down without a refit, mean of all folds", anchor=False)
    if "vali" not in choice.fold.parts():
        st.caption("This picture needs folds with a validation part, on which each chooses its own model.")
        return
    grid = st.session_state.get(keys.TRADEOFF_GRID, QUICK)
    choices = {MethodChoice.of(get_learner(name), given_to(choice, name)): titles[name] for name in method_ids}
    sizes = QUICK_SIZES if grid == QUICK else None
    cells = size_cells(_folds(choice), tuple(choices), points=GRIDS[grid], measure=view.measure, sizes=sizes)
    st.caption(
        f"On every fold each method's model is the best of {GRIDS[grid]} C by validation {view.measure}. Its k "
        "largest weights stay as they are, the others become 0, as in Figs. 1 to 3 of Lai et al. (2013, FSMRank); a "
        "method that chooses features first is fitted with k of them, and its C is chosen again."
    )
    picture = TruncationOverFolds(
        access.dataset(choice.source),
        {one.method: dict(one.given) for one in choices},
        measure=view.measure,
        part=view.part,
        points=GRIDS[grid],
        sizes=sizes,
        limit=limit,
        convention=choice.convention,
        n_usable=view.across.usable,
    )
    experiment_table("truncation_folds", cells, size_outcome, lambda found: _draw(choice, picture, found))


def _folds(choice: Loaded) -> tuple[FoldRef, ...]:
    """Every fold of the chosen dataset, told by where it comes from: reading all of them to tell would take long."""
    dataset, version = access.dataset(choice.source), text_key(ready.version_of(choice.source))
    # The reader of core has a cache of its own.
    return tuple(
        FoldRef(
            dataset=dataset.name,
            number=number,
            identity=(("source", repr(choice.source)), ("version", version), ("fold", str(number))),
            convention=choice.convention,
            n_features=choice.fold.train.n_features,
            opener=lambda number=number: dataset.fold(number),  # type: ignore[misc]
        )
        for number in range(1, dataset.n_folds + 1)
    )


def _draw(choice: Loaded, picture: TruncationOverFolds, outcomes: Sequence[SizeOutcome]) -> None:
    known = {"outcomes": tuple(outcomes)}
    found = numbers(picture, known)
    if found is None or not found.means:
        st.info("Press Start to compute every fold; the picture appears when the first one is complete.")
        return
    complete = found.n_folds == access.dataset(choice.source).n_folds
    show(picture, scripts.chosen_data(choice), choice.fold, found=found, known=known, scripted=complete)
