"""Table 1 as printed: spot checks, and what the paper's text says of it."""

from __future__ import annotations

import pytest

from core.experiments.infinite_push.published_top import TABLE_1, PublishedTop, published_set
from core.methods import get_method


def test_spot_checks() -> None:
    sonar, iono = published_set("sonar"), published_set("ionosphere")
    assert sonar is not None
    assert iono is not None
    assert sonar.top("infinite-push-l1") == PublishedTop(0.44, 0.2, 23.7, 6.5)
    assert sonar.top("infinite-push-l2") == PublishedTop(0.48, 0.3)
    assert iono.top("l1") == PublishedTop(0.69, 0.1, 33.0, 0.0)
    assert published_set("BCI").top("infinite-push-l1") == PublishedTop(0.06, 0.04, 71.1, 16.0)  # type: ignore[union-attr]
    assert published_set("digits") is None


def test_the_largest_saving_on_ranksvm_is_the_factor_of_8_of_the_text() -> None:
    savings = [s.top("l1").n_features / s.top("infinite-push-l1").n_features for s in TABLE_1]  # type: ignore[union-attr, operator]
    assert int(max(savings)) == 8


def test_no_model_uses_more_variables_than_there_are() -> None:
    for s in TABLE_1:
        for method, line in s.by_method:
            get_method(method)
            assert 0.0 <= line.top <= 1.0
            assert line.n_features is None or line.n_features <= s.d


@pytest.mark.parametrize(("name", "share"), [("colon", 43 / 62), ("sonar", 0.9), ("ionosphere", 0.7)])
def test_training_shares_are_read_from_the_printed_sizes(name: str, share: float) -> None:
    found = published_set(name)
    assert found is not None
    assert found.training_share == pytest.approx(share, abs=0.005)
