"""Rows of private names, for tests that change what is installed."""

from __future__ import annotations

from core.private_names import Row


def forget(row: Row) -> None:
    """Have a row tried again when it is asked for next."""
    for name in ("missing", "_things"):
        vars(row).pop(name, None)
