"""The choice as scripts describe it: data, methods and models."""

from __future__ import annotations

from typing import Any

from core.analysis.path_views import FoldModel, FoldPath
from core.data.catalogue import data_folder
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.figures.picture import Picture
from core.methods import Fit
from pages.shared.choice import access, ready
from pages.shared.choice.choice import Choice, Source
from pages.shared.work.paths import settings_of

BEGUN_NEAR = (
    "The app's fit started from a model of the path; this one starts from zero. Both end at the same optimum, as near "
    "as their certificates say, but steps and last digits differ."
)
STOPPED = "The app's fit was stopped early; this one runs to its end."


def data_of(source: Source, fold_number: int) -> DataDescription:
    """The data of a source; a file that was dropped in has its own name."""
    opened = access.dataset(source)
    own = False
    if not source.upload:
        path = ready.ready_datasets()[source.name].path
        own = path is not None and data_folder() in path.parents
    return DataDescription(
        name=source.file_name,
        fold=fold_number,
        where=f"{opened.name}, {opened.fold_names[fold_number - 1]}",
        reading=source.reading,
        uploaded=bool(source.upload),
        own=own,
    )


def chosen_data(choice: Choice) -> DataDescription:
    """The data of the choice."""
    return data_of(choice.source, choice.fold_number)


def method_of(choice: Choice, method_id: str) -> MethodDescription:
    """A method as its path is worked out beside the chosen one."""
    return MethodDescription(method_id, settings_of(choice, method_id), choice.rules_for(method_id))


def model_of(choice: Choice, fit: Fit) -> ModelDescription:
    """The chosen model, as it has been fitted."""
    near = choice.method.convex and fit.result.trace and fit.result.trace[0].nonzero > 0  # it began at another model
    note = BEGUN_NEAR if near else STOPPED if fit.result.stop in ("stopped", "time limit") else ""
    tol = None if choice.tol == choice.method.stop.tol else choice.tol
    return ModelDescription(method_of(choice, fit.method), choice.c, fit.solver, tol, note)


def fits_of(choice: Choice, picture: Picture[Any]) -> dict[str, Any]:
    """How the models and paths among the fields of a picture are fitted, by field."""

    def described(one: object) -> Any:
        if isinstance(one, FoldModel):
            return model_of(choice, one.fit)
        return method_of(choice, one.method) if isinstance(one, FoldPath) else None

    def each(value: object) -> Any:
        return [found for found in map(described, value) if found] if isinstance(value, list) else described(value)

    fields = {name: getattr(picture, name) for name in (*picture.shown_things(), *picture.options())}
    return {name: found for name, value in fields.items() if (found := each(value))}
