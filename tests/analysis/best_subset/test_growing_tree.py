"""The tree that is drawn is a proof: its parts hold every set once, and its bounds hold."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.analysis.best_subset import growing_tree
from core.analysis.best_subset.growing_tree import GrowingTree, SearchNode, TreeSoFar
from core.losses import SquaredHinge
from core.penalties import L2Budget
from core.solvers import Problem
from tests.oracles import RankSvm, ranking_problem
from tests.solvers.best_subset.enumeration import best_model

N, K, LAM = 7, 3, 0.003
DATA = ranking_problem(2, n_queries=6, n_features=N)
PROBLEM = Problem(DATA.features, SquaredHinge.of(DATA), L2Budget(float(K)), LAM)
PAIRS = RankSvm.of(DATA)
SETS = {c: best_model(PAIRS, LAM, np.array(c), np.zeros(N))[0] for c in combinations(range(N), K)}


def stages() -> list[TreeSoFar]:
    run, found = GrowingTree(PROBLEM), []
    while not run.done:
        run.advance()
        assert run.tree is not None
        found.append(run.tree)
    return found


def test_bound_and_best_model_enclose_the_optimum_at_every_step() -> None:
    grown, best = stages(), min(SETS.values())
    assert len(grown) > 3, "else nothing is tested"
    for tree in grown:
        assert tree.bound <= best * (1.0 + 1e-9)
        assert tree.objective >= best * (1.0 - 1e-9)
        assert all(node.parent < number for number, node in enumerate(tree.nodes))
    assert grown[-1].proven
    assert grown[-1].objective == pytest.approx(best, rel=1e-5)
    assert SETS[grown[-1].columns] == pytest.approx(best, rel=1e-5)
    assert not any(tree.proven for tree in grown[:-1])


def test_every_set_is_in_one_end_of_a_branch_whose_bound_holds_for_it() -> None:
    nodes = stages()[-1].nodes
    parents = {node.parent for node in nodes}
    for columns, objective in SETS.items():
        ends = [number for number in range(len(nodes)) if number not in parents and has(nodes, number, set(columns))]
        assert len(ends) == 1
        assert nodes[ends[0]].bound <= objective * (1.0 + 1e-9)


def has(nodes: tuple[SearchNode, ...], number: int, columns: set[int]) -> bool:
    """Whether a part holds a set: it has what is given, and nothing that was taken away on the way there."""
    node = nodes[number]
    if not set(node.inside) <= columns or (node.free == 0 and set(node.inside) != columns):
        return False
    while number >= 0:
        if nodes[number].outside in columns:
            return False
        number = nodes[number].parent
    return True


def test_a_tree_too_large_to_be_seen_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_tree, "MOST_NODES", 3)
    last = stages()[-1]
    assert last.too_large
    assert not last.proven
