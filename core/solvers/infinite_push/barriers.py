"""How the interior-point method uses the barriers of a loss and of a penalty, and what these share.

A barrier holds a point: weights or scores, with their multipliers and slacks. A step takes these calls, of which only
``take`` changes the point. It is aimed and moved twice, the second time corrected::

    linearise --> aim --> (the linear system) --> move --> promise --> aim, corrected --> (...) --> move --> take

"Products" are the complementarity products, multiplier times slack, which are 0 at the optimum; ``complementarity``
returns their sum and their number.

A loss does not change if one number is added to all scores of a query; ``starts``, shape (n_queries,), are the first
rows of the queries. Its ``multipliers``, shape (n_documents,), are dL/ds as they stand, and ``dual_point`` has the dual
value, and dL/ds, at multipliers that are exactly feasible. It is linearised at scores. With B the curvature in the
scores, whose rows sum to 0 within a query, it then has ``gram``, X^T B X, shape (n_features, n_features), and
``score_curvature``, B, shape (n_documents, n_documents). A penalty is linearised at X^T times the loss's multipliers.
Its part of the Hessian is ``diagonal``. Where it has a further unknown (the multiplier of a ball), ``border`` is the
right-hand side for that, else None; both have shape (n_features,).

``aim`` returns the right-hand side for products equal to a target, less those of the last step's changes where it is to
``correct``. A loss's, shape (n_documents,), is the r such that the multipliers will change by B ds - r; a penalty's,
shape (n_features,), is the right-hand side of the step in the weights.

``move`` makes the step that follows from a change, and returns its longest length, up to 1, that keeps all multipliers
and slacks above 0. A loss's takes the change of the scores and, where the linear system was solved for them, the
multipliers' changes (where the curvature is large, B multiplies the rounding error of ds, so they are more accurate). A
penalty's takes the change of the weights with the further unknown held fixed and, as ``side``, the solution for the
``border`` if there is one. It then has the whole ``change`` of the weights, shape (n_features,), and that of the
further unknown, ``further``. ``promise`` is the sum of the products after a step of a length. Changes are named by the
variable with a d.
"""

import numpy as np

from core.solvers.problem import FloatArray

LEAST = 1e-100


def longest_step(values: FloatArray, changes: FloatArray) -> float:
    """Return the longest step, up to 1, that keeps all values >= 0; each is above 0 now."""
    return -1.0 / float((changes / values).min(initial=-1.0))


def above_zero(values: FloatArray) -> FloatArray:
    """Return the values with those that rounding has put on the boundary moved just inside it.

    Such a value allows only tiny steps, so it soon ends the path.
    """
    kept: FloatArray = np.maximum(values, LEAST)
    return kept
