"""Table 1 and Figs. 1-3 of the infinite push paper: pieces that survive, tables that add up, sets read as they are."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest

from core.data import DataError, Reading
from core.experiments.papers.experiment import PaperExperiment, Request
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS, TopOutcome, read_set, set_cells
from core.experiments.papers.infinite_push_time import ADMM, EXACT, INFINITE_PUSH_TIME, Timing, TimingCell, time_tables
from core.experiments.papers.infinite_push_toy import INFINITE_PUSH_NOISE, INFINITE_PUSH_SIZES, toy_cells, toy_tables
from core.experiments.papers.published_top import TABLE_1, name_if_published
from core.experiments.papers.registry import PaperRun
from core.experiments.run.plan import DatasetSource
from core.experiments.run.store.store import Piece
from core.export.paper_page import experiment_files
from tests.says import assert_says
from tests.uci_layouts import spectf_like, wpbc_like


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> tuple[DatasetSource, ...]:
    folder = tmp_path_factory.mktemp("uci")
    (folder / "wpbc.csv").write_bytes(wpbc_like())
    (folder / "spectf.csv").write_bytes(spectf_like())
    return DatasetSource(str(folder / "wpbc.csv"), Reading(missing="drop")), DatasetSource(str(folder / "spectf.csv"))


def finished(experiment: PaperExperiment[Any, Any], cells: Sequence[Any], folder: Path) -> list[Any]:
    run = PaperRun(experiment, cells, folder)
    run.finish()
    return run.outcomes()


@pytest.fixture(scope="module")
def table_1(sets: tuple[DatasetSource, ...], tmp_path_factory: pytest.TempPathFactory) -> list[TopOutcome]:
    return finished(INFINITE_PUSH_SETS, set_cells(Request(sets, quick=True)), tmp_path_factory.mktemp("out"))


def test_the_table_is_mean_and_deviation_over_the_splits(table_1: list[TopOutcome]) -> None:
    table, _, splits = INFINITE_PUSH_SETS.tables(table_1)
    for row in table.rows:
        own = [s for s in splits.rows if (s["data"], s["method"]) == (row["data"], row["method"])]
        assert [s["split"] for s in own] == [1, 2, 3]
        assert row["top"] == pytest.approx(mean(s["top"] for s in own))
        assert row["± top"] == pytest.approx(stdev(s["top"] for s in own))
        assert row["# var"] == pytest.approx(mean(s["# var"] for s in own))
    assert_says(table.title, "cannot tell", "smallest p", "0.25")
    assert {row["worse"] for row in table.rows} == {"no"}


def test_the_sets_are_told_with_their_sizes_and_how_they_were_read(table_1: list[TopOutcome]) -> None:
    wpbc, spectf = INFINITE_PUSH_SETS.tables(table_1)[1].rows
    assert (wpbc["data"], wpbc["examples"], wpbc["features"]) == ("wpbc (R-against-N)", 56, 33)
    assert_says(wpbc["how it was read"], "4 values", "missing", "4 of 60 rows")
    assert_says(wpbc["how it was read"], "Column 1", "left out")
    assert (spectf["examples"], spectf["features"]) == (80, 44)


def test_what_is_printed_stands_beside_a_set_of_that_size_only(table_1: list[TopOutcome]) -> None:
    """A file may be called wpbc and be another."""
    assert all(row["printed top"] is None for row in INFINITE_PUSH_SETS.tables(table_1)[0].rows)
    assert name_if_published("wpbc", 194, 33) == name_if_published("wpbc", 198, 33) == "wpbc"
    assert name_if_published("ionosphere", 351, 34) == "ionosphere"
    assert name_if_published("SPECTF", 267, 44) == "SPECTF"
    assert (
        name_if_published("wpbc", 56, 33)
        == name_if_published("wpbc", 194, 30)
        == name_if_published("iris", 150, 4)
        == ""
    )


def test_every_printed_line_is_shown_beside_ours(tmp_path: Path) -> None:
    """Two made-up classes of the size of UCI's SPECTF, as often read: 267 examples, 44 variables."""
    random = np.random.default_rng(0)
    classes = random.random(267) < 0.3
    rows = np.column_stack([classes, random.integers(20, 90, size=(267, 44)) - 9 * classes[:, np.newaxis]]).astype(int)
    (tmp_path / "spectf.csv").write_text("".join(f"{','.join(map(str, row))}\n" for row in rows))
    cells = set_cells(Request((DatasetSource(str(tmp_path / "spectf.csv")),), quick=True))
    assert cells[0].set.share == pytest.approx(215 / 269)
    made_up = [TopOutcome(cell, 0.1 * cell.split, 5, 0.0) for cell in cells]
    found = [
        [row[f"{how}printed {what}"] for what in ("top", "# var") for how in ("", "± ")]
        for row in INFINITE_PUSH_SETS.tables(made_up)[0].rows
    ]
    assert found == [[0.14, 0.1, 40.7, 4.4], [0.10, 0.1, None, None], [0.19, 0.2, 43.9, 0.3]]


def test_the_printed_lines_are_those_of_the_paper(request: pytest.FixtureRequest) -> None:
    paper = request.config.rootpath.parent / "shared" / "papers" / "rakotomamonjy2012-sparse-infinite-push.txt"
    if not paper.exists():
        pytest.skip("the paper's text is not here")
    text = paper.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ") and "pm" in line]
    printed = [[float(x) for cell in line.split("|")[3:5] for x in _numbers(cell)] for line in lines]
    ours = [
        [x for x in (row.top, row.top_deviation, row.n_features, row.n_features_deviation) if x is not None]
        for found in TABLE_1
        for _, row in found.by_method
    ]
    assert ours == printed


def _numbers(cell: str) -> list[str]:
    plain = cell.replace("\\textbf", "").replace("{", "").replace("}", "").replace("$", "").strip()
    return [part.strip() for part in plain.split("\\pm")] if "\\pm" in plain else []


@pytest.mark.parametrize("how", [{"scale": "standard"}, {"split": 0.7}, {"seed": 1}, {"repeats": 3}])
def test_the_table_divides_and_scales_by_itself(sets: tuple[DatasetSource, ...], how: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"divides.*standardises.*itself"):
        read_set(replace(sets[1], reading=Reading(**how)))


def test_it_needs_one_list_of_two_classes_and_each_set_once(sets: tuple[DatasetSource, ...]) -> None:
    with pytest.raises(DataError, match=r"planted.*queries or folds"):
        read_set(DatasetSource("planted"))
    with pytest.raises(DataError, match=r"two.*spectf \(1-against-0\).*once"):
        set_cells(Request((sets[1], sets[1])))


def test_other_data_is_another_piece(sets: tuple[DatasetSource, ...]) -> None:
    median = replace(sets[0], reading=Reading(missing="median"))
    keys = {
        Piece("any", set_cells(Request((source,), quick=True))[0], TopOutcome).key
        for source in (sets[0], sets[0], median)
    }
    assert len(keys) == 2


@pytest.mark.parametrize("experiment", [INFINITE_PUSH_SIZES, INFINITE_PUSH_NOISE], ids=lambda e: e.name)
def test_trials_survive_and_average(experiment: PaperExperiment[Any, Any], tmp_path: Path) -> None:
    cells = toy_cells((30,), (3,), 2, ("infinite-push-l1", "l1"))
    before = finished(experiment, cells[:3], tmp_path)
    outcomes = finished(experiment, cells, tmp_path)
    assert outcomes[:3] == before
    assert [outcome.cell for outcome in outcomes] == list(cells)
    points, trials = toy_tables(outcomes)
    assert [row["trials"] for row in points.rows] == [2, 2]
    for row in points.rows:
        own = [trial for trial in trials.rows if trial["method"] == row["method"]]
        for name in ("top", "precision", "recall", "F-measure", "features"):
            values = [trial[name] for trial in own]
            assert (row[name], row[f"± {name}"]) == pytest.approx((mean(values), stdev(values) / math.sqrt(2)))
    files = experiment_files(experiment, outcomes, ["python", "-m", "core", "paper", experiment.name])
    assert set(files) == {
        f"{experiment.name}{end}" for end in (".html", "-points.csv", "-points.tex", "-trials.csv", "-trials.tex")
    }
    page = files[f"{experiment.name}.html"].decode()
    assert experiment.source in page
    assert "Plotly.newPlot" in page


def test_times_survive_also_of_what_was_not_tried() -> None:
    cells = [TimingCell(n, 20, 0, system) for n in (40, 80) for system in (EXACT, ADMM)]
    times = [Timing(cells[0], 0.1, 5, "converged"), Timing(cells[1], 20.0, 900, "time limit"),
             Timing(cells[2], 0.4, 6, "converged"), Timing(cells[3], math.nan, 0, "not tried")]  # fmt: skip
    pieces = [Piece("any", found.cell, Timing) for found in times]
    again = [piece.unpack(piece.pack(found)) for piece, found in zip(pieces, times, strict=True)]
    assert again[:3] == times[:3]
    assert math.isnan(again[3].seconds)
    exponents, fits = time_tables(again)
    assert [row["seconds"] for row in fits.rows] == [0.1, 20.0, 0.4, None]
    by_system = {row["system"]: row for row in exponents.rows}
    assert by_system[EXACT.title]["exponent"] == pytest.approx(1.0), "four times the pairs, four times as long"
    assert (by_system[EXACT.title]["largest size"], by_system[ADMM.title]["largest size"]) == (1600, None)
    assert experiment_files(INFINITE_PUSH_TIME, again, ["x"])
