"""A figure together with the numbers it draws, as a notebook shows and saves it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import pandas as pd
import plotly.graph_objects as go

from core.names.tables import frame_csv

Figure: TypeAlias = go.Figure
"""A plotly figure, for those who hand one on."""


class Drawn:
    """Base of everything that has a figure, and the same numbers as a table."""

    figure: go.Figure
    table: pd.DataFrame

    def show(self) -> None:
        """Open the figure in a browser, or draw it in a notebook."""
        self.figure.show()

    def save(self, name: str | Path) -> None:
        """Write the table to ``name``.csv with every digit, and the interactive figure to ``name``.html."""
        Path(f"{name}.csv").write_text(frame_csv(self.table), encoding="utf-8", newline="")
        self.figure.write_html(f"{name}.html")

    def _repr_html_(self) -> str:
        drawn: str = self.figure.to_html(full_html=False, include_plotlyjs="cdn")
        return drawn
