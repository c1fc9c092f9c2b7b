"""Finished pieces survive whatever happens to the process, and are taken for nothing that they are not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.data import DataError
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable
from core.experiments.papers.registry import PaperRun
from core.experiments.run.store import store as store_module


@dataclass(frozen=True)
class Number:
    """A piece whose outcome is its square root."""

    value: int

    @property
    def where(self) -> str:
        return "odd" if self.value % 2 else "even"


@dataclass(frozen=True)
class Root:
    cell: Number
    root: float


worked: list[int] = []


def root(cell: Number, known: Mapping[Number, Root]) -> Root:
    worked.append(cell.value)
    assert all(found == Root(number, number.value**0.5) for number, found in known.items())
    assert cell not in known
    return Root(cell, cell.value**0.5)


ROOTS: PaperExperiment[Number, Root] = PaperExperiment(
    name="roots", title="", source="", data="", help="",
    cells=lambda request: [Number(k) for k in range(5)], work=root, outcome=Root,
    tables=lambda outcomes: (ResultTable("roots", "", tuple({"root": found.root} for found in outcomes)),),
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_worked() -> None:
    worked.clear()


def run(folder: Path, experiment: PaperExperiment[Any, Any] = ROOTS) -> PaperRun:
    return PaperRun(experiment, experiment.cells(Request()), folder)


def test_another_process_goes_on_where_the_first_was_stopped_and_gets_the_same_table(tmp_path: Path) -> None:
    with run(tmp_path) as first:
        first.advance()
        first.advance()
    with run(tmp_path) as second:
        assert second.left == 3
        second.finish()
        assert [found.root for found in second.outcomes()] == [k**0.5 for k in range(5)]
        assert second.now == "even"
    assert worked == [0, 1, 2, 3, 4]
    assert run(tmp_path).done


def test_a_part_with_unusable_data_is_left_out_and_says_why(tmp_path: Path) -> None:
    def refuse_odd(cell: Number, known: Mapping[Number, Root]) -> Root:
        if cell.where == "odd":
            msg = "too odd"
            raise DataError(msg)
        return root(cell, known)

    with run(tmp_path, replace(ROOTS, work=refuse_odd)) as refusing:
        refusing.finish()
        assert [found.cell.value for found in refusing.outcomes()] == [0, 2, 4]
        assert refusing.problems == {"odd": "too odd"}


def test_a_folder_of_before_there_was_one_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "pieces.jsonl"
    old.write_text('{"key": "a"}\n')
    with pytest.raises(DataError, match=r"older version.*another place"):
        run(tmp_path)
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize("change", ["experiment", "settings", "code"])
def test_a_piece_of_another_experiment_setting_or_program_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    run(tmp_path).finish()
    other = ROOTS
    if change == "experiment":
        other = replace(ROOTS, name="other roots")
    elif change == "settings":
        other = replace(ROOTS, cells=lambda request: [Number(k) for k in range(5, 10)])
    else:
        monkeypatch.setattr(store_module, "experiment_version", lambda: "another")
    assert run(tmp_path, other).left == 5
    assert run(tmp_path, other).outcomes() == []
