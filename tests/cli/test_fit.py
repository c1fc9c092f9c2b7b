"""``fit``: what it prints is true, checked with nothing but the printed weights and pairs written out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.data import RankingData, read_letor
from core.methods import METHODS, get_method
from tests.certified import AMONG
from tests.cli.conftest import Ask, Command
from tests.oracles import Pairs, RankSvm
from tests.push_oracles import Lists
from tests.says import assert_says

KEYS = {
    "method", "solver", "lambda", "C", "objective", "certificate", "stop", "steps", "seconds", "nonzero",
    "features", "metrics", "convention",
}  # fmt: skip
MEASURES = ["MAP", *(f"NDCG@{k}" for k in range(1, 11)), *(f"P@{k}" for k in range(1, 11))]
L2_ON_SOME_FEATURES = {"l2", "rfe", "fsmsvm", "gas-e", "fs-rank", "l2-arom", "rwfs-l1", "rwfs-l0"}
OBJECTIVES_OF_THEIR_OWN = {"rsrank", "fsmrank"}  # compared with explicit pairs where they are defined
NO_BOUND = {m.id for m in METHODS if not m.convex and m.id.removeprefix("infinite-push-") not in L2_ON_SOME_FEATURES}
NO_BOUND -= {"best-subset", "l0"}  # their search has a bound of its own
TOLERANCES = {("fsmrank", "subgradient"): 1e-2}
"""Of a solver of no known rate, which its paper's Figure 5 shows far behind; of all others 1e-3."""
TABLE = [pytest.param(m.id, s.id, id=f"{m.id} by {s.id}") for m in METHODS for s in m.solvers]


def weights_of(record: dict[str, Any], n_features: int) -> np.ndarray:
    w = np.zeros(n_features)
    for feature in record["features"]:
        w[feature["index"] - 1] = feature["weight"]
    return w


def penalty(method: str, w: np.ndarray, given: dict[str, float]) -> float:
    """The papers' formulas, feature by feature."""
    t = np.abs(w)
    if method in ("l1", "tgrank", "liblinear-l1"):
        each = t
    elif method in L2_ON_SOME_FEATURES:
        each = t**2 / 2
    elif method == "fenchelrank":
        each = 0 * t  # a ball instead of a penalty
    elif method == "log":
        each = np.log(1 + t / given["epsilon"])
    elif method == "l0.5":
        each = t ** given["p"]
    elif method == "mcp":
        knee = given["knee"]
        each = np.where(t < knee, t - t**2 / (2 * knee), knee / 2)
    elif method == "scad":
        knee, a = given["knee"], given["a"]
        falling = (2 * a * knee * t - t**2 - knee**2) / (2 * (a - 1) * knee)
        each = np.where(t <= knee, t, np.where(t <= a * knee, falling, knee * (a + 1) / 2))
    else:  # of no paper here: its curve is held against its slope and its prox in tests/penalties
        each = get_method(method).make_penalty(given, np.nan).curve(t)
    return float(each.sum())


def mean_average_precision(data: RankingData, scores: np.ndarray) -> float:
    values = []
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        ranking = sorted(range(first, last), key=lambda i: -scores[i])
        hits = [rank for rank, i in enumerate(ranking, 1) if data.relevance[i] >= 1]
        values.append(sum(k / rank for k, rank in enumerate(hits, 1)) / len(hits) if hits else 0.0)
    return float(np.mean(values))


@pytest.mark.parametrize(("method", "solver"), TABLE)
def test_every_method_by_every_solver_prints_its_own_objective(
    method: str, solver: str, letor_file: Path, data: RankingData, ask: Ask
) -> None:
    """The one matrix of all methods and solvers: numbers against the papers' formulas over pairs written out."""
    tol = TOLERANCES.get((method, solver), 1e-3)
    record = ask("fit", letor_file, "--method", method, "--solver", solver, "--lambda-ratio", 0.1, "--tol", tol)
    assert record.keys() >= KEYS
    assert (record["method"], record["solver"], record["convention"]) == (method, solver, "standard")
    w = weights_of(record, data.n_features)
    top = method.startswith("infinite-push")
    if method not in OBJECTIVES_OF_THEIR_OWN:
        loss = Lists.of(data, 0.0).loss(data.features @ w) if top else RankSvm.of(data).loss(w)
        weighed = penalty(method.removeprefix("infinite-push-"), w, record["parameters"])
        assert record["objective"] == pytest.approx(loss + record["lambda"] * weighed, rel=1e-10)
    assert record["objective"] < 0.99, "better than the empty model"
    if method != "rsrank":  # its loss is a weighted mean
        n_terms = 1 if top else len(Pairs.of(data))
        assert record["C"] == pytest.approx(1 / (record["lambda"] * n_terms), rel=1e-12)
    assert record["nonzero"] == len(record["features"]) == np.count_nonzero(w)
    assert list(record["metrics"]) == ["train"]
    assert record["metrics"]["train"].keys() >= set(MEASURES)
    assert record["metrics"]["train"]["MAP"] == pytest.approx(mean_average_precision(data, data.features @ w))
    certificate = record["certificate"]
    assert certificate.keys() >= {"kind", "value", "among"}
    assert certificate["kind"] == ("stationarity" if method in NO_BOUND else "duality gap")
    assert certificate["among"] in ((None,) if method in NO_BOUND else ("", AMONG.get(method, "")))
    assert (record["stop"], certificate["relative"] <= tol) == ("converged", True)
    assert record["steps"] > 0 <= record["seconds"]


@pytest.mark.parametrize(("method", "few"), [("rwfs-l0", "share=0.2"), ("fs-rank", "k=2"), ("fenchelrank", "radius=1")])
def test_a_certificate_that_does_not_hold_among_all_models_says_so(
    letor_file: Path, ask: Ask, run: Command, method: str, few: str
) -> None:
    fit = ("fit", letor_file, "--lambda-ratio", 0.05, "--method", method, "--set", few)
    assert ask(*fit)["certificate"]["among"] == AMONG[method]
    assert AMONG[method] in run(*fit).out


def test_a_papers_rule_is_no_convergence_and_a_tolerance_goes_past_it(letor_file: Path, ask: Ask, run: Command) -> None:
    fit = ("fit", letor_file, "--lambda-ratio", 0.05, "--method", "fsmrank")
    papers, certified = ask(*fit), ask(*fit, "--tol", 1e-6)
    assert (papers["stop"], papers["certificate"]["relative"] > 1e-6) == ("the paper's rule", True)
    assert (certified["stop"], certified["certificate"]["relative"] <= 1e-6) == ("converged", True)
    (line,) = [line for line in run(*fit).out.splitlines() if "the paper's rule" in line]
    assert_says(line, "the paper's rule", f"{papers['steps']} steps", "--tol 1e-6")
    assert "converged" not in line


def test_the_gap_bounds_what_a_looser_fit_misses(letor_file: Path, ask: Ask) -> None:
    loose = ask("fit", letor_file, "--C", 0.1, "--solver", "fista", "--tol", 0.05)
    tight = ask("fit", letor_file, "--C", 0.1, "--tol", 1e-10)
    assert tight["certificate"]["relative"] <= 1e-10
    assert 0 < loose["objective"] - tight["objective"] <= loose["certificate"]["value"] <= 0.05 * loose["objective"]
    assert loose["C"] == tight["C"] == pytest.approx(0.1, rel=1e-12)


def test_lambda_ratio_is_a_share_of_the_lambda_that_empties_the_model(letor_file: Path, ask: Ask) -> None:
    empty, one = (ask("fit", letor_file, "--lambda-ratio", ratio) for ratio in (1.0, 0.99))
    assert (empty["nonzero"], empty["features"], empty["objective"]) == (0, [], 1.0)
    assert one["nonzero"] == 1
    assert one["lambda"] == pytest.approx(0.99 * empty["lambda"])


def test_features_are_listed_by_weight_and_counted_from_one(folds: Path, ask: Ask) -> None:
    record = ask("fit", folds, "--lambda-ratio", 0.3)
    sizes = [abs(feature["weight"]) for feature in record["features"]]
    assert sizes == sorted(sizes, reverse=True)
    assert all(feature["name"] == f"feature {feature['index']}" for feature in record["features"])
    assert list(record["metrics"]) == ["train", "vali", "test"]


def test_every_part_is_measured_with_the_fitted_weights(folds: Path, ask: Ask) -> None:
    record = ask("fit", folds, "--fold", 2, "--method", "log", "--lambda-ratio", 0.05)
    w = weights_of(record, 15)
    assert w.any(), "else documents are tied"
    for part, measured in record["metrics"].items():
        documents = read_letor(folds / "Fold2" / f"{part}.txt")
        assert measured["MAP"] == pytest.approx(mean_average_precision(documents, documents.features @ w))


def test_set_gives_a_parameter_of_the_method(letor_file: Path, ask: Ask) -> None:
    fit = ("fit", letor_file, "--method", "scad", "--lambda-ratio", 0.1)
    default, given = ask(*fit), ask(*fit, "--set", "knee=0.05", "--set", "a=2.5")
    assert {name: given["parameters"][name] for name in ("knee", "a")} == {"knee": 0.05, "a": 2.5}
    assert given["parameters"] != default["parameters"]
    assert given["objective"] != default["objective"]


def test_a_fit_out_of_time_says_so(letor_file: Path, ask: Ask) -> None:
    record = ask("fit", letor_file, "--C", 1, "--solver", "subgradient", "--max-seconds", 0)
    assert (record["stop"], record["steps"]) == ("time limit reached", 0)


def test_the_trace_falls_to_what_is_reported(letor_file: Path, ask: Ask) -> None:
    record = ask("fit", letor_file, "--C", 0.1)
    objectives = [point["objective"] for point in record["trace"]]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] == record["objective"]
    assert record["trace"][-1]["step"] == record["steps"]


def test_on_constant_features_the_empty_model_is_the_answer(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "flat.txt").write_text("1 qid:1 1:2 2:3\n0 qid:1 1:2 2:3\n")
    record = ask("fit", tmp_path / "flat.txt", "--C", 5)
    assert (record["nonzero"], record["objective"], record["lambda_ratio"]) == (0, 1.0, None)


@pytest.mark.parametrize(("name", "convention"), [("planted", "standard"), ("Python-Docs", "standard")])
def test_sample_data_is_fitted_by_name_in_any_case(name: str, convention: str, ask: Ask) -> None:
    record = ask("fit", name, "--fold", 5, "--method", "log", "--lambda-ratio", 0.05)
    assert (record["dataset"], record["fold"], record["convention"]) == (name.lower(), 5, convention)
    assert record["stop"] == "converged"
    assert 0 < record["nonzero"] < 30
    assert record["metrics"]["test"]["MAP"] > 0.6


def test_on_mq2008_the_objective_is_that_of_the_pairs(shared_data: Path, ask: Ask) -> None:
    train = shared_data / "letor" / "MQ2008" / "Fold1" / "train.txt"
    if not train.is_file():
        pytest.skip("MQ2008 is not in the shared data")
    record = ask("fit", "mq2008", "--C", 0.01)
    documents = read_letor(train)
    pairs = RankSvm.of(documents)
    w = weights_of(record, 46)
    assert record["convention"] == "letor4"
    assert record["C"] == pytest.approx(0.01)
    assert record["lambda"] == pytest.approx(100 / len(pairs.differences))
    assert record["objective"] == pytest.approx(pairs.loss(w) + record["lambda"] * np.abs(w).sum(), rel=1e-10)
    assert record["metrics"]["train"]["MAP"] == pytest.approx(mean_average_precision(documents, documents.features @ w))


def test_a_refit_is_the_ridge_model_of_the_same_features(letor_file: Path, ask: Ask, run: Command) -> None:
    fit = ("fit", letor_file, "--method", "l1", "--lambda-ratio", 0.1)
    plain, refitted = ask(*fit), ask(*fit, "--set", "refit=yes", "--set", "ridge=0.01")
    assert {row["index"] for row in refitted["features"]} == {row["index"] for row in plain["features"]}
    assert refitted["parameters"] == {"refit": 1.0, "ridge": 0.01}
    assert refitted["lambda"] == plain["lambda"]
    lam_r, size = 0.01 * plain["lambda_max"], sum(row["weight"] ** 2 for row in refitted["features"])
    assert refitted["objective"] < plain["objective"] + 0.5 * lam_r * size
    assert refitted["stop"] == "converged"
    assert any(point["provisional"] for point in refitted["trace"])
    (line,) = [
        line for line in run(*fit, "--set", "refit=yes", "--set", "ridge=0.01").out.splitlines() if "refit" in line
    ]
    assert_says(line, "l1", "proximal-newton", "ridge = 0.01")
    assert "refit" not in run(*fit).out
    assert "first_stage" not in plain
    assert refitted["first_stage"]["stop"] == "converged"
    assert refitted["first_stage"]["certificate"] == plain["certificate"]


def test_a_refit_does_not_hide_that_its_features_come_from_a_papers_rule(
    letor_file: Path, ask: Ask, run: Command
) -> None:
    fit = ("fit", letor_file, "--lambda-ratio", 0.05, "--method", "fsmrank")
    plain, refitted, text = ask(*fit), ask(*fit, "--set", "refit=yes"), run(*fit, "--set", "refit=yes").out
    assert refitted["stop"] == "converged"
    assert refitted["first_stage"] == {"stop": "the paper's rule", "certificate": plain["certificate"]}
    (line,) = [line for line in text.splitlines() if "the paper's rule" in line]
    gap = f"{plain['certificate']['relative']:.1e}"
    assert_says(line, "features", "stopped", "the paper's rule", "duality gap", gap, "--tol 1e-6")


def test_a_search_that_is_kept_goes_on_where_it_was_left(
    folds: Path, ask: Ask, refused: Callable[..., str], tmp_path: Path
) -> None:
    words = ("fit", folds, "--method", "best-subset", "--set", "k=3")
    file, at = tmp_path / "search.npz", ("--lambda-ratio", 0.01)
    whole = ask(*words, *at)
    left = ask(*words, *at, "--keep", file, "--tol", 0.9)
    assert 1e-5 < left["certificate"]["relative"] <= 0.9
    again = ask(*words, *at, "--keep", file)
    assert again["trace"][0]["step"] == left["steps"]
    assert again["objective"] == pytest.approx(whole["objective"], rel=1e-5)
    done = ask(*words, *at, "--keep", file)
    assert done["trace"][0]["step"] == again["steps"]
    assert done["stop"] == "converged"
    assert "another problem" in refused(*words, "--lambda-ratio", 0.02, "--keep", file)
    assert "--keep is for best-subset" in refused("fit", folds, *at, "--keep", file)
    assert "--tune" in refused(*words, "--tune", "map", "--keep", file)
