"""Changes by hand, and the text that an address holds."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.queries.edits import Edits, edits_of, read_edits


def test_edits_change_what_they_name_and_nothing_else() -> None:
    edits = edits_of([(2, 0.5), (0, -1.0)], [(1, 2, 9.0)])
    weights, values = np.array([1.0, 2, 3]), np.arange(6.0).reshape(2, 3)
    assert edits.model(weights).tolist() == [-1, 2, 0.5]
    assert edits.features(values).tolist() == [[0, 1, 2], [3, 4, 9]]
    assert weights.tolist() == [1, 2, 3], "not in place"
    assert edits.of_model == Edits(edits.weights)


def test_the_text_is_read_back_with_every_digit() -> None:
    edits = edits_of([(2, 1 / 3)], [(1, 2, 1e-17)])
    assert edits.text() == f"w3={1 / 3!r};d2.3=1e-17"
    assert read_edits(edits.text(), 2, 3) == edits
    assert not read_edits("", 2, 3)


@pytest.mark.parametrize("text", ["w4=1", "w0=1", "d3.1=1", "d0.1=1", "w1=nan", "w1=inf", "w1=", "w1", "<b>", "w-1=2"])
def test_what_cannot_be_is_left_out(text: str) -> None:
    assert read_edits(f"{text};w2=7", 2, 3) == Edits(((1, 7.0),))
