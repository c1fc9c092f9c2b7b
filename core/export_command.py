"""The command ``export``: a fitted model in the format of another program."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from core.arguments import UsageError, names_from_the_command_line


def export(options: Namespace) -> tuple[dict[str, Any], str]:
    """Write the model, and the pruned feature set beside it. Returns the record and the text.

    Raises
    ------
    UsageError
        If a feature set is given to a format that has none, or the file cannot be written.
    DataError
        If the result or the feature set cannot be used, or the format cannot hold the model.
    """
    from core.export.files import not_an_input, write_files
    from core.export.models.exported import export_model
    from core.export.models.feature_set import read_feature_set
    from core.export.models.formats import get_format
    from core.export.models.linear_model import read_result

    to, out = get_format(options.format), Path(options.out)
    read = [file for file in (options.result, options.feature_set) if file is not None]
    model = read_result(Path(options.result))
    whole = None if options.feature_set is None else read_feature_set(Path(options.feature_set))
    with names_from_the_command_line():
        exported = export_model(model, to, out.name, name=options.name, whole=whole)
        for name in exported.files:
            not_an_input(out.parent / name, [Path(file) for file in read])
    try:
        paths = write_files(out.parent, exported.files)
    except OSError as error:
        msg = f"cannot write {out}: {error.strerror or error}"
        raise UsageError(msg) from error
    record = {**exported.record, "files": [str(path) for path in paths]}
    named = f", named {record['name']}" if to.named else ""
    head = f"{out}: {model.description}, for {to.title}{named}."
    return record, "\n".join([head, *exported.notes])
