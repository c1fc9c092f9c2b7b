"""No test of the data package touches the cache or the data of whoever runs it."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(folder))
    return folder


@contextmanager
def memory_below(most: int) -> Iterator[None]:
    """Fail if Python allocates more bytes than that at a time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()
