"""What queries that lose have in common."""

from __future__ import annotations

import numpy as np

from core.experiments.results.trait import trait


def test_a_trait_is_clear_only_where_its_interval_excludes_zero() -> None:
    losing = np.arange(40) < 20
    apart = trait(np.where(losing, 1.0, 9.0) + np.arange(40) % 2, losing)
    assert apart is not None
    assert apart.clear
    assert (apart.losing, apart.others) == (1.5, 9.5)
    alike = trait(np.arange(40) % 2, losing)
    assert alike is not None
    assert not alike.clear
    assert trait(np.arange(40), losing & False) is None
    single = trait(np.arange(40), np.arange(40) < 1)
    assert single is not None
    assert single.interval is None
    assert not single.clear
