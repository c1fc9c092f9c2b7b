"""The scripts that draw a picture in a browser, and what they are sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder

from core.figures.drag.drag import Drag
from core.figures.drag.sent import packed, sent_drag
from core.figures.look.assembling import parts_of

FEW = 2  # numbers: a range along an axis is no data, and plotly wants it as a list
_HERE = Path(__file__).parent
BUNDLE = _HERE / "plotly-basic.min.js"
"""Plotly's smallest bundle: lines, bars and pies."""
UNPACKED = _HERE / "unpacked.js"
"""Reads the numbers of `packed`."""
_EXPORTED = "export default async function ("
_NAMES = ("unpacked.js", "letters.js", "lights.js", "handle.js", "narrow.js", "toolbar.js", "live_chart.js")


def drawing_code(named: str = "") -> str:
    """Return the module that draws a picture (``live_chart.js``) with all that it needs but Plotly.

    Its function is the module's default export, as Streamlit wants it, or has a name for what follows in the same
    module.
    """
    code = "\n".join(browser_file(name) for name in _NAMES)
    return code.replace(_EXPORTED, f"async function {named}(", 1) if named else code


def saved_page_code() -> str:
    """Return what draws the pictures of a page without a server, as the function ``drawPage``."""
    return f"{drawing_code(named='drawPicture')}\n{browser_file('saved_page.js')}"


def site_code() -> str:
    """Return what chooses, loads and draws the pages of a site, with its lessons."""
    guess = browser_file("guess.js").replace("export default function", "return function", 1)
    lessons = f"const drawGuess = (() => {{\n{guess}}})();\n{browser_file('site_lessons.js')}"
    return f"{saved_page_code()}\n{browser_file('site.js')}\n{lessons}"


def browser_file(name: str) -> str:
    """Return a script or style beside this module."""
    return (_HERE / name).read_text(encoding="utf-8")


def sent_picture(
    figure: go.Figure,
    *,
    alt: str,
    saved_as: Mapping[str, Any],
    drag: Drag | None = None,
    clickable: bool = False,
    fill: bool = False,
    rows: int = 0,
    scale: float = 1.0,
    library: str = "",
) -> bytes:
    """Return what the module is sent: JSON with the figure, without a template, and what to do with it.

    Parameters
    ----------
    figure : plotly Figure
    alt : str
        The alternative text.
    saved_as : mapping
        Format, file name and size of the picture that its camera saves, as Plotly's options have it.
    drag : Drag, optional
        What moves with C.
    clickable : bool
        Whether a click on a point is told.
    fill : bool
        Whether it is as high as the window has room for.
    rows : int
        How many rows of pictures fill the window, where it stands in a column, else 0.
    scale : float
        How much larger than usual the figure is.
    library : str
        Where the server has the whole of Plotly, for traces that the bundle lacks.
    """
    drawn = parts_of(figure)
    layout = {name: part for name, part in drawn["layout"].items() if name != "template"}
    sent = {
        "plotly": library,
        "alt": alt,
        "clickable": clickable,
        "picture": saved_as,
        "figure": {"data": drawn["data"], "layout": layout},
        "drag": None if drag is None else sent_drag(drag),
        "fill": fill,
        "rows": rows,
        "scale": scale,
    }
    return json.dumps(sent, cls=_Encoder, ensure_ascii=False).encode()


class _Encoder(PlotlyJSONEncoder):  # type: ignore[misc]
    """As plotly writes figures, long arrays as base64; without its search of all lists for arrays."""

    def default(self, obj: Any) -> Any:
        if isinstance(obj, np.ndarray) and obj.dtype == np.float64 and obj.ndim == 1 and obj.size > FEW:
            return packed(obj, "<f8")
        return super().default(obj)
