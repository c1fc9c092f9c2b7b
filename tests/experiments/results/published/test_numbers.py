"""The transcription of the papers' tables, checked by what they say of themselves elsewhere.

Table IV as printed: its own last row checks the transcription.
Every number of the CSVs again, read from the papers' text by another road: where a person has the papers.
The papers may not be passed on; they are looked for in ``papers`` beside the data.
"""

import re
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from core.data.catalogue import KNOWN_SETS
from core.experiments.results.published.numbers import (
    FENCHELRANK,
    FSMRANK,
    LAPORTE,
    P_VALUE,
    SYSTEMS,
    letor3_baselines,
    published_numbers,
    rows_of,
)
from core.methods import get_method
from tests.ranking_files import there

QUALITY = {"MAP", *(f"NDCG@{k}" for k in range(1, 11))}
SHARES = {"sparsity ratio", "share of features", *(f"share of features of fold {k}" for k in range(1, 6))}
FACTS = {
    "features", "queries", "documents", "preference pairs", "documents per query", "relevant documents per query",
    *(f"{what} of fold {k}" for what in ("radius", "training seconds") for k in range(1, 6)),
}  # fmt: skip


def test_every_number_is_of_a_known_set_and_a_known_kind() -> None:
    names = {known.name for known in KNOWN_SETS}
    for n in published_numbers():
        assert n.dataset in names
        quality = n.measure.removeprefix(P_VALUE)
        assert quality in QUALITY | SHARES | FACTS
        assert n.value > 0.0
        assert n.value <= 1.0 or n.measure in FACTS
        if n.settings is not None:
            assert n.measure in QUALITY | SHARES
            get_method(n.settings.choice.method)
    assert set(SYSTEMS.values()) <= {n.system for n in published_numbers()}


def test_every_table_is_there_whole() -> None:
    """Counts from the tables' captions and heads: sets x systems x measures."""
    expected = {
        "Laporte et al. 2014, Table III": 9 * 6,
        "Laporte et al. 2014, Table IV": 9 * 6,
        "Laporte et al. 2014, Table V": 9,
        "Laporte et al. 2014, Table VI": 9,
        "Lai et al. 2013 (FenchelRank), Table 2": 5 * 2,
        "Lai et al. 2013 (FenchelRank), Table 3": 5 * 5,
        "Lai et al. 2013 (FenchelRank), Table 4": 5 * 4,
        "Lai et al. 2013 (FenchelRank), Table 5": 4 * 3 * 5,
        "Lai et al. 2013 (FenchelRank), Table 6": 2 * 5 * 5,
        "Lai et al. 2013 (FenchelRank), Table 7": 2 * 7 * 5,
        "Lai et al. 2013 (FenchelRank), Table 8": 5 * 5 * 5,
        "Lai et al. 2013 (FenchelRank), Table 9": 2 * 3 * 5,
        "Lai et al. 2013 (FSMRank), Table I": 4 * 3 * 11,
        "Lai et al. 2013 (FSMRank), Table II": 4 * 7 * 11,
        "Lai et al. 2013 (FSMRank), Table III": 3 * 2 * 5,
    }
    places = [(n.source, n.dataset, n.system, n.measure) for n in published_numbers()]
    assert Counter(source for source, *_ in places) == expected
    assert len(set(places)) == len(places), "no number is there twice"


def test_a_number_that_a_paper_prints_in_several_tables_is_the_same_in_all() -> None:
    """FenchelRank in Tables 2, 5, 7 and 8; FSMRank in Tables I and II; RankSVM-Primal in both papers."""
    printed: dict[tuple[str, str, str], set[float]] = {}
    for n in published_numbers():
        if n.paper.startswith("Lai") and n.measure in QUALITY:
            printed.setdefault((n.dataset, n.system, n.measure), set()).add(n.value)
    assert {place: found for place, found in printed.items() if len(found) > 1} == {}


def test_two_papers_cite_the_same_baselines() -> None:
    """Both took them from the LETOR site, which is here as well; but for RankBoost on HP2004 and the like."""
    checked = 0
    for b in letor3_baselines():
        for n in published_numbers():
            if "Lai" in n.source and (n.dataset, n.system, n.measure) == (b.dataset, b.system, b.measure):
                assert n.value == pytest.approx(b.value, abs=0.0006), n
                checked += 1
    assert checked > 50


def test_averages_of_the_letor_site_are_those_of_its_folds() -> None:
    by_fold: dict[tuple[str, str], list[float]] = {}
    for row in rows_of("letor3_baselines"):
        if row["fold"] != "average":
            by_fold.setdefault((row["dataset"], row["algorithm"]), []).append(float(row["MAP"]))
    averages = {(b.dataset, b.system): b.value for b in letor3_baselines() if b.measure == "MAP"}
    assert len(averages) == 7 * 12
    assert all(len(folds) == 5 for folds in by_fold.values())
    off = [name for name, folds in by_fold.items() if abs(mean(folds) - averages[name]) > 0.0002]
    assert not off


def test_every_line_of_tables_v_and_vi_has_one_best_method_and_its_degradations() -> None:
    best = {
        (n.dataset, n.measure): n.system
        for n in published_numbers()
        if n.source.startswith("Laporte") and n.measure in ("MAP", "NDCG@10")
    }
    assert len(best) == 18
    found = rows_of("laporte2014_degradations")
    assert len(found) == 14
    assert all(float(d["p"]) < 0.05 and float(d["decrease_percent"]) > 0 for d in found)
    assert all(best[d["dataset"], d["measure"]] != SYSTEMS[d["method"]] for d in found)
    log = next(d for d in found if (d["dataset"], d["measure"], d["method"]) == ("HP2004", "MAP", "log"))
    assert (float(log["decrease_percent"]), float(log["p"])) == (11.0, 0.01)  # "11 % of the MAP", section VI-B


TABLE_IV = [n for n in published_numbers() if n.source == f"{LAPORTE}, Table IV"]
MEANS = {"FenchelRank": 0.34, "FSMRank": 0.49, "RankSVM-l1": 0.39, "RankSVM-MCP": 0.31, "RankSVM-log": 0.21,
         "RankSVM-l0.5": 0.18}  # fmt: skip


@pytest.mark.parametrize("system", MEANS)
def test_the_mean_of_every_column_of_table_iv_is_the_printed_one(system: str) -> None:
    ratios = [n.value for n in TABLE_IV if n.system == system]
    assert len(ratios) == 9
    assert mean(ratios) == pytest.approx(MEANS[system], abs=0.0051)


FOUR_DIGITS = re.compile(r"(?<![\d.])[01]\.\d{4}(?!\d)")
SETS = ("OHSUMED", "HP2004", "NP2004", "MQ2008")
RANKS = tuple(f"NDCG@{k}" for k in range(1, 11))


@pytest.fixture
def paper(shared_data: Path):
    def read(name: str) -> str:
        return there(shared_data.parent / "papers" / f"{name}.txt").read_text(encoding="utf-8")

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
