"""One small problem for all solver tests, with its explicit-pair twin."""

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from tests.oracles import RankSvm, ranking_problem


@pytest.fixture(scope="session")
def data() -> RankingData:
    return ranking_problem()


@pytest.fixture(scope="session")
def loss(data: RankingData) -> SquaredHinge:
    return SquaredHinge.of(data)


@pytest.fixture(scope="session")
def pairs(data: RankingData) -> RankSvm:
    return RankSvm.of(data)


@pytest.fixture(scope="session")
def lam_max(pairs: RankSvm, data: RankingData) -> float:
    return float(abs(pairs.gradient(np.zeros(data.n_features))).max())
