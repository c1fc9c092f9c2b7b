"""Picture of our numbers minus published ones, each beside what choosing C again explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.results.published.beside_published import BesidePublished, made_alike
from core.experiments.results.published.print_agreement import CellAgreement
from core.experiments.results.published.print_verdicts import KEPT, QUALITY, kind_of, print_title, print_verdicts
from core.experiments.results.run import Run
from core.figures.look.names import name_labels
from core.figures.look.style import layout
from core.figures.picture import Words
from core.figures.protocol.of_run import RunPicture
from core.names.plain import in_plotly

Judged = Sequence[tuple[BesidePublished, CellAgreement]]

NOTHING = "The papers print no number that this run has made alike"
READING = "bars: nineteen in twenty pairs of our own choices of C differ by no more; filled: explained by the choice"
WITHIN, OUTSIDE, BAR = "#1F77C8", "#D55E00", "rgba(128,128,128,0.28)"
ROW, AROUND, LONGEST_NAME = 26, 210, 44  # pixels, pixels, characters
COLUMNS = ("dataset", "method", "measure", "ours", "published", "difference", "explained by choice", "p", "within",
           "source")  # fmt: skip


@dataclass(frozen=True, eq=False)
class ProtocolPublished(RunPicture[Judged]):
    """Draw our numbers minus the published ones that were made alike, beside what choosing C again explains.

    The table has a row a number; it is empty where the papers print none for the run's datasets and settings.

    Parameters
    ----------
    run : Run
    """

    run: Run

    name, chart = "protocol_published", "reproduce_published"

    def result(self, needed: Mapping[str, Any]) -> Judged:
        return [(row, row.agreement) for row in made_alike(self.run.lines) if row.agreement is not None]

    def rows(self, found: Judged) -> pd.DataFrame:
        rows = [
            {
                "dataset": row.dataset,
                "method": self.run.titles.get(row.method, row.method),
                "measure": row.measure,
                "ours": row.ours,
                "published": row.published,
                "difference": row.difference,
                "explained by choice": judged.limit,
                "p": judged.p.value,
                "within": "yes" if judged.within else "no",
                "source": row.source,
            }
            for row, judged in found
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def words(self, found: Judged) -> Words:
        verdicts = print_verdicts([row for row, _ in found])
        title = print_title(verdicts) if verdicts else NOTHING
        return Words(title, f"Ours − published, means over folds · {self.run.about}\n{READING}", title)

    def drawing(self, found: Judged, words: Words) -> go.Figure:
        return protocol_published_figure(found, self.run.titles, title=words.title, subtitle=words.subtitle)


def protocol_published_figure(
    found: Judged, titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw a row a number, the ranking quality above the features kept, each kind on an axis of its own.

    Parameters
    ----------
    found : sequence of (BesidePublished, CellAgreement)
    titles : mapping
        A method's name for people, by its label (`core.experiments.run.titles`).
    """
    panels = {kind: [pair for pair in found if kind_of(pair[0]) == kind] for kind in (QUALITY, KEPT)}
    panels = {kind: pairs for kind, pairs in panels.items() if pairs} or {QUALITY: []}
    heights = [len(pairs) + 1.5 for pairs in panels.values()]
    between = 84 / (ROW * sum(heights) + 84)
    figure = make_subplots(
        rows=len(panels), cols=1, row_heights=heights, vertical_spacing=between if len(panels) > 1 else 0.0
    )
    several = len({row.dataset for row, _ in found}) > 1
    for place, (kind, pairs) in enumerate(panels.items(), 1):
        places = list(range(len(pairs)))
        figure.add_bar(
            y=places, x=[2.0 * judged.limit for _, judged in pairs], base=[-judged.limit for _, judged in pairs],
            orientation="h", width=0.7, marker={"color": BAR, "line": {"width": 0}}, hoverinfo="skip", row=place, col=1,
        )  # fmt: skip
        figure.add_scatter(
            y=places,
            x=[row.difference for row, _ in pairs],
            mode="markers",
            marker={
                "size": 11,
                "symbol": ["circle" if judged.within else "diamond-open" for _, judged in pairs],
                "color": [WITHIN if judged.within else OUTSIDE for _, judged in pairs],
                "line": {"width": 2, "color": [WITHIN if judged.within else OUTSIDE for _, judged in pairs]},
            },
            hovertext=[_hover(row, judged, titles) for row, judged in pairs],
            hovertemplate="%{hovertext}<extra></extra>",
            row=place,
            col=1,
        )
        figure.add_vline(x=0.0, line={"width": 1, "color": "rgba(128,128,128,0.7)"}, row=place, col=1)
        names = [
            ", ".join([*([row.dataset] if several else []), titles.get(row.method, row.method), row.measure])
            for row, _ in pairs
        ]
        figure.update_yaxes(
            tickvals=places, ticktext=name_labels(names, places, LONGEST_NAME), tickfont={"size": 12},
            range=[len(pairs) - 0.4, -0.6], automargin=True, row=place, col=1,
        )  # fmt: skip
        figure.update_xaxes(title=f"{kind}: ours − published", row=place, col=1)
    drawn = layout(figure, title=title, subtitle=subtitle, height=round(AROUND + ROW * sum(heights)))
    drawn.update_yaxes(showgrid=False)
    return drawn.update_layout(bargap=0.0)


def _hover(row: BesidePublished, judged: CellAgreement, titles: Mapping[str, str]) -> str:
    return (
        f"<b>{in_plotly(titles.get(row.method, row.method))}</b>, {row.dataset}<br>{row.measure} {row.ours:.4f}, "
        f"published {row.published:g}<br>difference {row.difference:+.4f}, the choice explains ± {judged.limit:.4f}"
        f"<br>{judged.p.words.replace('<', '&lt;')}<br>{row.source}"
    )
