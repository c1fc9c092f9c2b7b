"""A cell's result as two columns of the run store, and back, bit for bit."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import numpy as np

from core.experiments.protocol import CellResult


def pack(result: CellResult) -> tuple[str, bytes, str]:
    """JSON text, a compressed archive of the arrays, and a checksum of both."""
    text = json.dumps(result.record)
    archive = io.BytesIO()
    named = {f"per_query {measure}": values for measure, values in result.per_query.items()}
    np.savez_compressed(archive, allow_pickle=False, weights=result.weights, **named)
    arrays = archive.getvalue()
    return text, arrays, _checksum(text, arrays)


def unpack(text: str, arrays: bytes, checksum: str) -> CellResult | None:
    """The result, or None where it is not what `pack` made."""
    try:
        if _checksum(text, arrays) != checksum:
            return None
        with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
            per_query = {name.partition(" ")[2]: archive[name] for name in archive.files if name != "weights"}
            return CellResult(json.loads(text), archive["weights"], per_query)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, zipfile.BadZipFile):
        return None


def _checksum(text: str, arrays: bytes) -> str:
    return hashlib.sha256(text.encode() + b"\0" + arrays).hexdigest()
