"""Ranking data: its shape, readers, cache, scaling and catalogue."""

import lazy_loader

# Every name is loaded when it is first used; the stub beside this file says whence.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
