"""The command ``features``: the ranking by each feature alone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from core.analysis.features.single_feature import each_single_feature
from core.cli.fitting import reading_record
from core.cli.reading import add_fold, add_reading, reading_of
from core.cli.terminal import shown_on_the_way, table_text
from core.data.nouns import Nouns, nouns_of


def add_features(parser: ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument(
        "data", metavar="FILE", help="a LETOR file, a CSV, a Parquet file, or a dataset (its training part)"
    )
    add_fold(parser)
    add_reading(parser)


def features(options: Namespace) -> tuple[dict[str, Any], str]:
    """Measure every feature. Returns the record and the text."""
    dataset = reading_of(options).open(options.data)
    convention = options.convention or dataset.convention
    fold = dataset.fold(options.fold)
    train, nouns = fold.train, nouns_of(fold.train)
    rows = [
        {
            "index": score.index,
            "name": score.name,
            "NDCG@10": score.official_ndcg_at_10,
            "MAP": score.official_map,
            "expected_over_ties": score.expected_over_ties,
            "ranks": score.ranks,
        }
        | ({"Top": score.top} if nouns.by_class else {})
        for score in shown_on_the_way(each_single_feature(train, convention), train.n_features, "features measured")
    ]
    record = {"features": rows, "convention": convention} | reading_record(dataset, fold)
    # The table of many thousand features takes as long as measuring them.
    return record, "" if options.json else "\n".join([*record.get("reading", []), features_text(record, nouns)])


def features_text(record: Mapping[str, Any], nouns: Nouns) -> str:
    """Format one row a feature, the best first: by Top where there are classes, else by NDCG@10."""
    top = {row["index"]: {"Top": row["Top"]} if "Top" in row else {} for row in record["features"]}
    best_first = sorted(
        record["features"],
        key=lambda row: row.get("Top", row["expected_over_ties"].get("NDCG@10", row["NDCG@10"])),
        reverse=True,
    )
    same = nouns.compared
    tied = [name for name in ("NDCG@10", "MAP") if any(name in row["expected_over_ties"] for row in best_first)]
    over = "in the order of the file (*), else" if tied else "count"
    rows = [
        {name: row[name] for name in ("index", "name")}
        | top[row["index"]]
        | {name: row["expected_over_ties"].get(name, row[name]) for name in ("NDCG@10", "MAP")}
        | {f"{name}*": row[name] for name in tied}
        | {"": "" if row["ranks"] else f"cannot rank: the same for all {same}"}
        for row in best_first
    ]
    return (
        f"{table_text(rows)}\n({record['convention']} convention; {nouns.rows} with the same value {over} in "
        "expectation over their orders)"
    )
