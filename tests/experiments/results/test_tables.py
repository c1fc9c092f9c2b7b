"""Tables IV, V and VI: what is printed, marked and kept, recomputed from the results.

Paths compared with the choice included, against the rows that make them up.
The example that comes with the program is a run of today's program.
A run of the protocol with its summary: its fingerprint tells every change of what is shown.
What single features do, for a run's report.
Plain tables: digits, sides, and columns of sentences.
What queries that lose have in common.
The reproduced table of the results is what the program comes to.
"""

from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import ttest_rel

import core
from core.analysis.choosing import RULES
from core.analysis.evaluation import FoldJudge
from core.analysis.features.single_feature import single_feature_scores
from core.analysis.tuning.choice_noise import noise_by_rule
from core.experiments.results.choice_comparison import compare_paths
from core.experiments.results.example import DATASET, METHODS, example_lines, example_plan
from core.experiments.results.printed_table import Entry, plain_table
from core.experiments.results.run import Run
from core.experiments.results.single_scores import training_scores
from core.experiments.results.statistics import trait
from core.experiments.results.summary import summarise
from core.experiments.results.tables import quality_table, reproduced_table, sparsity_table
from core.experiments.run.cells import MethodChoice, choice_titles
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.workers.workers import Failure
from tests.experiments.made_up import four_lines, line, result, run
from tests.stand_ins import module_at

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def test_sparsity_has_mean_spread_and_the_published_value() -> None:
    table = sparsity_table(LINES, TITLES)
    l1 = [0.25, 0.25, 0.25]
    fenchel = [4 / 8, 3 / 8, 5 / 8]
    assert table.records()[0] == {"method": "RankSVM ℓ1", "MQ2008": f"{mean(l1):.2f} ± 0.00 (0.39)"}
    assert table.records()[2]["MQ2008"] == f"{mean(fenchel):.2f} ± {stdev(fenchel):.2f} (0.30)"
    assert table.records()[1]["MQ2008"].endswith("★")
    number = table.numbers[2]
    assert (number["sparsity_ratio"], number["deviation"]) == (pytest.approx(mean(fenchel)), stdev(fenchel))
    assert (number["published"], number["difference"]) == (0.30, pytest.approx(mean(fenchel) - 0.30))


def test_an_empty_model_is_not_the_sparsest() -> None:
    lines = [line("l1", {1: result(0.1, [])}), line("log", {1: result(0.5, [1])})]
    assert [row[1].mark for row in sparsity_table(lines, TITLES).rows] == ["", "best"]


@pytest.mark.parametrize(("measure", "name"), [("MAP", "table5-map"), ("NDCG@10", "table6-ndcg10")])
def test_decreases_and_p_are_those_of_scipy(measure: str, name: str) -> None:
    table = quality_table(LINES, measure, TITLES)
    assert table.name == name
    best = LINES[2].per_query(measure)
    for one, row, number in zip(LINES, table.rows, table.numbers, strict=True):
        entry, values = row[1], one.per_query(measure)
        assert entry.text == f"{values.mean():.4f}"
        assert number[measure] == pytest.approx(float(values.mean()))
        assert number["best"] == "fenchelrank"
        if one is LINES[2]:
            assert (entry.mark, entry.aside, number["t_test_p"]) == ("best", "", None)
            continue
        p = ttest_rel(best, values, alternative="greater").pvalue
        percent = 100.0 * (best.mean() - values.mean()) / best.mean()
        assert number["t_test_p"] == pytest.approx(p)
        assert number["decrease_percent"] == pytest.approx(percent)
        assert (entry.mark == "worse") == (p < 0.05) == number["significantly_worse"]
        assert entry.aside == "~" or entry.aside.startswith(f"−{percent:.1f} %, p ")
    marks = [row[1].mark for row in table.rows]
    assert (marks[1], marks[2]) == ("worse", "best")


def test_more_datasets_than_methods_stand_as_in_the_paper() -> None:
    lines = [
        line(label, {1: result(0.5, kept), 2: result(0.4, kept)}, dataset=name)
        for name, kept in (("A", [1]), ("B", [1, 2]), ("C", [1, 2, 3]))
        for label in ("l1", "log")
    ]
    table = sparsity_table(lines, TITLES)
    assert table.head == ("dataset", "RankSVM ℓ1", "RankSVM log")
    assert [row[0].text for row in table.rows] == ["A", "B", "C", "mean"]
    assert table.rows[-1][1].text == f"{np.mean([1 / 8, 2 / 8, 3 / 8]):.2f}"


def test_unfinished_lines_say_so_and_are_never_best() -> None:
    unfinished = line("log", {1: result(0.9, [1])}, n_folds=3)
    lines = [LINES[0], unfinished]
    for table in (sparsity_table(lines, TITLES), quality_table(lines, "MAP", TITLES)):
        assert (table.rows[1][1].aside, table.rows[1][1].mark) == ("1 of 3 folds", "")
        assert table.rows[0][1].mark == "best"


def test_a_mean_over_datasets_is_only_of_those_who_have_them_all() -> None:
    lines = [line("l1", {1: result(0.5, [1])}, dataset=name) for name in "AB"]
    lines.append(line("log", {1: result(0.5, [1])}, dataset="A"))
    rows = sparsity_table(lines, TITLES).rows
    assert rows[-1][0].text == "mean"
    assert [entry.text for entry in rows[-1][1:]] == ["0.12", "–"]
    assert [entry.text for entry in rows[1][1:]] == ["0.12", "–"]


def test_a_path_is_compared_over_the_same_draws_of_the_validation_queries() -> None:
    fold = core.open_dataset("planted").fold(1)
    judge = FoldJudge(fold, "standard")
    points = {method: core.fit_path(fold, method, points=12).points for method in ("l1", "log")}
    paths = {method: noise_by_rule.of(found, fold, "standard", "MAP").made() for method, found in points.items()}
    found = compare_paths(paths, judge, "MAP")
    assert set(found) == {"log"}
    assert set(found["log"]) == set(RULES)
    for rule, compared in found["log"].items():
        ours, theirs = (
            [path.points[k].metrics["test"]["MAP"] for k in path.noise[rule].noise.drawn.tolist()]
            for path in (paths["log"], paths["l1"])
        )
        assert compared.mean == pytest.approx(np.mean(ours) - np.mean(theirs))
        assert compared.deviation == pytest.approx(np.std(np.subtract(ours, theirs), ddof=1), abs=1e-12)
        assert compared.n_queries == fold.test.n_queries
    same = compare_paths({"l1": paths["l1"], "again": paths["l1"]}, judge, "MAP")["again"]["best"]
    assert (same.inner, same.verdict(0.0)) == ((0.0, 0.0), "equivalent")


@pytest.mark.parametrize("method", METHODS)
def test_a_fold_worked_out_anew_has_the_same_measures(method: str) -> None:
    plan = example_plan()
    cell = next(cell for cell in plan.cells if cell.choice.label == method and cell.fold == 2)
    result = cell_result(cell, plan.source(DATASET).open().fold(2))
    kept = next(line for line in example_lines() if line.choice.label == method).results[2]
    assert kept.record["nonzero"] == result.record["nonzero"]
    assert kept.sparsity_ratio == pytest.approx(result.sparsity_ratio)
    for measure in ("MAP", "NDCG@10"):
        assert kept.test(measure) == pytest.approx(result.test(measure), abs=1e-5)


def test_equal_runs_have_one_fingerprint_and_every_other_run_its_own() -> None:
    plan, results = run(four_lines())
    made = Run(plan, results, {}, "l2")
    assert Run(plan, dict(reversed(results.items())), {}, "l2").fingerprint == made.fingerprint
    some = dict(list(results.items())[1:])
    (missing,) = set(results) - set(some)
    slower = {cell: replace(found, record=found.record | {"times": {"grid": 99.0}}) for cell, found in results.items()}
    others = [
        Run(plan, results, {}, "l1"),
        Run(plan, results, {}, "l2", margin=0.5),
        Run(plan, some, {}, "l2"),
        Run(plan, some, {missing: Failure("out of memory", bad_data=False)}, "l2"),
        Run(plan, slower, {}, "l2"),
        Run(replace(plan, measure="NDCG@10"), results, {}, "l2"),
    ]
    assert len({one.fingerprint for one in (made, *others)}) == 1 + len(others)


def test_a_run_is_complete_with_its_last_cell() -> None:
    whole, some = four_lines()[0], line("log", {1: result(0.4, [1])}, n_folds=3)
    assert Run(*run([whole]), {}, None).complete
    assert not Run(*run([whole, some]), {}, None).complete


def test_scores_are_those_of_the_training_parts(plan: Plan) -> None:
    (planned,) = plan.datasets
    found = training_scores(plan).made()[planned.name]
    assert list(found) == [1, 2, 3]
    second = single_feature_scores(planned.source.open().fold(2).train, planned.convention)
    assert found[2] == [score.ndcg_at_10 for score in second]


def test_large_datasets_are_left_out(plan: Plan) -> None:
    assert training_scores(plan, largest=10).made() == {}


ROWS = [
    {"method": "l1", "MAP": 0.123456, "p": "<0.001", "share": "12 %", "reason": "x" * 60},
    {"method": "log", "MAP": 0.5, "p": "0.2", "share": "", "reason": "short"},
]


def test_numbers_have_four_digits_and_stand_right_while_the_file_keeps_all() -> None:
    table = plain_table("t", "title", "note", ROWS)
    assert table.rows[0][1].text == "0.1235"
    assert table.numeric == {1, 2, 3}
    assert table.wide == {4}
    assert table.numbers[0]["MAP"] == 0.123456


def test_marks_are_seen_in_plain_text() -> None:
    assert [Entry("1", "a", "best").plain, Entry("1", "", "worse").plain, Entry("1").plain] == ["1 a ★", "1 ↓", "1"]


def test_a_trait_is_clear_only_where_its_interval_excludes_zero() -> None:
    losing = np.arange(40) < 20
    apart = trait(np.where(losing, 1.0, 9.0) + np.arange(40) % 2, losing)
    assert apart.clear
    assert (apart.losing, apart.others) == (1.5, 9.5)
    alike = trait(np.arange(40) % 2, losing)
    assert not alike.clear
    assert trait(np.arange(40), losing & False) is None
    single = trait(np.arange(40), np.arange(40) < 1)
    assert single.interval is None
    assert not single.clear


RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results.md"

build_results = module_at(RESULTS.with_name("build_results.py"))


def printed(measure: str = "MAP") -> dict[str, dict[str, str]]:
    """Rows of a table by method, cells by their heads."""
    begins = f"<!-- reproduced: MQ2008 by {measure} -->"
    block = RESULTS.read_text(encoding="utf-8").partition(begins)[2].partition("<!-- end")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line.startswith("|")
    ]
    return {cells[0]: dict(zip(rows[0], cells, strict=True)) for cells in rows[2:]}


def commands() -> dict[str, list[str]]:
    """The methods of the two commands, by the measure that chooses."""
    text = RESULTS.read_text(encoding="utf-8").partition("# Results: MQ2008")[2].partition("<!--")[0]
    lines = [line.split() for line in text.splitlines() if line.strip().startswith("sparse-ranking-lab protocol")]
    return {
        "NDCG@10" if "ndcg@10" in words else "MAP": words[words.index("--methods") + 1].split(",") for words in lines
    }


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_published_columns_are_what_the_program_puts_beside_these_rows(measure: str) -> None:
    """Whatever ours comes to: settings, measure and letters follow from the row alone, marks from its choices."""
    folds = {fold: result(0.4, [1], chosen_by=measure) for fold in range(1, 6)}
    lines = [line(label, folds) for label in commands()[measure]]
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    theirs = {"method", "settings", *(head for head in table.head if head.endswith("published"))}
    expected = [{head: row[head] for head in row if head in theirs} for row in table.records()]
    unmarked = [
        {head: row[head].removesuffix(" within").removesuffix(" not") for head in row if head in theirs}
        for row in printed(measure).values()
    ]
    assert unmarked == expected
    assert table.note in RESULTS.read_text(encoding="utf-8")


@pytest.mark.more
def test_rows_of_the_table_come_out_again(shared_data: Path) -> None:
    source = DatasetSource(str(shared_data / "letor" / "MQ2008"))
    choices = [MethodChoice.parse(label) for label in ("l1", "l2")]
    plan = plan_protocol([source], choices)
    folds = {number: source.open().fold(number) for number in range(1, 6)}
    lines = summarise(plan, {cell: cell_result(cell, folds[cell.fold]) for cell in plan.cells})
    for found, title in zip(lines, choice_titles(choices).values(), strict=True):
        row = printed()[title]
        # Another processor may round a sum differently, and one query more or less in a mean of 784 is 0.001.
        for measure in ("MAP", "NDCG@10"):
            ours = found.measure(measure)
            expected = [float(x) for x in row[measure].split(" ± ")]
            assert [ours.mean, ours.deviation] == pytest.approx(expected, abs=1e-3)
        assert found.sparsity_ratio.mean == pytest.approx(float(row["sparsity ratio"].split(" ± ")[0]), abs=0.03)
