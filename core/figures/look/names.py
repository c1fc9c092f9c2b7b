"""Names in figures: short enough for their place, different from each other, and text to plotly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
