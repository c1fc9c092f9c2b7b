"""The reference row: trees under the same folds, choice and measures as every method, and the same every time.

What a method learns for a cell: the whole way of the chosen model, without a look at the test part.
"""

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import DataError, Fold
from core.experiments.run.cells import MethodChoice
from core.experiments.run.learners import lambdamart
from core.experiments.run.learners.lambdamart import LONGEST_LIST, RATES, LambdaMart
from core.experiments.run.learners.learner import Learned, Question
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import CellResult, cell_result
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.methods import get_method
from core.metrics import JudgedLists, Measure, evaluate_ranking
from tests.experiments.made_up import table
from tests.experiments.run.test_runner import Obedient

if (missing := LambdaMart().missing) is not None:
    pytest.skip(missing, allow_module_level=True)
lightgbm = importlib.import_module("lightgbm")
CHOICE = "lambdamart:trees=12:leaf_documents=2"


@pytest.fixture
def trees_plan(folder: Path) -> Plan:
    return plan_protocol([DatasetSource(str(folder))], [MethodChoice.parse(CHOICE)], points=3)


@pytest.fixture
def result(trees_plan: Plan, fold: Fold) -> CellResult:
    return cell_result(trees_plan.cells[0], fold)


def learn(fold: Fold, points: int = 3, **settings: float) -> Learned:
    given = {"trees": 12.0, "leaf_documents": 2.0} | settings
    return LambdaMart().learn(fold, Question(given, points, "MAP", "letor4"))


def test_the_number_of_trees_is_the_one_that_ranks_the_validation_part_best(fold: Fold) -> None:
    learned = learn(fold)
    chosen = learned.record["chosen"]
    entry = next(e for e in learned.record["grid"] if (e["leaves"], e["rate"]) == (chosen["leaves"], chosen["rate"]))
    assert entry["vali"] == max(other["vali"] for other in learned.record["grid"])
    lists = np.diff(fold.train.query_offsets)
    grown = lightgbm.train(
        {"objective": "lambdarank", "num_leaves": chosen["leaves"], "learning_rate": chosen["rate"], "seed": 0,
         "min_data_in_leaf": 2, "deterministic": True, "force_col_wise": True, "num_threads": 1, "verbosity": -1,
         "feature_pre_filter": False},
        lightgbm.Dataset(np.array(fold.train.features), np.array(fold.train.relevance), group=lists),
        num_boost_round=12,
    )  # fmt: skip
    values = [
        JudgedLists(fold.vali, "letor4").rank(grown.predict(fold.vali.features, num_iteration=k)).mean(Measure("MAP"))
        for k in range(1, 13)
    ]
    place = 12 * learned.record["grid"].index(entry)
    assert learned.table.values[place : place + 12].mean(axis=1) == pytest.approx(values, abs=1e-12)
    assert chosen["trees"] == 1 + int(np.argmax(np.round(values, 12)))
    assert len(learned.table.values) == len(learned.tried) == 12 * len(learned.record["grid"])


def test_every_part_is_measured_as_linear_models_are_by_the_model_that_is_kept(result: CellResult, fold: Fold) -> None:
    kept = lightgbm.Booster(model_str=result.text)
    assert kept.num_trees() == result.record["chosen"]["trees"]
    for part, data in fold.parts().items():
        there = evaluate_ranking(data, kept.predict(data.features, raw_score=True), result.record["convention"])
        assert result.record["metrics"][part] == {name: there[name] for name in result.record["metrics"][part]}
    for measure in ("MAP", "NDCG@10"):
        assert result.per_query[measure].mean() == pytest.approx(result.test(measure), abs=1e-15)


def test_the_features_used_are_those_that_trees_split_by(result: CellResult) -> None:
    lines = [line.partition("=")[2] for line in result.text.splitlines() if line.startswith("split_feature=")]
    used = {int(word) + 1 for line in lines for word in line.split()}
    assert {feature["index"] for feature in result.record["features"]} == used
    assert set((np.flatnonzero(result.weights) + 1).tolist()) == used
    assert result.record["nonzero"] == len(used) > 0
    assert result.weights.sum() == pytest.approx(1.0)
    assert result.sparsity_ratio == len(used) / (len(result.weights) - 1)  # the last feature is zero everywhere
    assert not result.linear


def test_two_runs_are_alike_to_the_last_bit(trees_plan: Plan, fold: Fold, result: CellResult) -> None:
    cell = trees_plan.cells[0]
    assert table({cell: cell_result(cell, fold)}) == table({cell: result})


def test_the_test_part_is_not_looked_at(fold: Fold) -> None:
    assert learn(fold).text == learn(replace(fold, test=None)).text


def test_a_short_grid_tries_the_first_settings(fold: Fold) -> None:
    assert [(entry["leaves"], entry["rate"]) for entry in learn(fold, points=2).record["grid"]] == [
        (4, RATES[0]),
        (4, RATES[1]),
    ]


def test_a_list_that_is_too_long_is_said_to_be(fold: Fold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lambdamart, "LONGEST_LIST", 3)
    with pytest.raises(DataError, match=r"documents.*LightGBM.*\b3\b.*leave out lambdamart"):
        learn(fold)


def test_the_longest_list_that_is_taken_is_lightgbms_own_limit() -> None:
    for documents, taken in ((LONGEST_LIST, True), (LONGEST_LIST + 1, False)):
        rng = np.random.default_rng(0)
        data = lightgbm.Dataset(
            rng.random((documents, 2)), rng.integers(0, 2, documents), group=[documents], params={"verbosity": -1}
        )
        try:
            lightgbm.train({"objective": "lambdarank", "verbosity": -1, "num_leaves": 2, "num_threads": 1}, data, 1)
        except lightgbm.basic.LightGBMError:
            assert not taken
        else:
            assert taken


def test_where_lightgbm_is_missing_nothing_is_begun(
    tmp_path: Path, trees_plan: Plan, fold: Fold, result: CellResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    sentence = r"LightGBM.*not installed.*pip install 'sparse-ranking-lab\[lambdamart\]'"
    with pytest.raises(DataError, match=sentence):
        learn(fold)
    workers = Obedient()
    with RunStore(tmp_path) as store:
        with pytest.raises(DataError, match=sentence):
            ProtocolRun(trees_plan, tmp_path, lambda: workers)
        for cell in trees_plan.cells:
            store.put(cell, result)
        with ProtocolRun(trees_plan, tmp_path, lambda: workers) as run:  # what is finished can be looked at
            assert len(run.results()) == len(trees_plan.cells)
    assert workers.asked == []


def test_settings_are_checked(fold: Fold) -> None:
    assert MethodChoice.parse("lambdamart:trees=300") == MethodChoice("lambdamart")
    with pytest.raises(ValueError, match=r"lambdamart.*no parameter 'epsilon'.*trees, leaf_documents"):
        MethodChoice.parse("lambdamart:epsilon=1")
    with pytest.raises(ValueError, match=r"\btrees .*\b1\b.*\b10000\b"):
        MethodChoice.parse("lambdamart:trees=0")


@pytest.mark.parametrize("method_id", ["l1", "log", "fsmrank"])
def test_no_linear_method_looks_at_the_test_part(method_id: str, fold: Fold) -> None:
    question = Question(get_method(method_id).settings(), 4, "MAP", "letor4")
    with_it, without = (get_learner(method_id).learn(f, question) for f in (fold, replace(fold, test=None)))
    assert with_it.weights.tobytes() == without.weights.tobytes()
