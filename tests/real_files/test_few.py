"""Few queries say little: no interval, p-value or ± of theirs is told, on any door."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core import fit
from core.analysis.choosing import FEWEST_QUERIES
from core.analysis.evaluation import FoldJudge
from core.analysis.tuning.choice_noise import ByChoice
from core.data import Fold, RankingData
from core.experiments.results.difference import TOO_FEW, Difference
from core.experiments.results.mean_interval import mean_interval
from core.experiments.results.statistics import compare
from tests.cli.conftest import Ask, Command
from tests.oracles import ranking_problem
from tests.says import assert_says


@pytest.mark.parametrize("n", [1, 3, 9])
def test_a_handful_of_queries_has_no_p_value_and_no_interval(n: int) -> None:
    ours, theirs = np.linspace(0.5, 0.9, n), np.full(n, 0.1)
    found = compare(ours, theirs)
    assert (found.t_test_p, found.randomization_p, found.interval) == (None, None, None)
    assert found.difference == pytest.approx(float(np.mean(ours - theirs)))
    assert Difference.of(ours, theirs).interval is None
    assert n == 1 or Difference.of(ours, theirs).verdict == TOO_FEW


def test_ten_queries_are_compared() -> None:
    rng = np.random.default_rng(1)
    ours, theirs = rng.uniform(size=FEWEST_QUERIES), rng.uniform(size=FEWEST_QUERIES)
    found = compare(ours, theirs)
    assert found.t_test_p is not None
    assert found.interval is not None


def test_a_deviation_of_two_draws_is_known_to_sixty_per_cent_of_itself() -> None:
    """The relative deviation of a standard deviation of n normal draws, by simulation; its divisor is n − 1."""
    for n in (2, 5, 20):
        drawn = np.random.default_rng(n).normal(size=(200_000, n))
        error = drawn.std(axis=1, ddof=1).std()
        found = ByChoice.of(drawn[0])
        assert found.deviation == pytest.approx(float(drawn[0].std(ddof=1)))
        assert found.deviation_error / found.deviation == pytest.approx(error, rel=0.02)
    assert ByChoice.of([0.1, 0.3]).deviation_error / ByChoice.of([0.1, 0.3]).deviation == pytest.approx(0.603, abs=1e-3)


def parts(n_vali: int, level: int | None = None) -> Fold:
    data = ranking_problem(11, n_queries=40, n_documents=400, n_features=5)
    vali = data.take_queries(range(n_vali))
    if level is not None:
        vali = RankingData.build(vali.features, np.full(vali.n_documents, level), vali.query_offsets)
    return Fold("one", data.take_queries(range(10, 40)), vali, vali)


@pytest.mark.parametrize(
    ("n_vali", "level"), [(3, None), (9, None), (12, 1)], ids=["three", "nine", "labels all equal"]
)
def test_validation_that_cannot_tell_has_no_noise_of_the_choice(n_vali: int, level: int | None) -> None:
    tuned = fit(parts(n_vali, level), "l1", tune="map").tuned
    assert tuned is not None
    assert tuned.record()["choice"]["resamples"] == 0
    enough = fit(parts(10), "l1", tune="map").tuned
    assert enough is not None
    assert enough.record()["choice"]["resamples"] > 0


@pytest.mark.parametrize("rule", ["best", "one-se", "average"])
def test_the_command_line_says_that_validation_queries_are_few(
    tmp_path: Path, run: Command, ask: Ask, rule: str
) -> None:
    rng, lines = np.random.default_rng(0), []
    for query in range(15):
        lines += [f"{rng.integers(3)} qid:{query} 1:{rng.normal():.3f} 2:{rng.normal():.3f}" for _ in range(8)]
    (tmp_path / "few.txt").write_text("\n".join(lines))
    told = run("fit", tmp_path / "few.txt", "--folds", 5, "--tune", "map", "--choose", rule).out
    assert_says(told, "fewer than 10 queries", "not known")
    assert "±" not in told
    record = ask("protocol", tmp_path / "few.txt", "--folds", 3, "--methods", "l1,l2", "--out", tmp_path / "run")
    assert [row["t_test_p"] for row in record["comparison"]["rows"]] != [], "fifteen test queries are compared"


def test_a_mean_over_few_queries_has_no_interval() -> None:
    judge = FoldJudge(parts(4), "standard")
    few, many = (mean_interval(judge, np.ones(5), part, "MAP") for part in ("vali", "train"))
    assert (few.ends, many.ends is None) == (None, False)
    assert_says(few.words, "4 queries", "too few")
