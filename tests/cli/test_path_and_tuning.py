"""``path`` runs from the empty model on; ``fit --tune`` takes its best point by the validation part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.data import read_letor
from tests.cli.conftest import Ask, Command
from tests.oracles import RankSvm
from tests.says import assert_says


def test_a_path_under_costs_starts_where_the_model_under_costs_is_empty(folds: Path, ask: Ask) -> None:
    points = ask("path", folds, "--points", 7, "--costs", "8:0.1")["points"]
    train = read_letor(folds / "Fold1" / "train.txt")
    costs = np.where(np.arange(15) == 7, 0.1, 1.0)  # of which only the ratios matter
    gradient = np.abs(RankSvm.of(train).gradient(np.zeros(15)))
    assert points[0]["lambda"] == pytest.approx((gradient / costs * costs.mean()).max(), rel=1e-9)
    assert (points[0]["nonzero"], points[-1]["nonzero"] > 5) == (0, True)


def fair(record: dict, measure: str) -> float:
    """The measure on validation in expectation over the orders of tied documents."""
    return record["expected_over_ties"].get("vali", {}).get(measure, record["metrics"]["vali"][measure])


def test_another_rule_takes_a_sparser_model_and_says_so(folds: Path, ask: Ask, run: Command) -> None:
    best, sparser = (ask("fit", folds, "--fold", 2, "--tune", "map", "--choose", rule) for rule in ("best", "one-se"))
    assert sparser["nonzero"] <= best["nonzero"]
    assert sparser["tuned"]["vali"] <= best["tuned"]["vali"]
    assert sparser["tuned"]["choice"]["rule"] == "one-se"
    printed = run("fit", folds, "--fold", 2, "--tune", "map", "--choose", "one-se").out
    noise = sparser["tuned"]["choice"]["nonzero"]
    assert_says(printed, "one standard error", f"{noise['mean']:.1f} ± {noise['deviation']:.1f} features")


@pytest.mark.parametrize("measure", ["rr", "err@3", "r@2", "ndcg@50"])
def test_a_measure_that_paths_do_not_list_chooses_and_is_told_of_every_part(
    measure: str, folds: Path, ask: Ask
) -> None:
    record = ask("fit", folds, "--fold", 2, "--tune", measure)
    name, tuned = measure.upper(), record["tuned"]
    assert tuned["measure"] == name
    assert all(0.0 < values[name] <= 1.0 for values in record["metrics"].values())
    assert fair(record, name) == pytest.approx(tuned["vali"], abs=1e-12)
    assert name in tuned["choice"]["test"]


def test_what_cannot_be_tuned_on_is_refused_before_a_path_is_fitted(
    letor_file: Path, refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long path would otherwise be fitted in vain."""
    from core.analysis import fitting

    fitted = []
    monkeypatch.setattr(fitting, "tuning_fits", lambda *words, **options: fitted.append(words) or [])
    assert "no validation part" in refused("fit", letor_file, "--tune", "map")
    assert not fitted


def test_a_number_of_features_given_at_its_default_is_not_tried(folds: Path, ask: Ask, run: Command) -> None:
    fixed = ("fit", folds, "--method", "fs-rank", "--tune", "map", "--set", "k=20")
    assert "tried" not in ask(*fixed)["tuned"]
    assert "among 5, " not in run(*fixed).out
    tuned = ask(*fixed[:-2])["tuned"]
    free = run(*fixed[:-2]).out
    assert tuned["tried"]["k"][0] == 5
    assert_says(free, f"k = {tuned['chosen']['k']:g}", "among", *(f"{k:g}" for k in tuned["tried"]["k"]))


def test_of_a_single_list_the_noise_of_the_choice_is_said_not_to_be_known(ask: Ask, run: Command) -> None:
    how = ("fit", "breast-cancer", "--repeats", "3", "--method", "l1", "--tune", "top")
    assert ask(*how)["tuned"]["choice"] == {"rule": "best", "resamples": 0}
    printed = run(*how).out
    assert_says(printed, "noise", "not known")
    assert "± 0.0" not in printed


def test_a_lambda_without_a_path_over_k_and_a_method_without_k_are_refused(
    folds: Path, refused: Callable[..., str]
) -> None:
    assert "--over k" in refused("path", folds, "--lambda-ratio", 0.1)
    assert "no number of features k" in refused("path", folds, "--method", "l1", "--over", "k")
