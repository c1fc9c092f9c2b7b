"""Lists by their share of positives on top at every frame of a path, as the bars move while C is dragged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, count_features, counts_along
from core.analysis.top_strips import SHARE_BINS, counts_by_share, lists_with_a_top, share_bins, shares_over_lists
from core.data import RankingData
from core.figures.top.words import first_words
from core.methods import get_method
from core.methods.families import full_title


@dataclass(frozen=True, eq=False)
class ListsAlong:
    """What `core.figures.top.lists_picture.TopOfLists` shows at every frame.

    Attributes
    ----------
    counts : mapping
        Number of lists in each of `SHARE_BINS` by method, shape (n_frames, 6).
    labels : mapping
        Text beside each bar, by method: for each of `SHARE_BINS` one a frame.
    titles : mapping
        Of the picture, by C.
    """

    counts: Mapping[str, NDArray[np.int64]]
    labels: Mapping[str, Sequence[Sequence[str]]]
    titles: Mapping[float, str]


def lists_along(
    method: str, frames: Sequence[Frame], others: Mapping[str, Sequence[PathPoint]], data: RankingData
) -> ListsAlong:
    """Count the lists of ``data`` at every frame of a method's path, beside models of other methods.

    Of the ``others``, paths by method, the model with as many features as the frame is compared; between two fitted
    models as many as `Frame.placed` says.
    """
    sizes = [round(shown.placed(count_features)) for shown in frames]
    rows: dict[str, list[NDArray[np.float64]]] = {method: [shares_over_lists(data, one.weights) for one in frames]}
    empty = [[method] if shown.most == 0 else [] for shown in frames]
    for other, points in others.items():
        models = {size: with_as_many_features(points, size) for size in set(sizes)}
        by_size = {size: shares_over_lists(data, model.fit.weights) for size, model in models.items()}
        rows[other] = [by_size[size] for size in sizes]
        for size, methods in zip(sizes, empty, strict=True):
            methods += [other] if models[size].fit.result.nonzero == 0 else []
    names, n_lists = {m: full_title(get_method(m)) for m in rows}, len(lists_with_a_top(data))
    shares = {m: np.reshape(found, (len(frames), n_lists)) for m, found in rows.items()}
    first = {m: counts_along(frames, found > 0.0) for m, found in shares.items()}
    titles = {
        shown.c: first_words({m: counts[k] for m, counts in first.items()}, n_lists, names, empty[k])
        for k, shown in enumerate(frames)
    }
    counts = {m: np.array([counts_by_share(row) for row in found]) for m, found in shares.items()}
    bins = {m: share_bins(found) for m, found in shares.items()}
    labels = {m: [counts_along(frames, found == k) for k in range(len(SHARE_BINS))] for m, found in bins.items()}
    return ListsAlong(counts, labels, titles)
