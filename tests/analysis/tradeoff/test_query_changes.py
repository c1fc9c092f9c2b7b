"""Who suffers: the changes of all queries add up to the difference that pages quote, and the worst stand first."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.query_changes import query_changes
from core.data import Fold
from core.experiments.results.difference import model_difference
from tests.oracles import ranking_problem

FOLD = Fold("Fold1", ranking_problem(0), ranking_problem(9), ranking_problem(4))
JUDGE = FoldJudge(FOLD, "standard")
DRAW = np.random.default_rng(2)
BEFORE, AFTER = DRAW.normal(size=(2, FOLD.train.n_features))


@pytest.mark.parametrize("part", ["train", "vali", "test"])
@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_the_changes_are_those_of_the_quoted_difference_worst_first(part: str, measure: str) -> None:
    changes = query_changes(JUDGE, BEFORE, AFTER, part, measure)
    losses = [change.change for change in changes]
    assert losses == sorted(losses)
    assert np.mean(losses) == pytest.approx(model_difference(JUDGE, AFTER, BEFORE, part, measure).value)


def test_each_query_keeps_its_own_numbers() -> None:
    data = FOLD.parts()["test"]
    after = dict(zip(map(str, data.query_ids), JUDGE.per_query(AFTER, "test", "MAP"), strict=True))
    for change in query_changes(JUDGE, BEFORE, AFTER, "test", "MAP"):
        q = list(map(str, data.query_ids)).index(change.query_id)
        documents = data.relevance[data.query_offsets[q] : data.query_offsets[q + 1]]
        assert (change.n_documents, change.n_relevant) == (len(documents), int((documents >= 1).sum()))
        assert change.after == after[change.query_id]
