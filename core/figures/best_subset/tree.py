"""Figure of a growing search tree: every part of the models at the height of its bound, beneath the best model."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.best_subset.growing_tree import SearchNode, State, TreeSoFar
from core.analysis.best_subset.points import BEST
from core.figures.look.drawing import Drawing
from core.figures.look.names import name_labels
from core.figures.look.style import MUTED, layout, method_style
from core.names.plain import in_plotly

WORDS: dict[State, str] = {
    "open": "still to be examined",
    "split": "split into smaller parts",
    "cut": "cut off: no set in it is better than the best so far",
    "set": "a single set, fitted",
}
BESIDE = 70  # pixels at the right, where the line of the best set has its name
NAMED = 10  # children of the root that have names
ABOVE = 0.12  # of the picture's height above the best model, where parts that are cut off stand


def places(nodes: Sequence[SearchNode]) -> list[float]:
    """Return each node's place across: ends of branches side by side, every other node over the middle of its own."""
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes):
        if node.parent >= 0:
            children[node.parent].append(number)
    across = [0.0] * len(nodes)
    ends = 0
    stack = [(0, False)] if nodes else []
    while stack:
        number, below_done = stack.pop()
        if not children[number]:
            across[number] = float(ends)
            ends += 1
        elif below_done:
            across[number] = (across[children[number][0]] + across[children[number][-1]]) / 2.0
        else:
            stack.append((number, True))
            stack += [(child, False) for child in reversed(children[number])]
    return across


def tree_figure(tree: TreeSoFar, names: Sequence[str], *, title: str = "", subtitle: str = "") -> go.Figure:
    """Draw the tree. Up is the bound of a part; a part above the line of the best model is cut off.

    Parameters
    ----------
    tree : TreeSoFar
    names : sequence of str, length n_features
    """
    figure = Drawing()
    nodes, style = tree.nodes, method_style(BEST)
    low = min((node.bound for node in nodes), default=tree.objective)
    room = max(tree.first_objective - low, 1e-6 * tree.objective)
    top = tree.first_objective + ABOVE * room
    across, up = places(nodes), [min(node.bound, top) for node in nodes]
    edges = [(node.parent, number) for number, node in enumerate(nodes) if node.parent >= 0]
    figure.add_scatter(
        x=[x for above, below in edges for x in (across[above], across[below], None)],
        y=[y for above, below in edges for y in (up[above], up[below], None)],
        mode="lines",
        line={"color": MUTED, "width": 1},
        opacity=0.6,
        hoverinfo="skip",
        name="parts of a part",
    )
    looks: dict[State, dict[str, object]] = {
        "cut": {"symbol": "x-thin", "size": 8, "color": MUTED, "line": {"width": 2, "color": MUTED}},
        "split": {"symbol": "circle", "size": 9, "color": MUTED},
        "open": {"symbol": "circle-open", "size": 12, "color": style.colour, "line": {"width": 3}},
        "set": {"symbol": "square", "size": 11, "color": style.colour},
    }
    for state, look in looks.items():
        members = [number for number, node in enumerate(nodes) if node.state == state]
        figure.add_scatter(
            x=[across[number] for number in members],
            y=[up[number] for number in members],
            mode="markers",
            marker=look | {"opacity": 1.0},
            name=WORDS[state],
            hovertext=[_hover(nodes[number], names) for number in members],
            hovertemplate=f"<b>{WORDS[state]}</b><br>%{{hovertext}}<extra></extra>",
            cliponaxis=False,
        )
    figure.add_hline(y=tree.objective, line={"color": style.colour, "width": 2.4})
    figure.add_annotation(
        x=1.0, xref="paper", xanchor="left", xshift=6, y=tree.objective, yanchor="middle", showarrow=False,
        text=f"best set{'' if tree.proven else '<br>so far'}<br>{tree.objective:.5g}", align="left",
        font={"color": style.colour, "size": 13},
    )  # fmt: skip
    for number, node in [pair for pair in enumerate(nodes) if pair[1].parent == 0][:NAMED]:
        if node.outside is not None and len(nodes) <= 4 * NAMED:
            figure.add_annotation(
                x=across[number], y=up[number], yanchor="top", yshift=-8, showarrow=False, font={"size": 12},
                text=f"without {name_labels(names, [node.outside])[0]}",
            )  # fmt: skip
    last = max(across, default=0.0)
    figure.update_xaxes(range=[-0.6 - 0.03 * last, last + 0.6 + 0.03 * last], showticklabels=False, ticks="")
    figure.update_yaxes(title="lower bound of the objective", range=[low - 0.12 * room, top + 0.1 * room])
    drawn = layout(figure, title=title, subtitle=subtitle, height=480)
    return drawn.update_xaxes(showgrid=False).update_layout(margin_r=BESIDE).figure()


def _hover(node: SearchNode, names: Sequence[str]) -> str:
    inside = "<br>".join(f"with {in_plotly(names[j])}" for j in node.inside)
    outside = "" if node.outside is None else f"<br>without {in_plotly(names[node.outside])}"
    free = "" if node.free == 0 else f"<br>{node.free} features may be in or out"
    return f"bound {node.bound:.6g}<br>{inside or 'no feature is given'}{outside}{free}"


def tree_words(tree: TreeSoFar) -> str:
    """Return what has been looked at, cut off and is still open."""
    looked = tree.count("split") + tree.count("set")
    start = f"{looked} {'part' if looked == 1 else 'parts'} examined, {tree.count('cut')} cut off"
    if tree.proven:
        return f"{start}: {tree.objective:.5g} is proven to be the lowest objective, to 1e-5"
    between = f"{tree.bound:.5g} and {tree.objective:.5g}"
    return f"{start}, {tree.count('open')} still open: the lowest objective lies between {between}"
