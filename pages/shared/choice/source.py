"""What data is read, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from core.data import Reading
from core.data.reading import AS_IT_STANDS


@dataclass(frozen=True)
class Source:
    """Everything that decides what data is read.

    Attributes
    ----------
    name : str
        The dataset's name in the sidebar's list.
    upload : str
        The sha256 of an uploaded file's content, empty for a dataset of the catalogue.
    reading : Reading
        How the data is read.
    """

    name: str
    upload: str = ""
    reading: Reading = AS_IT_STANDS

    def read(self, **options: Any) -> Source:
        """Return the same data with these options of `Reading` changed."""
        return replace(self, reading=replace(self.reading, **options))
