"""Where a part of the Penalties page draws: its headline over the tools, its picture, and the words beside it."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator


@dataclass(frozen=True, eq=False)
class Places:
    """The places of a part.

    Attributes
    ----------
    head : DeltaGenerator
        For one sentence that says what is seen.
    left, right : DeltaGenerator
        Both within the place of the page's picture: the picture, and what is read beside it.
    """

    head: DeltaGenerator
    left: DeltaGenerator
    right: DeltaGenerator
