"""Experiments of few and small problems."""

from __future__ import annotations

import pytest

from core.experiments.infinite_push import push_timing, top_table, toy_study
from core.experiments.infinite_push.push_timing import TimingStudy
from core.experiments.infinite_push.toy_study import ToyStudy


@pytest.fixture
def small_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short experiments, alike for pictures and their scripts."""
    monkeypatch.setattr(toy_study, "QUICK_SIZES", ToyStudy((30,), (2,), 2))
    monkeypatch.setattr(toy_study, "QUICK_NOISE", ToyStudy((30,), (2, 4), 1))
    monkeypatch.setattr(push_timing, "QUICK_TIMES", TimingStudy((20, 30), (5,), 1))
    monkeypatch.setattr(top_table, "QUICK_ITERATIONS", 1)
