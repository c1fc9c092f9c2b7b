"""The controls for the two features of the Penalties page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.penalties.pair import FeaturePair
from core.analysis.penalties.two_features import RATIOS, telling_pair, varying_features
from core.data import DataError, Fold, RankingData
from core.export.scripts.description import DataDescription
from core.figures.penalties.two_features import PairPicture
from core.methods import Method
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.cache import cached
from pages.shared.choice import address
from pages.shared.choice.choice import DEFAULT_STEP, Loaded, ratio_at
from pages.shared.show import chosen_data, show

Found = TypeVar("Found")

_PAIR = "pair"
_PAIR_OF = "pair_of"
MADE_UP, CHOSEN = "made up", "from the chosen data"


@dataclass(frozen=True, eq=False)
class Pair:
    """Two features to look at."""

    features: FeaturePair
    where: str  # dataset in words, with how many of its queries stand for it
    # The dataset for scripts, and ``fold`` the fold that they are of; None for those that are made up.
    described: DataDescription | None = None
    fold: Fold | None = None

    def show(self, picture: PairPicture[Found]) -> Found | None:
        """Render a picture of the two."""
        return show(picture, self.described or (), self.fold, fill=True)


@dataclass(frozen=True, eq=False)
class Problem:
    """Two features under a penalty, and where a part of the page draws them."""

    pair: Pair
    method: Method  # whose penalty it is, with its ``parameters``
    parameters: dict[str, float]
    ratio: float  # lambda / lambda_max
    head: DeltaGenerator  # for one sentence that says what is seen
    left: DeltaGenerator  # within the place of the page's picture: the picture
    right: DeltaGenerator  # there, too: what is read beside it

    @property
    def options(self) -> dict[str, Any]:
        """The problem as options of a picture, whose sentence stands over the page."""
        given = {"ratio": self.ratio, "parameters": self.parameters or None, "pair": self.pair.features}
        return {**given, "headed": True}

    def draw(self, picture: PairPicture[Found]) -> Found | None:
        """Draw the picture of a part, and its sentence."""
        with self.left:
            found = self.pair.show(picture)
        if found is not None:
            self.head.header(in_markdown(picture.words(found).alt), anchor=False)
        return found


def choose_pair(choice: Loaded | None, place: DeltaGenerator) -> Pair | None:
    """Draw the controls for the two features; where they make no pair, say why in ``place`` and return None."""
    options = [MADE_UP] if choice is None else [MADE_UP, CHOSEN]
    if st.session_state.get(_PAIR, MADE_UP) not in options:
        st.session_state.pop(_PAIR)
    origin = address.one_of(
        "Two features",
        options,
        key=_PAIR,
        persist_state="session",
        label_visibility="visible",
        help="Two generated features, both noisy copies of the same quality, or two features of the sidebar's data.",
    )
    if choice is None:
        st.caption("The sidebar's data cannot be used at the moment. The made-up features do not need it.")
    if origin != CHOSEN or choice is None:
        return Pair(_pair(None, (1, 2)), "two redundant features, made up")
    data = choice.fold.train
    columns = [int(j) for j in varying_features(data)]
    if len(columns) < 2:
        place.info(
            f"{in_markdown(choice.where)} has {'no feature' if not columns else 'one feature only'} that differs "
            "between "
            "documents of a query, so there is no pair to draw. The made-up features show what happens with two.",
        )
        return None
    if st.session_state.get(_PAIR_OF, data.fingerprint) != data.fingerprint:
        for key in ("feature_a", "feature_b"):
            st.session_state.pop(key, None)
    st.session_state[_PAIR_OF] = data.fingerprint
    first, second = telling_pair(data)
    a = _choose_column("First feature", "feature_a", columns, first, data)
    b = _choose_column("Second feature", "feature_b", columns, second, data)
    if a == b:
        place.info(f"Both are {in_markdown(data.feature_names[a])}: choose two different features.")
        return None
    try:
        features = _pair(data, (a + 1, b + 1))
    except DataError as error:
        place.info(f"These two features cannot be drawn: {in_markdown(str(error))}.")
        return None
    where = f"{choice.where}, {features.used}" if features.used else choice.where
    return Pair(features, where, chosen_data(choice), choice.fold)


def ratio_of_choice(choice: Loaded | None) -> float:
    """Return the one of `RATIOS` nearest to the lambda / lambda_max that the sidebar has."""
    step: int = st.session_state.get(keys.RATIO_STEP, DEFAULT_STEP)
    ratio = ratio_at(step) if choice is None else choice.ratio
    return RATIOS[int(np.abs(np.log(np.array(RATIOS) / ratio)).argmin())]


def _choose_column(label: str, key: str, columns: list[int], default: int, data: RankingData) -> int:
    if st.session_state.get(key, default) not in columns:
        st.session_state.pop(key)
    return int(
        st.selectbox(
            label,
            columns,
            index=columns.index(default),
            format_func=lambda j: f"{j + 1} {data.feature_names[j]}",
            key=key,
            bind="query-params",
            persist_state="session",
            help="Features that differ within some query. The page begins with a strong feature and the strong feature "
            "most similar to it.",
        )
    )


@cached()
def _pair(data: RankingData | None, features: tuple[int, int]) -> FeaturePair:
    """The pair, whose problem has been made; an error where the two cannot be drawn."""
    pair = FeaturePair(data, features)
    _ = pair.training
    return pair
