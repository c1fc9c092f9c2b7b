"""No test of the data package touches the cache or the data of whoever runs it."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(folder))
    return folder
