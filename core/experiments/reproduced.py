"""One row a method: ours, and every number that the papers printed of the same, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.experiments.beside_published import BesidePublished, beside_published
from core.experiments.printed_table import Entry, Table
from core.experiments.summary import MethodLine

MEASURES: Mapping[str, int] = {"MAP": 4, "NDCG@10": 4, "sparsity ratio": 2}
"""What is compared, with its digits."""
NOT_PRINTED = "–"


def reproduced_table(lines: Sequence[MethodLine], dataset: str, titles: Mapping[str, str]) -> Table | None:
    """The complete lines of a dataset that the papers have numbers of; None where they have none.

    Where several papers print a number, all of them are there, each with the letter of its source.

    Parameters
    ----------
    lines : sequence of MethodLine
    dataset : str
    titles : mapping
        A method's name for people, by its label.
    """
    complete = [line for line in lines if line.dataset == dataset and line.complete]
    printed = [row for row in beside_published(complete) if row.measure in MEASURES]
    if not printed:
        return None
    letters = {paper: f"[{chr(ord('a') + k)}]" for k, paper in enumerate(dict.fromkeys(map(_paper, printed)))}
    head = ["method"]
    for measure in MEASURES:
        head += [measure, f"{measure} published"]
    rows = [_row(line, printed, letters, titles) for line in complete]
    sources = "; ".join(f"{letter} {paper}" for paper, letter in letters.items())
    return Table(
        name=f"reproduced-{''.join(c if c.isalnum() or c in '-_.' else '-' for c in dataset)}",
        title=f"{dataset}: reproduced and published",
        note=f"Means over {complete[0].n_folds} folds on the test parts, {complete[0].convention} convention; ours ± "
        f"standard deviation over folds. Published: {sources}.",
        head=tuple(head),
        rows=tuple(rows),
        numbers=tuple(row.record() for row in printed),
    )


def _row(
    line: MethodLine, printed: Sequence[BesidePublished], letters: Mapping[str, str], titles: Mapping[str, str]
) -> tuple[Entry, ...]:
    label = line.choice.label
    entries = [Entry(titles.get(label, label))]
    for measure, digits in MEASURES.items():
        ours = line.sparsity_ratio if measure == "sparsity ratio" else line.measure(measure)
        theirs: dict[str, list[str]] = {}
        for row in printed:
            if (row.method, row.measure) == (label, measure):
                sources = theirs.setdefault(f"{row.published:.{digits}f}", [])
                sources += [letter for letter in [letters[_paper(row)]] if letter not in sources]
        words = ", ".join(f"{value} {''.join(sources)}" for value, sources in theirs.items())
        entries += [Entry(f"{ours.mean:.{digits}f} ± {ours.deviation:.{digits}f}"), Entry(words or NOT_PRINTED)]
    return tuple(entries)


def _paper(row: BesidePublished) -> str:
    """The source without the number of its table."""
    return row.source.split(", Table")[0]
