"""Compiled sweep of the importance-weighted modified Huber loss; it visits all pairs and stores none."""

from __future__ import annotations

from core.kernels import kernel


@kernel
def importance_sweep(  # type: ignore[no-untyped-def]
    scores, gain, discount, order, group_start, query_group, first, last, gradient
):
    """Sum W_ij psi(s_i - s_j) over pairs (i, j), W_ij = (gain_i - gain_j) |discount_i - discount_j|.

    This takes O(n^2) a query: an importance depends on the ranks of both documents, so pairs share no sums.

    Parameters
    ----------
    scores, gain, discount : ndarray of float64, shape (n_documents,)
        The gains are divided by the query's ideal DCG.
    gradient : ndarray of float64, shape (n_documents,)
        Output, zeros before: d(sum)/d(score) is added for the documents of these queries.

    Returns
    -------
    (value, slope, curvature, steepest)
        The sum, and three numbers of its dual point alpha = -W psi': sum(alpha), sum(alpha^2 / (4 W)), max(alpha / W).
    """
    value, dual_slope, dual_curvature, steepest = 0.0, 0.0, 0.0, 0.0
    for q in range(first, last):
        end = group_start[query_group[q + 1]]
        for g in range(query_group[q], query_group[q + 1] - 1):
            below = group_start[g + 1]
            for p in range(group_start[g], below):
                i = order[p]
                pull = 0.0
                for b in range(below, end):
                    j = order[b]
                    z = scores[i] - scores[j]
                    if z >= 1.0:
                        continue
                    weight = (gain[i] - gain[j]) * abs(discount[i] - discount[j])
                    if z >= -1.0:
                        short = 1.0 - z
                        steep = 2.0 * short
                        value += weight * short * short
                    else:
                        steep = 4.0
                        value -= weight * 4.0 * z
                    alpha = weight * steep
                    pull += alpha
                    gradient[j] += alpha
                    dual_slope += alpha
                    dual_curvature += 0.25 * alpha * steep
                    steepest = max(steepest, steep)
                gradient[i] -= pull
    return value, dual_slope, dual_curvature, steepest
