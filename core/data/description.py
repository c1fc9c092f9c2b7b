"""The description of a dataset folder: ``dataset.json``, texts of queries and names of documents."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from core.data.dataset import Convention
from core.data.errors import DataError
from core.data.file_content import read_content

FILE_NAME = "dataset.json"


@dataclass(frozen=True)
class Description:
    """The keys of ``dataset.json`` that the program reads; other keys are ignored.

    ``query_texts`` and ``document_names`` name files in the same folder with ``id<TAB>text`` lines.
    """

    name: str
    title: str
    provenance: str
    licence: str | None = None
    convention: Convention | None = None
    query_texts: str | None = None
    document_names: str | None = None


def read_description(folder: Path) -> Description:
    """Read a folder's description; a folder without ``dataset.json`` is described by its name.

    Raises
    ------
    DataError
        If ``dataset.json`` is not a JSON object of strings, or names an unknown convention.
    """
    path = folder / FILE_NAME
    shown = f"{folder.name}/{FILE_NAME}"
    if not path.is_file():
        called = Path(os.path.abspath(folder)).name
        return Description(called, called, f"Read from the folder {called}.")
    try:
        told = json.loads(read_content(path, shown))
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        msg = f"this is not valid JSON ({error})"
        raise DataError(msg, file=shown) from None
    if not isinstance(told, dict):
        msg = "the file must be a JSON object with name, title and provenance"
        raise DataError(msg, file=shown)
    known = {key: told[key] for key in Description.__dataclass_fields__ if told.get(key) is not None}
    for key, value in known.items():
        if not isinstance(value, str):
            msg = f"{key!r} must be a string"
            raise DataError(msg, file=shown)
    if known.get("convention") not in (None, *get_args(Convention)):
        msg = f"the convention {known['convention']!r} is not one of {', '.join(get_args(Convention))}"
        raise DataError(msg, file=shown)
    name = known.get("name", Path(os.path.abspath(folder)).name)
    return Description(**{"name": name, "title": name, "provenance": f"Read from the folder {name}.", **known})


def read_texts(folder: Path, file_name: str | None) -> dict[str, str]:
    """Read a file of ``id<TAB>text`` lines in the folder into a mapping by id; empty where no file is named.

    Raises
    ------
    DataError
        If the file is missing or a line has no tab.
    """
    if file_name is None:
        return {}
    shown = f"{folder.name}/{file_name}"
    text = read_content(folder / file_name, shown).decode("utf-8", errors="replace")
    texts = {}
    for line, content in enumerate(text.rstrip("\r\n").split("\n"), 1):
        key, tab, value = content.rstrip("\r").partition("\t")
        if not tab:
            msg = "a tab between id and text is missing"
            raise DataError(msg, file=shown, line=line)
        texts[key] = value
    return texts
