"""The datasets of the catalogue that can be opened, and the state of their files in a run of a page."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from core.data.catalogue import READY, CatalogueEntry, catalogue
from pages.shared import cache
from pages.shared.cache import cached, use_upload
from pages.shared.choice.choice import Source
from pages.shared.server.visits import on_a_page

_VERSIONS = "versions"


@cached(seconds=30)
def ready_datasets() -> Mapping[str, CatalogueEntry]:
    """Datasets that can be opened, by name; looked for again every half minute."""
    return {entry.name: entry for entry in catalogue() if entry.state == READY}


def version_of(source: Source) -> object:
    """What changes whenever a file of a dataset is written to; None if there is none that can be inspected.

    A run of a page asks a dozen times and looks at the files once: all that it shows is of one version. What it makes
    of a visitor's file goes with that file from here on.
    """
    if source.upload:
        use_upload(source.upload)
        return source.upload
    if not on_a_page():
        return _version(source)
    seen: dict[str, object] = st.session_state.setdefault(_VERSIONS, {})
    if source.name not in seen:
        seen[source.name] = _version(source)
    return seen[source.name]


def begin_run() -> None:
    """A page is drawn anew: which files it uses, and how they stand, is yet to be seen."""
    cache.begin_run()
    st.session_state[_VERSIONS] = {}


def _version(source: Source) -> object:
    entry = ready_datasets().get(source.name)
    if entry is None:
        return None
    if entry.path is None:
        return entry.name
    try:
        return repr(_states(os.fspath(entry.path)))
    except OSError:
        return None


def _states(path: str) -> list[tuple[str, int, int]]:
    """Name, time of the last change in ns, and bytes of a file, or of every file in a folder."""
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    states = [(file, os.stat(file)) for file in files if os.path.isfile(file)]
    return sorted((file, state.st_mtime_ns, state.st_size) for file, state in states)
