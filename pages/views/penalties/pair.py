"""The two-feature problem of the Penalties page: which two features, and everything worked out for them, kept."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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
from core.figures.look.style import short
from core.methods import Fit, Method, Training
from core.names.plain import in_markdown
from core.penalties import Penalty
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
    key : tuple
        Fingerprint of the data and the two columns; what everything worked out is kept by.
    where : str
        Dataset in words, with how many of its queries stand for it.
    described : PairDescription
        The same for scripts.
    """

    key: tuple[str, int, int]
    training: Training
    names: tuple[str, str]
    where: str
    described: PairDescription

    @property
    def terrain(self) -> Map:
        return _terrain(self.key, self.training)

    def minima(self, method: Method, parameters: dict[str, float]) -> tuple[tuple[Fit, ...], ...]:
        """The minima at each of `RATIOS`, lowest first."""
        return _trajectory(self.key, method.id, tuple(parameters.items()), self.training, method)

    def rounds(self, penalty: Penalty, ratio: float, key: tuple[object, ...]) -> tuple[Round, ...]:
        """Reweighting round by round; ``key`` names the penalty."""
        return _rounds(self.key, key, ratio, self.training, penalty)

    def starts(
        self, method: Method, parameters: dict[str, float], ratio: float, n: int, seed: int
    ) -> tuple[FloatArray, tuple[Minimum, ...]]:
        """Random starts on the map, and the minima in which they end."""
        terrain = self.terrain
        return _starts(self.key, method.id, tuple(parameters.items()), ratio, n, seed, self.training, method, terrain)


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


def choose_ratio() -> float:
    """A slider for lambda / lambda_max."""
    return float(
        st.select_slider(
            "λ / λ_max",
            RATIOS,
            value=RATIOS[13],
            format_func=short,
            key="pair_ratio",
            bind="query-params",
            persist_state="session",
            help="The weight of the penalty, as a share of λ_max: the smallest λ at which the ℓ1 model of these two "
            "features is empty.",
        )
    )


def _choose_columns(choice: Loaded, place: DeltaGenerator) -> Pair | None:
    data = choice.fold.train
    columns = [int(j) for j in varying_features(data)]
    if len(columns) < 2:
        place.info(
            f"{in_markdown(choice.where)} has {'no feature' if not columns else 'one feature only'} that differs "
            "between "
            "documents of a query, so there is no pair to draw. The made-up features show what happens with two.",
            icon="🪧",
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
        place.info(f"Both are {in_markdown(data.feature_names[a])}: choose two different features.", icon="🪧")
        return None
    try:
        return _pair(data, (a, b), choice.where, PairDescription(chosen_data(choice), (a + 1, b + 1)))
    except DataError as error:
        place.info(f"These two features give no picture: {in_markdown(str(error))}.", icon="🪧")
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
    key = (data.fingerprint, *columns)
    training = _training(key, data)
    used = training.data.n_queries
    sampled = "" if used == data.n_queries else f", {used:,} of {data.n_queries:,} queries"
    a, b = (data.feature_names[j] for j in columns)
    return Pair(key, training, (a, b), where + sampled, described)


@st.cache_resource(max_entries=30, show_spinner=False)
def _training(key: tuple[str, int, int], _data: RankingData) -> Training:
    return two_feature_training(_data, key[1:])


@st.cache_resource(max_entries=30, show_spinner="Measuring the loss …")
def _terrain(key: tuple[str, int, int], _training: Training) -> Map:
    return loss_map(_training)


@st.cache_resource(max_entries=100, show_spinner="Following the minima as λ falls …")
def _trajectory(
    key: tuple[str, int, int],
    method_id: str,
    parameters: tuple[tuple[str, float], ...],
    _training: Training,
    _method: Method,
) -> tuple[tuple[Fit, ...], ...]:
    return trajectory(_method, _training, dict(parameters), RATIOS)


@st.cache_resource(max_entries=100, show_spinner=False)
def _rounds(
    key: tuple[str, int, int], penalty: tuple[object, ...], ratio: float, _training: Training, _penalty: Penalty
) -> tuple[Round, ...]:
    return reweighting_rounds(_training, _penalty, _training.lam_at(ratio))


@st.cache_resource(max_entries=100, show_spinner="Rolling downhill from every start …")
def _starts(
    key: tuple[str, int, int],
    method_id: str,
    parameters: tuple[tuple[str, float], ...],
    ratio: float,
    n: int,
    seed: int,
    _training: Training,
    _method: Method,
    _terrain: Map,
) -> tuple[FloatArray, tuple[Minimum, ...]]:
    low, high = ([axis[end] for axis in (_terrain.first, _terrain.second)] for end in (0, -1))
    starts = random_starts(n, low, high, seed)
    run = StartsRun(_method, _training, _training.lam_at(ratio), starts, dict(parameters))
    ends = run.finish()
    return starts, distinct_minima(ends, run.problem)
