"""Options of the commands that convert files: export, import and convert."""

from __future__ import annotations

from argparse import ArgumentParser

from core.export.models.formats import MODEL_FORMATS
from core.option_groups import DATA
from core.program import PROGRAM
from core.reading_words import add_reading_options


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


def add_import(parser: ArgumentParser) -> None:
    """Give the command ``import`` its options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="judgments (Quepid, Rated Ranking Evaluator, OpenSearch, TREC qrels, LETOR) and feature logs "
        "(Elasticsearch, OpenSearch, Solr, LETOR, CSV), or features with their group sizes (LightGBM .query, "
        "XGBoost .group), in any order; the content tells which is which",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="LETOR file to write, which every other command reads"
    )


def add_convert(parser: ArgumentParser) -> None:
    """Give the command ``convert`` its options."""
    parser.add_argument("data", metavar="DATA", help=DATA)
    parser.add_argument(
        "--out",
        required=True,
        metavar="PLACE",
        help="file to write (NAME.parquet), or for data with folds the folder of Fold1/train.parquet and so on",
    )
    parser.add_argument(
        "--dtype", choices=("float64", "float32"), help="type of the features (default: as they are, float64 for text)"
    )
    add_reading_options(parser)
