"""Every way out that a refusal names is taken on the file that caused it, and must succeed.

A way out that is an option stands in the table as a pattern of the sentence, whose groups are put into the command: so
the sentence and the test cannot drift apart.
"""

import ast
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.cli.conftest import Command

ROOT = Path(__file__).resolve().parents[2]
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")

_GENERATOR = np.random.default_rng(3)
_ROWS = [
    (query, int(grade), *map(str, values))
    for query in range(1, 13)
    for grade, values in zip(_GENERATOR.permutation(6) % 3, _GENERATOR.random((6, 3)).round(3), strict=True)
]
LETOR = "".join(f"{grade} qid:{query} 1:{a} 2:{b} 3:{c}\n" for query, grade, a, b, c in _ROWS)
TABLE = "qid,relevance,a,b,c\n" + "".join(f"{q},{grade},{a},{b},{c}\n" for q, grade, a, b, c in _ROWS)
CLASSES = "a,b,c,class\n" + "".join(f"{a},{b},{c},{'xyz'[grade]}\n" for _, grade, a, b, c in _ROWS)
LOG = (
    '{"query": "rambo", "hits": {"hits": [{"_id": "d", "fields": {"_ltrlog": [{"e": [{"name": "t", "value": 1}]}]}}]}}'
)


def with_cell(text: str, cell: str) -> str:
    """The text with this as the last value of the first row of data."""
    lines = text.splitlines()
    number = int(text is not LETOR)
    begin = re.fullmatch(r"(.*[,:])[^,:]*", lines[number])
    lines[number] = begin[1] + cell
    return "\n".join([*lines, ""])


def moved(text: str) -> str:
    """The text with a query in two places."""
    lines = text.splitlines()
    return "\n".join([*lines[:1], *lines[8:11], *lines[1:8], *lines[11:], ""])


class Row(NamedTuple):
    """A refusal and its ways out: ``{0}``, ``{1}`` … in a way are the groups of the pattern, ``{{`` a brace.

    ``mended`` is the content of ``d`` that the sentence asks for.
    """

    content: str
    command: str
    pattern: str
    ways: tuple[str, ...] = ()
    mended: str = ""


ADDED = r": add (--.*)"
FIT = "fit d --lambda-ratio 0.1"
TABLE_OF_ADVICE: Mapping[str, Row] = {
    "queries apart": Row(moved(LETOR), FIT, ADDED),
    "queries of a table apart": Row(moved(TABLE), FIT, ADDED),
    "missing": Row(with_cell(TABLE, "NULL"), FIT, ADDED),
    "missing with folds": Row(with_cell(TABLE, ""), f"{FIT} --folds 3", ADDED),
    "missing with classes": Row(with_cell(CLASSES.replace("z", "y"), "y").replace("\n0", "\n?", 1), FIT, ADDED),
    "largest double": Row(with_cell(LETOR, "1.79769313486e+308"), FIT, ADDED),
    "largest float": Row(with_cell(LETOR, "3.40282347e+38"), FIT, ADDED),
    "no value at all": Row(re.sub(r",[^,\n]+\n", ",\n", TABLE).replace(",b,\n", ",b,c\n"), FIT, ADDED),
    "words": Row(TABLE.replace("\n", ",acme\n").replace(",acme", ",brand", 1), FIT, ADDED),
    "infinite": Row(with_cell(TABLE, "inf"), FIT, ADDED),
    "comma": Row(with_cell(TABLE, '"1,234"'), FIT, r"write (\d+) or ([\d.]+): add", (FIT,), with_cell(TABLE, "1234")),
    "comma, left out": Row(with_cell(TABLE, '"1,234"'), FIT, ADDED),
    "two columns of classes": Row(
        "class,a,s\n" + "".join(f"{k % 3 % 2},{k},{k // 2 % 2}\n" for k in range(30)), FIT, ADDED
    ),
    "three classes": Row(CLASSES, FIT, ADDED),
    "too large": Row(with_cell(LETOR, "1e200"), FIT, r"mean 0 and deviation 1 \((standard)\)", (FIT + " --scale {0}",)),
    "negative": Row("-1" + LETOR[1:], FIT, "remove .* write (0)", (FIT,), "0" + LETOR[1:]),
    "half a grade": Row("1.5" + LETOR[1:], FIT, r"round it to grades 0, 1, (2)", (FIT,), "2" + LETOR[1:]),
    "index 0": Row(
        re.sub(r" (\d):", lambda m: f" {int(m[1]) - 1}:", LETOR), FIT, "add 1 to every index", (FIT,), LETOR
    ),
    "no validation part": Row(
        LETOR, "fit d --tune map", r"give C, .* into folds \((--folds 5)\)", ("fit d --tune map {0}", "fit d --C 1")
    ),
    "many folds": Row(
        LETOR,
        "fit d --C 1 --folds 50",
        "choose fewer folds or one split, or fit the whole file",
        ("fit d --C 1 --folds 12", "fit d --C 1 --split 0.7", "fit d --C 1"),
    ),
    "folds of two queries": Row(
        "".join(LETOR.splitlines(keepends=True)[:12]),
        "fit d --C 1 --folds 3",
        "folds; choose one split, or fit the whole file",
        ("fit d --C 1 --split 0.5", "fit d --C 1"),
    ),
    "no such column": Row(
        TABLE,
        "fit d --C 1 --query-column nope --relevance-column relevance",
        r"a number from (1) to 5",
        ("fit d --C 1 --query-column {0} --relevance-column relevance",),
    ),
    "grid without a choice": Row(
        LETOR,
        "fit d --C 1 --grid auto --folds 3",
        r"leave it out, or use (--tune) instead of (--C) and",
        ("fit d --C 1 --folds 3", "fit d {0} map --grid auto --folds 3"),
    ),
    "search of a choice": Row(
        LETOR,
        "fit d --tune map --keep s --folds 3",
        "use (--C) or (--lambda-ratio) instead of --tune",
        (
            "fit d --method best-subset {0} 1 --keep s --folds 3",
            "fit d --method best-subset {1} 0.1 --keep t --folds 3",
        ),
    ),
    "no search": Row(LETOR, "fit d --C 1 --keep s", "--keep is for ([a-z-]+)", ("fit d --C 1 --keep s --method {0}",)),
    "no rules": Row(
        LETOR,
        "fit d --C 1 --method rfe --off 1",
        "choose a sparse penalty such as ([a-z0-9]+)",
        ("fit d --C 1 --method {0} --off 1",),
    ),
    "one lambda of a path": Row(
        LETOR,
        "path d --C 1",
        "leave out --C and --lambda-ratio, or add (--over k --method best-subset)",
        ("path d --points 4", "path d --C 1 {0}"),
    ),
    "no page": Row(
        LETOR, "path d --points 4 --view lab", r"add (--html) FILE", ("path d --points 4 --view lab {0} p.html",)
    ),
    "page over k": Row(
        LETOR,
        "path d --points 4 --over k --method best-subset --html p.html",
        "leave out --over k",
        ("path d --points 4 --method best-subset --html p.html", "path d --points 4 --html p.html"),
    ),
    "two beside": Row(
        LETOR,
        "path d --points 4 --html p.html --view lab --beside log,mcp",
        r"give (--beside) one",
        ("path d --points 4 --html p.html --view lab {0} log",),
    ),
    "path over k": Row(
        LETOR,
        "path d --over k",
        "choose ([a-z-]+), ([a-z-]+) or ([a-z-]+)",
        ("path d --over k --method {0}", "path d --over k --method {1}", "path d --over k --method {2}"),
    ),
    "converted to text": Row(
        LETOR, "convert d --out x.txt", r"give (--out) a file whose name ends in (\.parquet)", ("convert d {0} x{1}",)
    ),
    "converted folds": Row(
        LETOR, "convert folds --out old", r"give (--out) a folder that is new or empty", ("convert folds {0} new",)
    ),
    "text out of core": Row(
        LETOR,
        "fit d --C 1 --out-of-core",
        "which the command (convert) makes",
        ("{0} d --out x.parquet", "fit x.parquet --C 1 --out-of-core"),
    ),
    "out of core, whole": Row(
        LETOR,
        "fit d.parquet --C 1 --out-of-core --method rfe",
        r"a method such as (\w+), (\w+), (\w+) or (\w+) with .* without --out-of-core",
        (
            *(f"fit d.parquet --C 1 --out-of-core --method {{{k}}}" for k in range(4)),
            "fit d.parquet --C 1 --method rfe",
        ),
    ),
    "out of core, option": Row(
        LETOR,
        "fit d.parquet --C 1 --out-of-core --drop-copies",
        "cannot be combined with --out-of-core",
        ("fit d.parquet --C 1 --drop-copies",),
    ),
    "no validation part for a protocol": Row(
        LETOR,
        "protocol d --methods l1 --grid 3 --out s",
        "split a single file with (--repeats) 5",
        ("protocol d --methods l1 --grid 3 --out s {0} 2",),
    ),
    "export of a path": Row(
        LETOR, "export path.json --format json --out e", r"python -m core (fit) … --C X (--json)", ("{0} d --C 1 {1}",)
    ),
    "export of half a model": Row(
        LETOR, "export half.json --format json --out e", r"python -m core (fit) … (--json)", ("{0} d --C 1 {1}",)
    ),
    "export of other names": Row(
        LETOR,
        "export names.json --format json --out e",
        r"as fit --json prints them; .* (fit) … (--json)",
        ("{0} d --C 1 {1}",),
    ),
    "evaluation of half a model": Row(
        LETOR, "evaluate d half.json", r"python -m core (fit) … (--json)", ("{0} d --C 1 {1}", "evaluate d whole.json")
    ),
    "export scaled within queries": Row(
        LETOR,
        "export within.json --format solr --out e",
        r"with --scale (minmax) or --scale (standard), or without --scale",
        ("fit d --C 1 --json --scale {0}", "fit d --C 1 --json --scale {1}", "export whole.json --format solr --out e"),
    ),
    "judgments alone": Row(
        "query,docid,rating\nrambo,d,1\n", "import d --out o", "add the feature log", ("import d log --out o",)
    ),
    "log alone": Row(LOG, "import d --out o", "add a file of judgments", ("import d judged --out o",)),
    "log without a query": Row(
        LOG.replace('"query": "rambo", ', ""),
        "import d judged --out o",
        r'put ("query": "...") next to "hits"',
        ("import d judged --out o",),
        LOG,
    ),
    "judgments in words": Row(
        "query,docid,rating\nrambo,d,2.5\n",
        "import d log --out o",
        r"round it to grades 0, 1, (2)",
        ("import d log --out o",),
        "query,docid,rating\nrambo,d,2\n",
    ),
    "onto itself": Row(LETOR, "import d --out d", "write to another one", ("import d --out o",)),
}


def folder_of_files(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """A new folder with the files that commands of the table name, in which they run."""
    for name in ("folds/Fold1", "old"):
        (folder / name).mkdir(parents=True)
    patch.chdir(folder)
    (folder / "log").write_text(LOG)
    (folder / "judged").write_text("query,docid,rating\nrambo,d,1\n")
    for part in ("train", "vali", "test"):
        (folder / "folds" / "Fold1" / f"{part}.txt").write_text(LETOR)
    (folder / "old" / "file").write_text("x")
    (folder / "d").write_text(LETOR)
    return folder


def prepare(command: str, run: Command) -> None:
    """Make the files of results that the command reads."""
    if "d.parquet" in command:
        assert run("convert", "d", "--out", "d.parquet").status == 0
    if ".json" in command:
        whole = json.loads(run("fit", "d", "--C", "1", "--json").out)
        names = whole | {"feature_names": 3}
        half = {key: value for key, value in whole.items() if key != "scaling"}
        path = json.loads(run("path", "d", "--points", "3", "--json").out)
        within = json.loads(run("fit", "d", "--C", "1", "--json", "--scale", "query-minmax").out)
        for name, record in (("whole", whole), ("names", names), ("half", half), ("path", path), ("within", within)):
            Path(f"{name}.json").write_text(json.dumps(record))


def commands(row: Row, groups: tuple[str, ...]) -> Iterator[list[str]]:
    """The commands that take the ways out: those of the table, or the refused one with each of the added options."""
    if row.pattern is not ADDED:
        yield from (shlex.split(way.format(*groups)) for way in row.ways)
        return
    for way in re.split(r";? or (?=--)", groups[0]):
        yield shlex.split(row.command) + shlex.split(way.removesuffix(" if it names the documents"))


ELSEWHERE = (
    "a result is not a finite number",  # no file is known that causes it
    "the table divides and standardises every set itself",  # of sets that are not here
)


def sentences() -> Iterator[str]:
    """Patterns of all messages in core that are raised and name an option."""
    for path in sorted((ROOT / "core").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (
                isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "msg"
            ):
                continue
            parts = node.value.values if isinstance(node.value, ast.JoinedStr) else [node.value]
            texts = [str(part.value) if isinstance(part, ast.Constant) else None for part in parts]
            if OPTION.search("".join(text or "" for text in texts)):
                yield ".*".join("" if text is None else re.escape(text) for text in texts)


def refused_and_led_out(row: Row, files: Path, run: Command) -> str:
    """Run a refused command, then every way out that it names; the sentence of the refusal."""
    prepare(row.command, run)
    (files / "d").write_text(row.content)
    refused = run(*shlex.split(row.command))
    assert refused.status == 2
    found = re.search(row.pattern, refused.err.strip())
    assert found is not None, refused.err
    (files / "d").write_text(row.mended or row.content)
    for command in commands(row, found.groups()):
        answer = run(*command)
        assert answer.status == 0, f"{refused.err.strip()}\n{shlex.join(command)}\n{answer.err}"
    return refused.err


def test_every_way_out_leads_out_and_every_message_that_names_an_option_has_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    told, wrong = [], []
    for number, (name, row) in enumerate(TABLE_OF_ADVICE.items()):
        try:
            told.append(refused_and_led_out(row, folder_of_files(tmp_path / str(number), monkeypatch), run))
        except AssertionError as fault:
            wrong.append(f"{name}: {fault}")
    assert not wrong, "\n\n".join(wrong)
    lacking = [
        pattern
        for pattern in sentences()
        if not any(re.search(pattern, text) for text in told)
        and not any(re.escape(text) in pattern for text in ELSEWHERE)
    ]
    assert not lacking
