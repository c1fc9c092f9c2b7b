"""Files written whole or not at all, in a folder or in one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from core.data.files.disk import usual_mode, whole_file

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same archive


def write_files(directory: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write each whole or not at all, so that a reader never meets half of one.

    ``files`` are by path below the directory, with ``/``. Folders are made where there are none; nothing else is
    touched. Raises an `OSError` if the place cannot be written.
    """
    paths = [directory / name for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        with whole_file(path, usual_mode()) as file:
            file.write(content)
    return paths


def not_an_input(out: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, by whatever path or link it is named.

    Raises a `ValueError` if ``out`` is one of ``inputs``.
    """
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            msg = f"{out} is the input file; write to another one"
            raise ValueError(msg)


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Pack the files into one zip archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return archive.getvalue()
