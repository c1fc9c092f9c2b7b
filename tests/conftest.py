"""What tests of every kind may ask for."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first; all else keeps its order."""
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


@pytest.fixture(scope="session", autouse=True)
def a_cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the cache of whoever runs it; processes that it begins inherit this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSE_RANK_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data that may not be committed: ``SPARSE_RANK_DATA``, else shared/data beside the repository."""
    folder = Path(os.environ.get("SPARSE_RANK_DATA") or BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        pytest.skip("there is no folder of shared data (set SPARSE_RANK_DATA)")
    return folder
