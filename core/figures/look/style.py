"""The common style of all figures: colours and dashes by method, and formats of numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

import plotly.graph_objects as go

from core.data.naming import TITLES
from core.figures.look.colours import apart
from core.figures.look.drawing import Drawing
from core.methods import METHODS, Method
from core.methods.registry import FAMILIES
from core.names.plain import in_plotly, unit_words

Picture = TypeVar("Picture", go.Figure, Drawing)


@dataclass(frozen=True)
class MethodStyle:
    """Style of a method on every page: colour, dash and marker, so that none of them is needed alone."""

    colour: str
    dash: str
    marker: str


# Okabe-Ito hues, darkened or lightened until each has a contrast of 3 or more on white and on the dark theme. People
# know these, so they stay. No method is added here: `styles_of` finds a style for a new one.
KNOWN_STYLES: dict[str, MethodStyle] = {
    "l1": MethodStyle("#1B7FC4", "solid", "circle"),
    "log": MethodStyle("#D55E00", "dash", "diamond"),
    "mcp": MethodStyle("#009E73", "dot", "square"),
    "l0.5": MethodStyle("#C0659A", "dashdot", "triangle-up"),
    "scad": MethodStyle("#A87B00", "longdash", "triangle-down"),
    "infinite-push-l1": MethodStyle("#A94BD0", "solid", "diamond-tall"),
    "infinite-push-log": MethodStyle("#C2572B", "dash", "hourglass"),
    "infinite-push-mcp": MethodStyle("#3E8E5A", "dot", "star-square"),
    "infinite-push-l0.5": MethodStyle("#C2477F", "dashdot", "star-triangle-up"),
    "infinite-push-l2": MethodStyle("#5F879B", "longdashdot", "bowtie"),
    "infinite-push-rfe": MethodStyle("#7F7F2A", "longdash", "hexagram"),
    "fenchelrank": MethodStyle("#5E8C31", "solid", "cross"),
    "tgrank": MethodStyle("#6478D2", "dot", "triangle-left"),
    "rsrank": MethodStyle("#D3486E", "dash", "triangle-right"),
    "fsmrank": MethodStyle("#B5484F", "longdash", "star"),
    "fsmsvm": MethodStyle("#8E6BBF", "dash", "star-diamond"),
    "gas-e": MethodStyle("#2A8C9E", "dashdot", "hexagon"),
    "fs-rank": MethodStyle("#9A6A4F", "dot", "pentagon"),
    "l2-arom": MethodStyle("#B0722E", "solid", "diamond-wide"),
    "rwfs-l1": MethodStyle("#3E86A8", "dashdot", "diamond-tall"),
    "rwfs-l0": MethodStyle("#BE55BA", "longdash", "hourglass"),
    "liblinear-l1": MethodStyle("#6F8F1F", "dot", "bowtie"),
    "l2": MethodStyle("#7A7F87", "longdashdot", "x"),
    "best-subset": MethodStyle("#A361FB", "longdashdot", "octagon"),
    "l0": MethodStyle("#A97E91", "longdashdot", "star-triangle-down"),
    "forward": MethodStyle("#6054EC", "solid", "hexagon2"),
    "rfe": MethodStyle("#DF2414", "dash", "triangle-ne"),
    "elimination": MethodStyle("#8E9065", "dashdot", "circle"),
    "exchange": MethodStyle("#816688", "longdash", "square"),
}
# For methods to come: read on both themes, unlike the colours of all features, and five of them unlike any family.
SPARE_COLOURS = (
    "#8451C9", "#C452DD", "#F53A51", "#8B81C5", "#4B67FA", "#296CD8", "#9F7BBA", "#A88467", "#916369", "#527D65",
    "#7E8BB1", "#914BBE",
)  # fmt: skip
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = (
    "circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down", "triangle-left", "triangle-right",
    "pentagon", "hexagon", "octagon", "star", "hexagram", "star-square", "star-diamond", "star-triangle-up",
    "star-triangle-down", "diamond-tall", "diamond-wide", "hourglass", "bowtie", "hexagon2", "triangle-ne",
)  # fmt: skip


def styles_of(
    methods: Sequence[Method], families: Iterable[Iterable[Method]], known: Mapping[str, MethodStyle]
) -> dict[str, MethodStyle]:
    """The style of every method, by its id: the known one, or one unlike those of its family and of all before it.

    Methods without a known style choose one in their order, so one that comes later changes no style. Those of a family
    stand in the same pictures.
    """
    kin = {method.id: {other.id for other in family} for family in map(tuple, families) for method in family}
    styles = {method.id: known[method.id] for method in methods if method.id in known}
    for method in methods:
        if method.id not in styles:
            family = [style for other, style in styles.items() if other in kin[method.id]]
            styles[method.id] = _new_style(family, [*styles.values()])
    return {method.id: styles[method.id] for method in methods}


def _new_style(family: Sequence[MethodStyle], every: Sequence[MethodStyle]) -> MethodStyle:
    """A colour that no feature has, and a dash and a marker that the family uses least, not both another method's."""
    taken = {(style.dash, style.marker) for style in every}
    dashes, markers = [style.dash for style in family], [style.marker for style in family]
    used = [style.marker for style in every]
    dash, marker = min(
        (pair for pair in product(DASHES, MARKERS) if pair not in taken),
        key=lambda pair: (markers.count(pair[1]), dashes.count(pair[0]), used.count(pair[1])),
    )
    taken_colours = {style.colour for style in every}
    free = [colour for colour in SPARE_COLOURS if colour not in taken_colours] or SPARE_COLOURS
    colour = max(free, key=lambda one: min((apart(one, style.colour) for style in family), default=0.0))
    return MethodStyle(colour, dash, marker)


METHOD_STYLES = styles_of(METHODS, FAMILIES.values(), KNOWN_STYLES)
OTHER_STYLE = MethodStyle("#5E8C31", "solid", "cross")
MUTED = "#8A8F98"


def silent(
    x: Any, y: Any, width: float = 1, colour: str = MUTED, dash: str | None = None, **more: Any
) -> dict[str, Any]:
    """A line of which nothing is said on hover, as the properties of a trace."""
    line = {"color": colour, "width": width} | ({"dash": dash} if dash else {})
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip"} | more


# Nearly black. In the app Streamlit's theme for charts knows it, and puts the page's colour of letters in its place.
INK = "#000037"


CERTIFICATES = {"duality gap": "gap", "stationarity": "residual"}  # where there is room for one word


def certificate_label(kind: str, share_of: str, among: str | None) -> str:
    """Return what a certificate's relative value is of, and among which models it holds.

    For example "gap / objective, on these features".
    """
    return f"{CERTIFICATES[kind]} / {unit_words(share_of).removeprefix('the ')}" + (f", {among}" if among else "")


def certificate_name(kind: str, among: str | None) -> str:
    """Return the short name of a certificate where `certificate_help` stands beside it: "gap, on these features"."""
    return CERTIFICATES[kind] + (f", {among}" if among else "")


def certificate_help(kind: str, share_of: str) -> str:
    """Return what the number of a certificate says, in a sentence."""
    share = f"as a share of {unit_words(share_of)}"
    if kind == "duality gap":
        return f"Duality gap: how far the objective is above the lowest possible one at most, {share}"
    return f"Residual of stationarity: how far the slope of the objective is from 0, {share}"


def method_style(method: str) -> MethodStyle:
    """Return the style of a method, or one common style for methods without their own."""
    return METHOD_STYLES.get(method, OTHER_STYLE)


def counting(convention: str) -> str:
    """How measures are counted, for the title of an axis: "LETOR 4.0"."""
    return TITLES.get(convention, convention)


def seconds(value: float) -> str:
    """Write a duration with two significant digits and its unit."""
    if value < 1.0:
        return f"{value * 1000:.2g} ms" if value * 1000 < 99.5 else f"{value * 1000:.0f} ms"
    return f"{value:.2g} s" if value < 99.5 else f"{value:,.0f} s"


STAR_MARK: dict[str, Any] = {"symbol": "star", "size": 14, "color": "#E3A008", "line": {"width": 1, "color": INK}}
"""Of the model that validation picks, in every picture."""
TITLE_LINE, SUBTITLE_LINE = 23, 22  # heights in pixels
ABOVE = 18  # pixels between the heading and the plot: the handle of C stands there
CHARACTERS = (110, 150)  # a line of title and subtitle, where the picture is 1000 pixels wide


@dataclass(frozen=True)
class Words:
    """What a picture says, computed from its numbers: plain text, with names as they are."""

    title: str
    """What is seen."""
    subtitle: str = ""
    """What it is: data, fold, method, C, convention. Lines are kept."""
    alt: str = ""
    """For screen readers: what is seen and how it is drawn, in a sentence."""


NO_WORDS = Words("")


@dataclass(frozen=True)
class Heading:
    """Title and subtitle of a figure."""

    title: str
    """What is seen, in one sentence."""
    subtitle: tuple[str, ...]
    """What the picture is; one line each."""
    size: float
    """Of the title's letters, in pixels."""
    height: int
    """Pixels that it takes in the picture."""


def wrapped(text: str, longest: int) -> list[str]:
    """Wrap text to lines of at most ``longest`` characters; what stood on a line of its own still does."""
    return [line for part in text.split("\n") for line in textwrap.wrap(part, longest)]


def heading_text(words: Words, characters: tuple[int, int]) -> str:
    """Format a bold title and a small subtitle, with at most ``characters`` in a line of each."""
    titles, subtitles = (
        [in_plotly(line) for line in wrapped(text, longest)]
        for text, longest in zip((words.title, words.subtitle), characters, strict=True)
    )
    return "<br>".join([f"<b>{'<br>'.join(titles)}</b>", *(f"<sup>{line}</sup>" for line in subtitles)])


def heading(figure: go.Figure) -> Heading | None:
    """Return the title and subtitle that `layout` was given, to be written beside the figure; None if it has none."""
    words = figure.layout.meta or {}
    if not words.get("title"):
        return None
    return Heading(
        title=words["title"],
        subtitle=tuple(filter(None, words["subtitle"].split("\n"))),
        size=figure.layout.title.font.size,
        height=title_height(figure.layout),
    )


def title_height(parts: Any) -> int:
    """Return the height of title and subtitle in a figure with this layout, or these parts of one, in pixels."""
    text = parts["title"]["text"]
    subtitles = text.count("<sup>")
    titles = text.count("<br>") + 1 - subtitles
    return int(TITLE_LINE * titles + SUBTITLE_LINE * subtitles)


def layout(
    figure: Picture,
    words: Words = NO_WORDS,
    *,
    height: int = 420,
    characters: tuple[int, int] = CHARACTERS,
    **more: Any,
) -> Picture:
    """Apply the common layout, and return the figure: title with what is seen, subtitle, subtle grid, no frame.

    Title and subtitle are kept as they are for `heading`; in the picture they are wrapped at so many ``characters``.
    ``height`` is in pixels; ``more`` is what else the layout has.
    """
    figure.update_layout(layout_parts(words, height, characters))
    figure.update_xaxes(AXIS)
    figure.update_yaxes(AXIS)
    return figure.update_layout(**more)


AXIS: dict[str, Any] = {
    "showgrid": True,
    "gridcolor": "rgba(128,128,128,0.18)",
    "zeroline": False,
    "minorloglabels": "complete",  # by default 2 and 5 stand between all powers of ten alike
}

DECADES: dict[str, Any] = {"type": "log", "exponentformat": "e", "dtick": 1}
"""Of an axis with numbers at powers of ten alone."""
ZERO: dict[str, Any] = {"zeroline": True, "zerolinecolor": "rgba(128,128,128,0.6)"}
"""Of an axis whose zero is seen."""


def layout_parts(words: Words, height: int, characters: tuple[int, int] = CHARACTERS) -> dict[str, Any]:
    """Return the parts of `layout` without the axes (see `AXIS`), for figures assembled from parts."""
    text = {"text": heading_text(words, characters)}
    return {
        "title": {**text, "x": 0, "xanchor": "left", "xref": "container", "font": {"size": 17}},
        "meta": {"title": words.title, "subtitle": words.subtitle},
        "height": height,
        "margin": {"l": 60, "r": 24, "t": max(64, title_height({"title": text}) + ABOVE), "b": 52},
        "showlegend": False,
        "hovermode": "closest",
        "font": {"size": 14, "color": INK},
    }


# Readable on both themes, unlike the colours of all methods, and as different from each other as such colours can be,
# the most different ones first. Solvers of different methods may share one.
COLOURS = ("#4B67FA", "#F53F2D", "#309210", "#BD35B6", "#6B92AD", "#966626", "#BE728A", "#7B63A3")


@lru_cache(maxsize=1)
def known_styles() -> dict[str, MethodStyle]:
    """Return the style of every solver, by its id.

    Solvers of one method differ in colour, dash and marker, as far as there are enough. A solver that several methods
    share looks the same everywhere.
    """
    teams = [[solver.id for solver in method.solvers] for method in METHODS]
    styles: dict[str, MethodStyle] = {}
    for solver in dict.fromkeys(solver for team in teams for solver in team):
        rivals = {rival for team in teams if solver in team for rival in team}
        near = [style for other, style in styles.items() if other in rivals]
        styles[solver] = MethodStyle(
            _rarest(COLOURS, [style.colour for style in near]),
            _rarest(DASHES, [style.dash for style in near]),
            _rarest(MARKERS, [style.marker for style in near]),
        )
    return styles


def _rarest(of: Sequence[str], used: Sequence[str]) -> str:
    return min(of, key=list(used).count)


def solver_style(solver_id: str) -> MethodStyle:
    """Return the style of a solver; raise a KeyError if no method has it."""
    return known_styles()[solver_id]
