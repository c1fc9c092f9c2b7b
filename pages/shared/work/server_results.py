"""Results known on this server, by key, for all sessions: whatever one visitor has waited for, the next one has."""

from __future__ import annotations

from typing import Any

from pages.shared.kept import once


@once(100)
def server_results(kind: str) -> dict[Any, Any]:
    """The results of a kind, the oldest first. Jobs write into it as they go."""
    return {}


def forget_oldest(results: dict[Any, Any], most: int) -> None:
    """Keep so many results at most. Call it before new work begins: work under way counts on what it has found."""
    while len(results) > most:
        results.pop(next(iter(results)), None)
