"""Base of the pictures of a search among sets of features with a ridge."""

from __future__ import annotations

from dataclasses import KW_ONLY, MISSING, dataclass

from core.analysis.best_subset.certified_path import refuse_too_many
from core.data import Convention, Fold
from core.figures.picture import Found, Picture, option


@dataclass(frozen=True, eq=False)
class SearchPicture(Picture[Found]):
    """A picture of sets of features of a fold, all fitted with one ridge, which is given as lambda / lambda_max."""

    fold: Fold
    _: KW_ONLY
    ridge: float = option(MISSING)
    convention: Convention = option("standard")

    def check(self) -> None:
        super().check()
        if not self.ridge > 0.0:
            msg = f"ridge is above 0, not {self.ridge:g}"
            raise ValueError(msg)
        refuse_too_many(self.fold.train.n_features)
