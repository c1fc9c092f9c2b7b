"""Every number of the CSVs again, read from the papers' text by another road: where a person has the papers.

The papers may not be passed on; they are looked for in ``papers`` beside the data.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from core.experiments.results.published.numbers import published_numbers, rows_of
from core.experiments.results.published.settings import FENCHELRANK, FSMRANK, LAPORTE

FOUR_DIGITS = re.compile(r"(?<![\d.])[01]\.\d{4}(?!\d)")
SETS = ("OHSUMED", "HP2004", "NP2004", "MQ2008")
RANKS = tuple(f"NDCG@{k}" for k in range(1, 11))


@pytest.fixture
def paper(shared_data: Path):
    def read(name: str) -> str:
        file = shared_data.parent / "papers" / f"{name}.txt"
        if not file.is_file():
            pytest.skip("the papers' text is not here")
        return file.read_text(encoding="utf-8")

    return read


def values(source: str) -> dict[tuple[str, str, str], float]:
    return {(n.dataset, n.system, n.measure): n.value for n in published_numbers() if n.source == source}


@pytest.mark.parametrize(
    ("table", "begins", "ends", "n"),
    [("I", "TABLE I R ANKING", "Fig. 1.", 4 * 3 * 11), ("II", "TABLE II R ANKING", "why FSMRank outperforms", 308),
     ("III", "TABLE III E FFECT", "In summary, the weighted", 3 * 2 * 5)],
)  # fmt: skip
def test_tables_of_fsmrank_have_the_printed_numbers_and_no_others(paper, table, begins, ends, n) -> None:
    text = paper("lai2013-fsmrank")
    block = text[text.index(begins) : text.index(ends, text.index(begins))]
    found = values(f"{FSMRANK}, Table {table}")
    assert len(found) == n
    assert Counter(f"{value:.4f}" for value in found.values()) == Counter(FOUR_DIGITS.findall(block))


def test_rows_that_stand_whole_in_the_text_are_the_rows_of_table_ii(paper) -> None:
    """Ten ranks after a name; where the layout broke a row (SVMMAP) its MAP stands before the name."""
    text = paper("lai2013-fsmrank")
    block = text[text.index("TABLE II R ANKING") :].partition("why FSMRank outperforms")[0]
    found = values(f"{FSMRANK}, Table II")
    names = {"RankSVM-primal": "RankSVM-Primal", "RankSVM-struct": "RankSVM-Struct"}
    seen: Counter[str] = Counter()
    for name, numbers in re.findall(r"([A-Z][\w-]*[a-zA-Z])\s+((?:0\.\d{4}\s+){10})", block):
        dataset = SETS[seen[name]]
        seen[name] += 1
        system = names.get(name, name)
        assert [f"{found[dataset, system, rank]:.4f}" for rank in RANKS] == numbers.split(), (dataset, system)
    assert set(seen.values()) == {4}
    assert len(seen) == 7


@pytest.mark.parametrize("table", [2, 3, 4, 5, 6, 7, 8, 9])
def test_tables_of_fenchelrank_have_the_printed_numbers_in_their_order(paper, table: int) -> None:
    text = paper("lai2013-fenchelrank")
    block = text[text.index(f"\nTABLE {table} ") :].partition("\n\n|")[2].partition("\n\n")[0]
    cells = [cell.strip(" *").replace("<b>", "").replace("</b>", "") for cell in block.replace("\n", "|").split("|")]
    printed = [float(cell) for cell in cells if re.fullmatch(r"\d+(\.\d+)?", cell)]
    if table == 6:  # C = 0.1 is in the system's name
        printed = [value for k, value in enumerate(printed) if k % 6 != 3]
    assert [n.value for n in published_numbers() if n.source == f"{FENCHELRANK}, Table {table}"] == printed


def test_table_iii_of_laporte_et_al_has_the_printed_numbers(paper) -> None:
    text = paper("laporte2014-nonconvex-sparse-ranksvm")
    block = text[text.index("TABLE III\nCHARACTERISTICS") : text.index("at position i .")]
    measures = ("features", "queries", "documents", "preference pairs", "documents per query",
                "relevant documents per query")  # fmt: skip
    found = values(f"{LAPORTE}, Table III")
    rows = [line.split("\t") for line in block.splitlines() if re.fullmatch(r"\w+(\t[\d.]+){6}", line)]
    assert len(rows) == 9
    assert len(found) == 9 * 6
    for name, *printed in rows:
        assert [found[name.upper(), "the dataset", measure] for measure in measures] == [float(x) for x in printed]


def test_tables_iv_to_vi_of_laporte_et_al_have_the_printed_numbers(paper) -> None:
    text = paper("laporte2014-nonconvex-sparse-ranksvm")
    systems = ("FenchelRank", "FSMRank", "RankSVM-l1", "RankSVM-MCP", "RankSVM-log", "RankSVM-l0.5")
    ids = ("fenchelrank", "fsmrank", "l1", "mcp", "log", "l0.5")
    ratios = values(f"{LAPORTE}, Table IV")
    block = text[text.index("TABLE IV\n") : text.index("\nMean\t")]
    rows = [line.split("\t") for line in block.splitlines() if re.fullmatch(r"\w+(\t[\d.]+){6}", line)]
    assert len(rows) == 9
    for name, *printed in rows:
        assert [ratios[name.upper(), system, "sparsity ratio"] for system in systems] == [float(x) for x in printed]
    worse = {
        (d["dataset"], d["measure"], d["method"]): (float(d["decrease_percent"]), float(d["p"]))
        for d in rows_of("laporte2014_degradations")
    }
    for table, measure, ends in (("V", "MAP", "TABLE VI\n"), ("VI", "NDCG@10", "1) *General")):
        best = values(f"{LAPORTE}, Table {table}")
        block = text[text.index(f"TABLE {table}\n\nCOMPARISON") : text.index(ends)]
        rows = [line.split("\t") for line in block.splitlines() if line.count("\t") == 6 and line[:7] != "Dataset"]
        assert len(rows) == 9
        for name, *printed in rows:
            for system, method, cell in zip(systems, ids, printed, strict=True):
                if cell.startswith("-"):
                    percent, p = re.findall(r"[\d.]+", cell)
                    assert worse.pop((name.upper(), measure, method)) == (float(percent), float(p))
                elif cell.startswith("0."):
                    assert best[name.upper(), system, measure] == float(cell)
                else:
                    assert cell == r"\sim"
    assert not worse
