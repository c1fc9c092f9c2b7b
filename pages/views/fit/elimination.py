"""How a method that drops features came to those it keeps."""

from __future__ import annotations

from core.api.solver_tables import elimination_table
from core.export.scripts.choosing import elimination_script
from core.figures.fit.elimination import elimination_figure, elimination_sentence, stages
from core.methods import Fit
from core.penalties import L2AtMost
from pages.shared import scripts
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart


def panel(choice: Loaded, fit: Fit) -> None:
    """The elimination, drawn from the trace; nothing for other methods."""
    penalty = choice.method.make_penalty(fit.parameters, fit.c)
    found = stages(fit.result.trace)
    if not isinstance(penalty, L2AtMost) or not found:
        return
    sentence = elimination_sentence(found)
    figure = elimination_figure(
        fit.result.trace, fit.method, title=sentence,
        subtitle=f"{choice.where} · {choice.title} · grey: inside the rounds",
    )  # fmt: skip
    script = elimination_script(scripts.chosen_data(choice), scripts.model_of(choice, fit))
    live_chart(figure, "elimination", alt=sentence, table=elimination_table(found), script=script)
