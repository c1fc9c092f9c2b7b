"""The protocol on one fold: what is chosen, where it is measured, and that nothing else matters."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.choosing import ChoiceRule
from core.analysis.tuning.tuning import tuning_grid
from core.data import DataError, Fold, RankingData
from core.data.division import draw_seed, query_order
from core.experiments.run.cells import Cell, MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import cell_result
from core.methods import get_method
from core.metrics import JudgedLists, Measure, evaluate_ranking
from tests.oracles import RankSvm, optimum


@pytest.fixture
def cell(plan: Plan) -> Cell:
    """log on fold 1."""
    return next(cell for cell in plan.cells if cell.choice.method == "log")


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_the_best_on_validation_is_measured_on_the_test_part(cell: Cell, fold: Fold, measure: str) -> None:
    result = cell_result(replace(cell, measure=measure), fold)
    method = get_method("log")
    training = method.training(fold.train)
    values = []
    for lam in training.lam_max * np.geomspace(1.0, 1e-4, 4):
        weights = method.fit(training, float(lam)).weights
        fair = JudgedLists(fold.vali, cell.convention).rank(fold.vali.features @ weights)
        values.append(fair.mean(Measure.parse(measure)))
    assert [point["vali"] for point in result.record["grid"]] == pytest.approx(values, abs=1e-9)
    chosen = int(np.argmax(values))
    assert result.record["lambda"] == pytest.approx(result.record["grid"][chosen]["lambda"])
    assert chosen > 0  # the test would say nothing of an empty model
    there = evaluate_ranking(fold.test, fold.test.features @ result.weights, cell.convention)
    for name in ("MAP", "NDCG@10"):
        assert result.test(name) == there[name] == pytest.approx(result.per_query[name].mean())
        assert len(result.per_query[name]) == fold.test.n_queries


def test_a_long_grid_of_a_method_is_thinned_and_a_short_one_kept(fold: Fold) -> None:
    l1, radii = get_method("l1"), get_method("fenchelrank")
    training = l1.training(fold.train)
    assert tuning_grid(l1, training, points=5) == pytest.approx(training.lam_max * np.geomspace(1.0, 1e-4, 5))
    assert tuning_grid(radii, training, points=20) == pytest.approx(radii.grid(training))


def test_other_data_and_another_program_are_refused(cell: Cell, fold: Fold) -> None:
    other = replace(fold, train=fold.train.with_features(fold.train.features + 1.0))
    with pytest.raises(DataError, match=r"fold 1 of three-folds\b.*\bchanged\b"):
        cell_result(cell, other)
    with pytest.raises(DataError, match="same version everywhere"):
        cell_result(replace(cell, code="0.0.1+abc"), fold)


def test_a_dataset_without_a_validation_part_is_refused_before_anything_runs(folder: Path) -> None:
    single = DatasetSource(str(folder / "Fold1" / "train.txt"))
    with pytest.raises(DataError, match="no validation part"):
        plan_protocol([single], [MethodChoice("l1")])


def test_two_datasets_of_one_name_are_refused(folder: Path, tmp_path: Path) -> None:
    twin = tmp_path / folder.name
    twin.symlink_to(folder)
    with pytest.raises(DataError, match=r"\btwo\b.*datasets.*\bthree-folds\b"):
        plan_protocol([DatasetSource(str(folder)), DatasetSource(str(twin))], [MethodChoice("l1")])


def test_the_choice_on_resampled_queries_is_the_one_by_hand(cell: Cell, fold: Fold) -> None:
    result = cell_result(cell, fold)
    method, training = get_method("log"), get_method("log").training(fold.train)
    weights = [method.fit(training, float(lam)).weights for lam in training.lam_max * np.geomspace(1.0, 1e-4, 4)]
    judged = JudgedLists(fold.vali, cell.convention)
    values = np.array([judged.rank(fold.vali.features @ w).per_query(Measure("MAP")) for w in weights])
    tests = [evaluate_ranking(fold.test, fold.test.features @ w, cell.convention)["MAP"] for w in weights]
    rng = np.random.default_rng(draw_seed(fold.vali))
    values = values[:, query_order(fold.vali)]
    n = fold.vali.n_queries
    chosen = [  # the first of the largest lambdas among equals
        int(np.argmax(np.round(values @ rng.multinomial(n, np.full(n, 1 / n)) / n, 12))) for _ in range(500)
    ]
    np.testing.assert_allclose(result.over_choices("MAP"), [tests[i] for i in chosen], atol=1e-9)
    sizes = [np.count_nonzero(w) for w in weights]
    np.testing.assert_array_equal(result.over_choices("features"), [sizes[i] for i in chosen])
    models = result.record["choice"]["models"]
    assert models[0]["lambda"] == pytest.approx(result.record["lambda"])
    assert models[0]["MAP"] == pytest.approx(result.test("MAP"))
    assert sum(model["share"] for model in models) == pytest.approx(1.0)
    assert len(set(chosen)) > 1  # the test would say nothing of a choice that never changes


@pytest.mark.parametrize("rule", ["one-se", "average"])
def test_another_rule_takes_another_model_of_the_same_grid(cell: Cell, fold: Fold, rule: ChoiceRule) -> None:
    best, other = cell_result(cell, fold), cell_result(replace(cell, rule=rule), fold)
    assert other.record["choice"]["rule"] == rule
    assert [p["lambda"] for p in best.record["grid"]] == [p["lambda"] for p in other.record["grid"]]
    assert cell.key != replace(cell, rule=rule).key
    if rule == "one-se":
        assert other.record["nonzero"] <= best.record["nonzero"]


def test_an_optimum_that_is_empty_everywhere_is_a_result_whose_choice_has_no_noise(cell: Cell, fold: Fold) -> None:
    hopeless = Fold(fold.name, *(one_sided(data) for data in fold.parts().values()))
    choice = MethodChoice("infinite-push-l1")
    prints = tuple(data.fingerprint for data in hopeless.parts().values())
    result = cell_result(replace(cell, choice=choice, settings=choice.settings, fingerprints=prints), hopeless)
    assert not result.weights.any()
    assert (result.record["grid"], result.record["lambda"], result.record["C"]) == ([], 0.0, None)
    assert result.record["nonzero"] == result.sparsity_ratio == 0
    assert np.ptp(result.over_choices("MAP")) == np.ptp(result.over_choices("features")) == 0.0
    assert result.over_choices("MAP")[0] == pytest.approx(result.test("MAP"))


@pytest.mark.parametrize("draw", [1, 2])
def test_a_draw_is_trained_on_its_queries_written_out_as_often_as_they_are_drawn(
    cell: Cell, fold: Fold, draw: int
) -> None:
    """Against L-BFGS on explicit pairs, query by query: a pair of two copies of a query would be seen."""
    l1 = replace(cell, choice=MethodChoice("l1"), settings=MethodChoice("l1").settings, draw=draw)
    result = cell_result(l1, fold)
    train, vali = fold.train, fold.vali
    n = train.n_queries
    drawn = query_order(train)[np.random.default_rng([draw_seed(train), draw]).integers(n, size=n)]
    assert len(set(drawn.tolist())) < n  # else none is there twice
    svm = RankSvm(np.vstack([RankSvm.of(train.take_queries([q])).differences for q in drawn]))
    lam_max = float(np.abs(svm.gradient(np.zeros(train.n_features))).max())
    lams = lam_max * np.geomspace(1.0, 1e-4, 4)
    models = [optimum(svm, float(lam), np.ones(train.n_features))[0] for lam in lams[1:]]
    judged = JudgedLists(vali, cell.convention)
    values = [judged.rank(vali.features @ w).mean(Measure("MAP")) for w in models]
    chosen = int(np.argmax(values))
    assert result.record["lambda"] == pytest.approx(lams[1 + chosen])
    assert result.weights == pytest.approx(models[chosen], abs=2e-3)
    theirs = evaluate_ranking(fold.test, fold.test.features @ result.weights, cell.convention)
    assert (result.test("MAP"), result.record["nonzero"]) == (theirs["MAP"], np.count_nonzero(result.weights))


def test_draws_are_cells_of_their_own_after_all_others(plan: Plan, folder: Path) -> None:
    drawn = plan_protocol([DatasetSource(str(folder))], plan.choices, points=4, draws=2)
    n = len(plan.cells)
    assert [cell.key for cell in drawn.cells[:n]] == [cell.key for cell in plan.cells]
    assert {cell.draw for cell in drawn.cells[n:]} == {1, 2}
    assert len(drawn.cells) == 3 * n == len({cell.key for cell in drawn.cells})
    more = plan_protocol([DatasetSource(str(folder))], plan.choices, points=4, draws=3)
    assert {cell.key for cell in drawn.cells} < {cell.key for cell in more.cells}


def one_sided(data: RankingData) -> RankingData:
    """Every relevant document has a copy that is not: no model puts one above it."""
    rows = np.repeat(np.arange(data.n_documents), 2)
    relevance = np.where(np.arange(len(rows)) % 2, 0, data.relevance[rows])
    return RankingData.build(data.features[rows], relevance, 2 * data.query_offsets, feature_names=data.feature_names)


def test_several_starts_are_told_beside_the_same_model(cell: Cell, fold: Fold, plan: Plan, folder: Path) -> None:
    plain, several = cell_result(cell, fold), cell_result(replace(cell, starts=6), fold)
    assert several.weights.tobytes() == plain.weights.tobytes()
    assert "starts" not in plain.record
    told = several.record["starts"]
    assert sum(minimum["starts"] for minimum in told["minima"]) == 6
    assert told["minima"][0]["objective"] == min(minimum["objective"] for minimum in told["minima"])
    assert told["minima"][told["model"]]["objective"] == pytest.approx(several.record["objective"], rel=1e-6)
    # Only where a start matters is there another cell to be worked out.
    wider = plan_protocol([DatasetSource(str(folder))], plan.choices, points=4, starts=6)
    same = {a.choice.method: a.key == b.key for a, b in zip(plan.cells, wider.cells, strict=True)}
    assert same == {"l1": True, "log": False, "l2": True}
