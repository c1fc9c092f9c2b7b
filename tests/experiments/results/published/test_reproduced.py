"""Ours and the papers' numbers side by side: what the files say, from the results.

Our numbers within what choosing C again explains of the printed ones: the plain mark at each number.
A published number belongs to the row with the paper's settings, and to no other.
The papers' p-values: as printed, and ours of the same two rows in the same direction.
"""

import itertools
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import ttest_rel

from core.experiments.results.published import beside_published as published_tests
from core.experiments.results.published.beside_published import (
    BesidePublished,
    beside_published,
    beside_rows,
    made_alike,
)
from core.experiments.results.published.numbers import (
    _SETTINGS,
    FENCHELRANK,
    FSMRANK,
    LAPORTE,
    letor3_baselines,
    printed_choices,
    printed_settings,
    published_numbers,
)
from core.experiments.results.summary import MethodLine
from core.experiments.results.tables import reproduced_table
from core.experiments.run.cells import MethodChoice, choice_titles
from core.experiments.run.protocol import TESTED
from core.methods import get_method
from core.penalties import MCP, Log, Lp
from tests.experiments.made_up import N_USABLE, four_lines, line, result
from tests.says import assert_says

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def row_of(lines: list, method: str) -> dict[str, str]:
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    return next(row for row in table.records() if row["method"] == method)


def test_every_source_has_its_number_and_letter() -> None:
    table = reproduced_table(LINES, "MQ2008", TITLES)
    assert table.name == "reproduced-MQ2008-by-MAP"
    row = row_of(LINES, "FenchelRank")
    # Laporte et al. (2014), Tables IV and V. The 0.4785 of Lai et al. was chosen by NDCG@10.
    assert (row["MAP published"], row["sparsity ratio published"]) == ("0.4804 [a]", "0.30 [a]")
    assert row["NDCG@10 published"] == "–"
    ours = [found.test("MAP") for found in LINES[2].results.values()]
    assert row["MAP"] == f"{mean(ours):.4f} ± {stdev(ours):.4f}"
    assert_says(table.note, "Published", "chosen by MAP", "[a] Laporte et al. 2014")
    assert "[b]" not in table.note
    assert "3 folds" in table.note


def test_a_run_by_ndcg_stands_beside_what_was_chosen_by_ndcg() -> None:
    lines = four_lines("NDCG@10")
    row = row_of(lines, "FenchelRank")
    # Lai et al. (2013), Tables 2, 4 and 5; Laporte et al. chose by MAP.
    assert (row["MAP published"], row["NDCG@10 published"]) == ("0.4785 [a]", "0.2317 [a]")
    assert (row["sparsity ratio published"], row["share of features published"]) == ("–", "0.34 [a]")
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    assert table.name == "reproduced-MQ2008-by-NDCG-10"
    systems = "RankSVM-l1, RankSVM-log, FenchelRank"
    assert_says(table.note, systems, "Laporte et al. 2014", "chosen by MAP", "ours by NDCG@10")


def test_rows_say_whose_settings_they_have_and_ours_have_no_published_number() -> None:
    folds = {fold: result(0.4, [1], seed=fold) for fold in (1, 2, 3)}
    lines = [line("mcp", folds), line("mcp:gamma=2", folds), line("lambdamart", folds)]
    own, printed = row_of(lines, "RankSVM MCP"), row_of(lines, "RankSVM MCP (gamma=2)")
    assert (own["settings"], own["sparsity ratio published"]) == ("ours", "–")
    assert (printed["settings"], printed["sparsity ratio published"]) == ("as printed", "0.27 [a]")
    assert row_of(lines, "LambdaMART")["settings"] == "ours"


def test_unfinished_lines_and_unknown_datasets_are_left_out() -> None:
    some = [LINES[0], line("fenchelrank", {1: result(0.4, [1])}, n_folds=3)]
    table = reproduced_table(some, "MQ2008", TITLES)
    assert [row["method"] for row in table.records()] == ["RankSVM ℓ1"]
    own = [line("l1", {1: result(0.4, [1])}, dataset="mine")]
    assert reproduced_table(own, "mine", TITLES) is None


def test_the_noise_of_the_choice_stands_beside_that_of_the_folds() -> None:
    first, second = result(0.5, [1, 2]), result(0.5, [1, 2], seed=1)
    for one in (first, second):
        one.record.update(usable=8, choice={"models": [{"nonzero": 2}, {"nonzero": 6}]})
    tests = np.array([[0.5], [0.7]]) + np.zeros(len(first.per_query["MAP"]))
    again = {"drawn": np.array([0, 1, 1, 1]), "drawn_tests": {"MAP": tests, "NDCG@10": tests / 2.0}}
    table = reproduced_table([line("l1", {1: replace(first, **again), 2: replace(second, **again)})], "MQ2008", {})
    row = {name: entry.text for name, entry in zip(table.head, table.rows[0], strict=True)}
    deviation = np.std([0.5, 0.7, 0.7, 0.7], ddof=1)
    assert row["MAP ± by choice"] == f"{deviation:.4f}"
    assert row["sparsity ratio ± by choice"] == f"{np.std([2, 6, 6, 6], ddof=1) / 8:.2f}"
    of_before = reproduced_table([line("l1", {1: first, 2: second})], "MQ2008", {})
    assert of_before.rows[0][of_before.head.index("MAP ± by choice")].text == "–"


LABELS = ("l1", "log", "mcp:gamma=2", "l0.5", "fenchelrank", "fsmrank")
RATIOS = {"l1": 0.39, "log": 0.09, "mcp:gamma=2": 0.27, "l0.5": 0.07, "fenchelrank": 0.30, "fsmrank": 0.42}
"""Table IV of Laporte et al. on MQ2008."""


def table_iv(factor: float) -> list[MethodLine]:
    """Rows whose sparsity ratios are the printed ones times this factor, and whose 200 choices move them."""
    made = []
    for k, label in enumerate(LABELS):
        folds = {}
        for fold in (1, 2, 3, 4, 5):
            one, kept = result(0.48, [1], seed=fold), factor * RATIOS[label] * N_USABLE
            models = [{"nonzero": kept * (1 + 0.2 * step)} for step in (0, -1, 1, -2, 2)]
            one.record.update(sparsity_ratio=kept / N_USABLE, nonzero=kept, usable=N_USABLE, choice={"models": models})
            maps = 0.48 + 0.003 * np.array([[0.0], [-1.0], [1.0], [-2.0], [2.0]]) + np.zeros(len(one.per_query["MAP"]))
            drawn = np.random.default_rng(10 * fold + k).choice(5, size=200, p=[0.4, 0.2, 0.2, 0.1, 0.1])
            folds[fold] = replace(one, drawn=drawn, drawn_tests={"MAP": maps, "NDCG@10": maps / 2.0})
        made.append(line(label, folds))
    return made


def ratio_of(lines: list[MethodLine], method: str = "l1") -> BesidePublished:
    (row,) = [one for one in made_alike(lines) if (one.method, one.measure) == (method, "sparsity ratio")]
    return row


def test_the_limit_of_a_small_case_by_enumeration() -> None:
    """Five choices, all ten pairs of which are compared."""
    row = replace(ratio_of(table_iv(1.0)), draws=np.array([0.40, 0.41, 0.43, 0.43, 0.48]))
    far = [abs(a - b) for a, b in itertools.combinations([0.40, 0.41, 0.43, 0.43, 0.48], 2)]
    limit = np.quantile(far, 0.95) + row.hidden
    assert row.choice_limit == pytest.approx(limit)
    assert replace(row, ours=row.published - limit).within  # print hides no more than half a digit
    assert not replace(row, ours=row.published - limit - 1e-9).within


def test_two_choices_of_one_law_are_within_as_often_as_said() -> None:
    rng = np.random.default_rng(0)
    row = ratio_of(table_iv(1.0))
    draws = [rng.normal(0.5, 0.1, size=500) for _ in range(300)]
    found = [replace(row, draws=d, ours=a, published=b).within for d, (a, b) in zip(
        draws, rng.normal(0.5, 0.1, size=(300, 2)), strict=True)]  # fmt: skip
    assert 0.92 < np.mean([bool(one) for one in found]) < 0.98


def test_the_printed_table_is_within_and_a_shifted_one_is_not() -> None:
    assert all(ratio_of(table_iv(1.0), label).within for label in LABELS)
    assert sum(ratio_of(table_iv(0.6), label).within is False for label in LABELS) >= 4
    assert sum(ratio_of(table_iv(1.6), label).within is False for label in LABELS) >= 4


def test_a_number_is_within_by_the_choice_whatever_the_folds_do() -> None:
    lines = table_iv(0.7)
    for fold, found in lines[0].results.items():  # .273 in the mean, with folds that spread by far more
        found.record["sparsity_ratio"] += 0.15 * (fold - 3)
    row = ratio_of(lines)
    assert row.spread > abs(row.difference)
    record = row.record()
    assert record["within_choice"] is row.within is False
    assert abs(record["difference"]) > record["choice_limit"]
    assert "draws" not in record


def test_a_number_that_no_choice_changes_is_not_judged_by_the_choice() -> None:
    """As the features of a dense method, whatever sets them apart from print."""
    row = ratio_of(table_iv(0.9))
    still = replace(row, draws=np.full_like(row.draws, row.draws[0]))
    assert still.difference
    assert still.choice_limit is still.within is None
    assert beside_rows([still])[0]["within"] == "–"


def test_the_mark_stands_at_each_published_number() -> None:
    lines = table_iv(0.6)
    table = reproduced_table(lines, "MQ2008", {})
    assert {row["method"]: row["sparsity ratio published"].partition("] ")[2] for row in table.records()} == {
        label: "within" if ratio_of(lines, label).within else "not within" for label in LABELS
    }


FOLDS = {fold: result(0.4 + 0.01 * fold, [1, 2], seed=fold) for fold in (1, 2, 3)}
BY_NDCG = {fold: result(0.4 + 0.01 * fold, [1, 2], seed=fold, chosen_by="NDCG@10") for fold in (1, 2, 3)}


def test_mcps_published_ratio_stands_beside_gamma_2_and_never_beside_a_knee_of_our_own() -> None:
    found = made_alike([line("mcp", FOLDS), line("mcp:gamma=2", FOLDS), line("mcp:knee=2", FOLDS)])
    assert {(row.method, row.published) for row in found} == {("mcp:gamma=2", 0.27)}
    assert beside_published([line("mcp", FOLDS)]) == []


def test_the_penalties_of_laporte_et_al_are_those_of_table_ii() -> None:
    """γ = 2 (a knee of γ/C), ε = 0.1 and p = 0.5 (section V-C), whatever the program's own defaults are."""
    for system, expected in (("RankSVM-log", Log(epsilon=0.1)), ("RankSVM-l0.5", Lp(p=0.5)),
                             ("RankSVM-MCP", MCP(2.0 / 5.0))):  # fmt: skip
        settings = printed_settings(LAPORTE, system, "MQ2008", "MAP")
        penalty = get_method(settings.choice.method).make_penalty(dict(settings.choice.settings), 5.0)
        assert (type(penalty), vars(penalty)) == (type(expected), vars(expected))


@pytest.mark.parametrize(("label", "elsewhere"), [("log:epsilon=0.5", "log"), ("l0.5:p=0.3", "l0.5"),
                                                  ("fsmrank:lambda1=0.3", "fsmrank"), ("fs-rank", "fs-rank:k=5"),
                                                  ("rwfs-l0:share=0.2", "rwfs-l0:share=0.1")])  # fmt: skip
def test_other_settings_are_ours(label: str, elsewhere: str) -> None:
    assert MethodChoice.parse(label) not in printed_choices()
    assert MethodChoice.parse(elsewhere) in printed_choices()
    assert beside_published([line(label, FOLDS), line(label, FOLDS, dataset="OHSUMED")]) == []


def test_each_paper_chooses_by_its_own_measure() -> None:
    """Laporte et al. §V-C: MAP, also for the two methods of Lai et al., who take NDCG@10 (FenchelRank, §8.3)."""
    both = [line("fenchelrank", FOLDS), line("fenchelrank", BY_NDCG)]
    by_map, by_ndcg = (made_alike([one]) for one in both)
    assert {row.paper for row in by_map} == {LAPORTE}
    assert {row.paper for row in by_ndcg} == {FENCHELRANK}
    assert {row.published for row in by_ndcg if row.measure == "MAP"} == {0.4785}
    assert {row.published for row in by_map if row.measure == "MAP"} == {0.4804}
    assert all(row.unlike for row in beside_published(both[:1]) if row.paper == FENCHELRANK)


@pytest.mark.parametrize("dataset", ["HP2004", "MQ2008"])
def test_ranksvm_primal_is_the_letor_sites_but_on_mq2008(dataset: str) -> None:
    """§8.4.1: "cited from the LETOR website, while the results on MQ2008 are obtained by directly running"."""
    found = printed_settings(FENCHELRANK, "RankSVM-Primal", dataset, "MAP")
    assert found.chosen_by == {"HP2004": "MAP", "MQ2008": "NDCG@10"}[dataset]
    site = {b.system for b in letor3_baselines() if b.dataset == dataset}
    assert ("RankSVM-Primal" in site) == (dataset == "HP2004")


def test_a_number_of_which_nobody_says_how_it_was_chosen_is_not_judged() -> None:
    found = beside_published([line("l2", FOLDS, dataset="HP2004")])
    (share,) = [row for row in found if row.measure == "share of features"]
    assert_says(share.unlike, "not known", "ours by MAP")
    assert share.within is None


def test_table_iii_of_fsmrank_has_rows_of_its_own() -> None:
    found = beside_published([line("fsmrank:lambda1=0:importance=none", BY_NDCG, dataset="NP2004")])
    assert {row.measure: row.published for row in found} == {
        "NDCG@1": 0.5200, "NDCG@3": 0.7454, "NDCG@5": 0.7768, "NDCG@10": 0.8079, "MAP": 0.6603,
    }  # fmt: skip
    assert {row.source for row in found} == {f"{FSMRANK}, Table III"}


def test_a_number_that_a_paper_repeats_is_there_once_with_all_of_its_tables() -> None:
    found = beside_published([line("fenchelrank", BY_NDCG, dataset="OHSUMED")])
    (row,) = [row for row in found if row.measure == "NDCG@10" and row.paper == FENCHELRANK]
    assert (row.published, row.source) == (0.4637, f"{FENCHELRANK}, Tables 5, 7, 8")


def test_every_system_with_settings_is_printed_somewhere_and_chosen_by_a_measure_of_the_papers() -> None:
    numbers = {(n.paper, n.system) for n in published_numbers()}
    for (paper, system), settings in _SETTINGS.items():
        assert (paper, system) in numbers or system == "RankSVM-Primal"
        assert settings.chosen_by in TESTED
        assert MethodChoice.parse(settings.choice.label) == settings.choice


def test_all_printed_p_values_are_there() -> None:
    """Table 3: five sets, five measures; Table 9: two sets, three baselines, five measures; V and VI: 14 entries."""
    found = published_tests.printed_tests()
    assert len(found) == 25 + 30 + 14
    by_table = {(t.source.rpartition(" ")[2], t.dataset, t.measure, t.higher, t.lower): t.p for t in found}
    assert by_table["3", "TD2004", "MAP", "FenchelRank", "RankSVM-Primal"] == 0.0005
    assert by_table["9", "OHSUMED", "MAP", "FenchelRank", "AdaRank-NDCG"] == 0.7050
    assert by_table["V", "HP2004", "MAP", "FenchelRank", "RankSVM-log"] == 0.01
    assert [t.measure for t in found if t.less_than] == ["MAP"]


def test_ours_is_the_same_one_sided_test_of_the_same_two_rows() -> None:
    lines = four_lines("NDCG@10")
    ours = {t.measure: t.ours for t in published_tests.tests_beside(lines) if t.ours is not None}
    assert set(ours) == {"MAP", "NDCG@10"}
    for measure, p in ours.items():
        expected = ttest_rel(lines[2].per_query(measure), lines[3].per_query(measure), alternative="greater").pvalue
        assert p == pytest.approx(expected)
        assert p < 0.5  # fenchelrank is above l2 in these lines


@pytest.mark.parametrize(
    ("lines", "facts"),
    [
        (four_lines("MAP"), ("FenchelRank", "chosen by NDCG@10", "ours by MAP")),
        (four_lines("NDCG@10")[:3], ("l2", "not complete")),
        ([line("fenchelrank", {1: result(0.5, [1])}, n_folds=5)], ("fenchelrank", "not complete")),
    ],
)
def test_where_there_is_none_of_ours_the_reason_is_told(lines: list, facts: tuple[str, ...]) -> None:
    found = [t for t in published_tests.tests_beside(lines) if t.measure in ("MAP", "NDCG@10")]
    assert found
    assert all(t.ours is None for t in found)
    (why,) = {t.why for t in found}
    assert_says(why, *facts)


def test_baselines_that_are_not_here_are_cited_alone() -> None:
    rows = published_tests.published_test_rows(
        published_tests.tests_beside([line("fenchelrank", {1: result(0.5, [1])}, dataset="OHSUMED")])
    )
    listnet = next(row for row in rows if row["lower"] == "ListNet" and row["measure"] == "NDCG@10")
    assert (listnet["p published"], listnet["p ours"], listnet["why not"]) == ("0.0023", "–", "ListNet is not here")


def test_a_bound_stays_a_bound() -> None:
    (log,) = [t for t in published_tests.printed_tests() if t.less_than]
    assert published_tests.published_test_rows([log])[0]["p published"] == "<0.001"
