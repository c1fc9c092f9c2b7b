"""A search for the best subset between two of its steps: everything that it needs to go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.space import Space
from core.solvers.best_subset.tree import Tree
from core.solvers.problem import FloatArray, Problem

ENTRIES_OF_A_VISIT = 10_000_000  # of Hessians: beyond it a step would take many seconds
FEATURES_OF_A_VISIT = 1_000_000_000  # entries of X times nodes, for the same reason: a node takes some four passes


@dataclass(frozen=True)
class Reached:
    """What is known after a step; together they are the search's convergence curve.

    Attributes
    ----------
    objective : float
        Of the best model so far.
    bound : float
        No model within the budget has a lower objective.
    nodes : int
        Nodes of the tree that have been looked at.
    passes : float
        Passes over the features.
    w : ndarray, shape (n_columns,)
        The best model so far.
    seconds : float
        What the step took.
    """

    objective: float
    bound: float
    nodes: int
    passes: float
    w: FloatArray
    seconds: float = 0.0


@dataclass(eq=False)
class Search:
    """A search in progress.

    Attributes
    ----------
    space : Space
    incumbent : Incumbent
    tree : Tree
    curve : list of Reached
        One a step.
    """

    space: Space
    incumbent: Incumbent
    tree: Tree
    curve: list[Reached] = field(default_factory=list)

    @classmethod
    def begun(cls, problem: Problem, tol: float) -> Search:
        """Return a search that has not looked at any node or model but the empty one."""
        space = Space(problem)
        incumbent = Incumbent(space, tol)
        return cls(space, incumbent, Tree(space, incumbent))

    def steps(self, given: FloatArray, nodes: int) -> Iterator[None]:
        """Take a given model, look for a good one near it, then look at the whole tree.

        Parameters
        ----------
        given : ndarray, shape (n_columns,)
        nodes : int
            Of a step; see `visit`.
        """
        start = self.space.at(given)
        self.curve.append(Reached(self.space.objective(start), 0.0, 0, self.space.passes.total, given))
        yield
        yield from self.first_steps(given)
        yield from self.further_steps(nodes)

    def first_steps(self, given: FloatArray) -> Iterator[None]:
        """Look for a good model near a given one and plant the tree; yield after each round.

        Parameters
        ----------
        given : ndarray, shape (n_columns,)
        """
        dense = dense_model(self.space, self.incumbent.at_zero)
        self.tree = Tree.planted(self.space, self.incumbent, dense)
        for _ in first_models(self.space, self.incumbent, dense, given):
            self.note()
            yield

    def further_steps(self, nodes: int) -> Iterator[None]:
        """Look at the rest of the tree."""
        while not self.tree.done:
            self.visit(nodes)
            yield

    def visit(self, nodes: int) -> None:
        """Look at so many nodes or a few more, at fewer of much data; the root is a step of its own."""
        d, n = self.space.n_columns, self.space.n_documents
        few = max(min(nodes, ENTRIES_OF_A_VISIT // max(d * d, 1), FEATURES_OF_A_VISIT // max(n * d, 1)), 1)
        until = 1 if self.tree.visited == 0 else self.tree.visited + few
        while not self.tree.done and self.tree.visited < until:
            self.tree.visit()
        self.note()

    def note(self) -> None:
        """Put on the curve what is known now."""
        known = self.curve[-1].bound if self.curve else 0.0
        bound = max(known, self.tree.bound)
        now = self.incumbent
        self.curve.append(Reached(now.objective, bound, self.tree.visited, self.space.passes.total, now.w))
