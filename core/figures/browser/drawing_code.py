"""How a figure comes to a browser: scripts that draw it and what they are sent, or a fragment of a page with Plotly."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

from core.figures.drag.drag import Along, Bar, Dot, Drag, Lights, LitCurves, LitModels, LitRows, Mark, Text, TextAlong
from core.figures.look.colours import feature_colour, feature_colours
from core.figures.look.drawing import parts_of
from core.figures.look.style import heading

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

    ``alt`` is the alternative text; ``saved_as`` has format, file name and size of the picture that its camera saves,
    as Plotly's options have it. A click on a point is told if it is ``clickable``; with ``fill`` it is as high as the
    window has room for, or as one of so many ``rows`` of pictures. It is shown ``scale`` times as large as it is. For
    traces that the bundle lacks the server has the whole of Plotly at ``library``.
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


SCALE = 1.7
"""How much larger for a room everything is that is measured in pixels, the page's letters, too."""
Sent = dict[str, object]
"""What JSON can write."""
SINGLE = np.finfo(np.float32)


def sent_drag(drag: Drag) -> Sent:
    """Return a drag as the browser reads it: JSON, with numbers over the frames as base64."""
    hand, held = drag.hand, bool(drag.marks)
    return {
        "id": drag.identity,
        "link": hand.link,
        "c": packed([frame.c for frame in hand.frames], "<f8"),
        "nearest": hand.nearest(hand.now.ratio),
        "pauses": drag.pauses,
        "marks": [_sent(mark) for mark in drag.marks],
        "dots": [_sent(dot) for dot in drag.dots],
        "bars": [_sent(bar) for bar in drag.bars],
        "texts": [_sent(text) for text in drag.texts],
        "label": _sent(drag.label) if held else None,
        "spoken": _sent(drag.spoken) if held else None,
        "readings": {name: _sent(text) for name, text in hand.texts().items()} if held else {},
        "lights": None if drag.lights is None else _lights(drag.lights),
    }


def packed(values: ArrayLike, dtype: Literal["<f4", "<f8"]) -> Sent:
    """Return numbers as base64 of little-endian floats, as ``unpacked.js`` reads them."""
    return {"dtype": dtype[1:], "bdata": base64.b64encode(np.asarray(values, dtype=dtype).tobytes()).decode()}


def _numbers(values: NDArray[np.float64]) -> Sent:
    """In single precision, which is finer than a pixel, unless some would overflow there or vanish."""
    sizes = np.abs(values[values != 0.0])
    single = not len(sizes) or (sizes.max() <= SINGLE.max and sizes.min() >= SINGLE.tiny)
    return packed(values, "<f4" if single else "<f8")


def _sent(value: object) -> object:
    """A part of a drag, or of what it lights up, by its fields, and the numbers and texts in it."""
    if isinstance(value, Along):
        return {"now": value.now} | ({} if value.at is None else {"at": _numbers(value.at)})
    if isinstance(value, TextAlong):
        return {"now": value.now, "at": list(value.at)}
    if isinstance(value, Mark | Dot | Bar | Text | LitCurves | LitRows):
        return {_camel(one.name): _sent(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, np.ndarray):
        return _numbers(value)
    if isinstance(value, Mapping):
        return {str(j): _sent(one) for j, one in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _lights(lights: Lights) -> Sent:
    colours = feature_colours(lights.order)
    return {
        "names": list(lights.names),
        "colours": [colours.get(j, feature_colour(j)) for j in range(len(lights.names))],
        "order": _sent(list(lights.order)),
        "panels": [_sent(panel) for panel in lights.panels],
        "places": [_sent(places) for places in lights.places],
        "models": [_models(models) for models in lights.models],
    }


def _models(models: LitModels) -> Sent:
    """Their places in double precision, as they are drawn by."""
    fields_of: Sent = {one.name: _sent(getattr(models, one.name)) for one in fields(models)}
    return fields_of | {"across": packed(models.across, "<f8"), "up": packed(models.up, "<f8")}


LEAST_MARGIN = 16  # pixels above a picture without its title


def drawing_script() -> str:
    """Return the JavaScript that a page needs once for all its fragments; 4 MB."""
    return str(get_plotlyjs())


def figure_fragment(figure: go.Figure, name: str) -> str:
    """Return a ``<figure>``: title and subtitle as a caption that wraps, and the picture without them, full width.

    The figure is not changed; its ``name`` is unique on the page, and that of the file of a saved picture.
    """
    words = heading(figure)
    drawn = go.Figure(figure)
    drawn.update_layout(paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", title=None)
    caption = ""
    if words is not None:
        top = max(figure.layout.margin.t - words.height, LEAST_MARGIN)
        drawn.update_layout(margin_t=top, height=figure.layout.height - (figure.layout.margin.t - top))
        lines = "<br>".join(html.escape(line) for line in words.subtitle)
        caption = f"<figcaption><b>{html.escape(words.title)}</b><span>{lines}</span></figcaption>"
    config = {"displaylogo": False, "responsive": True, "toImageButtonOptions": {"format": "svg", "filename": name}}
    chart = drawn.to_html(full_html=False, include_plotlyjs=False, config=config, div_id=name)
    # A polygon can be seen at any width; what has axes is not squeezed below that of its labels.
    kind = "chart round" if any(trace.type == "scatterpolar" for trace in figure.data) else "chart"
    return f'<figure>{caption}<div class="{kind}">{chart}</div></figure>'
