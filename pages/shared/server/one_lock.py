"""All runs of one visitor's pages share a lock for his session state.

Streamlit gives every run a lock of its own for the state that they share. A run that has been told to end, and the one
that takes its place, then meet in the same dictionaries: the new one breaks off with "dictionary changed size during
iteration", and what the visitor has just pressed is lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

_begin: Callable[..., None] = SafeSessionState.__init__
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""By the state's identity. A lock lives as long as a run holds it, and the run holds the state: no identity is taken
again while its lock is here."""
_finding = threading.Lock()


def share_locks() -> None:
    """Have every run take the lock of its session's state; again without effect."""
    SafeSessionState.__init__ = _begin_with_the_lock  # type: ignore[method-assign]


@wraps(_begin)
def _begin_with_the_lock(self: SafeSessionState, state: SessionState, yield_callback: Callable[[], None]) -> None:
    _begin(self, state, yield_callback)
    with _finding:
        lock = _locks.setdefault(id(state), self._lock)
    object.__setattr__(self, "_lock", lock)
