"""Undo and redo: states in order, and where one stands among them."""

from __future__ import annotations

from pages.shared.choice.history import DEFAULTS, LONGEST, RUN, History


def test_undo_and_redo_walk_through_the_states() -> None:
    kept = History()
    for method in ("l1", "log", "mcp"):
        kept.record({"method": method})
    assert kept.step(-1) == {"method": "log"}
    assert kept.step(-1) == {"method": "l1"}
    assert not kept.can_undo
    assert kept.step(1) == {"method": "log"}
    assert kept.can_redo


def test_a_new_choice_forgets_what_was_undone() -> None:
    kept = History()
    for method in ("l1", "log", "mcp"):
        kept.record({"method": method})
    kept.step(-1)
    kept.record({"method": "scad"})
    assert [state["method"] for state in kept.states] == ["l1", "log", "scad"]
    assert not kept.can_redo


def test_the_same_choice_again_is_no_new_state() -> None:
    kept = History()
    kept.record({"method": "l1"})
    kept.record({"method": "l1"})
    assert len(kept.states) == 1


def test_the_oldest_states_are_forgotten_and_the_ends_hold() -> None:
    kept = History()
    for step in range(LONGEST + 20):
        kept.record({"ratio_step": step})
    assert len(kept.states) == LONGEST
    assert kept.step(-10 * LONGEST) == {"ratio_step": 20}
    assert kept.step(10 * LONGEST) == {"ratio_step": LONGEST + 19}


def test_every_parameter_of_every_method_has_a_default_to_go_back_to() -> None:
    assert {"log.epsilon", "mcp.knee", "mcp.gamma", "l0.5.p", "scad.a", "dataset", "C"} <= set(DEFAULTS)


def test_steps_of_c_that_follow_each_other_are_one_move_to_undo() -> None:
    kept = History()
    kept.record({"method": "l1"})
    for step, seconds in ((31, 10.0), (32, 10.5), (33, 11.0), (40, 11.0 + RUN)):
        kept.record({"method": "l1", "ratio_step": step}, seconds)
    assert [state.get("ratio_step") for state in kept.states] == [None, 33, 40]
    kept.record({"method": "log", "ratio_step": 40})
    kept.record({"method": "log", "ratio_step": 41}, 12.0 + RUN)
    assert kept.step(-1) == {"method": "log", "ratio_step": 40}, "a change of the method between is a state"
    kept.record({"method": "log", "ratio_step": 42}, 12.1 + RUN)
    assert kept.step(-1) == {"method": "log", "ratio_step": 40}, "what was undone is left behind, not replaced"
