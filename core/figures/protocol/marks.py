"""Common parts of a run's figures: their base, and one mark a method and dataset, with names beside them."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, TypeVar

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.results.caveats import caveats_legend, grid_end_words, signs, unfinished_words
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.figures.look.labels import AROUND, NUMBER, beside_height, beside_room, name_labels, names_beside, told
from core.figures.look.style import METHOD_STYLES, MUTED, MethodStyle, Words, layout, silent
from core.figures.picture import Picture, refuse
from core.figures.tradeoff.axes import FRONT
from core.names.plain import in_file_name, in_plotly

Lines = Sequence[MethodLine]
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class RunPicture(Picture[Found], ABC):
    """A picture of all datasets of a run."""

    run: Run

    @property
    def lines(self) -> Lines:
        """What is finished."""
        return self.run.lines

    def result(self, needed: Mapping[str, Any]) -> Any:
        """What is finished, unless the picture is of something else."""
        return self.lines

    def check(self) -> None:
        super().check()
        refuse(not self.run.lines, "nothing of the run is finished")

    def subject(self) -> str:
        return f"The protocol on {', '.join(dataset.name for dataset in self.run.plan.datasets)}"


@dataclass(frozen=True, eq=False)
class DatasetPicture(RunPicture[Found], ABC):
    """A picture of one dataset of a run.

    Parameters
    ----------
    run : Run
    dataset : str, optional
        By default the first.
    """

    dataset: str | None = None

    @property
    def shown(self) -> str:
        """The name of the dataset, by default the first of the run."""
        return self.dataset or self.run.plan.datasets[0].name

    @property
    def lines(self) -> Lines:
        """The lines of the dataset."""
        return self.run.lines_of(self.shown)

    @property
    def chart_key(self) -> str:
        return f"{self.chart}_{in_file_name(self.shown).replace('.', '-')}"

    def check(self) -> None:
        super().check()
        names = [dataset.name for dataset in self.run.plan.datasets]
        refuse(self.shown not in names, f"the run has no dataset {self.dataset!r}; it has {', '.join(names)}")
        refuse(not self.lines, f"nothing of the run is finished on {self.shown}")


REFERENCE_STYLE = MethodStyle(MUTED, "dot", "circle-cross")
"""Style of rows that are no method of the registry: a neutral grey."""
PANEL_HEIGHT, MOST_ACROSS = 330, 3
BETWEEN, BELOW = 96, 66  # pixels: between rows of panels, and of the axis below the last one
LONGEST_NAME = 30


def line_styles(labels: Sequence[str]) -> dict[str, MethodStyle]:
    """Return the style of every method by its label; further settings of the same method have open marks."""
    styles: dict[str, MethodStyle] = {}
    seen: set[str] = set()
    for label in dict.fromkeys(labels):
        method = label.partition(":")[0]
        style = METHOD_STYLES.get(method, REFERENCE_STYLE)
        if method in seen:
            style = MethodStyle(style.colour, "dot", f"{style.marker.removesuffix('-open')}-open")
        styles[label] = style
        seen.add(method)
    return styles


def by_dataset(lines: Sequence[MethodLine]) -> dict[str, list[MethodLine]]:
    """Group the lines by dataset, in their order."""
    found: dict[str, list[MethodLine]] = {}
    for line in lines:
        found.setdefault(line.dataset, []).append(line)
    return found


def marked_name(line: MethodLine, titles: Mapping[str, str]) -> str:
    """Return the title with the signs of its caveats, and with the number of folds if some are missing."""
    title = " ".join(filter(None, [titles.get(line.choice.label, line.choice.label), signs(line)]))
    return title if line.complete else f"{title}, {len(line.results)} of {line.n_folds} folds"


def with_legend(subtitle: str, lines: Sequence[MethodLine]) -> str:
    """Return the subtitle with the meaning of the signs that `marked_name` gives."""
    return "\n".join(filter(None, [subtitle, caveats_legend(lines)]))


def _caveats(line: MethodLine) -> str:
    """Return further lines of a mark's text on hover: unfinished models, and choices at the end of their grid."""
    unfinished, ends = unfinished_words(line), grid_end_words(line)
    found = [f"unfinished: {unfinished}"] if unfinished else []
    found += [f"chosen at the grid's end: {ends}"] if ends else []
    return "".join(f"<br>{in_plotly(words)}" for words in found)


@dataclass(frozen=True)
class Upwards:
    """What a picture of methods over the sparsity ratio draws upwards."""

    value: Callable[[MethodLine], float]
    """Where the mark of a line stands."""
    bar: Callable[[MethodLine, Lines], dict[str, Any]]
    """The bar of a line, among those of its dataset, as plotly has it."""
    hover: Callable[[MethodLine], str]
    """What the mark of a line says."""
    axis: Callable[[Lines], dict[str, Any]]
    """The axis of a dataset's lines, with its title and its ``range``."""
    log: bool = False


def marks_figure(
    lines: Lines,
    titles: Mapping[str, str],
    up: Upwards,
    heads: Sequence[str],
    *,
    front: Callable[[Lines], Lines] | None = None,
    words: Words,
) -> go.Figure:
    """Draw one panel a dataset; a mark carries the method's label as ``customdata``.

    Horizontal bars are the standard deviation of the sparsity ratio. Dotted: the mean over methods, as in Figs. 2 and 3
    of the papers. Marks of methods with missing folds are faint and count in neither mean nor front. ``titles`` are
    names for people by label (`core.experiments.run.cells.choice_titles`), ``heads`` those of the panels; ``front``
    picks of the lines of a dataset those that a grey staircase joins.
    """
    datasets = by_dataset(lines)
    figure, places = panels(heads)
    styles = line_styles([line.choice.label for line in lines])
    named: set[str] = set()
    for (name, here), (row, column) in zip(datasets.items(), places, strict=True):
        at = {"row": row, "col": column}
        right = 1.06 * max(min(line.sparsity_ratio.mean + line.sparsity_ratio.deviation, 1.0) for line in here) or 1.0
        if front is not None and (best := front(here)):
            heights = [up.value(line) for line in best]
            ratios = [*(line.sparsity_ratio.mean for line in best), right]
            figure.add_scatter(
                **silent(ratios, [*heights, heights[-1]], 10, FRONT, name="Pareto front", showlegend=False),
                line_shape="hv", **at,
            )  # fmt: skip
        if complete := [up.value(line) for line in here if line.complete]:
            dotted = silent([0.0, right], [mean(complete)] * 2, 1.2, dash="dot", showlegend=False)
            figure.add_scatter(**dotted, name="mean of the methods", **at)
        for line in here:
            label, style = line.choice.label, styles[line.choice.label]
            bars = {"thickness": 1, "width": 3, "color": style.colour}
            edge = {"width": 1.5, "color": style.colour}
            figure.add_scatter(
                x=[line.sparsity_ratio.mean],
                y=[up.value(line)],
                mode="markers",
                marker={"size": 12, "symbol": style.marker, "color": style.colour, "line": edge},
                error_x={"array": [line.sparsity_ratio.deviation], **bars},
                error_y=up.bar(line, here) | bars,
                opacity=1.0 if line.complete else 0.45,
                name=titles.get(label, label),
                legendgroup=label,
                showlegend=label not in named,
                customdata=[[label, name]],
                **told(marked_name(line, titles), [f"{up.hover(line)}{_caveats(line)}"]),
                **at,
            )
            named.add(label)
        axis = up.axis(here)
        figure.update_xaxes(title="sparsity ratio", range=[0.0, right], tickformat=NUMBER, **at)
        figure.update_yaxes(axis | {"title": axis["title"] if column == 1 else None}, **at)
        if len(datasets) == 1:
            marks = [(line.sparsity_ratio.mean, up.value(line)) for line in here]
            names = name_labels([marked_name(line, titles) for line in here], range(len(here)), LONGEST_NAME)
            low, high = axis["range"]
            looks = [styles[line.choice.label] for line in here]
            for leader, note in names_beside(marks, names, looks, right, low, high, log=up.log):
                figure.add_scatter(**leader, showlegend=False)
                figure.add_annotation(**note)
    if len(datasets) <= 1:
        longest = max((min(len(marked_name(line, titles)), LONGEST_NAME) for line in lines), default=3)
        return layout(figure, words, height=beside_height(len(lines)), margin_r=beside_room(longest))
    down = panel_rows(len(datasets))
    legend = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": -BELOW / (PANEL_HEIGHT * down)}
    drawn = layout(figure, words, height=AROUND + PANEL_HEIGHT * down, showlegend=True, legend=legend, margin_b=90)
    return drawn.update_layout(margin_t=drawn.layout.margin.t + 36)


def panels(names: Sequence[str]) -> tuple[go.Figure, list[tuple[int, int]]]:
    """Make a figure with a named panel each, and return the row and column of each."""
    down = panel_rows(len(names))
    across = math.ceil(len(names) / down) or 1
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=list(map(in_plotly, names)) if len(names) > 1 else None,
        horizontal_spacing=0.09,
        vertical_spacing=BETWEEN / (PANEL_HEIGHT * down),
    )
    return figure, [(k // across + 1, k % across + 1) for k in range(len(names))]


def panel_rows(n_datasets: int) -> int:
    """Return the number of rows of panels, at least one."""
    return max(math.ceil(n_datasets / MOST_ACROSS), 1)
