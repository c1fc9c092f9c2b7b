"""What the pictures of two features have in common: method, parameters and pair, and a short title."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass
from functools import cached_property
from typing import TypeVar

from core.analysis.penalties.pair import FeaturePair
from core.analysis.penalties.penalty_shape import penalty_methods, penalty_of
from core.data.ranking_data import FloatArray
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import Method, get_method
from core.names.numbers import short
from core.penalties import Penalty

Parameters = Mapping[str, float]
Names = tuple[str, str]
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class PairPicture(Picture[Found], ABC):
    """A picture of a method on two features at a share of lambda_max."""

    method: str
    _: KW_ONLY
    ratio: float = option(MISSING)
    parameters: Parameters | None = option(None)
    pair: FeaturePair | None = option(None)
    headed: bool = aside(False)
    """Whether the page has the title as its headline, and says beside the picture which data it is."""

    @property
    def under(self) -> Method:
        """The method."""
        return get_method(self.method)

    @property
    def penalty(self) -> Penalty:
        """Its penalty."""
        return penalty_of(self.under, self.settings)

    @property
    def settings(self) -> Parameters:
        """The parameters that are given."""
        return self.parameters or {}

    @cached_property
    def two(self) -> FeaturePair:
        """The pair, by default the one that is made up."""
        return self.pair or FeaturePair()

    def check(self) -> None:
        super().check()
        known_penalty(self.method)
        self.under.settings(self.settings)
        if not 0.0 < self.ratio <= 1.0:
            msg = f"ratio is a share of lambda_max, above 0 and at most 1, not {self.ratio}"
            raise ValueError(msg)
        _ = self.two.training

    def subject(self) -> str:
        return f"{self.under.title} on two {'made-up ' if self.two.data is None else ''}features"

    def worded(self, sentence: str, brief: str, ratio: float, drawn: str = "") -> Words:
        """The sentence as title, or the ``brief`` one where the page has the sentence as its headline."""
        if self.headed:
            return Words(brief, "", sentence)
        pairs = f"{self.two.training.data.n_pairs:,} preference pairs"
        where = "two redundant features, made up" if self.two.data is None else " and ".join(self.two.names)
        return Words(sentence, said(drawn, where, self.two.used, pairs, f"λ = {short(ratio)} λ_max"), sentence)


def known_penalty(method: str) -> None:
    """Refuse a method whose penalty is no curve of one weight.

    Raises
    ------
    ValueError
        If it has none, or there is no such method.
    """
    get_method(method)
    ids = [one.id for one in penalty_methods()]
    if method not in ids:
        msg = f"{method} has no penalty of one weight to draw; these have: {', '.join(ids)}"
        raise ValueError(msg)


def kept_of_two(names: Names, weights: FloatArray) -> str:
    """Say which of the two features a model keeps."""
    kept = weights != 0.0
    if kept.all():
        return "both features"
    return f"{names[0]} only" if kept[0] else f"{names[1]} only" if kept[1] else "no feature"
