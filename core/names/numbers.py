"""Numbers as text."""

import math
from functools import lru_cache


@lru_cache(maxsize=1 << 15)  # every page of a path writes thousands of them, the same again and again
def short(value: float) -> str:
    """Write C, lambda and the like with two digits: 1.2e-3 rather than 0.0012."""
    if value == 0.0:
        return "0"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if 0.01 <= abs(value) < 1000:
        return f"{value:.2g}" if abs(value) < 99.5 else f"{value:.0f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"
