"""Entry point of ``python -m core``: the command line."""

import sys
import warnings


def run() -> int:
    """Run the command line as a program of its own and return its exit status.

    Warnings are silenced before the first import: standard error carries one line at most.
    """
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
