"""Numbers of things, in words."""

from __future__ import annotations


def features(count: int | str) -> str:
    """A number of features, or a range such as "17–21"."""
    return f"{count} feature" + ("" if str(count) == "1" else "s")
