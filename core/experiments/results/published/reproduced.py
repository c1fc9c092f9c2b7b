"""A table with one row a method: our numbers beside every published number made alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.experiments.results.printed_table import Entry, Table
from core.experiments.results.published.beside_published import BesidePublished, beside_published, chosen_by
from core.experiments.results.published.numbers import printed_choices
from core.experiments.results.summary import MethodLine
from core.names.plain import in_file_name

MEASURES: Mapping[str, int] = {"MAP": 4, "NDCG@10": 4, "sparsity ratio": 2, "share of features": 2}
"""The compared measures, with their number of digits."""
ALWAYS = ("MAP", "NDCG@10", "sparsity ratio")
"""Measures that always have a column, even without published numbers."""
NOT_PRINTED = NOT_KNOWN = "–"
BY_CHOICE = "± by choice"
WITHIN = {True: " within", False: " not within", None: ""}
"""The mark of a published number: whether choosing C again explains the difference of ours."""
AS_PRINTED, OURS = "as printed", "ours"


def reproduced_table(lines: Sequence[MethodLine], dataset: str, titles: Mapping[str, str]) -> Table | None:
    """Make the table of a dataset's complete lines beside published numbers made alike; None if there are none.

    Made alike means: the settings that the paper prints, C chosen by the paper's measure, counted by its convention. If
    several papers print a number, all are shown, each with the letter of its source.

    Parameters
    ----------
    lines : sequence of MethodLine
        Lines of one run, so that one measure chose all of them.
    dataset : str
    titles : mapping
        A method's name for people, by its label.
    """
    complete = [line for line in lines if line.dataset == dataset and line.complete]
    found = [row for row in beside_published(complete) if row.measure in MEASURES]
    printed = [row for row in found if not row.unlike]
    if not printed:
        return None
    measure = chosen_by(complete[0])
    letters = {paper: f"[{chr(ord('a') + k)}]" for k, paper in enumerate(dict.fromkeys(row.paper for row in printed))}
    columns = [name for name in MEASURES if name in ALWAYS or any(row.measure == name for row in printed)]
    heads = [head for name in columns for head in (name, f"{name} {BY_CHOICE}", f"{name} published")]
    return Table(
        name=f"reproduced-{in_file_name(dataset)}-by-{in_file_name(measure)}",
        title=f"{dataset}: reproduced and published, C chosen by {measure}",
        note=_note(complete[0], found, measure, letters),
        head=("method", "settings", *heads),
        rows=tuple(_row(line, printed, letters, titles, columns) for line in complete),
        numbers=tuple(row.record() for row in printed),
    )


def _note(line: MethodLine, found: Sequence[BesidePublished], measure: str, letters: Mapping[str, str]) -> str:
    """Describe the numbers: their kind, the papers, what the papers leave open, and which methods are missing."""
    sources = "; ".join(f"{letter} {paper}" for paper, letter in letters.items())
    sentences = [
        f"Means over {line.n_folds} folds on the test parts, C chosen by validation {measure}, {line.convention} "
        "convention; ours ± standard deviation over folds. ± by choice: standard deviation of the mean when the "
        "validation queries are resampled and C is chosen again. Within: ours differs from the published number by "
        "no more than nineteen in twenty pairs of such choices do.",
        f"Settings: {AS_PRINTED} where a paper has a row with the same settings, as far as it prints them; "
        f"otherwise {OURS}.",
        f"Published, and chosen by {measure} as well: {sources}.",
    ]
    opened: dict[str, list[str]] = {}
    for row in found:
        if not row.unlike and row.open:
            systems = opened.setdefault(f"{letters[row.paper]} {row.open}", [])
            systems += [row.system] if row.system not in systems else []
    if opened:
        words = "; ".join(f"{what} ({', '.join(systems)})" for what, systems in opened.items())
        sentences.append(f"Not printed, so ours: {words}.")
    elsewhere: dict[str, list[str]] = {}
    for row in found:
        if row.unlike:
            systems = elsewhere.setdefault(f"{row.paper} ({row.unlike})", [])
            systems += [row.system] if row.system not in systems else []
    if elsewhere:
        words = "; ".join(f"{', '.join(systems)} of {where}" for where, systems in elsewhere.items())
        sentences.append(f"Printed, but made differently, so not compared with ours: {words}.")
    return " ".join(sentences)


def _row(
    line: MethodLine,
    printed: Sequence[BesidePublished],
    letters: Mapping[str, str],
    titles: Mapping[str, str],
    columns: Sequence[str],
) -> tuple[Entry, ...]:
    label = line.choice.label
    entries = [Entry(titles.get(label, label)), Entry(AS_PRINTED if line.choice in printed_choices() else OURS)]
    for measure in columns:
        digits = MEASURES[measure]
        theirs: dict[tuple[str, str], list[str]] = {}
        for row in printed:
            if (row.method, row.measure) == (label, measure):
                sources = theirs.setdefault((f"{row.published:.{digits}f}", WITHIN[row.within]), [])
                sources += [letter for letter in [letters[row.paper]] if letter not in sources]
        words = ", ".join(f"{value} {''.join(sources)}{mark}" for (value, mark), sources in theirs.items())
        noise = line.by_choice(measure)
        again = NOT_KNOWN if noise is None else f"{noise.deviation:.{digits}f}"
        entries += [Entry(line.official(measure).words(digits)), Entry(again), Entry(words or NOT_PRINTED)]
    return tuple(entries)
