"""A drag as the browser is told: the one place that knows what ``handle.js`` and ``lights.js`` read."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.figures.drag.along import Along, TextAlong
from core.figures.drag.drag import Bar, Dot, Drag, Mark, Text
from core.figures.drag.lights import Lights, LitCurves, LitModels, LitRows
from core.figures.look.colours import feature_colour, feature_colours

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
