"""A file that is there whole or not at all: written beside its place, then moved there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

BESIDE = ".tmp"
"""How the name of a file under way ends; one that is old was left behind by a crash."""
PRIVATE = 0o600


@contextmanager
def whole_file(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its place, over an older one, once it has been written without an error.

    Two processes never see half of it, and after an error nothing is left beside the older one, nor a folder that
    was made for it.

    Parameters
    ----------
    path : Path
        Its folder is made where there is none.
    mode : int
        Who may read and write it; by default nobody else.

    Raises
    ------
    OSError
        If the place cannot be written.
    """
    made, beside = [folder for folder in path.parents if not folder.exists()], None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=BESIDE)
        with os.fdopen(handle, "wb") as file:
            yield file
        if mode != PRIVATE:
            Path(beside).chmod(mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            if beside is not None:
                os.unlink(beside)
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def usual_mode() -> int:
    """Who may read and write any new file of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
