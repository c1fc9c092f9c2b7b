"""What of a figure is otherwise on a narrow screen, where words meet and panels stand one under the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Words = str | Mapping[str, Any]


def at_the_end(text: str) -> Words:
    """Return words that stand on a narrow screen at the right end of their line, among the names of the other lines."""
    return {"text": text, "x": 1, "xanchor": "left", "xshift": 4, "yanchor": "middle"}


def narrow(words: Mapping[str, Words], layout: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the part of a layout's ``meta`` that `core/figures/browser/narrow.js` reads.

    Labels at the right end of lines need nothing here: there they are moved apart by the height that they get.

    Parameters
    ----------
    words : mapping
        By the text of an annotation what stands there instead, or what of the annotation differs; nothing where the
        text is empty.
    layout : mapping, optional
        Parts of the layout; of an axis only what differs.
    """
    return {"narrow": {"words": dict(words), "layout": dict(layout or {})}}
