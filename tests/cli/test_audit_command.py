"""``audit``: this program's answers beside independent ones.

Text for people: columns line up, numbers have the digits that are certain, and they are those of the record.
"""

from pathlib import Path

import pytest

from core.analysis.evaluation import FoldJudge
from core.cli.evaluate import measures_text
from core.cli.terminal import table_text
from tests.cli.conftest import Ask, Command
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text
from tests.says import assert_says


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "small.txt").write_text(letor_text(ranking_problem(3, n_queries=12, n_features=6, n_levels=2)))
    return tmp_path / "small.txt"


def test_one_object_has_every_comparison(small: Path, ask: Ask) -> None:
    record = ask("audit", small)
    assert record["agrees"] is True
    for check in record["checks"]:
        assert check["difference"] == check["ours"] - check["theirs"]
        assert check["agrees"]
        assert check["by"]
    assert record["not_compared"] == []


def test_the_page_names_what_disagrees_and_the_status_says_so(
    small: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run("audit", small)
    assert right.status == 0
    assert "DISAGREES" not in right.out
    monkeypatch.setattr(FoldJudge, "judgement", _without_map(FoldJudge.judgement))
    wrong = run("audit", small)
    assert wrong.status == 1
    assert [line.split()[0] for line in wrong.out.splitlines() if "DISAGREES" in line] == ["MAP", "MAP"]
    assert "MAP" in wrong.err


def _without_map(judgement):  # type: ignore[no-untyped-def]
    def wrong(self, weights):  # type: ignore[no-untyped-def]
        found = judgement(self, weights)
        for values in found.metrics.values():
            values["MAP"] *= 0.5
        return found

    return wrong


def test_a_table_has_words_to_the_left_and_numbers_to_the_right() -> None:
    rows = [{"name": "a", "n": 5, "value": 0.25}, {"name": "longer", "n": 12, "value": -1.0}]
    assert table_text(rows).splitlines() == [
        "name     n    value",
        "a        5   0.2500",
        "longer  12  -1.0000",
    ]


def test_numbers_too_small_or_too_large_for_four_decimals_still_show() -> None:
    values = [0.0, 1e-7, -4.9e-5, 5e-5, 123456.0, 2.5e9]
    shown = table_text([{"w": value} for value in values]).split()
    assert shown == ["w", "0.0000", "1.0e-07", "-4.9e-05", "0.0001", "123456.0000", "2.5e+09"]


def test_measures_stand_by_rank() -> None:
    metrics = {"MAP": 0.5, "NDCG@1": 0.25, "NDCG@2": 0.75, "P@1": 0.0, "P@2": 1.0, "MeanNDCG": 0.125}
    assert measures_text(metrics, {"MAP": 0.4, "P@1": 1e-9}, "letor4").splitlines() == [
        "MAP      MeanNDCG",
        "0.5000*    0.1250",
        "",
        "k  NDCG@k     P@k",
        "1  0.2500  0.0000",
        "2  0.7500  1.0000",
        "(letor4 convention; * in the order of the file; over the orders of tied documents MAP 0.4000)",
    ]


MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def test_a_fit_in_words_has_the_numbers_of_its_record(folds: Path, run: Command, ask: Ask) -> None:
    fit = ("fit", folds, "--method", "log", "--tune", "map", "--set", "epsilon=0.2")
    record, text = ask(*fit), run(*fit).out
    head, metrics, features = text.split("\n\n")
    assert_says(head.splitlines()[0], "two-folds", "fold 1", "log", "proximal-newton", "epsilon = 0.2")
    assert_says(head, f"C = {record['C']:.3e}", f"lambda = {record['lambda']:.3e}")
    assert_says(head, f"objective {record['objective']:.9g}", "stationarity")
    assert_says(head, "converged", "stationary point", f"{record['steps']} steps")
    assert_says(head, "C", "among 50", "validation MAP", f"{record['tuned']['vali']:.4f}")
    for line, (part, values) in zip(metrics.splitlines()[1:4], record["metrics"].items(), strict=True):
        assert line.split() == [part, *(f"{values[m]:.4f}" for m in MEASURES)]
    assert metrics.endswith("(standard convention)")
    assert_says(features.splitlines()[0], f"{record['nonzero']} features")
    assert len(features.splitlines()) == 2 + record["nonzero"]


def test_a_model_of_one_or_no_feature_is_good_english(letor_file: Path, run: Command) -> None:
    assert "\n1 feature kept\n" in run("fit", letor_file, "--lambda-ratio", 0.99).out
    assert run("fit", letor_file, "--lambda-ratio", 1).out.endswith("\n0 features kept\n")


def test_a_path_in_words_has_one_row_a_model(folds: Path, run: Command, ask: Ask) -> None:
    path = ("path", folds, "--points", 4)
    points, lines = ask(*path)["points"], run(*path).out.splitlines()
    assert_says(lines[0], "two-folds", "fold 1", "l1", "proximal-newton")
    for point, row in zip(points, lines[-5:-1], strict=True):
        expected = [value for part in point["metrics"].values() for value in (part["MAP"], part["NDCG@10"])]
        assert row.split()[2:] == [str(point["nonzero"]), *(f"{value:.4f}" for value in expected)]
    assert len({len(line) for line in lines[-6:-1]}) == 1, "header and rows end in the same column"
    assert lines[-1] == "(standard convention)"


def test_a_path_tells_the_papers_rule_from_convergence_with_the_largest_gap(
    folds: Path, run: Command, ask: Ask
) -> None:
    path = ("path", folds, "--points", 5, "--method", "fsmrank")
    ended = [point for point in ask(*path)["points"] if point["stop"] == "the paper's rule"]
    worst = max(point["certificate"]["relative"] for point in ended)
    (line,) = [line for line in run(*path).out.splitlines() if "not converged" in line]
    assert_says(line, f"{len(ended)} of 5 models", "the paper's rule", "duality gap", f"{worst:.1e}", "--tol 1e-6")


def test_whoever_waits_for_a_long_fit_sees_how_far_it_is(
    folds: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("fit", folds, "--method", "best-subset", "--set", "k=2", "--lambda-ratio", 0.01)
    assert run(*words).err == ""  # no terminal
    monkeypatch.setattr("core.cli.terminal.WAIT_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = run(*words).err
    assert "\r\033[Kstep 1, objective 0." in shown
    assert "duality gap" in shown
    assert shown.endswith("\r\033[K")
