"""Cut-down models over all folds on the Trade-off page: means of what each fold's own model is worth."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.data import open_dataset
from core.methods import get_method
from core.metrics import evaluate_ranking
from pages.shared import cache
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, press, until

pytestmark = pytest.mark.usefixtures("all_unfolded")

ALL = {"dataset": "planted", "tradeoff_methods": "l1", "tradeoff_folds": "all", "tradeoff_measure": "MAP"}


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    cache.clear()


def settled(app: AppTest) -> AppTest:
    until(lambda: not {"paths_stop", "tradeoff_batch_stop"} & {b.key for b in app.run().button})
    assert_fine(app)
    return app


@pytest.mark.more
def test_the_means_are_those_of_every_folds_own_model(open_app: Open) -> None:
    app = settled(open_app("tradeoff", **ALL))
    assert any("Start" in info.value and "every fold" in info.value for info in app.info)
    press(app, "truncation_folds_start")
    job = app.session_state["truncation_folds_job"]
    until(lambda: not job.active)
    app.run()
    assert_fine(app)
    shown = next(frame.value for frame in app.dataframe if "features at most" in frame.value.columns)
    mine = shown[shown["method"] == "ℓ1"].set_index("features at most")

    dataset, method = open_dataset("planted"), get_method("l1")
    by_fold: list[list[float]] = []
    for number in range(1, dataset.n_folds + 1):
        fold = dataset.fold(number)
        training = method.training(fold.train)
        lams = training.lam_max * np.geomspace(1.0, float(method.ratios[-1]), 17)
        fits = [method.fit(training, float(lam)) for lam in lams]
        vali = [evaluate_ranking(fold.vali, fold.vali.features @ f.weights, dataset.convention)["MAP"] for f in fits]
        weights = fits[int(np.argmax(vali))].weights
        order = np.argsort(-np.abs(weights), kind="stable")
        by_fold.append([])
        for k in range(1, 11):
            cut = np.where(np.isin(np.arange(len(weights)), order[:k]), weights, 0.0)
            by_fold[-1].append(evaluate_ranking(fold.test, fold.test.features @ cut, dataset.convention)["MAP"])
    for k in range(1, 11):
        values = [fold[k - 1] for fold in by_fold]
        assert mine.loc[k, "mean"] == pytest.approx(mean(values), abs=1e-6)
        assert mine.loc[k, "standard error"] == pytest.approx(np.std(values, ddof=1) / 5**0.5, abs=1e-6)
        assert mine.loc[k, "folds"] == 5


def test_one_fold_has_its_own_picture(open_app: Open) -> None:
    app = settled(open_app("tradeoff", **{**ALL, "tradeoff_folds": "this one"}))
    assert "Cut down without a refit" in [heading.value for heading in app.subheader]
    assert not [button for button in app.button if button.key == "truncation_folds_start"]
