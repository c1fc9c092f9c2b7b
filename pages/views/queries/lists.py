"""The two lists in the browser: a changed weight ranks them there, and reaches the server on release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

from core.analysis.queries.edits import edits_of
from core.figures.browser.drawing_code import UNPACKED
from core.figures.queries.lists import Spec
from pages.views.queries.place import keep

_HERE = Path(__file__).parent
_SCRIPTS = (UNPACKED, _HERE / "why.js", _HERE / "lists.js")
_LISTS = st.components.v2.component(
    "ranked_lists",
    js="\n".join(path.read_text(encoding="utf-8") for path in _SCRIPTS),
    css=(_HERE / "lists.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)
_KEY = "ranked_lists"


def ranked_lists(spec: Spec, alt: str) -> None:
    """Draw the lists; ``alt`` says to screen readers what is seen, in a sentence."""
    sent = spec | {"alt": alt, "picture": {"filename": "lists"}}
    _LISTS(key=_KEY, data=json.dumps(sent, ensure_ascii=False).encode(), on_changed_change=_changed)


def _changed() -> None:
    """The hand has let go."""
    told: dict[str, Any] | None = st.session_state[_KEY]["changed"]
    if told is not None:
        edits = edits_of(
            ((int(j), float(weight)) for j, weight in told["weights"]),
            ((int(i), int(j), float(value)) for i, j, value in told["values"]),
        )
        keep([int(i) for i in told["selected"]], edits)
