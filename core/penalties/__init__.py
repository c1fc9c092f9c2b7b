"""Penalties on the weight vector: they make it small, sparse, or both.

A new penalty needs no row here: its method imports it from its own file (see CONTRIBUTING.md).
"""

import lazy_loader

# Every name is loaded when it is first used; the stub beside this file says whence.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
