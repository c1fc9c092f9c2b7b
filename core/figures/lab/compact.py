"""The layout of a small view: narrow margins, small letters, and no title, for the page says what is seen."""

from __future__ import annotations

from typing import Any

from core.figures.look.drawing import Drawing

HEIGHT = 250
LETTERS = 11  # pixels, along the axes
WORDS = 12
HANDLE = 26  # pixels above the picture: room for the handle of C


def compact(figure: Drawing, *, left: int, right: int, top: int) -> Drawing:
    """Make a figure small, and return it; a page may give it another height.

    Parameters
    ----------
    figure : Drawing
    left, right, top : int
        Margins in pixels.
    """
    axis: dict[str, Any] = {"tickfont": {"size": LETTERS}, "title": {"font": {"size": WORDS}, "standoff": 6}}
    figure.update_xaxes(axis | {"automargin": False})
    figure.update_yaxes(axis | {"automargin": False})
    return figure.update_layout(
        height=HEIGHT, margin={"l": left, "r": right, "t": top, "b": 38, "pad": 2}, hoverdistance=12
    )
