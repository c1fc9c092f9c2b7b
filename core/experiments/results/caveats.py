"""What a reader must know of a line of the table: unfinished models, and choices at the end of their grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.analysis.endings import REASON_OF
from core.analysis.tuning.grid_end import MOST_DECADES, GridEnd, grid_end
from core.experiments.run.cells import MethodChoice
from core.names.plain import unit_words

UNFINISHED, AT_THE_END = "‡", "§"
"""Signs of a line in tables and pictures."""
CUT_OFF = frozenset({"step limit", "the paper's step limit", "time limit", "stopped"})
FAR = 1e-3
"""A relative gap or residual above which a model that met a paper's rule, or got no further, is unfinished too."""
NOTHING_LEFT = frozenset({"converged", "empty model", "empty model on what is left"})


@dataclass(frozen=True)
class WorstGap:
    """The least accurate of some models.

    Attributes
    ----------
    kind : {"duality gap", "stationarity"}
    relative : float
        The gap or residual as a share of ``unit``.
    unit : str
        ``"F"``, ``"λ"``, or what else it is a share of.
    among : str or None
        The models among which a gap holds; empty for all.
    """

    kind: str
    relative: float
    unit: str
    among: str | None = None

    def words(self, *, worst: bool = False) -> str:
        """The gap or residual with its unit: "gap 25 % of the objective"; of several "gap up to 25 % …"."""
        name = "gap" if self.kind == "duality gap" else "residual"
        among = f", {self.among}" if self.among and self.kind == "duality gap" else ""
        return f"{name} {'up to ' if worst else ''}{share_words(self.relative)} of {unit_words(self.unit)}{among}"


def share_words(share: float) -> str:
    """A share in per cent with two digits; a small one as a power of ten."""
    return f"{float(f'{100.0 * share:.2g}'):g} %" if share >= 1e-4 else f"{share:.1e}"


def worst_gap(record: Mapping[str, Any]) -> WorstGap | None:
    """Return the certificate of an unfinished model; None for a finished one.

    A fit that was cut off by a limit is unfinished, whatever its certificate says. One that met a rule of its paper or
    could make no further progress is so if its relative gap or residual exceeds `FAR`. Of a refitted model the first
    stage, which selected the features, counts as well.

    Parameters
    ----------
    record : mapping
        As `core.analysis.fit_records.fit_record` makes it; stores of references and examples may lack the ending.
    """
    stages = [record, *([record["first_stage"]] if record.get("first_stage") else [])]
    return worst_of([found for found in map(_unfinished, stages) if found is not None])


def worst_of(found: Sequence[WorstGap]) -> WorstGap | None:
    """The worst of these; a gap counts before a residual, which compares with no other model."""
    return max(found, key=lambda one: (one.kind == "duality gap", one.relative), default=None)


def grid_end_of(record: Mapping[str, Any]) -> GridEnd | None:
    """Return the end of its grid at which the model of a cell was chosen; None inside it, or where there is no grid."""
    settings = record.get("chosen", {})
    grid = [
        row
        for row in record.get("grid", ())
        if row.get("lambda") is not None and {name: row["parameters"][name] for name in settings} == settings
    ]
    if record.get("lambda") is None or not grid:
        return None
    return grid_end([row["lambda"] for row in grid], record["lambda"], record["nonzero"])


class Line(Protocol):
    """What is read of a line of the table, `core.experiments.results.summary.MethodLine`, which uses this module."""

    @property
    def dataset(self) -> str:
        """Its name."""
        ...

    @property
    def choice(self) -> MethodChoice:
        """The method with its settings."""
        ...

    @property
    def results(self) -> Mapping[int, object]:
        """Of each fold."""
        ...

    @property
    def unfinished(self) -> Mapping[int, WorstGap]:
        """The gap of the chosen model where it is unfinished, by fold."""
        ...

    @property
    def worst_gap(self) -> WorstGap | None:
        """The worst of them."""
        ...

    @property
    def at_grid_end(self) -> Mapping[int, GridEnd]:
        """The end of the grid that was chosen, by fold."""
        ...

    @property
    def widened(self) -> Mapping[int, Mapping[str, Any]]:
        """How far the grid was widened, by fold, where that was asked for."""
        ...


def signs(*lines: Line) -> str:
    """The signs of lines: ‡ if one has unfinished models, § if a choice lies at the end of its grid."""
    unfinished, ends = any(line.unfinished for line in lines), any(line.at_grid_end for line in lines)
    return (UNFINISHED if unfinished else "") + (AT_THE_END if ends else "")


def caveat_columns(lines: Sequence[Line]) -> list[dict[str, str]]:
    """Return the columns for people that warn; each only if some line needs it."""
    columns = {
        f"unfinished {UNFINISHED}": [unfinished_words(line) for line in lines],
        f"at the grid's end {AT_THE_END}": [grid_end_words(line) for line in lines],
    }
    shown = {name: values for name, values in columns.items() if any(values)}
    return [{name: values[k] for name, values in shown.items()} for k in range(len(lines))]


def unfinished_words(line: Line) -> str:
    """How many models of a line are unfinished, with the worst gap: "2 of 5, gap 25 % of …"; empty for none."""
    worst = line.worst_gap
    if worst is None:
        return ""
    return f"{len(line.unfinished)} of {len(line.results)}, {worst.words(worst=len(line.unfinished) > 1)}"


def grid_end_words(line: Line) -> str:
    """At how many folds the choice lies at an end of its grid: "2 of 5, smallest λ"; empty for none."""
    ends = line.at_grid_end
    if not ends:
        return ""
    which = " and ".join(f"{end} λ" for end in ("largest", "smallest") if end in ends.values())
    return f"{len(ends)} of {len(line.results)}, {which}"


def caveat_numbers(line: Line) -> dict[str, Any]:
    """Return the same for CSV: counts, and the worst gap with every digit."""
    worst = line.worst_gap
    return {
        "unfinished": len(line.unfinished),
        "worst gap": None if worst is None else worst.relative,
        "worst gap of": None if worst is None else f"{worst.kind} / {worst.unit}",
        "at grid end": len(line.at_grid_end),
    }


def caveats_note(lines: Sequence[Line], titles: Mapping[str, str]) -> str:
    """Explain the signs that occur, and name the lines that have them; empty if none do."""
    several = len({line.dataset for line in lines}) > 1

    def named(line: Line) -> str:
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
    return " ".join([*notes, *widening_note(lines)])


def widening_note(lines: Sequence[Line]) -> list[str]:
    """Say how many grids were widened, and how many to their limit; no sentence if none was to be."""
    cells = [cell for line in lines for cell in line.widened.values()]
    if not cells:
        return []
    widened = [cell for cell in cells if cell["larger"] or cell["smaller"]]
    limits = sum(cell["limit"] for cell in cells)
    limit = f"; {limits} reached the limit of {MOST_DECADES} decades" if limits else ""
    return [f"Grids widened by themselves in {len(widened)} of {len(cells)} choices{limit}."]


def caveats_legend(lines: Sequence[Line]) -> str:
    """Explain the signs that occur in a few words, for a picture; empty if none do."""
    worst = worst_of([line.worst_gap for line in lines if line.worst_gap is not None])
    ends = sum(len(line.at_grid_end) for line in lines)
    n_models = sum(len(line.results) for line in lines)
    said = [] if worst is None else [f"{UNFINISHED} unfinished models: {worst.words(worst=True)}"]
    said += [f"{AT_THE_END} chosen at the end of the grid of λ ({ends} of {n_models} choices)"] if ends else []
    return "; ".join(said)


def _unfinished(stage: Mapping[str, Any]) -> WorstGap | None:
    certificate = stage.get("certificate")
    reason = REASON_OF.get(stage.get("stop", ""), "")
    if not certificate or reason in NOTHING_LEFT:
        return None
    if reason not in CUT_OFF and certificate["relative"] <= FAR:
        return None
    return WorstGap(certificate["kind"], certificate["relative"], certificate["unit"], certificate.get("among"))
