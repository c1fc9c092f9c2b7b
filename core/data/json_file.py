"""A JSON file of which something is made; whatever is wrong with it is one sentence that names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.data.errors import DataError
from core.data.file_content import file_label, read_content

Made = TypeVar("Made")


def read_json_file(path: Path, make: Callable[[Any], Made], *, needed: str = "") -> Made:
    """Read the file and return what ``make`` makes of it.

    Parameters
    ----------
    path : Path
    make : callable
        From the parsed content; it raises a `DataError` about content that it cannot use.
    needed : str
        Which file is needed, to be said where it is no JSON at all.

    Raises
    ------
    DataError
        If the file cannot be read, is no JSON, or ``make`` refuses it.
    """
    label = file_label(path)
    content = read_content(path, label)
    try:
        parsed = json.loads(content)
    except ValueError as error:
        way_out = f"; a file is needed {needed}" if needed else ""
        msg = f"this is not valid JSON ({error}){way_out}"
        raise DataError(msg, file=label) from None
    try:
        return make(parsed)
    except DataError as error:
        raise DataError(error.reason, file=label) from None
