"""What moves with C on a trade-off: the handle runs along the curve of one method, from model to model."""

from __future__ import annotations

from core.figures.drag.drag import MODEL, Dot, Drag, Mark
from core.figures.drag.hand import Hand
from core.figures.path.path_drag import measured
from core.figures.tradeoff.tradeoff import View


def tradeoff_drag(hand: Hand, view: View) -> Drag:
    """Return what moves in the trade-off of one fold.

    The line stands at the number of features that the model keeps, or between those of two fitted models. Several
    models keep as many: among them the height of the pointer decides. The empty model ranks nothing and has no dot.
    """
    across = hand.along(lambda frame: frame.placed(view.across.at))
    up = measured(hand, view.part, view.measure)
    kept = hand.along(lambda frame: float(frame.most > 0))
    return Drag(
        hand=hand,
        picture=f"trade-off {view.part} {view.measure} {view.across.horizontal} {view.across.log}",
        marks=[Mark(across=across, up=up)],
        dots=[Dot(across=across, up=up, shown=kept, colour=hand.colour, size=MODEL)],
        measure=view.measure,
    )
