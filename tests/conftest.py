"""What tests of every kind may ask for."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_configure(config: pytest.Config) -> None:
    """Tests and their collection use a cache of their own; the processes that they begin inherit it."""
    folder = TemporaryDirectory(ignore_cleanup_errors=True)
    os.environ["SPARSE_RANK_CACHE"] = folder.name
    config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First, on one worker, what is installed or copied for a file; then what takes long; all else keeps its order."""
    here = Path(__file__).parent

    def order(item: pytest.Item) -> tuple[bool, bool]:
        copied = item.path.parent == here and item.get_closest_marker("more") is not None
        return not copied, item.get_closest_marker("first") is None

    items.sort(key=order)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data that may not be committed: ``SPARSE_RANK_DATA``, else shared/data beside the repository."""
    folder = Path(os.environ.get("SPARSE_RANK_DATA") or BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        pytest.skip("there is no folder of shared data (set SPARSE_RANK_DATA)")
    return folder
