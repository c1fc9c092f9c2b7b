"""Figure of Table 1 of Rakotomamonjy (2012) as a dot plot: ours filled, published values open."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.papers.infinite_push_sets import TopRow
from core.experiments.papers.infinite_push_toy import REFERENCE, TITLES
from core.figures.look.style import MUTED, Words, layout, method_style
from core.names.plain import in_plotly

ROW = 30  # pixels


def top_table_figure(rows: Sequence[TopRow]) -> go.Figure:
    """Draw a row for every set and method: the rate on top on the left, the number of variables on the right."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.05, column_widths=[0.6, 0.4])
    places = list(range(len(rows)))
    for place, row in zip(places, rows, strict=True):
        style = method_style(row.method)
        ours = (row.top, row.kept)
        printed = row.published
        theirs = (None, None) if printed is None else (printed.top, printed.n_features)
        for column, (found, published) in enumerate(zip(ours, theirs, strict=True), start=1):
            figure.add_scatter(
                x=[found.mean], y=[place], mode="markers", row=1, col=column, cliponaxis=False,
                marker={"size": 11, "symbol": style.marker, "color": style.colour},
                error_x={"type": "data", "array": [found.deviation], "color": style.colour, "thickness": 1.2},
                name=f"{in_plotly(row.set)}, {TITLES[row.method]}", hovertext=_hover(row),
                hovertemplate="%{hovertext}<extra></extra>",
            )  # fmt: skip
            if published is not None:
                figure.add_scatter(
                    x=[published], y=[place], mode="markers", row=1, col=column, cliponaxis=False,
                    marker={"size": 13, "symbol": f"{style.marker}-open", "color": MUTED, "line": {"width": 2}},
                    name="published", hovertemplate=f"{in_plotly(row.set)}, {TITLES[row.method]}<br>published: %{{x}}"
                    "<extra></extra>",
                )  # fmt: skip
    figure.update_yaxes(tickvals=places, ticktext=[_label(row) for row in rows],
                        range=[len(rows) - 0.4, -0.6])  # fmt: skip
    figure.update_xaxes(title="rate of positives on top", range=[0.0, 1.02], col=1)
    figure.update_xaxes(title="number of variables", rangemode="tozero", col=2)
    subtitle = (
        f"mean ± standard deviation over {max((row.n_splits for row in rows), default=0)} splits · grey and open: "
        "printed\nin brackets: significantly worse than the best (Wilcoxon's signed-rank test at 0.05)"
    )
    drawn = layout(figure, Words(table_sentence(rows), subtitle), height=170 + ROW * len(rows))
    drawn.update_layout(margin_l=230)
    return drawn


def _label(row: TopRow) -> str:
    name = f"{in_plotly(row.set)}: {TITLES[row.method]}"
    return f"({name})" if row.worse() else name


def _hover(row: TopRow) -> str:
    p = row.p_value
    against = "the best of this set" if p is None else f"p = {p:.3f} against the best of this set"
    return (
        f"<b>{in_plotly(row.set)}, {TITLES[row.method]}</b><br>on top {row.top.mean:.2f} ± {row.top.deviation:.2f}, "
        f"{row.kept.mean:.1f} ± {row.kept.deviation:.1f} variables<br>{against}"
    )


def table_sentence(rows: Sequence[TopRow]) -> str:
    """Say on how many sets the ℓ1 infinite push is not significantly worse than the best."""
    sets = {row.set: row for row in rows if row.method == REFERENCE}
    if not sets:
        return "Nothing has been computed yet"
    level = [name for name, row in sets.items() if not row.worse()]
    best = [name for name, row in sets.items() if row.p_value is None]
    return (
        f"{TITLES[REFERENCE]} is best on top on {len(best)} of {len(sets)} sets, and on "
        f"{len(level)} not significantly worse than the best"
    )
