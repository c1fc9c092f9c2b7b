"""What is of the choice, and what it goes back to."""

from __future__ import annotations

from pages.shared.choice.history import DEFAULTS


def test_every_parameter_of_every_method_has_a_default_to_go_back_to() -> None:
    assert {"log.epsilon", "mcp.knee", "mcp.gamma", "l0.5.p", "scad.a", "dataset", "C"} <= set(DEFAULTS)
