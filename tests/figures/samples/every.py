"""A small example of every declared picture, with another value for each of its fields."""

from __future__ import annotations

from tests.figures.samples import best_subset, features, fit, path, penalties, protocol, queries, top, tradeoff
from tests.figures.samples.sample import Sample

SAMPLES: dict[str, Sample] = {
    **features.SAMPLES,
    **tradeoff.SAMPLES,
    **best_subset.SAMPLES,
    **top.SAMPLES,
    **penalties.SAMPLES,
    **protocol.SAMPLES,
    **fit.SAMPLES,
    **path.SAMPLES,
    **queries.SAMPLES,
}
