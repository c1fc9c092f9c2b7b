"""Write the paths of the sample data that the front page shows on a server just started.

    python sample_data/build_paths.py

It takes some seconds. Run it after a change of the code that fits or measures them: their names hold its version, and
``tests/analysis/test_shipped_paths.py`` says so. Files of other versions are removed.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.analysis.evaluation import FoldJudge
from core.analysis.path import path_grid, regularization_path
from core.analysis.path_frames import frames_of, refined
from core.analysis.stored_paths import DATASET, FOLD, METHODS, SHIPPED, file_name, packed_path
from core.data import Reading
from core.methods import get_method

if __name__ == "__main__":
    dataset = Reading().open(DATASET)
    fold = dataset.fold(FOLD)
    judge = FoldJudge(fold, dataset.convention)
    SHIPPED.mkdir(exist_ok=True)
    written = set()
    for method_id in METHODS:
        method = get_method(method_id)
        settings = method.settings({})
        training = method.training(fold.train, settings, dataset.convention)
        lams = path_grid(method, training)
        points = list(regularization_path(method, training, lams, judge, parameters=settings))
        frames = list(frames_of(refined(points, training, judge), judge))
        file = SHIPPED / file_name(fold, dataset.convention, method_id, settings)
        file.write_bytes(packed_path(points, frames))
        print(f"{method_id}: {len(points)} models, {len(frames)} frames, {file.stat().st_size:,} bytes")
        written.add(file)
    for old in set(SHIPPED.glob("*.json.gz")) - written:
        old.unlink()
