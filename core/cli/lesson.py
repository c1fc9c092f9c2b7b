"""The command ``lesson``: check the file of a lesson, and compute its answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from core.cli.terminal import shown_on_the_way
from core.data import DataError


def add_lesson(parser: ArgumentParser) -> None:
    """Give the command its option."""
    parser.add_argument("file", metavar="FILE", help="a Markdown file with front matter; CONTRIBUTING.md shows one")


def lesson(options: Namespace) -> tuple[dict[str, Any], str]:
    """Read the file, compute, and return the record and the text; refuse a question that has no answer on its scale."""
    from core.lessons import LessonResults, answer, explanation, read_lesson
    from core.lessons.lesson import can_be_guessed

    found = read_lesson(Path(options.file))
    made = LessonResults.of(found)
    run = made.work()
    for _ in shown_on_the_way(range(run.total), run.total, "models and other results computed"):
        run.advance()
    facts = made.result(run)
    steps: list[dict[str, Any]] = []
    lines = [f"{found.title} ({found.minutes} minutes, {len(found.steps)} steps)"]
    for step in found.steps:
        record: dict[str, Any] = {"number": step.number, "title": step.title, "show": step.show, "reveal": step.reveal}
        lines.append(f"{step.number}. {step.title}")
        if step.predict is not None:
            told = answer(step, facts)
            if not can_be_guessed(step.predict, told.value):
                msg = f"the answer of step {step.number}, {told.words or 'a curve'}, does not lie on the scale"
                raise DataError(msg, file=found.path.name, line=step.line)
            explained = explanation(step, facts)
            record |= {"question": step.predict.question, "answer": told.value, "words": told.words}
            record |= {"explain": explained}
            lines += [f"   {step.predict.question}", f"   -> {told.words or f'{len(told.value)} points of a curve'}"]
        steps.append(record)
    return {"lesson": found.name, "title": found.title, "minutes": found.minutes, "steps": steps}, "\n".join(lines)
