"""Files written whole or not at all, in a folder or in one archive."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same archive


def write_files(directory: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write each beside its place and move it there, so that a reader never meets half of one.

    Folders are made where there are none; nothing else in ``directory`` is touched.

    Parameters
    ----------
    directory : Path
    files : mapping of str to bytes
        By path below it, with ``/``.

    Raises
    ------
    OSError
        If the place cannot be written.
    """
    paths = [directory / name for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, content)
    return paths


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Pack the files into one zip archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def _write(path: Path, content: bytes) -> None:
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        _as_others(Path(beside))
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _as_others(path: Path) -> None:
    """Readable as any new file is: what is made to be private for a moment need not stay so."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)
