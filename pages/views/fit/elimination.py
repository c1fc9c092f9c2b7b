"""How a method that drops features came to those it keeps."""

from __future__ import annotations

import pandas as pd

from core.figures.fit.elimination import elimination_figure, elimination_sentence, stages
from core.figures.look.style import short
from core.methods import Fit
from core.penalties import L2AtMost
from pages.shared import panels
from pages.shared.choice.choice import Loaded


def panel(choice: Loaded, fit: Fit) -> None:
    """The elimination, drawn from the trace; nothing for other methods."""
    penalty = choice.method.make_penalty(fit.parameters, fit.c)
    found = stages(fit.result.trace)
    if not isinstance(penalty, L2AtMost) or not found:
        return
    sentence = elimination_sentence(found)
    figure = elimination_figure(
        fit.result.trace, fit.method, title=sentence,
        subtitle=f"{choice.where} · {choice.title} · C = {short(fit.c)} · grey: inside the rounds",
    )  # fmt: skip
    table = pd.DataFrame(
        [
            {"features left": s.features, "from step": s.first_step, "to step": s.last_step, "objective": s.objective}
            for s in found
        ]
    )
    panels.chart(figure, "elimination", alt=sentence, table=table)
