"""A figure as a fragment of an HTML page that has loaded Plotly, with its title as text."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from core.figures.look.style import heading

LEAST_MARGIN = 16  # pixels above a picture without its title


def drawing_script() -> str:
    """Return the JavaScript that a page needs once for all its fragments; 4 MB."""
    return str(get_plotlyjs())


def figure_fragment(figure: go.Figure, name: str) -> str:
    """Return a ``<figure>``: title and subtitle as a caption that wraps, and the picture without them, full width.

    Parameters
    ----------
    figure : plotly Figure
        A figure of this package; it is not changed.
    name : str
        Unique id on the page, and file name of a saved picture.
    """
    words = heading(figure)
    drawn = go.Figure(figure)
    drawn.update_layout(paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", title=None)
    caption = ""
    if words is not None:
        top = max(figure.layout.margin.t - words.height, LEAST_MARGIN)
        drawn.update_layout(margin_t=top, height=figure.layout.height - (figure.layout.margin.t - top))
        lines = "<br>".join(html.escape(line) for line in words.subtitle)
        caption = f"<figcaption><b>{html.escape(words.title)}</b><span>{lines}</span></figcaption>"
    config = {
        "displaylogo": False,
        "responsive": True,
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    chart = drawn.to_html(full_html=False, include_plotlyjs=False, config=config, div_id=name)
    # A polygon can be seen at any width; what has axes is not squeezed below that of its labels.
    kind = "chart round" if any(trace.type == "scatterpolar" for trace in figure.data) else "chart"
    return f'<figure>{caption}<div class="{kind}">{chart}</div></figure>'
