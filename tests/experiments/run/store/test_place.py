"""The store's usual place, and the ways to name another."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.experiments.run.store.file import default_store_path


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "me"))
    for name in ("SPARSE_RANK_RUNS", "SPARSE_RANK_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_it_is_in_the_home_folder_unless_a_variable_names_another_place(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_store_path() == own_home / "me" / ".sparse-ranking-lab" / "runs" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_HOME", str(own_home / "things"))
    assert default_store_path() == own_home / "things" / "runs" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_RUNS", "~/big disk")
    assert default_store_path() == own_home / "me" / "big disk" / "runs.sqlite"
    monkeypatch.setenv("SPARSE_RANK_RUNS", str(own_home / "letor.sqlite"))
    assert default_store_path() == own_home / "letor.sqlite"
