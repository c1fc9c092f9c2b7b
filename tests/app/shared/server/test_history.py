"""The entries of a tab: what Back and Forward lead through."""

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
class Entries:
    """The same entries as changes: a choice, a look at the page, another page; where one stands is how many hold."""

    changes: list[tuple[str, str]] = field(default_factory=list)
    at: int = 0

    def do(self, act: Act) -> None:
        """What is done, as a person means it."""
        name = act[0]
        if name in ("choose", "page"):
            kind, value = ("page", act[1]) if name == "page" else (act[1], act[2])
            if self.shown[kind] != value:
                self.changes, self.at = [*self.changes[: self.at], (kind, value)], self.at + 1
        elif name == "back":
            self.at = max(self.at - 1, 0)
        elif name == "forward":
            self.at = min(self.at + 1, len(self.changes))

    @property
    def shown(self) -> dict[str, str]:
        """Page, method and look."""
        shown = {"page": "/path", "method": "m0", "look": ""}
        for kind, value in self.changes[: self.at]:
            shown |= {kind: value, "look": ""} if kind == "page" else {kind: value}
        return shown


CHOICES = st.tuples(st.just("choose"), st.just("method"), st.sampled_from(["m0", "m1", "m2"]), st.booleans())
LOOKS = st.tuples(st.just("choose"), st.just("look"), st.sampled_from(["a", "b"]), st.booleans())
PAGES = st.tuples(st.just("page"), st.sampled_from(["/path", "/fit", "/top"]))
STEPS = st.sampled_from([("back",), ("forward",)])
ACTS = st.lists(st.one_of(CHOICES, PAGES, STEPS, STEPS, LOOKS, st.just(("reload",))), max_size=20)


@settings(max_examples=25, deadline=None)
@given(ACTS)
def test_each_choice_look_and_page_is_one_entry_whatever_writes_the_address(acts: list[Act]) -> None:
    entries = Entries()
    for act, seen in zip(acts, walked(acts), strict=True):
        entries.do(act)
        found = {"page": seen["page"], "method": seen["said"]["method"], "look": seen["said"].get("look", "")}
        assert found == entries.shown, (act, entries)


def test_a_run_of_steps_of_c_is_one_until_another_choice_or_a_step_back_and_what_a_page_adds_is_none() -> None:
    run: list[Act] = [("choose", "ratio", str(k), bool(k % 2)) for k in range(1, 5)]
    acts = [("wait", 5000), *run, ("wait", 2500), ("choose", "ratio", "5", False), ("back",), ("back",)]
    assert [seen["said"].get("ratio") for seen in walked(acts)[-3:]] == ["5", "4", None]
    c = [("choose", "ratio", str(k), False) for k in range(5)]
    another_between = [c[0], ("choose", "method", "m1", False), c[1], ("back",)]
    assert walked(another_between)[-1]["said"] == {"method": "m1", "ratio": "0"}
    left_by_back = [c[0], ("wait", 5000), c[1], ("back",), c[2], ("back",)]
    assert walked(left_by_back)[-1]["said"] == {"method": "m0", "ratio": "0"}, "it is left, not replaced"
    assert [seen["length"] for seen in walked([("choose", "method", "m1", True), ("adds",), ("adds",)])] == [2, 2, 2]


def test_a_late_answer_about_the_page_that_was_left_cuts_nothing_off() -> None:
    acts = [("page", "/fit"), ("page", "/top"), ("back",), ("back",), ("late", "/fit"), ("forward",), ("forward",)]
    assert [seen["page"] for seen in walked(acts)[-4:]] == ["/path", "/path", "/fit", "/top"]


def test_a_page_that_a_hand_asked_for_soon_after_back_is_not_late_though_an_answer_comes_between() -> None:
    acts: list[Act] = [("page", "/fit"), ("back",), ("meanwhile", "/fit", "method", "m2")]
    last = walked(acts)[-1]
    assert (last["page"], last["said"]["method"]) == ("/fit", "m2")


def test_the_look_of_a_presentation_comes_and_goes_with_the_address_and_stays_from_page_to_page() -> None:
    acts: list[Act] = [("choose", "present", "1", False), ("page", "/fit"), ("back",), ("back",), ("forward",)]
    assert [seen["presented"] for seen in walked(acts)] == [True, True, True, False, True]
