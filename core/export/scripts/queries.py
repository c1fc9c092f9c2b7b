"""The script of the Queries page: every query under two models."""

from __future__ import annotations

from core.export.scripts.description import DataDescription, ModelDescription
from core.export.scripts.writing import Code, call, fitted, script
from core.figures.path.tuning import PART_WORDS
from core.methods import get_method


def queries_script(
    data: DataDescription, model: ModelDescription, other: ModelDescription | int | None, *, part: str, measure: str
) -> str:
    """Write the script of who gains and who loses.

    Parameters
    ----------
    data : DataDescription
    model : ModelDescription
        A.
    other : ModelDescription, int or None
        B: a model, a feature counted from 1, or the ideal order.
    part, measure : str
    """
    title = get_method(model.method.id).title
    body = [f"model = {fitted(model)}"]
    compared: object = "ideal" if other is None else other
    if isinstance(other, ModelDescription):
        body.append(f"other = {fitted(other)}")
        compared = Code("other")
    drawn = call(
        "pictures.queries", Code("model"), compared, part=part, measure=measure, texts=Code("dataset.query_texts")
    )
    notes = [model.note, *([other.note] if isinstance(other, ModelDescription) else [])]
    return script(
        f"Queries of the {PART_WORDS[part]} part that gain and lose under {title}",
        data,
        ["fit"],
        [*body, f"picture = {drawn}"],
        "query_changes",
        list(dict.fromkeys(notes)),
    )
