"""What a number is, in every format: digits 0 to 9 with one point and one exponent, as in ``-1.5e-3``.

`float` and `int` read more: ``1_000``, digits of other scripts. Programs that read the same file would disagree.

=================================  =======================================
``12``  ``+1``  ``-0.5``           a number
``.5``  ``1.``  ``1e5``  ``2E-3``  a number
``1e400``  ``inf``  ``-Infinity``  a number without end; no format takes it
``nan``                            a number for `read_number` only; a missing cell of a table with classes
``1_000``  ``٣``  ``３``           no number
``0x1A``  ``1,5``  ``1e``  ``.``   no number
=================================  =======================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DIGITS = re.compile(r"[0-9]{1,18}")
BLANKS = " \t\n\r\v\f"
"""What may stand around a number."""


def read_number(text: str) -> float:
    """Read a number, perhaps infinite or NaN; blanks around it do not count. A `ValueError` where it is none."""
    stripped = text.strip(BLANKS)
    if _NUMBER.fullmatch(stripped) is None:
        msg = f"{text[:40]!r} is not a number"
        raise ValueError(msg)
    return float(stripped)


def read_whole(text: str) -> int:
    """Read a whole number of at most 18 digits; blanks around it do not count. A `ValueError` where it is none."""
    stripped = text.strip(BLANKS)
    if _WHOLE.fullmatch(stripped) is None:
        msg = f"{text[:40]!r} is not a whole number"
        raise ValueError(msg)
    return int(stripped)


def read_numbers(texts: Sequence[str]) -> Iterable[float]:
    """Read many numbers, as `read_number` does and as fast as `float`.

    A `ValueError` tells of one that is none: at once, or when it is its turn.
    """
    together = "".join(texts)
    plain = together.isascii() and "_" not in together  # of plain text, `float` reads nothing more than `read_number`
    return map(float if plain else read_number, texts)


def is_number(text: str) -> bool:
    """Tell whether the text is a number (possibly infinite or NaN)."""
    return _NUMBER.fullmatch(text.strip(BLANKS)) is not None


def is_digits(text: str) -> bool:
    """Tell whether the text has nothing but digits 0 to 9, at most 18."""
    return _DIGITS.fullmatch(text) is not None
