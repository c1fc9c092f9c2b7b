"""What is said of kept features that have no row."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.figures.features import kept_beside
from core.figures.features.kept_beside import rowless_words


def frame(c: float, *weights: float) -> Any:
    return SimpleNamespace(c=c, weights=np.array(weights), fewest=None)


def hand() -> Any:
    return SimpleNamespace(now=frame(1.5, 0.0, 2.0, 3.0), frames=[frame(1.0, 0.0, 0.0, 0.0), frame(2.0, 1.0, 2.0, 3.0)])


def test_they_are_counted_at_the_chosen_c_and_at_every_frame() -> None:
    of = hand()
    words = rowless_words(of, [1])
    assert words(of.now) == "1 more kept feature has no row here"
    assert [words(one) for one in of.frames] == ["", "2 more kept features have no row here"]


def test_frames_are_counted_once_and_only_where_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[object] = []
    count = kept_beside.counts_among
    monkeypatch.setattr(kept_beside, "counts_among", lambda *asked: counted.append(asked) or count(*asked))
    of = hand()
    words = rowless_words(of, [1])
    words(of.now)
    assert not counted
    for one in of.frames:
        words(one)
    assert len(counted) == 1
