"""``python -m tests.fuzz [--inputs 200000] [--seed 0]`` from the repository root: fuzz every reader."""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time

os.environ["SPARSE_RANK_LARGEST_FILE"] = "4M"
os.environ["SPARSE_RANK_CACHE"] = tempfile.mkdtemp(prefix="fuzz-cache-")

from tests.fuzz.fuzzing import Found, fuzz
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the fuzz; the exit status is 1 if something broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz every reader.")
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("targets", nargs="*", help=f"any of {', '.join(t.name for t in TARGETS)}; all by default")
    options = parser.parse_args()
    chosen = tuple(t for t in TARGETS if not options.targets or t.name in options.targets)
    begun, found = time.perf_counter(), Found()
    for found in fuzz(chosen, options.inputs, options.seed, options.seconds):
        if sys.stderr.isatty():
            print(end=f"\r{found.runs:,} inputs, {len(found.faults)} faults", file=sys.stderr, flush=True)
    print(
        f"{found.runs:,} inputs in {time.perf_counter() - begun:.0f} s: {len(found.answers)} kinds of answers, slowest "
        f"{found.slowest:.2f} s, memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB, "
        f"{len(found.faults)} faults"
    )
    for fault, content in found.faults.items():
        print(f"- {fault}\n  {content[:300]!r}")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
