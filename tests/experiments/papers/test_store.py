"""Finished pieces survive whatever happens to the process, and are taken for nothing that they are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.data import DataError
from core.experiments.papers import store as store_module
from core.experiments.papers.experiment import PaperExperiment, Request, ResultTable
from core.experiments.papers.store import PieceStore
from core.experiments.run.cell_run import CellRun
from core.experiments.run.store.file import FILE_NAME
from core.experiments.run.store.store import RunStore


@dataclass(frozen=True)
class Number:
    """A piece whose outcome is its square root."""

    value: int

    @property
    def where(self) -> str:
        return str(self.value)


ROOTS: PaperExperiment[Number, float] = PaperExperiment(
    name="roots", title="", source="", data="", help="",
    cells=lambda request: [Number(k) for k in range(5)],
    work=lambda cell, known: cell.value**0.5,
    depends=lambda cell: {"value": cell.value},
    pack=lambda outcome: {"root": outcome},
    unpack=lambda cell, packed: float(packed["root"]),
    tables=lambda outcomes: (ResultTable("roots", "", tuple({"root": root} for root in outcomes)),),
)  # fmt: skip


def counted(worked: list[int]) -> Any:
    def work(cell: Number, known: Mapping[Number, float]) -> float:
        worked.append(cell.value)
        return ROOTS.work(cell, known)

    return work


def test_another_process_goes_on_where_the_first_was_stopped_and_gets_the_same_table(tmp_path: Path) -> None:
    cells, worked = ROOTS.cells(Request()), list[int]()
    first = CellRun(cells, counted(worked), PieceStore(tmp_path, ROOTS))
    first.advance()
    first.advance()
    second = CellRun(cells, counted(worked), PieceStore(tmp_path, ROOTS))
    assert second.share == 2 / 5
    assert second.finish() == [k**0.5 for k in range(5)]  # every digit has been through the file
    assert worked == [0, 1, 2, 3, 4]
    third = CellRun(cells, counted(worked), PieceStore(tmp_path, ROOTS))
    assert third.done
    assert third.outcomes() == second.outcomes()


def test_a_folder_of_before_there_was_one_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "pieces.jsonl"
    old.write_text('{"key": "a"}\n')
    with pytest.raises(DataError, match=r"older version.*another place"):
        PieceStore(tmp_path, ROOTS)
    assert list(tmp_path.iterdir()) == [old]


def test_pieces_stand_beside_cells_of_the_protocol(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        PieceStore(tmp_path, ROOTS)[Number(2)] = 2**0.5
        assert store.cells() == []
    assert PieceStore(tmp_path, ROOTS)[Number(2)] == 2**0.5


@pytest.mark.parametrize("change", ["experiment", "settings", "code"])
def test_a_piece_of_another_experiment_setting_or_program_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    PieceStore(tmp_path, ROOTS)[Number(2)] = 2**0.5
    other = ROOTS
    if change == "experiment":
        other = replace(ROOTS, name="other roots")
    elif change == "settings":
        other = replace(ROOTS, depends=lambda cell: {"value": cell.value, "power": 3})
    else:
        monkeypatch.setattr(store_module, "experiment_version", lambda: "another")
    assert Number(2) not in PieceStore(tmp_path, other)


def test_two_experiments_share_a_folder(tmp_path: Path) -> None:
    other = replace(ROOTS, name="other roots")
    one, two = PieceStore(tmp_path, ROOTS), PieceStore(tmp_path, other)
    one[Number(2)] = 1.0
    two[Number(2)] = 2.0
    one[Number(3)] = 3.0
    assert PieceStore(tmp_path, ROOTS)[Number(2)] == 1.0
    assert PieceStore(tmp_path, other)[Number(2)] == 2.0


@pytest.mark.parametrize("content", [b"my notes\n", b"[1, 2]\n", b"\x89PNG\r\n"])
def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(DataError, match="has not been changed"):
        PieceStore(tmp_path, ROOTS)
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_a_file_where_a_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    with pytest.raises(DataError, match="give another place"):
        PieceStore(tmp_path / "here", ROOTS)
