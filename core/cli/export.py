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
        type=Path,
        metavar="FILE",
        help="an Elasticsearch or OpenSearch feature set; the part that the model needs is written next to the model, "
        "with the ending .featureset.json",
    )


def export(options: Namespace) -> tuple[dict[str, Any], str]:
    """Write the model, and the pruned feature set beside it, and return the record and the text."""
    from core.export.models.exported import write_model
    from core.export.models.linear_model import read_result

    to, out, result = get_format(options.format), Path(options.out), Path(options.result)
    model = read_result(result)
    with writing(out), names_from_the_command_line():
        exported = write_model(model, to, out, name=options.name, feature_set=options.feature_set, read=[result])
    record = {**exported.record, "files": [str(out.parent / name) for name in exported.files]}
    named = f", named {record['name']}" if to.named else ""
    head = f"{out}: {model.description}, for {to.title}{named}."
    return record, "\n".join([head, *exported.notes])
