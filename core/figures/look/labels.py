"""Labels in figures: names, numbers along axes, and what stands in their place on a narrow screen.

Plotly rounds a label that has a fixed number of decimals, so that neighbours become equal; formats here have as many
decimals as they need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.names.plain import in_plotly
from core.names.short import LONGEST, short_names


def name_labels(names: Sequence[str], columns: Iterable[int], longest: int = LONGEST) -> list[str]:
    """Return labels of these names (columns from 0), at most ``longest`` characters on the screen.

    Parameters
    ----------
    names : sequence of str
        All names of the set, which decide what tells one from the others.
    columns : iterable of int
    longest : int
        By default that of features, whose labels are the same in every picture.
    """
    return [in_plotly(label) for label in short_names(names, columns, longest)]


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


PERCENT = "~%"
NUMBER = ".12~g"
WHOLE = 6
"""Counts as small as this have a label each; plotly would put labels between them."""


def count_axis(low: float, high: float) -> dict[str, Any]:
    """What an axis of counts over this range has beside its range, as parts of a layout."""
    return {"tick0": 0, "dtick": 1} if high - low <= WHOLE else {}


def first_of_each(labels: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Places with their labels, without those whose label stands already."""
    places: dict[str, float] = {}
    for place, text in labels:
        places.setdefault(text, place)
    return [(place, text) for text, place in places.items()]
