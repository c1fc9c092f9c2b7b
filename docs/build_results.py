"""The tables of results.md and the sentences beneath them: ``python docs/build_results.py RUNS`` computes both anew.

It runs the commands that the page names, with RUNS as their folder: what is finished there is not computed again. The
data has to be at hand (``SPARSE_RANK_DATA``).
"""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.cli import main as command  # noqa: E402
from core.experiments.run.cells import MethodChoice, choice_titles  # noqa: E402
from core.names.plain import in_markdown  # noqa: E402

PAGE = ROOT / "docs" / "results.md"
PROGRAM = "sparse-ranking-lab "
Record = Mapping[str, Any]


def main(runs: Path) -> None:
    """Run every command of the page, and write what comes out between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for words in commands(text):
        printed = io.StringIO()
        with redirect_stdout(printed):
            status = command([*words[: words.index("--out")], "--out", str(runs), "--json"])
        if status:
            sys.exit(status)
        record = json.loads(printed.getvalue())
        measure = record["protocol"]["chosen_by"].upper()
        table = runs / "tables" / f"reproduced-{words[1]}-by-{measure.replace('@', '-')}.md"
        text = filled(text, f"reproduced: {words[1]} by {measure}", "reproduced", _below_title(table))
        text = filled(text, f"said: {words[1]} by {measure}", "said", "\n".join(f"- {one}" for one in said(record)))
    PAGE.write_text(text, encoding="utf-8")


def commands(text: str) -> list[list[str]]:
    """The words of the page's commands, without the program's name."""
    before = text.partition("<!--")[0]
    lines = [line.strip() for line in before.splitlines() if line.startswith("    ")]
    return [shlex.split(line.removeprefix(PROGRAM)) for line in lines if line.startswith(f"{PROGRAM}protocol")]


def filled(text: str, name: str, kind: str, content: str) -> str:
    """The page with other content between two marks."""
    before, begins, rest = text.partition(f"<!-- {name} -->\n")
    _, ends, after = rest.partition(f"<!-- end of {kind} -->")
    if not ends:
        msg = f"{PAGE} has no place for {name}"
        raise ValueError(msg)
    return f"{before}{begins}{content.strip()}\n{ends}{after}"


def said(record: Record) -> Iterator[str]:
    """What a run's new columns say, a sentence a line: against print, against the reference, and what to beware of."""
    labels = record["protocol"]["methods"]
    titles = choice_titles(MethodChoice.parse(label) for label in labels)
    names = {label: in_markdown(titles[label]) for label in labels}
    judged = {  # a number that two papers print counts once
        (names[row["method"]], row["measure"], row["published"]): row["within_choice"]
        for row in record["published"]
        if row["within_choice"] is not None
    }
    if judged:
        n, far = len(judged), [f"{method} ({measure})" for (method, measure, _), within in judged.items() if not within]
        yield (f"**Against print**: {n - len(far)} of {n} numbers are within ± by choice; not within: {_listed(far)}")
    yield from _compared(record["comparison"]["rows"], names)
    for what, name in (("Unfinished models", "unfinished"), ("Choices at the end of their grid", "grid_end")):
        counts = [(names[row["method"]], len(row[name]["folds"]), len(row["folds"])) for row in record["results"]]
        yield f"**{what}**: " + _listed(f"{method} in {n} of {folds} folds" for method, n, folds in counts if n)


def _compared(rows: Sequence[Record], names: Mapping[str, str]) -> Iterator[str]:
    by_measure: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["choice_too"] is not None:
            by_measure[row["measure"]][row["choice_too"]["verdict"]].append(names[row["method"]])
    for measure, verdicts in by_measure.items():
        first = next(row for row in rows if row["choice_too"] is not None)
        margin, reference = first["choice_too"]["margin"], names[first["reference"]]
        n = sum(map(len, verdicts.values()))
        counts = "; ".join(
            f"{verdict}: {f'all {n}' if len(found) == n > 1 else _listed(found)}"
            for verdict, found in sorted(verdicts.items())
        )
        yield f"**{measure} against {reference}**, the choice of C included, within ± {margin:g}: {counts}"


def _below_title(table: Path) -> str:
    """A table and its note; the page has a heading of its own."""
    text = table.read_text(encoding="utf-8")
    return text[text.index("\n|") :]


def _listed(names: Iterator[str] | Sequence[str]) -> str:
    return ", ".join(names) or "none"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
