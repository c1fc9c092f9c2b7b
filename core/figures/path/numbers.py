"""Numbers as the browser unpacks them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(values: Sequence[float] | NDArray[np.float64], dtype: str) -> dict[str, Any]:
    """Numbers as base64 of little-endian floats."""
    return {"dtype": dtype[1:], "bdata": base64.b64encode(np.asarray(values, dtype=dtype).tobytes()).decode()}
