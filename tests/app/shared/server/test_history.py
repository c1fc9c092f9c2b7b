"""The steps of a tab: Undo and Back are one list, whatever has been chosen, looked at and visited before."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.server import assets

driver = pytest.importorskip("playwright._impl._driver", reason="no Playwright, which brings a Node.js along")
SCRIPT = Path(assets.__file__).with_name("history.js")
FIRST = ("method", "m0")
Act = tuple[Any, ...]


def walked(acts: list[Act]) -> list[dict[str, Any]]:
    """What a tab shows after each act."""
    node, _ = driver.compute_driver_executable()
    done = subprocess.run(
        [node, str(Path(__file__).with_name("tab.js")), str(SCRIPT)],
        input=json.dumps(acts),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@dataclass
class Told:
    """The same list as changes: a choice, a look at the page, another page; where one stands is how many hold."""

    changes: list[tuple[str, str]] = field(default_factory=list)
    at: int = 0

    def do(self, act: Act) -> None:
        """What is done, as a person means it."""
        name = act[0]
        if name in ("choose", "page"):
            kind, value = ("page", act[1]) if name == "page" else (act[1], act[2])
            if dict(self.shown)[kind] != value:
                self.changes, self.at = [*self.changes[: self.at], (kind, value)], self.at + 1
        elif name == "back":
            self.at = max(self.at - 1, 0)
        elif name == "forward":
            self.at = min(self.at + 1, len(self.changes))
        elif name == "undo" and self.can_undo:
            self._bring(range(self.at - 1, -1, -1), self.at - 1)
            self.at -= 1
        elif name == "redo" and self.can_redo:
            self._bring(range(self.at, len(self.changes)), self.at)
            self.at += 1

    def _bring(self, order: range, place: int) -> None:
        """Where the next change is one of page, the nearest choice comes before it: one stays on the page."""
        if self.changes[place][0] == "page":
            found = next(k for k in order if self.changes[k][0] == "method")
            self.changes.insert(place, self.changes.pop(found))

    @property
    def can_undo(self) -> bool:
        before = self.changes[: self.at]
        return bool(before) and (before[-1][0] != "page" or any(kind == "method" for kind, _ in before))

    @property
    def can_redo(self) -> bool:
        after = self.changes[self.at :]
        return bool(after) and (after[0][0] != "page" or any(kind == "method" for kind, _ in after))

    @property
    def shown(self) -> list[tuple[str, str]]:
        shown = {"page": "/path", "method": "m0", "look": ""}
        for kind, value in self.changes[: self.at]:
            shown[kind] = value
            if kind == "page":
                shown["look"] = ""
        return list(shown.items())


def holds(told: Told, seen: dict[str, Any]) -> bool:
    """Whether the tab shows what has been told."""
    wanted = dict(told.shown)
    found = {"page": seen["page"], "method": seen["said"]["method"], "look": seen["said"].get("look", "")}
    return (found, seen["undo"], seen["redo"]) == (wanted, told.can_undo, told.can_redo)


CHOICES = st.tuples(st.just("choose"), st.just("method"), st.sampled_from(["m0", "m1", "m2"]), st.booleans())
LOOKS = st.tuples(st.just("choose"), st.just("look"), st.sampled_from(["a", "b"]), st.booleans())
PAGES = st.tuples(st.just("page"), st.sampled_from(["/path", "/fit", "/top"]))
STEPS = st.sampled_from([("undo",), ("redo",), ("back",), ("forward",)])
ACTS = st.lists(st.one_of(CHOICES, PAGES, STEPS, STEPS, LOOKS, st.just(("reload",))), max_size=20)


@settings(max_examples=25, deadline=None)
@given(ACTS)
def test_undo_redo_back_and_forward_walk_one_list(acts: list[Act]) -> None:
    told = Told()
    for act, seen in zip(acts, walked(acts), strict=True):
        told.do(act)
        assert holds(told, seen), (act, told, seen)


def test_undo_stays_on_the_page_and_back_retraces_all_of_it() -> None:
    acts: list[Act] = [("choose", "method", "m1", False), ("page", "/fit"), ("undo",), ("redo",), ("undo",), ("back",)]
    places = [(seen["page"], seen["said"]["method"]) for seen in walked([*acts, ("forward",), ("forward",)])]
    assert places == [
        ("/path", "m1"), ("/fit", "m1"), ("/fit", "m0"), ("/fit", "m1"), ("/fit", "m0"), ("/path", "m0"),
        ("/fit", "m0"), ("/fit", "m1"),
    ]  # fmt: skip


@pytest.mark.parametrize("way", ["undo", "back"])
def test_a_run_of_steps_of_c_is_one(way: str) -> None:
    run: list[Act] = [("choose", "ratio", str(k), bool(k % 2)) for k in range(1, 5)]
    acts = [("wait", 5000), *run, ("wait", 2500), ("choose", "ratio", "5", False), (way,), (way,)]
    assert [seen["said"].get("ratio") for seen in walked(acts)[-3:]] == ["5", "4", None]


def test_a_run_of_c_ends_with_another_choice_and_with_a_step_back() -> None:
    c = [("choose", "ratio", str(k), False) for k in range(5)]
    acts: list[Act] = [c[0], ("choose", "method", "m1", False), c[1], ("undo",)]
    assert walked(acts)[-1]["said"] == {"method": "m1", "ratio": "0"}
    acts = [c[0], ("wait", 5000), c[1], ("undo",), c[2], ("undo",)]
    assert walked(acts)[-1]["said"] == {"method": "m0", "ratio": "0"}, "what was undone is left, not replaced"


def test_steps_that_are_asked_for_at_once_come_one_after_another() -> None:
    """Also over a change of page, where one step is several of the browser."""
    chosen: list[Act] = [("choose", "method", f"m{k}", False) for k in (1, 2, 1, 2)]
    acts: list[Act] = [*chosen[:3], ("page", "/fit"), chosen[3], ("undo", "quick"), ("undo", "quick"), ("undo",)]
    last = walked(acts)[-1]
    assert (last["page"], last["said"]["method"]) == ("/fit", "m1")


def test_what_a_page_adds_by_itself_is_no_step() -> None:
    assert [seen["length"] for seen in walked([("choose", "method", "m1", True), ("adds",), ("adds",)])] == [2, 2, 2]


def test_no_more_steps_are_offered_than_a_browser_keeps() -> None:
    acts: list[Act] = [("choose", "method", f"m{k}", False) for k in range(1, 60)]
    seen = walked([*acts, *[("undo",)] * 60])
    assert seen[-1]["said"]["method"] == "m10"
    assert not seen[-1]["undo"]
