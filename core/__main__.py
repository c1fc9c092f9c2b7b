"""``python -m core``: the lab without a browser."""

from core.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
