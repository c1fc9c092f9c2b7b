"""``fit``: what it prints is true, checked with nothing but the printed weights and pairs written out."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.data import RankingData
from core.methods import METHODS, get_method
from tests.cli.conftest import Ask, Command
from tests.methods.certified import AMONG
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
    w = np.zeros(data.n_features)
    w[[feature["index"] - 1 for feature in record["features"]]] = [feature["weight"] for feature in record["features"]]
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


def test_the_convention_asked_for_is_used_and_named(folds: Path, ask: Ask) -> None:
    answers = {
        name: ask("fit", folds, "--lambda-ratio", 0.05, "--convention", name)
        for name in ("standard", "letor3", "letor4")
    }
    assert [record["convention"] for record in answers.values()] == list(answers)
    standard, letor = (answers[name]["metrics"]["test"] for name in ("standard", "letor4"))
    assert standard["MAP"] == letor["MAP"]
    assert standard["NDCG@5"] != letor["NDCG@5"], "the discounts at rank 2 differ"
