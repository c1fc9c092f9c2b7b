"""The transcription of the papers' tables, checked by what they say of themselves elsewhere.

Table IV as printed: its own last row checks the transcription.
"""

from __future__ import annotations

from collections import Counter
from statistics import mean

import pytest

from core.data.catalogue import KNOWN_SETS
from core.experiments.results.published.numbers import (
    P_VALUE,
    PRINTED_MEANS,
    SYSTEMS,
    letor3_baselines,
    published_degradations,
    published_numbers,
    published_sparsity,
)
from core.methods import get_method

QUALITY = {"MAP", *(f"NDCG@{k}" for k in range(1, 11))}
SHARES = {"sparsity ratio", "share of features", *(f"share of features of fold {k}" for k in range(1, 6))}
FACTS = {
    "features", "queries", "documents", "preference pairs", "documents per query", "relevant documents per query",
    *(f"{what} of fold {k}" for what in ("radius", "training seconds") for k in range(1, 6)),
}  # fmt: skip


def number(source: str, dataset: str, system: str, measure: str) -> float:
    (found,) = [
        n.value
        for n in published_numbers()
        if n.source.endswith(source) and (n.dataset, n.system, n.measure) == (dataset, system, measure)
    ]
    return found


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
    assert Counter(n.source for n in published_numbers()) == expected


def test_a_number_that_a_paper_prints_in_several_tables_is_the_same_in_all() -> None:
    """FenchelRank in Tables 2, 5, 7 and 8; FSMRank in Tables I and II; RankSVM-Primal in both papers."""
    printed: dict[tuple[str, str, str], set[float]] = {}
    for n in published_numbers():
        if n.paper.startswith("Lai") and n.measure in QUALITY:
            printed.setdefault((n.dataset, n.system, n.measure), set()).add(n.value)
    assert {place: found for place, found in printed.items() if len(found) > 1} == {}


def test_no_number_is_there_twice() -> None:
    places = [(n.source, n.dataset, n.system, n.measure) for n in published_numbers()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("dataset", "increase"), [("TD2004", 9.9), ("HP2004", 7.0), ("OHSUMED", 3.0)]
)  # Lai et al. 2013 (FenchelRank), section 8.4.1, of NDCG@10 over RankSVM-Primal of the LETOR site
def test_fenchelranks_increase_is_the_one_its_text_states(dataset: str, increase: float) -> None:
    table = "Table 8" if dataset == "TD2004" else "Table 5"
    (baseline,) = [
        b.values["NDCG@10"]
        for b in letor3_baselines()
        if (b.dataset, b.algorithm, b.fold) == (dataset, "RankSVM-Primal", "average")
    ]
    assert 100 * (number(table, dataset, "FenchelRank", "NDCG@10") / baseline - 1) == pytest.approx(increase, abs=0.3)


@pytest.mark.parametrize(
    ("dataset", "system", "increase"),
    [("HP2004", "GAS-E", 6.8), ("HP2004", "FSMSVM", 6.4), ("NP2004", "GAS-E", 4.0), ("NP2004", "FSMSVM", 2.7),
     ("OHSUMED", "FSMSVM", 3.8), ("OHSUMED", "GAS-E", 2.5)],
)  # fmt: skip
def test_fsmranks_increase_is_the_one_its_text_states(dataset: str, system: str, increase: float) -> None:
    ours, theirs = (number("Table I", dataset, name, "NDCG@10") for name in ("FSMRank", system))
    assert 100 * (ours / theirs - 1) == pytest.approx(increase, abs=0.1)


def test_two_papers_cite_the_same_baselines() -> None:
    """Both took them from the LETOR site, which is here as well; but for RankBoost on HP2004 and the like."""
    checked = 0
    for b in letor3_baselines():
        if b.fold != "average":
            continue
        for n in published_numbers():
            if "Lai" in n.source and (n.dataset, n.system) == (b.dataset, b.algorithm) and n.measure in b.values:
                assert n.value == pytest.approx(b.values[n.measure], abs=0.0006), n
                checked += 1
    assert checked > 50


def test_averages_of_the_letor_site_are_those_of_its_folds() -> None:
    by_fold: dict[tuple[str, str], list[float]] = {}
    for b in letor3_baselines():
        if b.fold != "average":
            by_fold.setdefault((b.dataset, b.algorithm), []).append(b.values["MAP"])
    averages = {(b.dataset, b.algorithm): b.values["MAP"] for b in letor3_baselines() if b.fold == "average"}
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
    found = published_degradations()
    assert len(found) == 14
    assert all(d.p < 0.05 and d.decrease_percent > 0 and best[d.dataset, d.measure] != SYSTEMS[d.method] for d in found)
    log = next(d for d in found if (d.dataset, d.measure, d.method) == ("HP2004", "MAP", "log"))
    assert (log.decrease_percent, log.p) == (11.0, 0.01)  # "a degradation of 11 % of the MAP", section VI-B


@pytest.mark.parametrize("method", PRINTED_MEANS)
def test_the_mean_of_every_column_is_the_printed_one(method: str) -> None:
    assert mean(published_sparsity()[method].values()) == pytest.approx(PRINTED_MEANS[method], abs=0.0051)
