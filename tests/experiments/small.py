"""Experiments of few and small problems."""

from __future__ import annotations

import pytest

from core.experiments.infinite_push import push_timing, top_table, toy_study
from core.experiments.infinite_push.push_timing import TimingStudy
from core.experiments.infinite_push.toy_study import ToyStudy


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Make experiments short, alike for pages, pictures and their scripts."""
    patch.setattr(toy_study, "QUICK_SIZES", ToyStudy((30,), (2,), 2))
    patch.setattr(toy_study, "QUICK_NOISE", ToyStudy((30,), (2, 4), 1))
    patch.setattr(push_timing, "QUICK_TIMES", TimingStudy((20, 30), (5,), 1))
    patch.setattr(top_table, "QUICK_ITERATIONS", 2)
