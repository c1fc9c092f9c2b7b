"""The two-feature problem of the Penalties page: which two features, and everything worked out for them, kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.penalties.penalty_shape import penalty_of
from core.analysis.penalties.reweighting import Round, reweighting_rounds
from core.analysis.penalties.several_starts import Minimum, StartsRun, distinct_minima, random_starts
from core.analysis.penalties.two_features import (
    RATIOS,
    Map,
    loss_map,
    redundant_pair,
    telling_pair,
    trajectory,
    two_feature_training,
    varying_features,
)
from core.data import DataError, RankingData
from core.data.ranking_data import FloatArray
from core.export.scripts.penalties import PairDescription
from core.methods import Fit, Method, Training, get_method
from core.names.plain import in_markdown
from pages.shared import keys
from pages.shared.cache import cached
from pages.shared.choice.c import DEFAULT_STEP, ratio_at
from pages.shared.choice.choice import Loaded
from pages.shared.scripts import chosen_data

_PAIR = "pair"
_PAIR_OF = "pair_of"
MADE_UP, CHOSEN = "made up", "from the chosen data"


@dataclass(frozen=True, eq=False)
class Pair:
    """Two features to look at.

    Attributes
    ----------
    training : Training
        Of the two features alone.
    names : tuple of str
    where : str
        Dataset in words, with how many of its queries stand for it.
    described : PairDescription
        The same for scripts.
    """

    training: Training
    names: tuple[str, str]
    where: str
    described: PairDescription

    @property
    def terrain(self) -> Map:
        return _terrain(self.training)

    def minima(self, method: Method, parameters: dict[str, float]) -> tuple[tuple[Fit, ...], ...]:
        """The minima at each of `RATIOS`, lowest first."""
        return _trajectory(self.training, method.id, parameters)

    def rounds(self, method: Method, parameters: dict[str, float], ratio: float) -> tuple[Round, ...]:
        """Reweighting round by round."""
        return _rounds(self.training, method.id, parameters, ratio)

    def starts(
        self, method: Method, parameters: dict[str, float], ratio: float, n: int, seed: int
    ) -> tuple[FloatArray, tuple[Minimum, ...]]:
        """Random starts on the map, and the minima in which they end."""
        return _starts(self.training, method.id, parameters, ratio, n, seed)


def choose_pair(choice: Loaded | None, place: DeltaGenerator) -> Pair | None:
    """Draw the controls for the two features; where they make no pair, say why in ``place`` and return None."""
    if _choose_origin(choice) != CHOSEN or choice is None:
        return _pair(redundant_pair(), (0, 1), "two redundant features, made up", PairDescription())
    return _choose_columns(choice, place)


def _choose_origin(choice: Loaded | None) -> str | None:
    options = [MADE_UP] if choice is None else [MADE_UP, CHOSEN]
    if st.session_state.get(_PAIR, MADE_UP) not in options:
        st.session_state.pop(_PAIR)
    origin = st.segmented_control(
        "Two features",
        options,
        default=MADE_UP,
        required=True,
        key=_PAIR,
        bind="query-params",
        persist_state="session",
        help="Two generated features, both noisy copies of the same quality, or two features of the sidebar's data.",
    )
    if choice is None:
        st.caption("The sidebar's data cannot be used at the moment. The made-up features do not need it.")
    return origin


def ratio_of_choice(choice: Loaded | None) -> float:
    """Return the one of `RATIOS` nearest to the lambda / lambda_max that the sidebar has."""
    step: int = st.session_state.get(keys.RATIO_STEP, DEFAULT_STEP)
    ratio = ratio_at(step) if choice is None else choice.lam / choice.training.lam_max
    return RATIOS[int(np.abs(np.log(np.array(RATIOS) / ratio)).argmin())]


def _choose_columns(choice: Loaded, place: DeltaGenerator) -> Pair | None:
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
        return _pair(data, (a, b), choice.where, PairDescription(chosen_data(choice), (a + 1, b + 1)))
    except DataError as error:
        place.info(f"These two features cannot be drawn: {in_markdown(str(error))}.")
        return None


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


def _pair(data: RankingData, columns: tuple[int, int], where: str, described: PairDescription) -> Pair:
    training = _training(data, columns)
    used = training.data.n_queries
    sampled = "" if used == data.n_queries else f", {used:,} of {data.n_queries:,} queries"
    a, b = (data.feature_names[j] for j in columns)
    return Pair(training, (a, b), where + sampled, described)


@cached()
def _training(data: RankingData, columns: tuple[int, int]) -> Training:
    return two_feature_training(data, columns)


@cached(says="Measuring the loss …")
def _terrain(training: Training) -> Map:
    return loss_map(training)


@cached(says="Following the minima as λ falls …")
def _trajectory(training: Training, method_id: str, parameters: Mapping[str, float]) -> tuple[tuple[Fit, ...], ...]:
    return trajectory(get_method(method_id), training, dict(parameters), RATIOS)


@cached()
def _rounds(training: Training, method_id: str, parameters: Mapping[str, float], ratio: float) -> tuple[Round, ...]:
    penalty = penalty_of(get_method(method_id), parameters)
    return reweighting_rounds(training, penalty, training.lam_at(ratio))


@cached(says="Fitting from every start …")
def _starts(
    training: Training, method_id: str, parameters: Mapping[str, float], ratio: float, n: int, seed: int
) -> tuple[FloatArray, tuple[Minimum, ...]]:
    terrain = _terrain(training)
    low, high = ([axis[end] for axis in (terrain.first, terrain.second)] for end in (0, -1))
    starts = random_starts(n, low, high, seed)
    run = StartsRun(get_method(method_id), training, training.lam_at(ratio), starts, dict(parameters))
    ends = run.finish()
    return starts, distinct_minima(ends, run.problem)
