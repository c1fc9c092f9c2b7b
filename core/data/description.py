"""The description of a dataset folder: ``dataset.json``, texts of queries and names of documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from core.data.dataset import Convention
from core.data.errors import refuse
from core.data.file_content import read_content, read_json_file
from core.data.zipped import AnyPath, content_of

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


def read_description(folder: AnyPath) -> Description:
    """Read a folder's description; a folder without ``dataset.json`` is described by its name.

    Raises a `DataError` if that is not a JSON object of strings, or names an unknown convention.
    """
    path = folder / FILE_NAME
    shown = f"{folder.name}/{FILE_NAME}"
    called = Path(os.path.abspath(folder)).name if isinstance(folder, Path) else folder.name
    known = read_json_file(content_of(path), _known_keys, name=shown) if path.is_file() else {}
    name = known.get("name", called)
    return Description(**{"name": name, "title": name, "provenance": f"Read from the folder {name}.", **known})


def _known_keys(told: Any) -> dict[str, Any]:
    """Return the keys that the program reads; raise a `DataError` if one of them cannot be used."""
    if not isinstance(told, dict):
        refuse("the file must be a JSON object with name, title and provenance")
    known = {key: told[key] for key in Description.__dataclass_fields__ if told.get(key) is not None}
    for key, value in known.items():
        if not isinstance(value, str):
            refuse(f"{key!r} must be a string")
    if known.get("convention") not in (None, *get_args(Convention)):
        refuse(f"the convention {known['convention']!r} is not one of {', '.join(get_args(Convention))}")
    return known


def read_texts(folder: AnyPath, file_name: str | None) -> dict[str, str]:
    """Read a file of ``id<TAB>text`` lines in the folder into a mapping by id; empty where no file is named.

    Raises a `DataError` if the file is missing or a line has no tab.
    """
    if file_name is None:
        return {}
    shown = f"{folder.name}/{file_name}"
    text = read_content(content_of(folder / file_name), shown).decode("utf-8", errors="replace")
    texts = {}
    for line, content in enumerate(text.rstrip("\r\n").split("\n"), 1):
        key, tab, value = content.rstrip("\r").partition("\t")
        if not tab:
            refuse("a tab between id and text is missing", file=shown, line=line)
        texts[key] = value
    return texts
