"""A board for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.shared.work.house import House


@pytest.fixture
def house() -> Iterator[House]:
    built = House()
    yield built
    built.clear()
