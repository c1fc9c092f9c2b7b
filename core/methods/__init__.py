"""Published ranking methods under their papers' names, and the registry that lists them."""

import lazy_loader

# Every name is loaded when it is first used; the stub beside this file says whence.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
