"""``python -m core``: the lab without a browser."""

import sys
import warnings


def run() -> int:
    """The command line as a program of its own: quiet from the first import on."""
    # Arithmetic that overflowed shows in the certificate; a library's warning would break the rule of one line.
    warnings.simplefilter("ignore", RuntimeWarning)
    try:
        from core.cli import main

        return main()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(run())
