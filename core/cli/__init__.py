"""The command line: the capabilities of the app without a browser.

Every command has a file, with its options and its work; only that of the command that was typed is imported. Exit
status: 0 fine, 1 the work failed, 2 bad usage or bad data (one line on stderr).
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Container, Sequence
from contextlib import ExitStack
from pkgutil import resolve_name
from typing import Any, NoReturn

from core.cli.options import PartlyFailedError, UsageError, starting
from core.cli.terminal import say
from core.data import DataError
from core.names.plain import visible
from core.program import PROGRAM, version

COMMANDS = {
    "datasets": ("listings:datasets", "list the available datasets and where to get the others"),
    "methods": ("listings:methods", "list the methods with their solvers and parameters"),
    "fit": ("fit:fit", "fit one model"),
    "path": ("path:path", "fit a regularization path, starting at the empty model"),
    "evaluate": ("evaluate:evaluate", "measure the ranking that given scores produce"),
    "features": ("features:features", "measure the ranking by each feature alone"),
    "export": ("export:export", "write a fitted model in the format of a search engine or of another tool"),
    "import": ("import_:import_files", "join judgments and feature logs into one LETOR file"),
    "convert": (
        "convert:convert",
        "write data as Parquet: one file of one file, the same folds of a dataset with folds",
    ),
    "protocol": (
        "protocol:protocol",
        "run the papers' protocol: every method on every fold of every dataset; each result is saved",
    ),
    "paper": ("paper:paper", "compute a figure or table of a paper; each finished piece is saved"),
    "papers": ("paper:papers", "list the figures and tables that the command paper can compute"),
    "site": ("site:site", "write the Lab as a folder of static files, for any web space"),
    "audit": ("audit:audit", "compare this program's answers on your data with independent ones"),
    "lesson": ("lesson:lesson", "check the file of a lesson and print its answers"),
    "run": ("server:run", "start the app on this machine"),
    "serve": ("server:serve", "start the app for other machines; SECURITY.md explains how"),
}
"""By name: the function that does the command's work, beside it the one that adds its options, and a line of help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parse(words)
        try:
            with ExitStack() as options.closing:
                record, text = options.run(options)
        except PartlyFailedError as partly:
            _answer(options, partly.record, partly.text)
            return _refuse(str(partly), 1)
        _answer(options, record, text)
    except DataError as error:
        from core.cli.reading import with_options

        return _refuse(with_options(error), 2)
    except UsageError as error:
        return _refuse(f"{error} (see {PROGRAM} --help)", 2)
    except KeyboardInterrupt:
        return _refuse("stopped", 1)
    except BrokenPipeError:
        return 1  # nobody reads the output any more
    except Exception as error:
        return _refuse(f"the work failed: {type(error).__name__}: {error}", 1)
    return 0


class _Parser(ArgumentParser):
    def __init__(self, **options: Any) -> None:
        # An abbreviation would let --lambda X pass for --lambda-ratio X.
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def print_help(self, file: object = None) -> None:
        say(self.format_help().rstrip())


def parse(words: Sequence[str]) -> Namespace:
    """Parse a command line. The result has the command's work in ``run`` and all words as typed in ``words``.

    Raises a `UsageError` if there is no such command or option, or a value is out of range.
    """
    return parser(words).parse_args(words, Namespace(words=list(words)))


def parser(named: Container[str] = COMMANDS) -> ArgumentParser:
    """Make the parser of all commands; only those that are named have their options."""
    made = _Parser(prog=PROGRAM, description="Sparse learning to rank.")
    made.add_argument("--version", action="version", version=f"sparse-ranking-lab {version()}")
    commands = made.add_subparsers(required=True, dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, (place, help) in COMMANDS.items():
        if name in ("run", "serve"):  # they answer nothing
            added = commands.add_parser(name, help=help)
        else:
            added = commands.add_parser(name, help=help, description=help)
            added.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        if name in named:
            with starting():
                work = resolve_name(f"{__name__}.{place}")
                add_options = getattr(sys.modules[work.__module__], f"add_{work.__name__}", None)
                if add_options is not None:
                    add_options(added)
            added.set_defaults(run=work)
    return made


def _answer(options: Namespace, record: Any, text: str) -> None:
    try:
        answer = json.dumps(record, allow_nan=False)
    except ValueError:
        msg = "a result is not a finite number; scale the features, for instance with --scale standard"
        raise ArithmeticError(msg) from None
    say(answer if options.json else text)


def _refuse(sentence: str, status: int) -> int:
    print(visible(" ".join(sentence.split())), file=sys.stderr)
    return status
