"""The C of a model in a picture becomes that of every page: where the reader lets go of the handle, or clicks."""

from __future__ import annotations

from pages.shared import frame
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, released


def take_c(c: float) -> None:
    """Make this the C of every page; for callbacks."""
    choice = frame.last_choice()
    if choice is not None:
        use_model(c=c, ratio=choice.regularization.at_c(c).ratio)


def take_released(chart: str) -> None:
    """Make the C at which the reader let go of a chart's handle that of every page."""
    place = released(chart)
    if place is not None:
        take_c(float(place["c"]))


def take_clicked(chart: str) -> None:
    """Make the C of the model that was clicked that of every page; a point without a C changes nothing."""
    point = clicked(chart)
    c = None if point is None else point.get("customdata")
    if isinstance(c, int | float):
        take_c(float(c))
