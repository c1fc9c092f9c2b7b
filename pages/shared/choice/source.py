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

    @property
    def file_name(self) -> str:
        """The name under which this visitor gave the upload; another one may have given the same content."""
        return self.name.removesuffix(_suffix(self.upload))

    def read(self, **options: Any) -> Source:
        """Return the same data with these options of `Reading` changed."""
        return replace(self, reading=replace(self.reading, **options))


def upload_label(name: str, digest: str) -> str:
    """What an upload is called in the list of datasets, and in links."""
    return f"{name}{_suffix(digest)}"


def _suffix(digest: str) -> str:
    return f" · {digest[:10]}"
