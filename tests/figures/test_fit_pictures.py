"""The notebook's pictures of fits and of choosing say what the page says, and refuse what it does not offer."""

from __future__ import annotations

import pytest

import core
from core.api import pictures
from core.figures.picture import Picture
from tests.figures.samples import fold, model


def title(picture: Picture[object]) -> str:
    return picture.words(picture.found).title


def test_only_what_drops_features_has_an_elimination() -> None:
    """The notebook drew the path of l1 to its model as if features were dropped."""
    with pytest.raises(ValueError, match="ℓ1 does not drop features"):
        pictures.elimination(model("l1"))
    with pytest.raises(ValueError, match="empty"):
        pictures.elimination(core.fit(fold(), "rwfs-l0", C=1e-12))
    assert pictures.elimination(model("rwfs-l0", 0.01)).table["features left"].is_monotonic_decreasing
