"""The terminal: printing, tables, words that several commands say, and how far long work is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from core.names.plain import in_terminal, visible
from core.work import duration

if TYPE_CHECKING:  # to import them takes as long as a short command
    from argparse import Namespace

    from core.experiments.run.runner import Run
    from core.methods import Fit
    from core.methods.method_run import MethodRun
    from core.work import Work

T = TypeVar("T")
WAIT_SECONDS = 1.0  # between two looks


def say(text: str) -> None:
    """Print, names as text, and fail at once if the reader has gone or the disk is full."""
    encoding = sys.stdout.encoding or "utf-8"
    try:  # the interpreter flushes too late
        print(in_terminal(text).encode(encoding, "replace").decode(encoding), flush=True)
    except OSError:
        # What could not be written stays in the buffer, and would be tried again on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format a table: columns as wide as needed, numbers to the right, metrics with four digits."""
    if not rows:
        return "(nothing)"
    heads = list(rows[0])
    cells = [[_cell(row[head]) for head in heads] for row in rows]
    numeric = [all(isinstance(row[head], int | float) for row in rows) for head in heads]
    widths = [max(len(line[c]) for line in [heads, *cells]) for c in range(len(heads))]
    lines = []
    for line in [heads, *cells]:
        parts = [t.rjust(w) if right else t.ljust(w) for t, w, right in zip(line, widths, numeric, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return visible(str(value))
    shows_with_four_decimals = value == 0.0 or 5e-5 <= abs(value) < 1e6
    return f"{value:.4f}" if shows_with_four_decimals else f"{value:.1e}"


def marked(value: float, expected: float | None) -> float | str:
    """Mark a number in file order if the mean over the orders of tied documents has other digits."""
    return value if expected is None or f"{value:.4f}" == f"{expected:.4f}" else f"{value:.4f}*"


def heading(source: Mapping[str, Any], fit: Mapping[str, Any], without: Sequence[str] = ()) -> str:
    """Format dataset, method, solver and what was set by hand."""
    settings = {name: value for name, value in fit["parameters"].items() if name not in without}
    ridge = settings.pop("ridge", None)
    refit = f", refitted with ridge = {ridge:g}" if settings.pop("refit", 0.0) else ""
    set_by_hand = "".join(f", {name} = {value:g}" for name, value in settings.items()) + refit
    return f"{source['dataset']} fold {source['fold']}: {fit['method']} by {fit['solver']}{set_by_hand}"


def certificate_words(certificate: Mapping[str, Any]) -> str:
    """Format kind and relative value, and the models among which the certificate holds if these are not all."""
    unit = {"F": "of the objective", "λ": "of lambda"}.get(certificate["unit"], f"of {certificate['unit']}")
    words = f"{certificate['kind']} {certificate['relative']:.1e} {unit}"
    if not certificate["among"]:
        return words
    if certificate["kind"] == "duality gap":
        return f"{words} among models {certificate['among']}"
    return f"{words}, as far as models {certificate['among']} go"


def way_on(stop: str) -> str:
    """Say how to continue if the paper's own rule or limit ended a fit."""
    if stop == "the paper's rule":
        return " (--tol 1e-6 continues until the certificate holds)"
    return " (--tol removes the limit)" if stop.startswith("the paper's") else ""


def write_over(words: str = "") -> None:
    """Write words in place of those on the line of a terminal that say how far work is; none where it is over."""
    print(end=f"\r\033[K{words}", file=sys.stderr, flush=True)


def shown_on_the_way(pieces: Iterable[T], n: int, what: str) -> Iterator[T]:
    """Yield all ``n`` pieces of long work; where somebody sits before a terminal, show how far it is.

    ``what`` says what has been done to them, as "features measured".
    """
    if not sys.stderr.isatty():
        yield from pieces
        return
    begun = shown = time.perf_counter()
    for number, piece in enumerate(pieces, 1):
        yield piece
        now = time.perf_counter()
        if now - shown > WAIT_SECONDS:
            shown = now
            left = duration((now - begun) * (n - number) / number)
            write_over(f"{number:,} of {n:,} {what}, {left} left")
    write_over()


def finish_shown(work: Work, words: Callable[[], str]) -> None:
    """Do work to its end; where somebody sits before a terminal and it takes long, say how far it is."""
    watched, shown = sys.stderr.isatty(), time.perf_counter()
    try:
        while not work.done:
            work.advance()
            if watched and time.perf_counter() - shown > WAIT_SECONDS:
                shown = time.perf_counter()
                write_over(visible(words())[:100])
    finally:
        if watched:
            write_over()


def finish_run(run: Run[Any], words: Callable[[], str], options: Namespace) -> None:
    """Finish a run of cells; whenever one is done, a line says how far it is, but to a program that reads JSON."""
    shown, left = sys.stderr.isatty() or not options.json, run.left
    while not run.done:
        run.advance()
        if shown and run.left < left:
            print(visible(words()), file=sys.stderr, flush=True)
        left = run.left


def shown_fit(run: MethodRun) -> Fit:
    """Finish a fit as `finish_shown`."""

    def words() -> str:
        last = run.steps.trace[-1]
        certificate = f"{last.certificate.kind} {last.certificate.relative:.1e} of {last.certificate.share_of}"
        return f"step {last.step:,}, objective {last.objective:.6f}, {certificate}, {duration(last.seconds)}"

    finish_shown(run, words)
    return run.fit()
