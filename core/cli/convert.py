"""The command ``convert``: data of any kind as Parquet."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import numpy as np

from core.cli.options import UsageError, writing
from core.cli.reading import DATA, add_reading_options, reading_of
from core.data.catalogue import find_entry
from core.data.parquet.parts import ENDING

DTYPES: dict[str, type[np.floating]] = {"float64": np.float64, "float32": np.float32}


def add_convert(parser: ArgumentParser) -> None:
    """Give the command ``convert`` its options."""
    parser.add_argument("data", metavar="DATA", help=DATA)
    parser.add_argument(
        "--out",
        required=True,
        metavar="PLACE",
        help="file to write (NAME.parquet), or for data with folds the folder of Fold1/train.parquet and so on",
    )
    parser.add_argument("--dtype", choices=DTYPES, help="type of the features (default: as they are, float64 for text)")
    add_reading_options(parser)


def convert(options: Namespace) -> tuple[dict[str, Any], str]:
    """Write the data, and return the record and the text; refuse a place that is not one for this data."""
    from core.data.parquet.writing import converted, is_one_file

    dataset, entry, place = reading_of(options).open(options.data), find_entry(options.data), Path(options.out)
    if is_one_file(dataset):
        if place.suffix.lower() != ENDING or place.is_dir():
            msg = f"{options.data} is one file; give --out a file whose name ends in {ENDING}"
            raise UsageError(msg)
    elif place.exists() and not (place.is_dir() and not any(place.iterdir())):
        msg = f"{options.data} has folds; give --out a folder that is new or empty"
        raise UsageError(msg)
    dtype = None if options.dtype is None else DTYPES[options.dtype]
    with writing(place, options.data):
        files = list(converted(dataset, place, title=entry.title, licence=entry.licence, dtype=dtype))
    written = [file for file in files if file.suffix == ENDING]
    size = sum(file.stat().st_size for file in written)
    record = {"out": str(place), "files": [str(file) for file in files], "bytes": size}
    notes = list(dataset.notes)
    record |= {"reading": notes} if notes else {}
    files_of = "one Parquet file" if len(written) == 1 else f"{len(written)} Parquet files"
    return record, "\n".join([*notes, f"{place}: {files_of}, {size:,} bytes."])
