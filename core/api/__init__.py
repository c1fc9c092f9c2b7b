"""What notebooks and scripts use: the app's answers as functions, tables and one estimator."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["pictures"])
