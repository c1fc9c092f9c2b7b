"""A declared picture on a page: its numbers, chart, table and script, each computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from core.data import Fold
from core.export.scripts.description import DataDescription
from core.export.scripts.picture import picture_script
from core.figures.picture import Picture
from pages.shared.cache import kept
from pages.shared.live_chart import live_chart
from pages.shared.work.stepwise import made

Found = TypeVar("Found")


def show(
    picture: Picture[Found],
    described: DataDescription,
    fold: Fold,
    *,
    notes: Callable[[], Sequence[str]] = tuple,
    on_click: Callable[[], None] | None = None,
    main: bool = False,
    fill: bool = False,
    rows: int = 0,
) -> Found | None:
    """Render a picture, and return its numbers; None while a progress bar stands in its place.

    Parameters
    ----------
    picture : Picture
    described : DataDescription
        The dataset for the picture's script, and ``fold`` the fold that it shows.
    notes : callable
        Returns what keeps the script's numbers from being those of the picture; called when the script is opened.
    on_click, main, fill, rows
        As for `pages.shared.live_chart.live_chart`.
    """
    found = numbers(picture)
    if found is None:
        return None
    words = picture.words(found)
    live_chart(
        lambda: picture.drawing(found, words),
        picture.chart,
        alt=words.alt,
        of=(picture, words),
        table=lambda: picture.rows(found),
        script=lambda: picture_script(picture, described, fold, notes()),
        on_click=on_click,
        main=main,
        fill=fill,
        rows=rows,
    )
    return found


def numbers(picture: Picture[Found]) -> Found | None:
    """The numbers of a picture; None while a progress bar stands on the page."""
    needed = {}
    for name, ingredient in picture.needs().items():
        needed[name] = made(ingredient)
        if needed[name] is None:
            return None
    return kept(f"numbers {picture.name}", picture.numbers_key, lambda: picture.result(needed))
