"""Saved choices: kept by name in one small file that is never left half-written or overwritten when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.shared.choice import history
from pages.shared.choice.choice import LOWEST_DECADE, STEPS_A_DECADE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path))
    return tmp_path


def test_what_is_saved_comes_back_by_name() -> None:
    history.save("lecture 3", {"method": "log", "ratio_step": 40})
    history.save("lecture 4", {"method": "mcp", "ratio_step": 10})
    history.save("lecture 3", {"method": "l1", "ratio_step": 41})
    assert history.saved() == {
        "lecture 3": {"method": "l1", "ratio_step": 41},
        "lecture 4": {"method": "mcp", "ratio_step": 10},
    }
    history.delete("lecture 4")
    assert list(history.saved()) == ["lecture 3"]


@pytest.mark.parametrize("content", ["{half a fi", "[1, 2]", '{"a": 3}'])
def test_a_damaged_file_is_named_and_left_alone(home: Path, content: str) -> None:
    (home / "presets.json").write_text(content)
    with pytest.raises(ValueError, match=r"presets\.json cannot be read"):
        history.saved()
    with pytest.raises(ValueError, match=r"presets\.json"):
        history.save("new", {"method": "l1"})
    assert (home / "presets.json").read_text() == content


def test_keys_of_another_version_are_passed_over(home: Path) -> None:
    (home / "presets.json").write_text('{"old": {"method": "log", "gone": 1}}')
    assert history.saved() == {"old": {"method": "log"}}


@pytest.mark.parametrize("preset", history.GUIDED, ids=lambda p: p.title)
def test_guided_presets_name_pages_and_places_on_the_slider(preset: history.Guided) -> None:
    pages = Path(history.__file__).resolve().parents[2]
    assert (pages / f"{preset.page}.py").is_file()
    assert 0 <= preset.state["ratio_step"] <= LOWEST_DECADE * STEPS_A_DECADE
    assert set(preset.state) <= set(history.DEFAULTS)
