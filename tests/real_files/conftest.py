"""Commands, as in the tests of the command line."""

from tests.cli.conftest import ask, own_cache, run

__all__ = ["ask", "own_cache", "run"]
