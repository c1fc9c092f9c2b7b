"""Figure of means over folds against the number of features, each with its band (FSMRank's Figs. 1-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.tradeoff.fold_truncation import SizeMean
from core.figures.look.drawing import Drawing
from core.figures.look.style import method_style
from core.names.counted import features

BAND = "one standard error of the mean to either side"
BAND_OPACITY = 0.16

Means = Mapping[str, Sequence[SizeMean]]


def add_means(
    figure: go.Figure | Drawing, means: Sequence[SizeMean], *, method: str, name: str, row: int | None = None,
    col: int | None = None,
) -> None:  # fmt: skip
    """Draw one method's line and its band.

    Parameters
    ----------
    figure : plotly Figure or Drawing
    means : sequence of SizeMean
    method : str
        Id, which decides colour and dash.
    name : str
        Name for people.
    row, col : int, optional
        Position of the panel, if the figure has several.
    """
    style = method_style(method)
    sizes = [mean.size for mean in means]
    figure.add_scatter(
        x=[*sizes, *reversed(sizes)],
        y=[*(m.value.mean + m.value.reach for m in means), *(m.value.mean - m.value.reach for m in reversed(means))],
        fill="toself", fillcolor=_faint(style.colour), mode="lines", line={"width": 0}, hoverinfo="skip",
        name=f"{name}, band", legendgroup=name, showlegend=False, row=row, col=col,
    )  # fmt: skip
    figure.add_scatter(
        x=sizes, y=[mean.value.mean for mean in means], mode="lines+markers", name=name, legendgroup=name,
        line={"color": style.colour, "width": 2.2, "dash": style.dash},
        marker={"size": 6, "symbol": style.marker, "color": style.colour},
        hovertext=[_hover(mean) for mean in means], hovertemplate=f"<b>{name}</b><br>%{{hovertext}}<extra></extra>",
        row=row, col=col,
    )  # fmt: skip


def best_at_sentence(means: Means, titles: Mapping[str, str], measure: str, size: int) -> str:
    """Say which method has the highest mean with at most ``size`` features, and which are within its standard error."""
    at = {label: found for label, row in means.items() if (found := value_at(row, size)) is not None}
    if not at:
        return f"No method has a model with at most {features(size)} on every fold"
    best = max(at, key=lambda label: at[label].value.mean)
    value = at[best].value
    near = [titles[label] for label in at if label != best and at[label].value.mean >= value.mean - value.reach]
    sentence = f"With at most {features(size)} {titles[best]} has the highest mean {measure}, {value.mean:.4f}"
    return f"{sentence}; {_listed(near)} within its standard error" if near else sentence


def value_at(means: Sequence[SizeMean], size: int) -> SizeMean | None:
    """Return the mean with at most ``size`` features; None if every mean has more."""
    within = [mean for mean in means if mean.size <= size]
    return within[-1] if within else None


def method_of(label: str) -> str:
    """Return the id of the method at the start of a label."""
    return label.partition(":")[0]


def _listed(names: Sequence[str]) -> str:
    joined = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{joined} {'is' if len(names) == 1 else 'are'}"


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{BAND_OPACITY})"


def _hover(mean: SizeMean) -> str:
    value = mean.value
    told = "" if value.error is None else f" (standard error of {mean.n_folds} folds)"
    return f"at most {features(mean.size)}<br>{value.words}{told}, {value.low:.4f} to {value.high:.4f}"
