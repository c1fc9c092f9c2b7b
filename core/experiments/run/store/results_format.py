"""Conversion of a cell's result to columns of the run store, and back, bit for bit."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.experiments.run.protocol import CellResult

_QUERIES, _TRACE, _DRAWN = "per_query", "trace", "drawn_tests"


def pack(result: CellResult) -> tuple[str, bytes, str]:
    """Return JSON text, a compressed archive of model, queries and trace, and a checksum of both."""
    text = json.dumps(result.record)
    archive = io.BytesIO()
    named = {f"{_QUERIES} {measure}": values for measure, values in result.per_query.items()}
    named |= {f"{_TRACE} {name}": values for name, values in result.trace.items()}
    named |= {f"{_DRAWN} {measure}": values for measure, values in result.drawn_tests.items()}
    written = np.frombuffer(result.text.encode(), dtype=np.uint8)
    np.savez_compressed(archive, allow_pickle=False, weights=result.weights, text=written, drawn=result.drawn, **named)
    arrays = archive.getvalue()
    return text, arrays, _checksum(text, arrays)


def unpack(text: str, arrays: bytes, checksum: str) -> CellResult | None:
    """Return the result; None if the columns are not those that `pack` made."""
    try:
        if _checksum(text, arrays) != checksum:
            return None
        with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
            written = archive["text"].tobytes().decode() if "text" in archive.files else ""
            per_query, trace = _named(archive, _QUERIES), _named(archive, _TRACE)
            drawn = archive["drawn"] if "drawn" in archive.files else np.zeros(0, dtype=np.int64)
            again = _named(archive, _DRAWN)
            return CellResult(json.loads(text), archive["weights"], per_query, trace, written, drawn, again)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, zipfile.BadZipFile):
        return None


def _named(archive: Mapping[str, NDArray[Any]], kind: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a kind by their own names; older stores may have none."""
    return {name.removeprefix(f"{kind} "): archive[name] for name in archive if name.startswith(f"{kind} ")}


def _checksum(text: str, arrays: bytes) -> str:
    return hashlib.sha256(text.encode() + b"\0" + arrays).hexdigest()
