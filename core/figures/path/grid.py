"""Grid of panels in a path figure: weights above a lower panel for a measure, in rows of two."""

from __future__ import annotations

from dataclasses import dataclass

AIR = 8  # pixels beneath the figure's title
FOOT = 64  # ticks and axis title
LABELS = 144  # beside each panel
COLUMNS = 2
GUTTER = 0.2  # share of the width between columns, for labels and ticks


@dataclass(frozen=True)
class Block:
    """Heights in a row of panels, in pixels.

    Attributes
    ----------
    head : int
        The panel's title, its top axis and the handle.
    weights, between, metric : int
    """

    head: int
    weights: int
    between: int
    metric: int

    @property
    def height(self) -> int:
        """The whole row."""
        return self.head + self.weights + self.between + self.metric


HIGH = Block(head=62, weights=278, between=22, metric=150)
LOW = Block(head=84, weights=164, between=12, metric=86)
"""Where there are two rows: a laptop's window has room for both."""
STACKED = Block(head=126, weights=220, between=24, metric=100)
"""Where panels stand one under the other on a narrow screen: the handle lies over each head."""


@dataclass(frozen=True)
class Cell:
    """One method's pair of axes, in shares of the plotting area (0 at the left and the bottom).

    Attributes
    ----------
    left, right : float
    weights, metric : tuple of float
        Bottom and top.
    first_in_row, lowest : bool
        Whether it shows titles and numbers of its y axes, and of its x axis.
    """

    left: float
    right: float
    weights: tuple[float, float]
    metric: tuple[float, float]
    first_in_row: bool
    lowest: bool


@dataclass(frozen=True)
class Grid:
    """All cells, the heights in a row of them, that of the whole picture, and that of its title, in pixels."""

    cells: tuple[Cell, ...]
    block: Block
    height: int
    top: int


def path_grid(n: int, top: int, most_columns: int = COLUMNS) -> Grid:
    """Lay out cells for ``n`` methods, row by row, beneath a title of ``top`` pixels."""
    columns = min(n, most_columns)
    rows = -(-n // columns)
    block = HIGH if rows == 1 else STACKED if columns == 1 else LOW
    inner = rows * block.height
    width = (1.0 - (columns - 1) * GUTTER) / columns

    def cell(i: int) -> Cell:
        row, column = divmod(i, columns)
        left = column * (width + GUTTER)
        above = row * block.height + block.head
        metric_top = above + block.weights + block.between
        return Cell(
            left=left,
            right=left + width,
            weights=(1.0 - (above + block.weights) / inner, 1.0 - above / inner),
            metric=(max(1.0 - (metric_top + block.metric) / inner, 0.0), 1.0 - metric_top / inner),
            first_in_row=column == 0,
            lowest=i + columns >= n,
        )

    return Grid(tuple(cell(i) for i in range(n)), block, inner + top + FOOT, top)
