"""Solvers: iterative algorithms for a `Problem`; they know nothing of papers' settings or of figures."""

import lazy_loader

# Every name is loaded when it is first used; the stub beside this file says whence.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
