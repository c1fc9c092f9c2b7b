"""What the first page needs (imports, compiled kernels, the sample data, its shipped paths), before a person comes."""

from __future__ import annotations

import logging
from importlib import import_module

from core.analysis.features.rules import Rules
from core.methods import METHODS
from pages.shared.choice import access, ready
from pages.shared.choice.choice import DEFAULT_STEP, Choice, Loaded, Regularization, Source
from pages.shared.choice.data import DEFAULT_DATASET
from pages.shared.work.paths import path_frames, path_job

_log = logging.getLogger(__name__)


def prepare() -> str:
    """Load it as the Lab would for the choice of a new visitor; return why that failed, in a sentence, else nothing."""
    try:
        _load()
    except Exception as error:  # whatever it is, visitors would meet it too
        _log.exception("the first page cannot be prepared")
        return f"The first page cannot be prepared ({type(error).__name__})."
    return ""


def _load() -> None:
    import_module("pages.views.start.page")
    ready.ready_datasets()
    method = METHODS[0]
    parameters = tuple((parameter.name, parameter.default) for parameter in method.parameters)
    data = access.load_data(Source(DEFAULT_DATASET), 1, method.id, parameters)
    choice = Choice(
        source=Source(DEFAULT_DATASET),
        fold_number=1,
        convention=data.judge.convention,
        fingerprint=data.fold.fingerprint,
        method_id=method.id,
        solver_id=method.solvers[0].id,
        parameters=parameters,
        regularization=Regularization.at_step(data.training, DEFAULT_STEP),
        tol=method.stop.tol,
        rules=Rules(data.fold.train.n_features),
    )
    loaded = Loaded.of(choice, data)
    if (run := path_job(loaded, method.id).run) is not None:
        path_frames(loaded, run.points)
    method.run(data.training, choice.lam)
