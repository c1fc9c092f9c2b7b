"""The script of a picture, written from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.penalties.pair import FeaturePair
from core.analysis.tuning.method_rows import BenchMethod
from core.data import Dataset, Fold, RankingData
from core.export.scripts.description import (
    DataDescription,
    MethodDescription,
    ModelDescription,
    PathModelDescription,
    ProtocolDescription,
)
from core.export.scripts.writing import (
    CONVENTION,
    Code,
    by_name,
    call,
    fitted,
    fitted_path,
    listed,
    literal,
    opened,
    opened_fold,
    read_as,
    script,
)
from core.figures.picture import Picture

Fitted = MethodDescription | ModelDescription | PathModelDescription
"""How a path or a model is fitted."""
Described = Fitted | ProtocolDescription
"""The same, or how the protocol is run."""
Opened = DataDescription | Sequence[DataDescription] | Mapping[str, DataDescription]
"""How the dataset of a picture's fold is opened, or several datasets, or several by name."""


_SAVED = "Finished pieces are saved where the app saves its own, and are not computed twice."


@dataclass(frozen=True)
class _Written:
    """An argument as Python, with the statement before it and what that imports."""

    code: Code
    before: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


def picture_script(
    picture: Picture[Any],
    data: Opened,
    fold: Fold | None,
    described: Mapping[str, Described | Sequence[Fitted]] | None = None,
) -> str:
    """Write the script that computes a picture's numbers again and draws it.

    ``data`` says how the dataset of its fold is opened, or the datasets that it shows; the picture shows the fold, or a
    part of it. ``described`` says how models and paths among its fields are fitted, by the field's name. Raises a
    `TypeError` if the picture shows something that a script cannot name.
    """
    known = described or {}

    def written(name: str, otherwise: Callable[[str, Any, Fold | None], _Written]) -> _Written:
        return _fitted(name, known[name]) if name in known else otherwise(name, getattr(picture, name), fold)

    shown = [written(name, _argument) for name in picture.shown_things()]
    options = {name: written(name, _option) for name in picture.options()}
    every = [*shown, *options.values()]
    nothing = {
        name
        for name in picture.options()
        if name not in known and _left_out(getattr(picture, name)) and name != "convention"
    }
    drawn = call(
        f"pictures.{picture.name}",
        *(one.code for one in shown),
        **{name: one.code for name, one in options.items() if name not in nothing},
    )
    models = [one for value in known.values() for one in (value if isinstance(value, Sequence) else [value])]
    runs = [one for one in models if isinstance(one, ProtocolDescription)]
    subject, notes = picture.subject(), [_SAVED] if runs else []
    if isinstance(data, DataDescription):
        subject, datasets, opening = f"{subject}: {data.where}", [data], opened_fold(data)
        remarks = [picture.note, *(one.note for one in models if isinstance(one, ModelDescription))]
        notes = list(dict.fromkeys(remarks))
    elif isinstance(data, Mapping):
        datasets = list(data.values())
        opening = [f"sets = {by_name({name: opened(one) for name, one in data.items()})}"]
    else:
        datasets = list(data)
        opening = [f"datasets = {listed([opened(one) for one in data])}"] if data else []
    return script(
        subject,
        [*opening, *(line for one in every for line in one.before), f"picture = {drawn}"],
        picture.chart_key,
        datasets=datasets,
        files=[one for run in runs for one in run.datasets],
        imports=[name for one in every for name in one.imports],
        notes=notes,
    )


def _left_out(value: Any) -> bool:
    """Whether a call means the same without this option."""
    return value is None or (isinstance(value, FeaturePair) and value.made_up)


def _option(name: str, value: Any, fold: Fold | None) -> _Written:
    if isinstance(value, FeaturePair):
        given = {} if value.data is None else {"data": _argument("data", value.data, fold).code}
        two = {} if value.features is None else {"features": Code(repr(tuple(value.features)))}
        return _Written(call("pictures.FeaturePair", **given, **two))
    if isinstance(value, FeatureRules):
        given = {one.name: getattr(value, one.name) for one in fields(value) if getattr(value, one.name)}
        return _Written(call("FeatureRules", **given), (), ("FeatureRules",))
    if isinstance(value, Dataset):
        return _Written(Code("dataset"))
    if name == "texts":
        return _Written(Code("dataset.query_texts"))
    return _Written(CONVENTION if name == "convention" else literal(list(value) if isinstance(value, tuple) else value))


def _fitted(name: str, described: Described | Sequence[Fitted]) -> _Written:
    """A model, a path or several of them, or a run: a statement that fits them and gives them the field's name."""
    if isinstance(described, ProtocolDescription):
        return _run(name, described)
    several = isinstance(described, Sequence)
    each = described if isinstance(described, Sequence) else [described]
    fits = [_fit(one) for one in each]
    imports = tuple("fit" if isinstance(one, ModelDescription) else "fit_path" for one in each)
    return _Written(Code(name), (f"{name} = {listed(fits) if several else fits[0]}",), imports)


def _run(name: str, described: ProtocolDescription) -> _Written:
    read = [(data.name, read_as(data.reading)) for data in described.datasets]
    datasets = [one if reading is None else Code(f"({one!r}, {reading})") for one, reading in read]
    ran = call("run_protocol", Code("datasets"), list(described.methods), **described.options)
    imports = ("run_protocol", *(["Reading"] if any(reading for _, reading in read) else []))
    return _Written(Code(name), (f"datasets = {listed(datasets)}", f"{name} = {ran}"), imports)


def _fit(described: Fitted) -> Code:
    if isinstance(described, ModelDescription):
        return fitted(described)
    if isinstance(described, MethodDescription):
        return fitted_path(described)
    by, n = described.best_by, described.n_features
    pick = call("best", by) if by else call("with_as_many_features", n)
    return Code(f"{fitted_path(described.method)}.{pick}")


def _argument(name: str, value: Any, fold: Fold | None) -> _Written:
    """What is looked at, by its name in the script."""
    if isinstance(value, RankingData):
        for part, data in fold.parts().items() if fold is not None else ():
            if data.fingerprint == value.fingerprint:
                return _Written(Code(f"fold.{part}"))
    elif isinstance(value, Fold):
        return _Written(Code("fold"))
    elif isinstance(value, Dataset):
        return _Written(Code("dataset"))
    elif isinstance(value, Sequence) and any(isinstance(one, Dataset) for one in value):
        return _Written(Code("datasets"))
    elif isinstance(value, Mapping) and any(isinstance(one, Dataset) for one in value.values()):
        return _Written(Code("sets"))
    elif isinstance(value, Sequence) and any(isinstance(one, BenchMethod) for one in value):
        each = [_method(one) if isinstance(one, BenchMethod) else one for one in value]
        return _Written(Code("methods"), (f"methods = {listed(each)}",))
    elif value is None or isinstance(value, (str, int, float, Sequence, Mapping)):
        return _Written(literal(value))
    msg = f"a script cannot name {name}, a {type(value).__name__}"
    raise TypeError(msg)


def _method(one: BenchMethod) -> Code:
    """A method of a comparison, with what differs from its defaults."""
    options = {name: getattr(one, name) for name in ("solver", "parameters", "tol")}
    given = {name: dict(value) if isinstance(value, Mapping) else value for name, value in options.items() if value}
    return call("pictures.BenchMethod", one.id, **given)
