"""A sample of whole queries, from which a first picture of large data is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.content import text_key
from core.data.dataset import Fold
from core.data.division import draw_seed, query_order
from core.data.ranking_data import RankingData

LARGE = 20_000_000
"""Documents times features of a training part above which its first picture is that of a sample."""
QUERIES = 200
"""Whole queries that are drawn of every part, as long as there is room."""
ENTRIES = 1_500_000
"""Documents times features of a part of a sample."""
FEWEST = 20
"""Queries that are drawn however many documents they have: fewer would say little."""


@dataclass(frozen=True, eq=False)
class SampledFold(Fold):
    """A fold whose parts are samples of whole queries ``of`` the fold with this fingerprint.

    ``whole`` has the number of queries of its parts, by part.
    """

    of: str = ""
    whole: Mapping[str, int] | None = None

    @cached_property
    def fingerprint(self) -> str:
        """That of the sample and of the whole fold: the same queries of other data are another sample."""
        return text_key(super().fingerprint, self.of)

    @property
    def words(self) -> str:
        """Such as "from a sample of 200 of 12,345 queries"; the queries are those of the training part."""
        assert self.whole is not None
        return f"from a sample of {self.train.n_queries:,} of {self.whole['train']:,} queries"


def is_large(fold: Fold) -> bool:
    """Whether a first picture of a fold is that of a sample; it depends on the size of its training part only."""
    train = fold.train
    large = train.n_documents * train.n_features > LARGE and train.n_queries > QUERIES
    return large and not isinstance(fold, SampledFold)


def sample_of(fold: Fold) -> SampledFold:
    """Draw whole queries of every part of a fold; the same ones of the same content."""
    parts = {name: sampled(data) for name, data in fold.parts().items()}
    return SampledFold(
        name=fold.name,
        train=parts["train"],
        vali=parts.get("vali"),
        test=parts.get("test"),
        scaling=fold.scaling,
        of=fold.fingerprint,
        whole={name: data.n_queries for name, data in fold.parts().items()},
    )


def sampled(data: RankingData) -> RankingData:
    """Draw whole queries, the same ones in any order of the file, and return them in the data's order.

    They are the first `QUERIES` of a random order, or as many of them as have no more than `ENTRIES` entries, but at
    least `FEWEST`. A part that is no larger is returned as it is.
    """
    order = np.random.default_rng(draw_seed(data)).permutation(query_order(data))[:QUERIES]
    documents = np.cumsum(np.diff(data.query_offsets)[order])
    room = max(int(np.searchsorted(documents * data.n_features, ENTRIES, side="right")), FEWEST)
    chosen = np.sort(order[:room])
    return data if len(chosen) == data.n_queries else data.take_queries(chosen)
