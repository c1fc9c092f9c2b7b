"""The text of a file in pieces, so that memory does not grow with the file."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from core.data.errors import DataError
from core.data.file_content import UTF16_MARKS, foreign_kind, read_head
from core.data.limits import Limits
from core.data.tables.table_text import foreign_encoding
from core.data.unpacking import Unpacked

_HEAD = 1 << 18


class TextFile:
    """A file, or its content, that is read once from the beginning; unpacked if it is gzipped.

    Parameters
    ----------
    source : Path or bytes
    name : str
        Name of the file in messages.

    Attributes
    ----------
    head : str
        The first characters, enough to recognise what the file is.
    limits : Limits
        How much the file may hold.
    encoding : str
        Name of the encoding in words; empty if it is UTF-8.
    ends_a_line : bool
        Whether the last line has an end, once `lines` has yielded it.

    Raises
    ------
    DataError
        If the file cannot be read, is empty, or is no text.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        self.source = source
        self.name = name
        head = read_head(source, name, _HEAD)
        if not head.strip():
            msg = "the file is empty"
            raise DataError(msg, file=name)
        reason = foreign_kind(head)
        if reason is not None:
            raise DataError(reason, file=name)
        whole = head[: head.rfind(b"\n") + 1] or head  # the last line may be cut within a character
        self._codec, self.encoding = foreign_encoding(whole) or ("utf-8-sig", "")
        self.head = head.decode(self._codec, errors="replace")
        if b"".join(Unpacked(source, name).pieces(2)).startswith(UTF16_MARKS):
            self._codec, self.encoding = "utf-16", "UTF-16"
        self.size = len(source) if isinstance(source, bytes) else source.stat().st_size
        self.ends_a_line = True
        self.limits = Limits.of(source)
        self._unpacked = Unpacked(source, name)

    @property
    def share(self) -> float:
        """Share of the file that has been read, from 0 to 1."""
        return min(self._unpacked.read / self.size, 1.0) if self.size else 1.0

    def pieces(self) -> Iterator[str]:
        """Yield the text, a piece at a time.

        Raises
        ------
        DataError
            If it is not UTF-8 or the gzip file is damaged, with the line.
        """
        decoder = codecs.getincrementaldecoder(self._codec)(errors="replace" if self.encoding else "strict")
        line = 1
        for content in self._contents():
            try:
                piece = decoder.decode(content, final=not content)
            except UnicodeDecodeError as error:
                line += bytes(error.object).count(b"\n", 0, error.start)
                msg = f"the byte 0x{error.object[error.start]:02X} is not UTF-8; save the file as UTF-8"
                raise DataError(msg, file=self.name, line=line) from None
            line += piece.count("\n")
            yield piece

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield number (from 1) and text of every line, without its end.

        Raises
        ------
        DataError
            As `pieces`, or if a line is far too long.
        """
        number, rest = 0, ""
        for piece in self.pieces():
            lines = (rest + piece).split("\n")
            rest = lines.pop()
            for line in lines:
                number += 1
                yield number, line.removesuffix("\r")
            if len(rest) > self.limits.row:
                msg = f"this line is longer than {self.limits.row:,} characters; is it a text file with lines?"
                raise DataError(msg, file=self.name, line=number + 1)
        self.ends_a_line = not rest
        if rest:
            yield number + 1, rest.removesuffix("\r")

    def _contents(self) -> Iterator[bytes]:
        """Yield the bytes, and an empty piece at the end."""
        yield from self._unpacked.pieces()
        yield b""
