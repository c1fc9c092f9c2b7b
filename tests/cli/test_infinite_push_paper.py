"""``python -m core paper infinite-push-...``: files, records, going on, and one line where something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.experiments.papers import infinite_push_sets
from tests.cli.conftest import Ask, Command
from tests.says import assert_says
from tests.uci_layouts import spectf_like, wpbc_like

TABLE = "infinite-push-table1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wpbc.csv").write_bytes(wpbc_like())
    (tmp_path / "spectf.csv").write_bytes(spectf_like())
    return tmp_path


def test_table_1_is_worked_out_once_and_drawn_again(
    folder: Path, ask: Ask, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("paper", TABLE, folder / "spectf.csv", "--quick", "--out", folder / "out")
    record = ask(*words)
    assert [row["method"] for row in record["tables"]["table"]] == [
        "ℓ1 infinite push",
        "ℓ2 infinite push",
        "ℓ1 RankSVM",
    ]
    assert {Path(file).suffix for file in record["files"]} == {".html", ".csv", ".tex"}
    assert all(Path(file).is_file() for file in record["files"])

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(infinite_push_sets, "choose_by_top", refuse)
    assert ask(*words)["tables"] == record["tables"]
    text = run(*words).out
    assert_says(text, "positives on top")
    assert_says(text, "Column 1", "classes")


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ([TABLE], ("infinite-push-table1", "DATA", "two classes")),
        ([TABLE, "{folder}/wpbc.csv"], ("--missing drop", "--missing median")),
        ([TABLE, "{folder}/spectf.csv", "--repeats", "3"], ("divides", "standardises", "--repeats")),
        ([TABLE, "{folder}/nothing.csv"], ("nothing.csv", "no such file")),
        ([TABLE, "planted"], ("planted", "folds")),
        (["infinite-push-fig1", "planted"], ("infinite-push-fig1", "own data", "leave out", "planted")),
        (["infinite-push-fig4"], ("no experiment", "'infinite-push-fig4'", "infinite-push-fig1")),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, run: Command, words: list[str], facts: tuple[str, ...]) -> None:
    answer = run("paper", *(word.format(folder=folder) for word in words), "--out", folder / "out")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert_says(answer.err, *facts)


def test_a_folder_that_cannot_be_used_is_one_line(folder: Path, run: Command) -> None:
    (folder / "out").write_text("")
    answer = run("paper", TABLE, folder / "spectf.csv", "--quick", "--out", folder / "out")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_the_figures_are_listed(ask: Ask) -> None:
    names = {row["name"] for row in ask("papers")}
    assert {TABLE, *(f"infinite-push-fig{k}" for k in (1, 2, 3))} <= names
