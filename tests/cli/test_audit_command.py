"""``audit``: this program's answers beside independent ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.analysis.evaluation import FoldJudge
from tests.cli.conftest import Ask, Command
from tests.oracles import ranking_problem
from tests.ranking_files import write_letor


@pytest.fixture
def small(tmp_path: Path) -> Path:
    write_letor(ranking_problem(3, n_queries=12, n_features=6, n_levels=2), tmp_path / "small.txt")
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


def test_data_without_a_pair_are_refused(tmp_path: Path, run: Command) -> None:
    (tmp_path / "level.txt").write_text("1 qid:1 1:2\n1 qid:1 1:3\n")
    refused = run("audit", tmp_path / "level.txt")
    assert refused.status == 2
    assert len(refused.err.splitlines()) == 1


def _without_map(judgement):  # type: ignore[no-untyped-def]
    def wrong(self, weights):  # type: ignore[no-untyped-def]
        found = judgement(self, weights)
        for values in found.metrics.values():
            values["MAP"] *= 0.5
        return found

    return wrong
