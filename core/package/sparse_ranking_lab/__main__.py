"""Entry point of the command ``sparse-ranking-lab``, and of ``python -m sparse_ranking_lab``."""


def run() -> int:
    """Run the command line; see `core.__main__`."""
    from core.__main__ import run

    return run()


if __name__ == "__main__":
    raise SystemExit(run())
