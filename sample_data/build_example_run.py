"""Write the small run of the papers' protocol that the Reproduce page shows before a run of one's own.

    python sample_data/build_example_run.py

It takes some seconds. ``tests/experiments/results/test_tables.py`` compares the file with a run of today's program.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from core.experiments.results.example import EXAMPLE, example_plan, kept_of  # noqa: E402
from core.experiments.run.protocol import cell_result  # noqa: E402

if __name__ == "__main__":
    plan = example_plan()
    fold = plan.source(plan.datasets[0].name).open().fold
    rows = [kept_of(cell, cell_result(cell, fold(cell.fold))) for cell in plan.cells]
    EXAMPLE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
