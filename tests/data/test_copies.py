"""Features and queries that stand twice are found exactly, left out as asked, and counted once by an l1 model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data import Dataset, Fold, RankingData, copies
from core.data.copies import Copies, copies_in_passing, copies_of, equal_columns, without_copies
from core.methods import METHODS, get_method

RANDOM = np.random.default_rng(8)


def part(n_queries: int, seed: int) -> RankingData:
    """Lists of six documents; features 4 and 5 repeat 1 and 2, 6 is constant, 7 differs from 3 in one value."""
    random = np.random.default_rng(seed)
    plain = random.normal(size=(6 * n_queries, 3)).round(3)
    nearly = plain[:, 2].copy()
    nearly[-1] += 1e-12
    features = np.column_stack([plain, plain[:, 0], plain[:, 1], np.ones(len(plain)), nearly])
    relevance = (plain @ [1.0, 0.5, 0.0] + random.normal(size=len(plain)) > 0.8).astype(int)
    return RankingData.build(features, relevance, np.arange(0, len(plain) + 1, 6))


def of(data: RankingData, columns: list[int]) -> RankingData:
    return data.with_features(data.features[:, columns], [data.feature_names[j] for j in columns])


def repeated(data: RankingData, queries: list[int]) -> RankingData:
    return replace(data.take_queries(queries), query_ids=tuple(f"r{k}" for k in range(len(queries))))


TRAIN, TEST = part(8, 1), part(4, 2)
FOLD = Fold(
    "Fold1",
    replace(repeated(TRAIN, [*range(8), 3]), query_ids=tuple(map(str, range(9)))),
    None,
    RankingData.build(
        np.vstack([TEST.features, TRAIN.features[:6]]),
        np.concatenate([TEST.relevance, TRAIN.relevance[:6]]),
        np.arange(0, 31, 6),
    ),
)
DATASET = Dataset(name="mine", fold_names=("Fold1",), convention="standard", provenance="", load=lambda _: FOLD)


def test_copies_are_equal_in_every_document_of_every_part_and_constant_features_are_none() -> None:
    found = copies_of(FOLD)
    assert found.features == ((0, 3), (1, 4))
    assert found.n_features == 2
    assert (found.queries, found.across) == (2, 1)
    assert equal_columns([TRAIN.features, np.where(np.arange(7) == 3, 9.0, TEST.features)]) == ((1, 4),)


def test_signs_of_zero_and_an_unlucky_sample_of_documents_do_not_matter() -> None:
    column = np.zeros(1000)
    column[500] = 1.0
    late = np.zeros(1000)
    late[501] = 1.0
    negative = np.where(column == 0.0, -0.0, column)
    assert equal_columns([np.column_stack([column, late, negative])]) == ((0, 2),)


def test_what_is_left_out_stands_nowhere_twice_and_nothing_else_moves() -> None:
    without = without_copies(DATASET)
    fold = without.fold(1)
    assert copies_of(fold) == Copies()
    assert fold.train.query_ids == tuple(map(str, range(8)))
    assert fold.test is not None
    assert fold.test.n_queries == 4
    np.testing.assert_array_equal(fold.train.features[:, [0, 1, 2, 5, 6]], TRAIN.features[:, [0, 1, 2, 5, 6]])
    assert not fold.train.features[:, 3:5].any()
    assert fold.train.feature_names == TRAIN.feature_names
    assert len(without.notes) == 2


def test_data_without_copies_is_left_as_it_is() -> None:
    plain = Fold("Fold1", of(TRAIN, [0, 1, 2]))
    same = without_copies(replace(DATASET, load=lambda _: plain)).fold(1)
    assert same.fingerprint == plain.fingerprint


def test_a_single_list_cut_into_parts_has_no_repeated_query() -> None:
    one = RankingData.build(TRAIN.features, TRAIN.relevance, [0, TRAIN.n_documents])
    assert copies_of(Fold("split", one, None, one)).queries == 0


@pytest.mark.parametrize("solver", [solver.id for solver in get_method("l1").solvers if solver.id != "subgradient"])
def test_an_l1_model_keeps_the_first_of_a_group_and_scores_as_before(solver: str) -> None:
    method = get_method("l1")
    training = method.training(TRAIN)
    lam = training.lam_at(0.05)
    run = method.run(training, lam, solver=solver)
    fit = run.finish()
    assert not fit.weights[3:5].any()
    assert fit.weights[:2].all()
    shared = run.steps.weights
    np.testing.assert_allclose(TRAIN.features @ fit.weights, TRAIN.features @ shared, atol=1e-12)
    assert np.abs(fit.weights).sum() <= np.abs(shared).sum() + 1e-12
    alone = method.fit(method.training(of(TRAIN, [0, 1, 2, 5, 6])), lam, solver=solver)
    assert fit.result.nonzero == alone.result.nonzero
    assert fit.result.objective == pytest.approx(alone.result.objective, rel=1e-6)


def test_an_l2_model_keeps_its_weights() -> None:
    method = next(m for m in METHODS if m.id == "l2")
    fit = method.fit(method.training(TRAIN), 0.01)
    np.testing.assert_allclose(fit.weights[:2], fit.weights[3:5], rtol=1e-6)


def test_columns_of_mostly_zeros_are_told_apart_without_comparing_each_with_each() -> None:
    """So many columns that agree in a sample of documents; one value in another place makes another feature."""
    sparse = np.zeros((5_000, 1_500))
    places = np.random.default_rng(3).permutation(5_000)[:1_500]
    sparse[places, np.arange(1_500)] = 1.0
    sparse[:, 1_499] = sparse[:, 7]
    assert equal_columns([sparse]) == ((7, 1_499),)


def test_a_fold_too_large_to_look_at_in_passing_is_looked_at_where_copies_are_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copies, "LARGEST", 10)
    assert copies_in_passing(FOLD) == Copies()
    assert copies_of(FOLD).n_features == 2
    assert not without_copies(DATASET).fold(1).train.features[:, 3:5].any()
