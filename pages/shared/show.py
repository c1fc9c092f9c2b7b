"""A declared picture on a page: its numbers, chart, table and script, each computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from core.data import Fold
from core.experiments.results.printed_table import plain_table
from core.export.html_report import Section
from core.export.saved.page import picture_part, telling
from core.export.scripts.picture import Described, Fitted, Opened, picture_script
from core.figures.drag.hand import Hand
from core.figures.picture import Picture
from pages.shared.cache import kept
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.live_chart import live_chart
from pages.shared.saved import saved_of
from pages.shared.work.stepwise import made

Found = TypeVar("Found")


def show(
    picture: Picture[Found],
    described: Opened,
    fold: Fold | None = None,
    *,
    found: Found | None = None,
    fits: Callable[[], Mapping[str, Described | Sequence[Fitted]]] = dict,
    known: Mapping[str, Any] | None = None,
    hand: Hand | None = None,
    beside: Sequence[Hand] = (),
    scripted: bool = True,
    page_of: Loaded | None = None,
    page: Callable[[], str] | None = None,
    on_click: Callable[[], None] | None = None,
    on_release: Callable[[], None] | None = None,
    main: bool = False,
    fill: bool = False,
    rows: int = 0,
) -> Found | None:
    """Render a picture, and return its numbers; None while a progress bar stands in its place.

    Parameters
    ----------
    picture : Picture
    described : DataDescription, or sequence or mapping of DataDescription
        The dataset, or datasets, for the picture's script, and ``fold`` the fold that it shows, if it is of one.
    found : optional
        The picture's numbers, where the page has asked for them already.
    fits : callable
        Returns how models and paths among the picture's fields are fitted, by field; called when the script is opened.
    known : mapping, optional
        Results of ingredients that the page has already, by the names of `Picture.needs`.
    hand : Hand, optional
        The path along which C can be dragged in the picture; ``beside`` are those that move with it.
    scripted : bool
        Whether the picture is complete, so that a script can compute it again.
    page_of : Loaded, optional
        The choice whose path ``hand`` is: the downloads have a page then in which C can be dragged.
    page : callable, optional
        Returns the text of that page, where it has more pictures than this one.
    on_click, on_release, main, fill, rows
        As for `pages.shared.live_chart.live_chart`.
    """
    if found is None:
        found = numbers(picture, known)
    if found is None:
        return None

    def script() -> str:
        return picture_script(picture, described, fold, fits())

    def alone() -> str:
        assert hand is not None
        assert page_of is not None
        measures = measures_of(page_of)
        rows_of = [{str(name): value for name, value in row.items()} for row in picture.rows(found).to_dict("records")]
        beneath = (
            Section("The numbers", tables=(plain_table("numbers", words.title, "", rows_of),)),
            Section("The script that computes them", code=script()),
        )
        part = picture_part(picture, found, telling(hand, measures), beside)
        return saved_of(page_of, [part], hand, summary=f"{words.title}.", beneath=beneath)

    words, hands = picture.words(found), (*([] if hand is None else [hand]), *beside)
    live_chart(
        lambda: picture.drawing(found, words),
        picture.chart_key,
        alt=words.alt,
        of=(picture.fingerprint, known, words, [(one.now, one.best, one.frames) for one in hands]),
        table=lambda: picture.rows(found),
        script=script if scripted else "",
        drag=None if hand is None else lambda: picture.moves(found, hand, beside),
        on_click=on_click,
        on_release=on_release,
        page=page if page_of is None or hand is None or not hand.frames else alone,
        main=main,
        fill=fill,
        rows=rows,
    )
    return found


def numbers(picture: Picture[Found], known: Mapping[str, Any] | None = None) -> Found | None:
    """The numbers of a picture; None while a progress bar stands on the page. ``known`` as for `show`."""
    needed = dict(known or {})
    assert needed or not picture.of_dataset, "the results tell the data"
    for name, ingredient in picture.needs().items():
        if name not in needed:
            needed[name] = made(ingredient)
        if needed[name] is None:
            return None
    of = (picture.numbers_key, known)
    return kept(f"numbers {picture.name}", of, lambda: picture.result(needed))
