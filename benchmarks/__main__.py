"""``python -m benchmarks [NAME ...] [--threads N] [--json]`` from the repository root: measure and print."""

from __future__ import annotations

import argparse
import json
import sys
import time
from importlib import import_module

from core.warm_up import warm_up

OF_THE_APP = ("drag", "steps", "cold", "first", "visitors", "visits", "presses", "room")
NAMES = (
    *("loss", "l1", "nonconvex", "memory", "path", "infinite_push", "protocol", "dask", "out_of_core", "best_subset"),
    *OF_THE_APP,
    *("readers", "large"),
)


def main() -> int:
    """Run the benchmarks named, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure what benchmarks/README.md states."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(NAMES)}; all by default")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="of the kernels and of BLAS (default: as a user finds)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    if options.threads is not None and options.threads < 1:
        parser.error(f"--threads must be 1 or more, not {options.threads}")
    warm_up()
    records = {}
    for name in options.names or NAMES:
        begun = time.perf_counter()
        place = "benchmarks.app" if name in OF_THE_APP else "benchmarks"
        report = import_module(f"{place}.{name}").run(options.threads)
        seconds = time.perf_counter() - begun
        records[name] = report.record() | {"seconds": seconds}
        if not options.json:
            print(f"== {name} ({seconds:.0f} s) ==\n{report.text()}\n", flush=True)
    if options.json:
        print(json.dumps(records, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
