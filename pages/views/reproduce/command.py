"""The commands that repeat what the Reproduce page has worked out."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from core.experiments.results.comparison import DEFAULT_REFERENCE
from core.experiments.run.plan import DatasetSource, Plan
from core.experiments.run.protocol import DEFAULT_POINTS
from pages.shared.choice.columns import column_words
from pages.views.reproduce.controls import Wanted

OUT = "runs"


def commands(plan: Plan, wanted: Wanted, reference: str | None) -> list[list[str]]:
    """In words; one command for all datasets that are read alike, as its options hold for each."""
    alike: dict[DatasetSource, list[str]] = {}
    for dataset in plan.datasets:
        source = dataset.source
        alike.setdefault(replace(source, name_or_path=""), []).append(source.name_or_path)
    return [
        ["python", "-m", "core", "protocol", *names, *_how(plan, wanted, reference), *reading_words(reading)]
        for reading, names in alike.items()
    ]


def shell(words: Sequence[str]) -> str:
    """As a person pastes it into a terminal."""
    return shlex.join(words)


def _how(plan: Plan, wanted: Wanted, reference: str | None) -> list[str]:
    words = ["--methods", ",".join(choice.label for choice in plan.choices), "--measure", plan.measure.lower()]
    if plan.points != DEFAULT_POINTS:
        words += ["--grid", str(plan.points)]
    if plan.rule != "best":
        words += ["--choose", plan.rule]
    if reference is not None and reference != DEFAULT_REFERENCE:
        words += ["--reference", reference]
    words += ["--dask", wanted.dask] if wanted.dask else []
    return [*words, "--out", OUT]


def reading_words(source: DatasetSource) -> list[str]:
    """The options by which a command reads a dataset as the page does."""
    words = ["--scale", source.scale] if source.scale != "none" else []
    if source.repeats is not None:
        words += ["--repeats", str(source.repeats)]
    if source.split is not None:
        words += ["--split", f"{source.split:g}"]
    if source.positive is not None:
        words += ["--positive", source.positive]
    words += column_words(source)
    return [*words, "--group"] if source.group else words
