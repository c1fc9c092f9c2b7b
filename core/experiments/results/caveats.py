"""What a reader must know of a line of the table: unfinished models, and choices at the end of their grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.endings import worst_of
from core.analysis.tuning.grid_end import MOST_DECADES
from core.experiments.results.summary import MethodLine

UNFINISHED, AT_THE_END = "‡", "§"
"""Signs of a line in tables and pictures."""


def signs(*lines: MethodLine) -> str:
    """The signs of lines: ‡ if one has unfinished models, § if a choice lies at the end of its grid."""
    unfinished, ends = any(line.unfinished for line in lines), any(line.at_grid_end for line in lines)
    return (UNFINISHED if unfinished else "") + (AT_THE_END if ends else "")


def caveat_columns(lines: Sequence[MethodLine]) -> list[dict[str, str]]:
    """Return the columns for people that warn; each only if some line needs it."""
    columns = {
        f"unfinished {UNFINISHED}": [unfinished_words(line) for line in lines],
        f"at the grid's end {AT_THE_END}": [grid_end_words(line) for line in lines],
    }
    shown = {name: values for name, values in columns.items() if any(values)}
    return [{name: values[k] for name, values in shown.items()} for k in range(len(lines))]


def unfinished_words(line: MethodLine) -> str:
    """How many models of a line are unfinished, with the worst gap: "2 of 5, gap 25 % of …"; empty for none."""
    worst = line.worst_gap
    if worst is None:
        return ""
    return f"{len(line.unfinished)} of {len(line.results)}, {worst.words(worst=len(line.unfinished) > 1)}"


def grid_end_words(line: MethodLine) -> str:
    """At how many folds the choice lies at an end of its grid: "2 of 5, smallest λ"; empty for none."""
    ends = line.at_grid_end
    if not ends:
        return ""
    which = " and ".join(f"{end} λ" for end in ("largest", "smallest") if end in ends.values())
    return f"{len(ends)} of {len(line.results)}, {which}"


def caveat_numbers(line: MethodLine) -> dict[str, Any]:
    """Return the same for CSV: counts, and the worst gap with every digit."""
    worst = line.worst_gap
    return {
        "unfinished": len(line.unfinished),
        "worst gap": None if worst is None else worst.relative,
        "worst gap of": None if worst is None else f"{worst.kind} / {worst.unit}",
        "at grid end": len(line.at_grid_end),
    }


def caveats_note(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> str:
    """Explain the signs that occur, and name the lines that have them, after a sentence; empty if none do."""
    several = len({line.dataset for line in lines}) > 1

    def named(line: MethodLine) -> str:
        title = titles.get(line.choice.label, line.choice.label)
        return f"{title} on {line.dataset}" if several else title

    unfinished = [f"{named(line)} {unfinished_words(line)}" for line in lines if line.unfinished]
    ends = [f"{named(line)} {grid_end_words(line)}" for line in lines if line.at_grid_end]
    notes = []
    if unfinished:
        notes.append(
            f"{UNFINISHED} unfinished: the solver of the chosen model ended before its optimum; a gap bounds how far "
            f"below that lies, a residual does not: {'; '.join(unfinished)}."
        )
    if ends:
        notes.append(
            f"{AT_THE_END} chosen at the end of the grid of λ, so a better value may lie beyond it: {'; '.join(ends)}."
        )
    return "".join(f" {note}" for note in [*notes, *widening_note(lines)])


def widening_note(lines: Sequence[MethodLine]) -> list[str]:
    """Say how many grids were widened, and how many to their limit; no sentence if none was to be."""
    cells = [cell for line in lines for cell in line.widened.values()]
    if not cells:
        return []
    widened = [cell for cell in cells if cell["larger"] or cell["smaller"]]
    limits = sum(cell["limit"] for cell in cells)
    limit = f"; {limits} reached the limit of {MOST_DECADES} decades" if limits else ""
    return [f"Grids widened by themselves in {len(widened)} of {len(cells)} choices{limit}."]


def caveats_legend(lines: Sequence[MethodLine]) -> str:
    """Explain the signs that occur in a few words, for a picture; empty if none do."""
    worst = worst_of([line.worst_gap for line in lines if line.worst_gap is not None])
    ends = sum(len(line.at_grid_end) for line in lines)
    n_models = sum(len(line.results) for line in lines)
    said = [] if worst is None else [f"{UNFINISHED} unfinished models: {worst.words(worst=True)}"]
    said += [f"{AT_THE_END} chosen at the end of the grid of λ ({ends} of {n_models} choices)"] if ends else []
    return "; ".join(said)
