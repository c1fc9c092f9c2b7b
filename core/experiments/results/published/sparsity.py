"""Sparsity ratios as published: Table IV of Laporte et al.

Laporte, Flamary, Canu, Déjean, Mothe: Nonconvex Regularizations for Feature Selection in Ranking With Sparse SVM,
IEEE Transactions on Neural Networks and Learning Systems 25(6), 2014, Table IV. Means over each dataset's five folds,
two digits as printed.
"""

from __future__ import annotations

from collections.abc import Mapping

SOURCE = "Laporte et al. 2014, Table IV"
_METHODS = ("fenchelrank", "fsmrank", "l1", "mcp", "log", "l0.5")
_TABLE = {
    "OHSUMED": (0.23, 0.41, 0.28, 0.34, 0.12, 0.22),
    "MQ2008": (0.30, 0.42, 0.39, 0.27, 0.09, 0.07),
    "MQ2007": (0.58, 0.64, 0.60, 0.19, 0.29, 0.05),
    "HP2004": (0.19, 0.26, 0.17, 0.24, 0.06, 0.12),
    "NP2004": (0.27, 0.37, 0.43, 0.32, 0.13, 0.23),
    "TD2004": (0.46, 0.67, 0.42, 0.28, 0.36, 0.30),
    "HP2003": (0.27, 0.48, 0.25, 0.39, 0.27, 0.16),
    "NP2003": (0.23, 0.44, 0.48, 0.36, 0.23, 0.27),
    "TD2003": (0.53, 0.76, 0.48, 0.40, 0.34, 0.20),
}
PRINTED_MEANS = dict(zip(_METHODS, (0.34, 0.49, 0.39, 0.31, 0.21, 0.18), strict=True))


def published_sparsity() -> Mapping[str, Mapping[str, float]]:
    """Return the sparsity ratio in [0, 1] by method id, then by the dataset's name in the catalogue."""
    return {method: {name: row[k] for name, row in _TABLE.items()} for k, method in enumerate(_METHODS)}
