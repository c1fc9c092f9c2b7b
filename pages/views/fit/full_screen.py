"""Stop, Continue and the pace within a picture that fills the screen, where the page's own buttons are out of sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_TOOLS = st.components.v2.component(
    "full_screen_tools",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Tool:
    """A button.

    Attributes
    ----------
    name, words : str
        Told to the page, and shown.
    off : bool
        Whether it can not be pressed now.
    on : bool or None
        Of buttons of which one is chosen: whether it is this one.
    """

    name: str
    words: str
    off: bool = False
    on: bool | None = None


def full_screen_tools(chart: str, tools: Sequence[Tool], on_pressed: Callable[[str], None]) -> None:
    """Put buttons into a `live_chart` while it fills the screen.

    Parameters
    ----------
    chart : str
        Its name.
    tools : sequence of Tool
    on_pressed : callable
        Called with the name of a button before the page is drawn again.
    """
    key = f"full_screen_{chart}"

    def pressed() -> None:
        name = st.session_state[key]["pressed"]
        if name is not None:
            on_pressed(name)

    _TOOLS(
        key=key,
        data={
            "chart": chart,
            "label": "While the picture fills the screen",
            "buttons": [asdict(tool) for tool in tools],
        },
        on_pressed_change=pressed,
    )
