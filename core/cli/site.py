"""The command ``site``: the Lab as a folder of static files."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from core.cli.options import UsageError, names_between_commas, names_from_the_command_line, starting, within, writing
from core.cli.reading import DATA, add_reading, reading_of
from core.cli.terminal import shown_on_the_way
from core.names.plain import visible
from core.program import PROGRAM


def add_site(parser: ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the files, which is made where needed")
    parser.add_argument(
        "--folds",
        dest="numbers",
        type=_numbers,
        default=(),
        metavar="N,N,...",
        help="numbers of the folds, from 1 (default: all of every dataset)",
    )
    parser.add_argument(
        "--methods",
        type=names_between_commas,
        metavar="ID,ID,...",
        help=f"ids that {PROGRAM} methods lists (default l1,log,mcp,l0.5,infinite-push-l1)",
    )
    parser.add_argument(
        "--lessons",
        type=names_between_commas,
        metavar="NAME,NAME,...",
        help="lessons by the name in their address, each on its own data; none for no lesson (default: all)",
    )
    add_reading(parser)


def _numbers(text: str) -> list[int]:
    return [int(within(int, 1, 100_000)(one)) for one in names_between_commas(text)]


def site(options: Namespace) -> tuple[dict[str, Any], str]:
    """Fit the paths, write the files, and return the record and the text."""
    with starting():
        from core.export.files import write_files
        from core.export.saved.site import METHODS, shown_words, site_files, site_of
        from core.lessons import lessons

    reading, out, methods = reading_of(options), Path(options.out), options.methods or METHODS
    opened = [reading.open(name) for name in options.data]
    known = {one.name: one for one in lessons()}
    try:
        taught = [known[name] for name in options.lessons or known if name != "none"]
    except KeyError as unknown:
        msg = f"there is no lesson {unknown}; there is {', '.join(known)}"
        raise UsageError(msg) from None
    with names_from_the_command_line():
        shown = [site_of(dataset, options.numbers, methods, options.convention) for dataset in opened]
    words = [shown_words(dataset.name, dataset.fold(max(options.numbers or [1]))) for dataset in opened]
    for line in (*(note for dataset in opened for note in dataset.notes), *words):
        print(visible(line), file=sys.stderr)
    command, written, size = shlex.join([PROGRAM, *options.words]), 0, 0
    n_folds = sum(len(options.numbers) or dataset.n_folds for dataset in opened)
    n_files = 2 + len(taught) + n_folds * len(set(methods)) ** 2
    with writing(out, *options.data):
        for name, content in shown_on_the_way(site_files(shown, command, taught), n_files, "files written"):
            write_files(out, {name: content})
            written, size = written + 1, size + len(content)
    record = {"site": str(out / "index.html"), "files": written, "bytes": size, "shown": words}
    return record, f"{written} files, {size / 1e6:.1f} MB. Open {record['site']}, or put the folder on any web space."
