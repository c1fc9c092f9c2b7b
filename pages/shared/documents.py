"""The documentation as pages show it: files of the folder ``docs``, with links that lead on within the app."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).resolve().parents[2] / "docs"
SERVER = "http://localhost:8501/"
"""Where the documentation says that the app is; in the app such links are relative."""
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK = re.compile(r"(?<!!)\[(?P<label>[^\]]+)\]\((?P<target>[^)\s]+)\)")
_PICTURE = re.compile(r"^!\[(?P<alt>[^\]]*)\]\((?P<target>[^)\s]+)\)$", re.MULTILINE)


def documents() -> dict[str, str]:
    """Titles by name, such as ``how_to/export``, in the order of the map, whose place this list takes."""
    named = dict.fromkeys(re.findall(r"\]\(((?:\w+/)?\w+)\.md\)", read("README")))
    return {name: read(name).partition("\n")[0].removeprefix("# ") for name in named}


def read(name: str) -> str:
    """A document's Markdown; its name is one of `documents`, or of a file of the folder."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def show(name: str) -> None:
    """Draw a document with its title as a header, its sections a level lower, and its pictures in their places."""
    title, _, text = _COMMENT.sub("", read(name)).partition("\n")
    st.header(title.removeprefix("# "), anchor=False)
    text = re.sub("^##", "###", text, flags=re.MULTILINE)
    place = 0
    for found in _PICTURE.finditer(text):
        st.markdown(linked(text[place : found.start()], name))
        picture = FOLDER / posixpath.normpath(posixpath.join(posixpath.dirname(name), found["target"]))
        if picture.is_file():
            st.image(picture, caption=found["alt"])
        place = found.end()
    st.markdown(linked(text[place:], name))


def linked(text: str, name: str) -> str:
    """A document's text whose links lead to pages of the app; what only the sources have is named without a link."""
    return _LINK.sub(lambda found: _link(found["label"], found["target"], posixpath.dirname(name)), text)


def _link(label: str, target: str, folder: str) -> str:
    if target.startswith(SERVER):
        return f"[{label}]({target.removeprefix(SERVER) or '.'})"
    if target.startswith(("http://", "https://", "#")):
        return f"[{label}]({target})"
    path, _, place = target.partition("#")
    document = posixpath.normpath(posixpath.join(folder, path)).removesuffix(".md")
    if document not in documents():
        return label
    return f"[{label}](docs?document={document}{f'#{place}' if place else ''})"
