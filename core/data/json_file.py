"""A JSON file of which something is made; whatever is wrong with it is one sentence that names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.data.errors import DataError
from core.data.file_content import file_label, read_content

Made = TypeVar("Made")


def read_json_file(
    source: Path | bytes, make: Callable[[Any], Made], *, name: str | None = None, needed: str = ""
) -> Made:
    """Read the file and return what ``make`` makes of it; a `DataError` tells what is wrong with it.

    Parameters
    ----------
    source : Path or bytes
        A file or its content.
    make : callable
        From the parsed content; it raises a `DataError` about content that it cannot use.
    name : str, optional
        Name of the file in messages; its path by default.
    needed : str
        Which file is needed, to be said where it is no JSON at all.
    """
    label = name or file_label(source)
    content = read_content(source, label)
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
