"""Options of the commands that run many fits: protocol and paper."""

from __future__ import annotations

from argparse import ArgumentParser

from core.option_groups import add_grid, add_reading, add_rule, add_starts
from core.option_types import names_between_commas, within
from core.program import PROGRAM
from core.reading_words import add_division_options


def add_protocol(parser: ArgumentParser) -> None:
    """Give the command ``protocol`` its options."""
    parser.add_argument("data", nargs="+", metavar="DATA", help="catalogue names, folders of folds, or files to split")
    parser.add_argument(
        "--methods",
        type=names_between_commas,
        required=True,
        metavar="ID,ID,...",
        help=f"ids that {PROGRAM} methods lists, with parameters as in mcp:gamma=2 (MCP as printed); lambdamart, a "
        f"reference; or the name of a paper's table, which {PROGRAM} papers lists, for all its rows",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the report and for runs.sqlite, which holds every finished cell; run the command again to "
        "continue",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=within(int, 1, 4096), metavar="N", help="processes on this machine (default: one per core)"
    )
    where.add_argument("--dask", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument(
        "--measure",
        default="map",
        metavar="MEASURE",
        help="measure that chooses C on the validation part: map as in Laporte et al. (default), ndcg@10 as in Lai et "
        "al.; published numbers are shown next to ours if the same measure chose both",
    )
    add_rule(parser)
    add_starts(parser)
    parser.add_argument(
        "--bootstrap-training",
        type=within(int, 0, 10_000),
        default=0,
        metavar="B",
        help="draw the training queries of every fold again B times with replacement, fit and choose on each draw, and "
        "give the spread as a third ±, by training; each draw is saved like a cell (default 0)",
    )
    add_grid(parser, default=20)
    parser.add_argument(
        "--reference",
        metavar="ID",
        help="the one of --methods that the others are compared with (default l2, else the first)",
    )
    parser.add_argument(
        "--margin",
        type=within(float, 0.0, 1.0),
        default=0.01,
        metavar="M",
        help="methods whose MAP or NDCG@10 differs by no more, the choice of C included, are equivalent (default 0.01, "
        "of measures between 0 and 1)",
    )
    add_reading(parser)
    add_division_options(parser)


def add_paper(parser: ArgumentParser) -> None:
    """Give the command ``paper`` its options."""
    parser.add_argument("name", metavar="NAME", help=f"name of a figure or table; {PROGRAM} papers lists them")
    parser.add_argument(
        "data", nargs="*", metavar="DATA", help="datasets, if it needs any: catalogue names, folders of folds, or files"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for finished pieces, page and tables; run the command again to continue",
    )
    parser.add_argument(
        "--quick", action="store_true", help="use few sizes and trials instead of the paper's, where that is possible"
    )
    add_reading(parser)
    add_division_options(parser)
