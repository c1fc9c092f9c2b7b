from __future__ import annotations

import gc
import weakref

from pages.shared.server.server import tidy


class Visitor:
    """Refers to itself, as sessions do."""

    def __init__(self) -> None:
        self.me = self


def test_what_only_refers_to_itself_goes_however_long_it_was_there() -> None:
    gone, here = Visitor(), Visitor()
    seen = weakref.ref(gone), weakref.ref(here)
    try:
        tidy()
        del gone
        gc.collect()
        assert seen[0]() is not None  # passed over by usual collections: that is what makes them short
        tidy()
        assert seen[0]() is None
        assert seen[1]() is here
    finally:
        gc.unfreeze()
