"""Scripts of the Top of the list page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.data.nouns import DOCUMENTS, Nouns
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.export.scripts.solving import titles
from core.export.scripts.writing import Code, by_name, call, fitted, fitted_path, listed, opened, plain_script, script
from core.figures.path.tuning import PART_WORDS
from core.methods import get_method


def top_of_lists_script(
    data: DataDescription, model: ModelDescription, others: Sequence[MethodDescription], *, part: str
) -> str:
    """Write the script of positives on top, list by list; the others keep as many features as the model."""
    beside = [Code(f"{fitted_path(method)}.with_as_many_features(len(model.features))") for method in others]
    return script(
        f"Positives on top, list by list, of {titles([model.method, *others])} on the {PART_WORDS[part]} part",
        data,
        ["fit", *(["fit_path"] if others else [])],
        [
            f"model = {fitted(model)}",
            f"models = {listed([Code('model'), *beside])}",
            f"picture = {call('pictures.top_of_lists', Code('models'), part=part)}",
        ],
        "shares",
        [model.note],
    )


def top_of_one_list_script(
    data: DataDescription, model: ModelDescription, query: str, *, part: str, nouns: Nouns = DOCUMENTS
) -> str:
    """Write the script of the documents of one list."""
    return script(
        f"{nouns.rows.capitalize()} of one list by their score under {get_method(model.method.id).title}",
        data,
        ["fit"],
        [f"model = {fitted(model)}", f"picture = {call('pictures.top_of_one_list', Code('model'), query, part=part)}"],
        "strips",
        [model.note],
    )


def experiment_script(picture: str, *arguments: object, setting: str, subject: str) -> str:
    """Write the script of an experiment that makes its own data; ``picture`` is its function."""
    drawn = call(f"pictures.{picture}", *arguments, setting=setting)
    return plain_script(subject, [f"picture = {drawn}"], picture)


def top_sets_script(sets: Mapping[str, DataDescription], *, setting: str, adjusted: bool) -> str:
    """Write the script of the table of real sets, by their names in it."""
    drawn = call("pictures.top_sets", Code("sets"), setting=setting, adjusted=adjusted)
    body = [f"sets = {by_name({name: opened(data) for name, data in sets.items()})}", f"picture = {drawn}"]
    subject = f"Table 1 of Rakotomamonjy (2012) for {', '.join(sets)}"
    return plain_script(subject, body, "top_table", datasets=list(sets.values()))
