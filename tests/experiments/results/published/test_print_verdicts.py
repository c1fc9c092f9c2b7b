"""Our numbers against print, judged by the noise of the choice: in tables, records and sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.api import pictures
from core.experiments.results.published.beside_published import BesidePublished, beside_published, made_alike
from core.experiments.results.published.print_verdicts import (
    EVERY,
    KEPT,
    QUALITY,
    print_sentences,
    print_verdict_rows,
    print_verdicts,
)
from core.experiments.results.published.reproduced import reproduced_table
from core.experiments.results.report import protocol_record, protocol_tables
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.experiments.run.protocol import CellResult
from core.export import protocol_tables as tables
from tests.experiments.made_up import N_USABLE, line, result, run
from tests.says import assert_says

LABELS = ("l1", "log", "mcp:gamma=2", "l0.5", "fenchelrank", "fsmrank")
RATIOS = {"l1": 0.39, "log": 0.09, "mcp:gamma=2": 0.27, "l0.5": 0.07, "fenchelrank": 0.30, "fsmrank": 0.42}
"""Table IV of Laporte et al. on MQ2008."""


def chosen_again(one: CellResult, quality: float, spread: float, seed: int) -> CellResult:
    """The result, with 200 choices among five models whose MAP and number of features spread about its own."""
    steps = np.array([0.0, -1.0, 1.0, -2.0, 2.0])
    maps = quality + spread * steps
    one.record.update(
        usable=N_USABLE, choice={"models": [{"nonzero": one.record["nonzero"] * (1 + 0.2 * step)} for step in steps]}
    )
    tests = maps[:, None] + np.zeros(len(one.per_query["MAP"]))
    drawn = np.random.default_rng(seed).choice(5, size=200, p=[0.4, 0.2, 0.2, 0.1, 0.1])
    return replace(one, drawn=drawn, drawn_tests={"MAP": tests, "NDCG@10": tests / 2.0})


def table_iv(factor: float) -> list[MethodLine]:
    """Rows whose sparsity ratios are the printed ones times this factor, and whose choices move them."""
    made = []
    for k, label in enumerate(LABELS):
        folds = {}
        for fold in (1, 2, 3, 4, 5):
            one = result(0.48, [1], seed=fold)
            one.record.update(sparsity_ratio=factor * RATIOS[label], nonzero=factor * RATIOS[label] * N_USABLE)
            folds[fold] = chosen_again(one, 0.48, 0.003, 10 * fold + k)
        made.append(line(label, folds))
    return made


def verdict_of(lines: list[MethodLine], kind: str, method: str = EVERY) -> str:
    (found,) = [one for one in print_verdicts(beside_published(lines)) if (one.kind, one.method) == (kind, method)]
    return found.words


def test_the_printed_table_itself_agrees_and_a_shifted_one_does_not() -> None:
    assert verdict_of(table_iv(1.0), KEPT) == "explained"
    assert verdict_of(table_iv(0.75), KEPT) == "too few"
    assert verdict_of(table_iv(1.35), KEPT) == "too many"


def test_the_sentence_counts_the_cells_and_can_come_out_negative() -> None:
    ratios, quality = (
        next(one for one in print_verdicts(beside_published(table_iv(0.8))) if (one.kind, one.method) == (kind, EVERY))
        for kind in (KEPT, QUALITY)
    )
    assert ratios.found.n == 6
    assert (ratios.found.n_above, ratios.found.n_below) == (0, 6)
    assert_says(ratios.sentence, f"{ratios.found.n_within} of 6 numbers", "6 below", "together", "too few")
    # FenchelRank's MAP and FSMRank's NDCG@10 are printed; .48 is close to .4804, and .24 is not to .2323
    assert quality.found.n == 2
    assert print_sentences([ratios, quality]) == [ratios.sentence, quality.sentence]


def test_a_method_is_judged_by_its_own_cells() -> None:
    lines = table_iv(1.0)
    for found in lines[0].results.values():
        found.record.update(sparsity_ratio=0.2)
    assert verdict_of(lines, KEPT, "l1") == "too few"
    assert verdict_of(lines, KEPT, "log") == "explained"


def test_a_cell_is_within_by_the_choice_whatever_the_folds_do() -> None:
    lines = table_iv(0.7)
    for fold, found in lines[0].results.items():  # .273 in the mean, with folds that spread by far more
        found.record["sparsity_ratio"] += 0.15 * (fold - 3)
    (row,) = [one for one in made_alike(lines) if (one.method, one.measure) == ("l1", "sparsity ratio")]
    assert row.spread > abs(row.difference)
    assert row.agreement is not None
    assert not row.agreement.within
    record = row.record()
    assert record["within_choice"] is False
    assert record["choice_p"] < 0.05
    assert abs(record["difference"]) > record["choice_limit"]
    assert "draws" not in record


def test_a_number_that_two_papers_print_counts_once() -> None:
    (row,) = [one for one in made_alike(table_iv(1.0)) if (one.method, one.measure) == ("fenchelrank", "MAP")]
    twice = [row, replace(row, source="another paper, Table 1")]
    (first, *_) = print_verdicts(twice)
    assert first.found.n == 1
    assert_says(first.sentence, "only number")


def test_a_number_that_no_choice_changes_is_not_judged_by_the_choice() -> None:
    """As the features of a dense method, whatever sets them apart from print."""
    rows = made_alike(table_iv(0.9))
    (one,) = [row for row in rows if (row.method, row.measure) == ("l1", "sparsity ratio")]
    assert one.draws is not None
    still = replace(one, draws=np.full_like(one.draws, one.draws[0]))
    assert still.difference
    assert still.agreement is None
    assert print_verdicts([still]) == []
    judged = print_verdicts([still, *(row for row in rows if row is not one)])
    assert (KEPT, "l1") not in {(verdict.kind, verdict.method) for verdict in judged}


@pytest.fixture(scope="module")
def made() -> Run:
    plan, results = run(table_iv(0.75))
    return Run.of(plan, results, {}, "l1")


def test_the_command_line_the_report_and_the_page_say_the_same(made: Run) -> None:
    record = protocol_record(made.plan, made.results, {}, "l1", comparisons=made.comparisons)
    told = [row["sentence"] for row in record["against_print"]["rows"] if row["method"] == EVERY]
    assert any("too few" in sentence for sentence in told)
    headings = [heading for heading, _ in protocol_tables(made.plan, made.results, "l1", comparisons=made.comparisons)]
    assert any(all(sentence in heading for sentence in told) for heading in headings)
    table = tables.print_table(made)
    assert table is not None
    assert all(sentence in table.note for sentence in told)
    reproduced = reproduced_table(made.lines, "MQ2008", made.titles)
    assert reproduced is not None
    assert "too few" in next(row["against print"] for row in reproduced.records() if row["method"] == "FSMRank")


def test_rows_of_before_there_were_choices_are_not_judged() -> None:
    rows: list[BesidePublished] = beside_published([line("l1", {fold: result(0.4, [1]) for fold in (1, 2)})])
    assert rows
    assert print_verdicts(rows) == []
    assert print_verdict_rows([]) == []


def test_the_picture_has_a_mark_a_number_within_its_bar_or_beyond_it(made: Run) -> None:
    picture = pictures.protocol_published(made)
    table = picture.table
    judged = [row for row in made_alike(made.lines) if row.agreement is not None]
    assert len(table) == len(judged) == 8
    assert_says(picture.words(picture.found).title, "features kept", "too few")
    drawn = {trace.name or k: trace for k, trace in enumerate(picture.figure.data)}
    marks = [trace for trace in drawn.values() if trace.type == "scatter"]
    bars = [trace for trace in drawn.values() if trace.type == "bar"]
    assert len(marks) == len(bars) == 2  # quality, and features kept
    for mark, bar in zip(marks, bars, strict=True):
        for x, symbol, low, width in zip(mark.x, mark.marker.symbol, bar.base, bar.x, strict=True):
            assert width == pytest.approx(-2.0 * low)
            if abs(x) < 0.9 * -low or abs(x) > 1.1 * -low:
                assert (symbol == "circle") == (abs(x) < -low)
    other = pictures.protocol_published(Run.of(*run([line("l1", {1: result(0.4, [1])}, dataset="mine")]), {}, None))
    assert other.table.empty
    assert_says(other.words(other.found).title, "print no number")
