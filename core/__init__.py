"""Sparse learning to rank without a user interface.

What a notebook needs has its name here; every name is loaded when it is first used. `sparse_ranking_lab` has the same
names wherever the program is installed::

    from sparse_ranking_lab import fit, open_dataset
    model = fit(open_dataset("python-docs").fold(1), "l1", tune="map")
    model.features

`SparseRanker` is the same as a scikit-learn estimator, and `DaskSparseRanker` one for a Dask DataFrame.
"""

import lazy_loader

# The stub beside this file says where each name is.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
