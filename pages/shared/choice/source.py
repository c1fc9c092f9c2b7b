"""What data is read, as one value."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from core.data import Reading
from core.data.reading import AS_IT_STANDS
from core.data.tables.table_options import TableOptions
from pages.shared import keys

OF_TABLE = tuple(field.name for field in fields(TableOptions))
"""Options of a table. Session, addresses and saved choices keep every option of a reading under its own name."""
BOUND = (keys.POSITIVE, keys.GROUP)
"""Those whose controls Streamlit binds to the address; the others are written to it by the pages."""


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


def in_session(reading: Reading) -> dict[str, Any]:
    """What the session keeps of how a file is read, beside scaling and division, which have controls of their own."""
    kept = {name: getattr(reading, name) for name in (*OF_TABLE, keys.GROUP, keys.DROP_COPIES)}
    return kept | {
        keys.POSITIVE: reading.positive or "",
        keys.DROP_COLUMNS: ",".join(reading.drop_columns) or None,
    }


def upload_label(name: str, digest: str) -> str:
    """What an upload is called in the list of datasets, and in links."""
    return f"{name}{_suffix(digest)}"


def _suffix(digest: str) -> str:
    return f" · {digest[:10]}"
