"""How the text of a script is put together: calls, the data, and the ending; and the script of the Lab."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np

from core.data import Reading
from core.export.scripts.description import DataDescription, MethodDescription, ModelDescription
from core.methods import get_method

WIDTH = 88


class Code(str):
    """Text that is Python already."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def call(name: str, /, *arguments: object, **options: object) -> Code:
    """Write a call; on a line each, where its arguments do not fit on one."""
    return _in_brackets(
        f"{name}(", [*map(_text, arguments), *(f"{key}={_text(value)}" for key, value in options.items())], ")"
    )


def listed(items: Sequence[object]) -> Code:
    """Write a list."""
    return _in_brackets("[", [_text(item) for item in items], "]")


def by_name(items: Mapping[str, object]) -> Code:
    """Write a mapping."""
    return _in_brackets("{", [f"{_text(name)}: {_text(item)}" for name, item in items.items()], "}")


def literal(value: object) -> Code:
    """Write a plain value."""
    return Code(_text(value))


def _in_brackets(opening: str, parts: Sequence[str], closing: str) -> Code:
    line = f"{opening}{', '.join(parts)}{closing}"
    if len(line) <= WIDTH and "\n" not in line:
        return Code(line)
    lines = textwrap.indent(",\n".join(parts), "    ")
    return Code(f"{opening}\n{lines},\n{closing}")


def _text(value: object) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_text(key)}: {_text(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    written = repr(value)
    single = isinstance(value, str) and written.startswith("'") and '"' not in written
    return f'"{written[1:-1]}"' if single else written


def comment(text: str) -> str:
    """Write a sentence as comment lines, whatever it names."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return textwrap.fill(printable, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def opened(data: DataDescription) -> Code:
    """Write the call that opens a dataset as the app reads it."""
    reading = read_as(data.reading)
    return Code(f"{reading}.open({_text(data.name)})") if reading else call("open_dataset", data.name)


def opened_fold(data: DataDescription) -> list[str]:
    """Write the statements that open a dataset and read its fold."""
    return [f"dataset = {opened(data)}", f"fold = dataset.fold({data.fold})"]


def read_as(reading: Reading) -> Code | None:
    """Write how data are read; None where that is as they stand."""
    return call("Reading", **reading.said()) if reading.said() else None


def script(
    subject: str,
    body: Sequence[str],
    name: str,
    *,
    datasets: Sequence[DataDescription] = (),
    files: Sequence[DataDescription] = (),
    imports: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> str:
    """Write a script of what it recomputes; the last statement of the body makes ``picture``.

    The body itself opens the ``datasets``, and hands on the names of ``files``. ``imports`` are names of `core` that it
    needs, beside those for the data; ``name`` is that of the files it writes, without their endings.
    """
    head = [
        f"{subject}.",
        f"Run it with the Python in which the Sparse Ranking Lab is installed. It writes {name}.csv and {name}.html.",
        *dict.fromkeys(line for data in (*datasets, *files) for line in _about_the_file(data)),
        *filter(None, notes),
    ]
    ending = ["print(picture.table)", f"picture.save({_text(name)})", ""]
    names = {*imports, "pictures", *("Reading" if one.reading.said() else "open_dataset" for one in datasets)}
    imported = f"from sparse_ranking_lab import {', '.join(sorted(names))}"  # found wherever the program is installed
    return "\n".join([*map(comment, head), imported, "", *body, *ending])


def _about_the_file(data: DataDescription) -> list[str]:
    if data.uploaded:
        return [
            f"The data is a file that was dropped into the app: put {data.name} into the folder where you run "
            "this script."
        ]
    return ["SPARSE_RANK_DATA must name the folder with the dataset."] if data.own else []


CONVENTION = Code("dataset.convention")


def fitted(model: ModelDescription) -> Code:
    """Write the call that fits a model."""
    tol = {} if model.tol is None else {"tol": model.tol}
    return call(
        "fit",
        Code("fold"),
        model.method.id,
        C=float(model.c),
        solver=model.solver,
        **tol,
        **model.method.options,
        convention=CONVENTION,
    )


def fitted_path(method: MethodDescription) -> Code:
    """Write the call that fits a path as long as the app's."""
    ratios = get_method(method.id).ratios
    return call(
        "fit_path",
        Code("fold"),
        method.id,
        points=len(ratios),
        smallest_ratio=float(ratios[-1]),
        **method.options,
        convention=CONVENTION,
    )


def lab_script(
    data: DataDescription,
    methods: Sequence[MethodDescription],
    model: ModelDescription,
    *,
    measure: str,
    part: str,
    ratio: float,
) -> str:
    """Write the script of the four views of the Lab; the first method is the model's."""
    views = {
        "lab_path": call("pictures.paths", Code("paths"), measure=measure, measures=[measure], ratio=float(ratio)),
        "lab_tradeoff": call("pictures.tradeoff", Code("paths"), measure=measure, part=part),
        "lab_features": call("pictures.features", Code("[model]"), part=part),
    }
    return script(
        f"The Lab's four views of {titles(methods)}: {data.where}",
        [
            *opened_fold(data),
            f"paths = {listed([fitted_path(method) for method in methods])}",
            f"model = {fitted(model)}",
            *(f"{drawn}.save({name!r})".replace("'", '"') for name, drawn in views.items()),
            f"picture = {call('pictures.convergence', Code('model'), quantity='certificate')}",
        ],
        "lab_convergence",
        datasets=[data],
        imports=["fit", "fit_path"],
        notes=["The other three views are written as well: lab_path, lab_tradeoff and lab_features.", model.note],
    )


def titles(methods: Sequence[MethodDescription]) -> str:
    """Write the titles of methods, with commas."""
    return ", ".join(get_method(method.id).title for method in methods)
