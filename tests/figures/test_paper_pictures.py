"""Every experiment of the papers has its pictures, and none is drawn that is not there."""

from __future__ import annotations

from core.experiments.papers.registry import EXPERIMENTS
from core.figures.papers.registry import PICTURES


def test_pictures_belong_to_experiments() -> None:
    assert PICTURES.keys() <= {experiment.name for experiment in EXPERIMENTS}
    assert all(PICTURES[name] for name in PICTURES)


def test_names_are_unique() -> None:
    names = [experiment.name for experiment in EXPERIMENTS]
    assert len(names) == len(set(names))
