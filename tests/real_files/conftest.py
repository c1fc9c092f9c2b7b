"""Commands, as in the tests of the command line; the app, as in its own; and the files of others."""

from pathlib import Path

import pytest

from tests.app.conftest import all_unfolded, coarse_paths, no_fault, nothing_left_over, open_app
from tests.cli.conftest import ask, run

__all__ = ["all_unfolded", "ask", "coarse_paths", "no_fault", "nothing_left_over", "open_app", "run"]


@pytest.fixture
def cases(shared_data: Path) -> Path:
    """Files that people have brought, a folder a case."""
    return shared_data / "cases"
