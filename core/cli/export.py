"""The command ``export``: a fitted model in the format of another program."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from core.cli.options import names_from_the_command_line, writing
from core.export.models.formats import MODEL_FORMATS, get_format
from core.program import PROGRAM


def add_export(parser: ArgumentParser) -> None:
    """Give the command ``export`` its options."""
    parser.add_argument("result", metavar="RESULT.json", help=f"a file with the output of {PROGRAM} fit ... --json")
    parser.add_argument("--format", choices=[known.id for known in MODEL_FORMATS], required=True, help="of the model")
    parser.add_argument("--out", required=True, metavar="FILE", help="file to write the model to")
    parser.add_argument("--name", metavar="N", help="name of the model, where the format has one")
    parser.add_argument(
        "--feature-set",
        metavar="FILE",
        help="an Elasticsearch or OpenSearch feature set; the part that the model needs is written next to the model, "
        "with the ending .featureset.json",
    )


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
    from core.export.models.linear_model import read_result
    from core.export.models.search_engines import read_feature_set

    to, out = get_format(options.format), Path(options.out)
    read = [file for file in (options.result, options.feature_set) if file is not None]
    model = read_result(Path(options.result))
    whole = None if options.feature_set is None else read_feature_set(Path(options.feature_set))
    with names_from_the_command_line():
        exported = export_model(model, to, out.name, name=options.name, whole=whole)
        for name in exported.files:
            not_an_input(out.parent / name, [Path(file) for file in read])
    with writing(out):
        paths = write_files(out.parent, exported.files)
    record = {**exported.record, "files": [str(path) for path in paths]}
    named = f", named {record['name']}" if to.named else ""
    head = f"{out}: {model.description}, for {to.title}{named}."
    return record, "\n".join([head, *exported.notes])
