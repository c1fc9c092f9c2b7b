"""Write the small runs of the papers' experiments that the Reproduce page shows before a run of one's own.

    python sample_data/build_example_experiments.py

It takes some two minutes. ``tests/experiments/papers/test_example.py`` compares the file with a run of today's program.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from core.experiments.papers.example import EXAMPLE, EXAMPLES, example_cells, rounded  # noqa: E402

if __name__ == "__main__":
    runs = {}
    for experiment in EXAMPLES:
        outcomes: dict[Any, Any] = {}
        for cell in example_cells(experiment.name):
            outcomes[cell] = experiment.work(cell, outcomes)
        runs[experiment.name] = [rounded(experiment.pack(outcome)) for outcome in outcomes.values()]
    EXAMPLE.write_text(json.dumps(runs, separators=(",", ":")) + "\n", encoding="utf-8")
