"""The Reproduce page without a browser: its numbers are the protocol's, and nothing finished is lost.

A run of the protocol rests between Stop and Continue, and the command under it asks for the grid of the run.
The script of a picture over a file that was dropped into the app.
"""

import hashlib
import re
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.cli.options import GridSize, grid_size
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, Plan, plan_protocol
from core.experiments.run.protocol import DEFAULT_POINTS, cell_result
from core.experiments.run.store.file import default_store_path
from core.experiments.run.store.store import RunStore
from core.names.plain import in_markdown
from pages.shared import cache
from pages.shared.choice import access, upload_files
from pages.views.reproduce import controls
from pages.views.reproduce import results as reproduce_results
from pages.views.reproduce.controls import ProtocolOptions, commands
from tests.app.conftest import Open
from tests.app.fitting import at_rest, command, control, ended, give, headline_of, press, table_of, until
from tests.app.test_scripts import assert_recomputed_here, picture
from tests.cli.conftest import letor_text
from tests.experiments.made_up import four_lines, run
from tests.experiments.run.test_runner import Obedient
from tests.oracles import ranking_problem
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")

QUICK = {"dataset": "planted", "reproduce_methods": "l1,l2", "reproduce_grid": "5"}


@pytest.fixture
def on_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are worked out here: processes of their own take seconds to begin (tests/experiments/run/workers)."""

    def workers(plan: Plan, _: int) -> Obedient:
        return Obedient(lambda cell: cell_result(cell, plan.source(cell.dataset).open().fold(cell.fold)))

    monkeypatch.setattr(controls, "LocalWorkers", workers)


def ran(app: AppTest) -> pd.DataFrame:
    """Press Run, wait for the end; the table."""
    ended(press(app, "reproduce_run"), "reproduce_job")
    return table(app)


def table(app: AppTest, column: str = "sparsity ratio") -> pd.DataFrame:
    return table_of(app, column)


def said(app: AppTest) -> str:
    return " ".join(e.value for e in [*app.main.info, *app.main.warning, *app.main.error, *app.main.caption])


def show(app: AppTest, section: str) -> None:
    control(app.get("button_group"), "reproduce_section").set_value(section)
    app.run()


@pytest.mark.usefixtures("on_a_thread")
def test_the_tables_are_the_protocols_in_every_section_and_stay_for_the_next_visitor(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_dataset_that_cannot_be_used(tmp_path, monkeypatch)
    asked = QUICK | {"reproduce_data": "planted,halves", "reproduce_variants": "mcp:gamma=4, soup:x=1"}
    app = open_app("reproduce", **asked)
    assert_says(said(app), "halves", "left out", "line 2")
    assert_says(said(app), in_markdown("soup:x=1"), "left out")
    assert said(app).count("left out") == 2, "and the others are not"
    assert "half the features" in headline_of(app).lower()
    rows = ran(app).set_index("method")
    assert set(rows["dataset"]) == {"planted"}
    assert rows.index.tolist() == ["RankSVM ℓ1", "RankSVM ℓ2", "RankSVM MCP (gamma=4)"]
    choices = [MethodChoice("l1"), MethodChoice("l2")]
    plan = plan_protocol([DatasetSource("planted")], choices, points=5)
    fold = plan.source("planted").open().fold
    for choice, title in zip(choices, ("RankSVM ℓ1", "RankSVM ℓ2"), strict=True):
        results = [cell_result(cell, fold(cell.fold)) for cell in plan.cells if cell.choice == choice]
        quality, sparsity = mean(r.test("MAP") for r in results), mean(r.sparsity_ratio for r in results)
        assert rows.loc[title, "MAP"] == float(f"{quality:.4f}")
        assert rows.loc[title, "sparsity ratio"] == float(f"{sparsity:.4f}")
    assert_says(said(app), "all cells", "finished")

    later = open_app("reproduce", **asked)
    assert table(later).equals(table(app))
    assert not [button for button in later.button if button.key == "reproduce_run"]
    later = open_app("reproduce", **QUICK | {"reproduce_methods": "l1,l2,rwfs-l0"})
    assert later.button(key="reproduce_run").label == f"Continue: {len(plan.cells) // 2} cells"

    every_section_has_its_table(open_app("reproduce", **QUICK))
    the_margin_decides_on_equivalence(open_app("reproduce", **QUICK | {"margin": "0.9"}))


def test_starts_and_draws_of_the_training_queries_are_cells_and_columns(open_app: Open) -> None:
    asked = {"dataset": "planted", "reproduce_methods": "log", "reproduce_grid": "5"}
    more = {"reproduce_starts": "5", "reproduce_draws": "10"}
    plan = plan_protocol([DatasetSource("planted")], [MethodChoice("log")], points=5, starts=5, draws=10)
    ends = plan.cells[0], plan.cells[-1]
    whole, drawn = (cell_result(cell, plan.source("planted").open().fold(cell.fold)) for cell in ends)
    waiting = open_app("reproduce", **asked, **more)
    assert waiting.button(key="reproduce_run").label == f"Run: {len(plan.cells)} cells"
    with RunStore(default_store_path()) as store:
        for cell in plan.cells:
            store.put(cell, replace(drawn, record=drawn.record | {"nonzero": cell.draw}) if cell.draw else whole)
    app = open_app("reproduce", **asked, **more)
    assert str(table(app).iloc[0]["features ± training"]) == f"{np.std(np.arange(1, 11), ddof=1):.1f}"
    minima = ", ".join([str(whole.record["starts"]["distinct"])] * (len(plan.cells) // 11))
    assert table(app, "different minima").iloc[0]["different minima"] == minima
    assert "--starts 5 --bootstrap-training 10" in command(app)
    show(app, "Cells")
    assert len(table(app, "certificate")) == len(plan.cells) // 11


def every_section_has_its_table(app: AppTest) -> None:
    for section in reproduce_results.SECTIONS:
        show(app, section)
        assert app.main.dataframe or "print no number" in said(app), section
    show(app, "Significance")
    assert set(table(app, "t-test p")["measure"]) == {"MAP", "NDCG@10"}
    assert command(app) == "python -m core protocol planted --methods l1,l2 --measure map --grid 5 --out runs"


def the_margin_decides_on_equivalence(app: AppTest) -> None:
    show(app, "Significance")
    verdicts = table(app, "equivalent within 0.9?")["equivalent within 0.9?"]
    assert all("equivalent" in verdict or "less than the margin" in verdict for verdict in verdicts)
    assert "--margin 0.9" in command(app)
    app.number_input(key="margin").set_value(0.0)
    app.run()
    verdicts = table(app, "equivalent within 0?")["equivalent within 0?"]
    assert not any("equivalent" in verdict or "less than the margin" in verdict for verdict in verdicts)


def a_dataset_that_cannot_be_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_DATA", str(folder / "data"))
    fold = folder / "data" / "halves" / "Fold1"
    fold.mkdir(parents=True)
    text = letor_text(ranking_problem(1))
    for part in ("train", "test"):
        (fold / f"{part}.txt").write_text(text)
    (fold / "vali.txt").write_text("2 qid:1 1:0.5\nnonsense\n")
    cache.clear()


def test_a_damaged_store_is_said_and_left_alone(open_app: Open) -> None:
    default_store_path().parent.mkdir(parents=True)
    default_store_path().write_bytes(b"no database at all" * 100)
    before = default_store_path().read_bytes()
    app = open_app("reproduce", **QUICK)
    assert "cannot be used" in headline_of(app)
    assert "runs.sqlite" in said(app)
    assert default_store_path().read_bytes() == before


def test_rows_of_a_papers_table_are_one_click_and_without_datasets_or_methods_the_page_asks_for_one(
    open_app: Open,
) -> None:
    """The rows are in the address, too; their measure comes with them, and one's own methods come back after them."""
    app = open_app("reproduce", **QUICK)
    app.selectbox(key="reproduce_rows").set_value("fenchelrank-table7").run()
    assert "FS-Rank (k=5), FS-Rank (k=10), FS-Rank (k=15), FS-Rank (k=20), FS-Rank (k=25)" in said(app)
    assert app.session_state["reproduce_by"] == "NDCG@10"
    app.selectbox(key="reproduce_rows").set_value("fsmrank-table1").run()
    assert app.session_state["reproduce_by"] == "MAP"
    app = open_app("reproduce", **QUICK | {"reproduce_rows": "fsmrank-table3"})
    assert "FSMRank (lambda1=0, importance=none)" in said(app)
    assert app.session_state["reproduce_by"] == "NDCG@10"
    app.selectbox(key="reproduce_rows").set_value(None).run()
    assert "RankSVM ℓ1, RankSVM ℓ2" in said(app)
    app.multiselect(key="reproduce_data").set_value([]).run()
    assert "at least one dataset" in said(app)
    app.multiselect(key="reproduce_data").set_value(["planted"]).run()
    for number in range(3):
        control(app.get("button_group"), f"reproduce_family_{number}").set_value([])
    app.run()
    assert "at least one method" in said(app)


def test_stop_ends_the_workers_and_keeps_what_is_finished(open_app: Open) -> None:
    app = open_app("reproduce", dataset="python-docs", reproduce_methods="l1,tgrank,rsrank")
    press(app, "reproduce_run")
    job = app.session_state["reproduce_job"]
    until(lambda: job.run is not None and job.run.progress is not None and job.run.progress.done >= 1)
    app.run()
    ended(press(app, "reproduce_stop"), "reproduce_job")
    assert (job.state, job.run.closed) == ("paused", True)
    kept = len(table(app))
    assert kept >= 1
    assert "stopped" in " ".join(bar.proto.text for bar in app.get("progress"))
    press(app, "reproduce_continue")
    until(lambda: job.active)
    press(app.run(), "reproduce_stop")
    until(lambda: not job.active)


@pytest.mark.parametrize("points", [5, DEFAULT_POINTS])
@pytest.mark.parametrize("widen", [False, True])
def test_a_grid_is_written_as_the_command_line_reads_it(points: int, widen: bool) -> None:
    plan, _ = run(four_lines())
    plan = replace(plan, points=points, widen=widen)
    wanted = ProtocolOptions(
        datasets=(), choices=plan.choices, points=points, margin=DEFAULT_MARGIN, workers=1, dask="", widen=widen
    )
    [words] = commands(plan, wanted, None)
    said = words[words.index("--grid") + 1] if "--grid" in words else str(DEFAULT_POINTS)
    assert grid_size(DEFAULT_POINTS)(said) == GridSize(points, widen)


PROTOCOL = {
    "Trade-off": ("reproduce_tradeoff", "reproduce_spider"),
    "Time": ("reproduce_time",),
    "Features": ("reproduce_features_planted", "reproduce_agreement_planted"),
}
"""Pictures by the section of the page."""


def with_an_upload(open_app: Open, content: str) -> AppTest:
    """The page over a file that has been dropped in."""
    app = open_app("reproduce", reproduce_methods="l1,l2", reproduce_grid="5")
    give(app, ("mine, 'my own' \"file\".txt", content.encode()))
    data = app.multiselect(key="reproduce_data")
    return data.set_value([one for one in data.options if one.startswith("mine")]).run()


@pytest.mark.usefixtures("on_a_thread")
def test_an_upload_is_split_and_worked_out_and_every_picture_recomputed_from_the_file_beside_it(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = letor_text(ranking_problem(3, n_queries=40))
    app = with_an_upload(open_app, content)
    a_damaged_copy_is_written_again(app, content.encode())
    press(app, "reproduce_run")
    until(at_rest)
    app.run()
    assert table(app)["folds"].tolist() == [5, 5]
    assert_says(said(app), "5 folds", "2 methods", "all cells", "finished")
    assert " --folds 5" in command(app)
    folder = tmp_path / "somewhere else"
    folder.mkdir()
    (folder / "mine, 'my own' \"file\".txt").write_text(content, encoding="utf-8")
    monkeypatch.chdir(folder)
    assert not default_store_path().exists()
    (cells,) = tmp_path.rglob("runs.sqlite")
    assert cells.is_relative_to(tmp_path / "cache" / "uploads")
    monkeypatch.setenv("SPARSE_RANK_RUNS", str(cells))
    for section, kinds in PROTOCOL.items():
        app.segmented_control(key="reproduce_section").set_value(section).run()
        for kind in ("_".join(one.split("_")[:2]) for one in kinds):
            written = " ".join(code.value for code in app.main.code)
            (picture_name,) = set(re.findall(rf'picture\.save\("({kind}[^"]*)"\)', written))
            shown, script = picture(app, picture_name)
            assert str(tmp_path) not in script, "where the server keeps its copy is nobody's business"
            assert_recomputed_here(shown, script, folder, picture_name)


def a_damaged_copy_is_written_again(app: AppTest, content: bytes) -> None:
    copy = upload_files.copy_of(access.uploads().get(hashlib.sha256(content).hexdigest()))
    assert copy.read_bytes() == content
    copy.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    app.run()
    assert copy.read_bytes() == content
