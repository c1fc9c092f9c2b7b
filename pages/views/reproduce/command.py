"""The commands that repeat what the Reproduce page has worked out."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from core.cli.reading import reading_words
from core.data import Reading
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.results.comparison import DEFAULT_REFERENCE
from core.experiments.run.plan import DatasetSource, Plan
from core.experiments.run.protocol import DEFAULT_POINTS
from core.program import COMMAND
from pages.views.reproduce.controls import ProtocolOptions

OUT = "runs"


def commands(plan: Plan, wanted: ProtocolOptions, reference: str | None) -> list[list[str]]:
    """In words; one command for all datasets that are read alike, as its options hold for each."""
    return [
        [*COMMAND, "protocol", *names, *_how(plan, wanted, reference), *reading_words(reading)]
        for reading, names in read_alike([dataset.source for dataset in plan.datasets]).items()
    ]


def read_alike(sources: Sequence[DatasetSource]) -> dict[Reading, list[str]]:
    """Names and paths of the datasets by how they are read, as the options of a command hold for all its datasets."""
    alike: dict[Reading, list[str]] = {}
    for source in sources:
        alike.setdefault(source.reading, []).append(source.name_or_path)
    return alike


def shell(words: Sequence[str]) -> str:
    """As a person pastes it into a terminal."""
    return shlex.join(words)


def _how(plan: Plan, wanted: ProtocolOptions, reference: str | None) -> list[str]:
    words = ["--methods", ",".join(choice.label for choice in plan.choices), "--measure", plan.measure.lower()]
    if plan.widen:
        words += ["--grid", "auto" if plan.points == DEFAULT_POINTS else f"auto:{plan.points}"]
    elif plan.points != DEFAULT_POINTS:
        words += ["--grid", str(plan.points)]
    if plan.rule != "best":
        words += ["--choose", plan.rule]
    words += ["--starts", str(plan.starts)] if plan.starts > 1 else []
    words += ["--bootstrap-training", str(plan.draws)] if plan.draws else []
    if reference is not None and reference != DEFAULT_REFERENCE:
        words += ["--reference", reference]
    words += ["--margin", f"{wanted.margin:g}"] if wanted.margin != DEFAULT_MARGIN else []
    words += ["--dask", wanted.dask] if wanted.dask else []
    return [*words, "--out", OUT]
