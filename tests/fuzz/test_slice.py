"""A slice of the fuzz; ``make test-more`` runs it for ``FUZZ_SECONDS``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz.fuzzing import Found, answer, fuzz
from tests.fuzz.targets import TARGETS, Target

SECONDS = float(os.environ.get("FUZZ_SECONDS", "25"))


@pytest.fixture(autouse=True)
def _small_limits_and_an_own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARSE_RANK_LARGEST_FILE", "4M")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("inputs", "seconds"),
    [(10 * len(TARGETS), float("inf")), pytest.param(10**9, SECONDS, marks=pytest.mark.more)],
)
def test_whatever_comes_in_is_read_or_refused_in_one_line_and_in_time(inputs: int, seconds: float) -> None:
    """Every example and some changes; or as long as it may take, in which a machine that is busy tries fewer."""
    found = fuzz(tuple(TARGETS), inputs=inputs, seed=20_261_122, seconds=seconds)
    assert not found.faults
    assert found.runs >= 10 * len(TARGETS)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_the_examples_are_read_so_that_their_changes_go_deep(target: Target) -> None:
    found = Found()
    answers = [answer(target, seed, found) for seed in target.seeds]
    assert not found.faults
    assert f"{target.name}: read" in answers


def test_a_fault_is_found() -> None:
    def broken(content: bytes) -> None:
        if content.count(b"\0"):
            raise KeyError(content)

    targets = (Target("broken", broken, (b"some text",)),)
    found = fuzz(targets, inputs=2000, seed=1)
    assert [fault.split(":")[1].strip() for fault in found.faults] == ["KeyError"]
