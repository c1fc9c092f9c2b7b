"""What moves with C on pictures of the top: documents, bars of lists, and dots on the curves along the path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.top_strips import SHARE_BINS, TopStrips
from core.figures.drag.along import TextAlong, along, still
from core.figures.drag.drag import Bar, Dot, Drag, Mark, Text
from core.figures.drag.hand import Hand
from core.figures.look.style import method_style
from core.figures.path.path_drag import along_axis, measure_dots, measured
from core.figures.path.tuning import PART_TITLES
from core.figures.top.along import TOP
from core.figures.top.strips import (
    GREY,
    NEGATIVES,
    POSITIVES,
    bar_places,
    lift,
    nearest_to_top,
    on_top_words,
    strips_range,
)

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MOST_MOVING = 150  # documents of a strip that move with C


def strips_drag(
    hand: Hand,
    picture: str,
    heights: FloatArray,
    now: TopStrips,
    positive: NDArray[np.bool_],
    method: str,
    reach: tuple[float, float],
    on_top: Sequence[str],
) -> Drag:
    """Return what moves in `strips_figure` over `with_path_below`: documents, each at its score above the top negative.

    Parameters
    ----------
    hand : Hand
        The chosen method's path.
    picture : str
        The same as long as the same list is drawn.
    heights : ndarray, shape (n_frames, n_documents)
        Documents beyond ``reach`` wait at the edge of the picture.
    now : TopStrips
        Of the model at the chosen C.
    positive : ndarray of bool, shape (n_documents,)
    method : str
        Decides the colour.
    reach : tuple of float
        As the figure has it.
    on_top : sequence of str
        Number of positives above the top negative, by frame; a range between two fitted models.
    """
    left, right = strips_range(reach)
    colour = method_style(method).colour
    dots: list[Dot] = []
    for rows, places, level in (
        (now.negative_rows, now.negatives, NEGATIVES),
        (now.positive_rows, now.positives, POSITIVES),
    ):
        shown = nearest_to_top(len(rows), MOST_MOVING)
        for row, at, up in zip(rows[shown], places[shown], level + lift(rows[shown]), strict=True):
            above = level == POSITIVES
            dots.append(
                Dot(
                    across=along(np.clip(heights[:, row], left, right), np.clip(at, left, right)),
                    up=still(up),
                    colour=colour if above else GREY,
                    size=4.5 if above else 4.0,
                    filled_beyond=0.0 if above else None,
                    shown="dragged",
                )
            )
    count = int(np.count_nonzero(positive))
    corner = Text(
        text=TextAlong(on_top_words(str(now.on_top), count), tuple(on_top_words(k, count) for k in on_top)),
        across=still(right),
        up=still(POSITIVES + 0.85),
        anchor="end",
        dx=-5,
        dy=15,
        colour=colour,
        weight=700,
        size=15,
        shown="dragged",
    )
    line, curves = _path_below(hand)
    return Drag(hand=hand, picture=picture, marks=[line], dots=[*curves, *dots], texts=[corner], measure=TOP)


def shares_drag(
    hand: Hand,
    picture: str,
    counts: Mapping[str, IntArray],
    labels: Mapping[str, Sequence[Sequence[str]]],
    now: Mapping[str, IntArray],
) -> Drag:
    """Return what moves in `shares_figure` over `with_path_below`: its bars, with their numbers.

    Parameters
    ----------
    hand : Hand
        The chosen method's path.
    picture : str
        The same as long as the same part is drawn.
    counts : mapping
        Lists in each of `SHARE_BINS` by method, shape (n_frames, 6).
    labels : mapping
        Text beside the bars, by method: for each bin one a frame.
    now : mapping
        The same at the chosen C, shape (6,).
    """
    bars: list[Bar] = []
    texts: list[Text] = []
    for at, (method, rows) in zip(bar_places(len(now)), now.items(), strict=True):
        for k in range(len(SHARE_BINS)):
            lists, row = along(counts[method][:, k], rows[k]), k + at.middle
            words = TextAlong(f"{rows[k]:,}", tuple(labels[method][k]))
            bars.append(Bar(length=lists, row=row, half=at.half, colour=method_style(method).colour))
            texts.append(Text(text=words, across=lists, up=still(row), dx=4, dy=5, shown="dragged"))
    line, curves = _path_below(hand)
    return Drag(hand=hand, picture=picture, marks=[line], dots=curves, bars=bars, texts=texts, measure=TOP)


def along_drag(hand: Hand) -> Drag:
    """Return dots on the chosen method's curves of `top_along_figure`; they follow the handle of another picture."""
    across = along_axis(hand, "lambda")
    parts = [part for part in PART_TITLES if part in hand.now.judgement.metrics]
    dots = [Dot(across=across, up=measured(hand, part, TOP), colour=hand.colour) for part in parts]
    return Drag(hand=hand, picture="along lambda", dots=dots)


def _path_below(hand: Hand) -> tuple[Mark, list[Dot]]:
    """The line in the curves beneath the picture, and dots on them."""
    across = hand.along(lambda frame: frame.ratio)
    return Mark(across=across, x="xaxis2", y="yaxis2"), measure_dots(hand, across, TOP, "xaxis2", "yaxis2")
