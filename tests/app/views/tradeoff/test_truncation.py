"""Cut-down models on the Trade-off page: numbers of the models themselves, on every kind of data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.data import open_dataset
from core.methods import get_method
from core.metrics import evaluate_ranking
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, until

pytestmark = pytest.mark.usefixtures("all_unfolded")


def settled(app: AppTest) -> AppTest:
    """Run until nothing is being worked out any more."""
    until(lambda: not any(b.key in ("paths_stop", "steps_stop") for b in app.run().button))
    assert_fine(app)
    return app


def cut_table(app: AppTest) -> pd.DataFrame:
    return next(frame.value for frame in app.dataframe if "kind" in frame.value.columns)


def test_the_best_models_keep_their_largest_weights_and_filters_are_refitted(open_app: Open) -> None:
    app = settled(open_app("tradeoff", dataset="planted", tradeoff_methods="l1,fs-rank", tradeoff_measure="MAP"))
    table = cut_table(app)
    assert {"ℓ1", "FS-Rank", "ℓ2", "the chosen ℓ1"} == set(table["model"])
    dataset, method = open_dataset("planted"), get_method("l1")
    judge = FoldJudge(dataset.fold(1), dataset.convention)
    training = method.training(judge.fold.train)
    lams = lambda_grid(training.lam_max, len(method.ratios), float(method.ratios[-1]))
    path = list(regularization_path(method, training, lams, judge))
    weights = max(path, key=lambda point: (point.metrics["vali"]["MAP"], point.fit.lam)).fit.weights
    order = np.argsort(-np.abs(weights), kind="stable")
    mine = table[(table["model"] == "ℓ1") & (table["kind"] == "cut down")]
    assert mine["features"].tolist() == list(range(1, np.count_nonzero(weights) + 1))
    test = judge.fold.test
    assert test is not None
    for k in (1, 3, len(mine)):
        kept = np.where(np.isin(np.arange(len(weights)), order[:k]), weights, 0.0)
        expected = evaluate_ranking(test, test.features @ kept, dataset.convention)["MAP"]
        assert mine["MAP test"].iloc[k - 1] == pytest.approx(expected, abs=1e-9)
    refitted = table[(table["model"] == "FS-Rank") & (table["kind"] == "fitted")]
    assert refitted["features"].tolist() == list(range(1, 61))


def test_without_a_validation_part_and_with_one_list_it_stands_too(
    open_app: Open, own_table: Callable[..., str]
) -> None:
    rng = np.random.default_rng(5)
    features = rng.normal(size=(60, 90))
    name = own_table("ninety", features, features[:, 3] + 0.3 * rng.normal(size=60) > 0)
    app = settled(open_app("tradeoff", dataset=name, division="one split", tradeoff_methods="gas-e"))
    table = cut_table(app)
    assert "Top test" in table.columns
    assert table.loc[(table["model"] == "ℓ2"), "features"].max() == 90
