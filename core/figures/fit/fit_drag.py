"""What moves with C on the Fit page: the bars of the weights, and a dot at the certificate."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.drag.along import still
from core.figures.drag.drag import MODEL, Bar, Dot, Drag, Mark
from core.figures.drag.hand import Hand
from core.figures.fit.convergence import Horizontal
from core.solvers import TracePoint

HALF = 0.4  # of a row: half the height of a bar
LEAST, MOST = 1e-12, 1e30  # of a certificate on a log axis


def weights_drag(hand: Hand, rows: Sequence[int], measure: str) -> Drag:
    """Return what moves in `weights_along_figure`: a line on its axis of C, and its bars.

    Parameters
    ----------
    hand : Hand
    rows : sequence of int
        As the figure has them.
    measure : str
        Told to a screen reader.
    """
    upwards = list(rows)[::-1]
    bars = [
        Bar(
            length=hand.along(lambda frame, j=j: float(frame.weights[j])),  # type: ignore[misc]
            row=row,
            half=HALF,
            colour=hand.colour,
        )
        for row, j in enumerate(upwards)
    ]
    line = Mark(across=hand.along(lambda frame: frame.c), x="xaxis2", y="yaxis2")
    return Drag(hand=hand, picture=f"weights {upwards}", marks=[line], bars=bars, measure=measure)


def certificate_drag(hand: Hand, across: float, least: float = LEAST) -> Drag:
    """Return a dot in a picture of the certificate, seen while the reader drags.

    Parameters
    ----------
    hand : Hand
    across : float
        Where the last step of the fit stands on the x axis.
    least : float
        The smallest certificate on the y axis; smaller ones stand there.
    """
    up = hand.along(lambda frame: min(max(frame.certificate.relative, least), MOST))
    dot = Dot(across=still(across), up=up, shown="dragged", colour=hand.colour, size=MODEL)
    return Drag(hand=hand, picture="certificate", dots=[dot])


def last_place(last: TracePoint, x: Horizontal) -> float:
    """Where the last step of a fit stands on the x axis."""
    return {"steps": float(last.step), "seconds": last.seconds, "passes over X": last.passes}[x]
