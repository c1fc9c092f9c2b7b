"""Write the paths of the sample data that the front page shows on a server just started.

    python sample_data/build_paths.py

It takes some seconds. Run it after a change of the code that fits or measures them: their names hold its version, and
``tests/analysis/test_shipped_paths.py`` says so. Files of other versions are removed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.analysis.evaluation import FoldJudge
from core.analysis.features.single_feature import SingleFeatureScores
from core.analysis.path import PathPoint, path_grid, regularization_path
from core.analysis.path_frames import frames_of, refined
from core.analysis.stored_paths import (
    DATASET,
    FIRST_RATIO,
    FOLD,
    METHODS,
    SHIPPED,
    ShippedPath,
    alone_name,
    file_name,
    packed_path,
    packed_results,
)
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.content import Series
from core.data import Reading
from core.methods import get_method
from core.metrics.measures import MeasureName
from core.warm_up import warm_up

if __name__ == "__main__":
    dataset = Reading().open(DATASET)
    fold = dataset.fold(FOLD)
    judge = FoldJudge(fold, dataset.convention)
    SHIPPED.mkdir(exist_ok=True)
    warm_up()  # so that no fit's seconds are those of compiling
    written = set()
    alone = {each.key: each.made() for each in (
        SingleFeatureScores(fold.train, dataset.convention),
        *(best_single_feature.of(fold, dataset.convention, measure) for measure in get_args(MeasureName)),
    )}  # fmt: skip
    file = SHIPPED / alone_name()
    file.write_bytes(packed_results(alone))
    written.add(file)
    for method_id in METHODS:
        method = get_method(method_id)
        settings = method.settings({})
        training = method.training(fold.train, settings, dataset.convention)
        lams = path_grid(method, training)
        points = list(regularization_path(method, training, lams, judge, parameters=settings))
        frames = Series(frames_of(refined(points, training, judge), judge))
        fit = method.fit(training, training.lam_at(FIRST_RATIO), parameters=settings)
        first = PathPoint(fit, judge.judgement(fit.weights))
        file = SHIPPED / file_name(fold, dataset.convention, method_id, settings)
        file.write_bytes(packed_path(ShippedPath(points, frames, first)))
        print(f"{method_id}: {len(points)} models, {len(frames)} frames, {file.stat().st_size:,} bytes")
        written.add(file)
    for old in set(SHIPPED.glob("*.json.gz")) - written:
        old.unlink()
