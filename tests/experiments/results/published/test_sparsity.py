"""Table IV as printed: its own last row checks the transcription."""

from __future__ import annotations

from statistics import mean

import pytest

from core.data.catalogue import KNOWN_SETS
from core.experiments.results.published.sparsity import PRINTED_MEANS, published_sparsity


@pytest.mark.parametrize("method", PRINTED_MEANS)
def test_the_mean_of_every_column_is_the_printed_one(method: str) -> None:
    assert mean(published_sparsity()[method].values()) == pytest.approx(PRINTED_MEANS[method], abs=0.0051)


def test_datasets_are_called_as_in_the_catalogue() -> None:
    names = {known.name for known in KNOWN_SETS}
    for row in published_sparsity().values():
        assert set(row) <= names
