"""The certified line on the Trade-off page: what it says is true of its table, and what it says of rankings, too.

Cut-down models on the Trade-off page: numbers of the models themselves, on every kind of data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import lambda_grid, regularization_path
from core.data import open_dataset
from core.experiments.results.difference import Difference
from core.methods import get_method
from core.metrics import evaluate_ranking
from pages.views.tradeoff.best_sets import RANKING, rounded_down
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, until

pytestmark = pytest.mark.usefixtures("all_unfolded")

METHODS = "l1,log"


def opened(open_app: Open, **query: str) -> AppTest:
    app = open_app("tradeoff", dataset="python-docs", tradeoff_methods=METHODS, **query)
    until(lambda: at_rest() and not app.run().get("progress"))
    assert_fine(app)
    return app


def table(app: AppTest) -> pd.DataFrame:
    return next(t.value for t in app.main.dataframe if "lower bound" in t.value.columns)


def test_the_line_its_sentence_and_the_table_agree(open_app: Open) -> None:
    app = opened(open_app, k="6")
    said = next(m.value.strip("*.") for m in app.main.markdown if m.value.startswith("**At most"))
    rows = table(app)
    at = rows[rows["features at most"] == 6].set_index("method")
    best = at.loc["best subset"]
    assert best["proven"]
    found = re.match(r"At most 6 features\b.*\bno\b.* below ([\d.]*\d)\b(.+)$", said)
    assert found is not None, said
    assert float(found[1]) <= best["lower bound"]
    assert float(found[1]) == pytest.approx(best["objective"], abs=2e-4)
    drawn = at.loc[["ℓ1", "log"]]
    assert (drawn["objective"] >= best["lower bound"]).all()
    excess = 100.0 * (drawn["objective"] / best["objective"] - 1.0)
    assert excess.to_numpy() == pytest.approx(drawn["excess %"].to_numpy(), abs=1e-6)
    for title, percent in re.findall(r"(ℓ1|log) [^\d,;]*?([\d.]+) %", found[2]):
        assert float(percent) == pytest.approx(excess[title], rel=0.06)
    common = {
        title: len(set(row["names"].split(", ")) & set(best["names"].split(", "))) for title, row in drawn.iterrows()
    }
    assert common == drawn["in common"].to_dict()

    # The ranking: better is said only where the interval says so.
    said = next(m.value for m in app.main.markdown if "yardstick" in m.value)
    ours, theirs = (float(v) for v in re.findall(r"(0\.\d{4}) of", said)[:2])
    assert ours == pytest.approx(best["NDCG@10 test"], abs=6e-5)
    assert theirs == pytest.approx(drawn.loc["ℓ1", "NDCG@10 test"], abs=6e-5)
    interval = re.search(r"interval ([+-][\d.]+) to ([+-][\d.]+)", said.replace("−", "-"))
    assert interval is not None
    low, high = map(float, interval.groups())
    assert ("no clear difference" in said) == (low <= 0.0 <= high)
    assert said.startswith(f"**{RANKING['no clear difference']}.**") == (low <= 0.0 <= high)


def test_a_bound_is_rounded_so_that_it_stays_one() -> None:
    assert [rounded_down(bound) for bound in (0.58799, 0.5, 0.123449)] == [0.5879, 0.5, 0.1234]


def test_every_verdict_has_its_words() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=40)
    for shift in (-1.0, 0.0, 1.0):
        assert Difference.of(base + shift, base + 1e-3 * rng.normal(size=40)).verdict in RANKING
    assert Difference.of([1.0], [0.5]).verdict in RANKING


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
