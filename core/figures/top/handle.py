"""What follows the hand on pictures of the top: documents, bars of lists, and dots on the curves along the path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.analysis.path_frames import Frame
from core.analysis.top_strips import SHARE_BINS, TopStrips
from core.figures.look.style import method_style
from core.figures.path.axes import Across, long_name
from core.figures.path.handle import HandlePanel, Spec, at_frames, following, path_handle
from core.figures.path.tuning import PART_TITLES
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

MOST_MOVING = 150  # documents of a strip that follow the hand
UPPER = {"x": "xaxis", "y": "yaxis"}


def top_handle(
    panel: HandlePanel,
    measure: str,
    readings: Callable[[Frame], Mapping[str, str]],
    identity: str,
    moves: Spec,
    picture: str,
    best: float | None,
) -> Spec:
    """The handle of a picture over `with_path_below`.

    Parameters
    ----------
    panel : HandlePanel
        The frames of the chosen method's path and its model at the chosen C.
    measure : str
        Of the curves below.
    readings : callable
        From a frame to the texts on the page that follow the hand, by name.
    identity : str
        The same as long as the path is the same.
    moves : Spec
        What moves in the upper plot: `strips_moves` or `shares_moves`.
    picture : str
        The same as long as that shows the same documents or bars.
    best : float or None
        lambda / lambda_max that is best on the validation part.
    """
    spec = path_handle([panel], [], measure, "lambda", readings, identity, best=best)
    below = {kind: [drawn for drawn in spec[kind] if drawn["y"] == long_name("y2")] for kind in ("marks", "dots")}
    dots = [*below["dots"], *moves.get("dots", [])]
    return spec | below | moves | {"dots": dots, "id": f"{spec['id']} {picture}"}


def strips_moves(heights: FloatArray, now: TopStrips, positive: NDArray[np.bool_], method: str,
                 reach: tuple[float, float], on_top: Sequence[int]) -> Spec:  # fmt: skip
    """The documents of one list, each at its score above the top negative.

    Parameters
    ----------
    heights : ndarray, shape (n_frames, n_documents)
        Documents beyond ``reach`` wait at the edge of the picture.
    now : TopStrips
        Of the model at the chosen C.
    positive : ndarray of bool, shape (n_documents,)
    method : str
        Decides the colour.
    reach : tuple of float
        As the figure has it.
    on_top : sequence of int
        Number of positives above the top negative, by frame.
    """
    left, right = strips_range(reach)
    colour = method_style(method).colour
    dots: list[Spec] = []
    for rows, places, level, look in (
        (now.negative_rows, now.negatives, NEGATIVES, {"colour": GREY, "size": 4}),
        (now.positive_rows, now.positives, POSITIVES, {"colour": colour, "size": 4.5, "opens": 0.0}),
    ):
        shown = nearest_to_top(len(rows), MOST_MOVING)
        for row, place, up in zip(rows[shown], places[shown], level + lift(rows[shown]), strict=True):
            across = at_frames(list(np.clip(heights[:, row], left, right)), float(np.clip(place, left, right)))
            dots.append(UPPER | look | {"moving": True, "across": across, "now": float(up)})
    count = int(np.count_nonzero(positive))
    said = {"at": [on_top_words(k, count) for k in on_top], "now": on_top_words(now.on_top, count)}
    corner = {"across": {"now": right}, "now": POSITIVES + 0.85, "anchor": "end", "dx": -5, "dy": 15}
    words = UPPER | corner | {"text": said, "colour": colour, "weight": 700, "size": 15, "moving": True}
    return {"dots": dots, "texts": [words]}


def shares_moves(counts: Mapping[str, IntArray], now: Mapping[str, IntArray]) -> Spec:
    """The bars of `shares_figure`, with their numbers.

    Parameters
    ----------
    counts : mapping
        Lists in each of `SHARE_BINS` by method, shape (n_frames, 6).
    now : mapping
        The same at the chosen C, shape (6,).
    """
    bars: list[Spec] = []
    texts: list[Spec] = []
    for place, (method, rows) in zip(bar_places(len(now)), now.items(), strict=True):
        for k in range(len(SHARE_BINS)):
            lists = at_frames(list(counts[method][:, k]), float(rows[k]))
            row = k + place.middle
            bars.append(UPPER | {"row": row, "half": place.half, "colour": method_style(method).colour} | lists)
            said = {"at": [f"{n:,}" for n in counts[method][:, k]], "now": f"{rows[k]:,}"}
            beside = {"anchor": "start", "dx": 4, "dy": 5, "moving": True}
            texts.append(UPPER | {"across": lists, "now": row, "text": said} | beside)
    return {"bars": bars, "texts": texts}


def along_moves(panel: HandlePanel, measure: str, view: Across, identity: str) -> Spec:
    """Dots on the chosen method's curves of `top_along_figure`; they follow the handle of another picture.

    Parameters
    ----------
    panel, measure, identity
        As for `top_handle`.
    view : {"lambda", "features"}
    """
    frames, now = panel.frames, panel.now

    def values(of: Callable[[Frame], float]) -> Spec:
        return at_frames([of(frame) for frame in frames], of(now))

    across = values(lambda frame: frame.ratio if view == "lambda" else float(frame.kept))
    on = UPPER | {"across": across, "colour": panel.colour}
    parts = [part for part in PART_TITLES if part in now.judgement.metrics]
    dots = [on | values(partial(_measured, part=part, measure=measure)) for part in parts]
    return following(identity, f"along {view}", panel, dots=dots)


def _measured(frame: Frame, part: str, measure: str) -> float:
    return frame.judgement.shown(part, measure)
