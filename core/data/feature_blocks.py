"""Features that are not one array: rows in blocks of whole queries, each read or held somewhere else.

Preference pairs never cross queries, so the loss, its gradient, its curvature and every certificate are sums over such
blocks. A home of the blocks (a file, a cluster) has to run a function on each of them; the sums are taken here and in
`core.solvers.problem`, always in the order of the blocks, so that the same bits come again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NoReturn, Protocol, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.data.errors import refuse

IntArray = NDArray[np.int64]
Block = NDArray[np.floating]
Result = TypeVar("Result")
Arguments = Callable[[int, int], tuple[Any, ...]]
"""Takes the first row of a block and the one behind its last, returns further arguments for it."""
Beside = Sequence[tuple[Any, ...]]
"""What stands beside each block."""


class ByRow(Protocol):
    """Something along the rows, of which a block needs its own part at every pass: the groups of pairs, for one."""

    def within(self, first: int, last: int) -> Any:
        """Return the part of the rows from ``first`` to ``last``, counted from ``first``."""
        ...


class FeatureBlocks(ABC):
    """The features of all documents, block by block; it stands in `RankingData.features` in place of an array.

    It has what is needed of an array: shape, type, ends of the ranges, few columns. Whatever needs the whole array is
    refused with a `DataError`.

    Parameters
    ----------
    edges : ndarray of int64, shape (n_blocks + 1,)
        Rows at which the blocks begin and end; each is the end of a query.
    n_features : int
    dtype : type
        float64 or float32.

    Attributes
    ----------
    passes : int
        How often all blocks have been read.
    """

    ndim = 2

    def __init__(self, edges: IntArray, n_features: int, dtype: type[np.floating]) -> None:
        self.edges = edges
        self.shape = (int(edges[-1]), n_features)
        self.dtype: np.dtype[np.floating] = np.dtype(dtype)
        self.passes = 0
        self._beside: WeakKeyDictionary[ByRow, list[Any]] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """What stands beside the blocks is made again where it is needed."""
        return {name: value for name, value in vars(self).items() if name != "_beside"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _beside=WeakKeyDictionary())

    @abstractmethod
    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """Run ``function(block, *beside, *arguments(first, last))`` on every block; yield the results in their order.

        The function is a pure one of a module, because it may have to travel. A block is an array of its rows;
        ``beside`` is what `over` has put beside each.
        """
        ...

    def over(
        self,
        function: Callable[..., Result],
        arguments: Arguments = lambda _, __: (),
        beside: ByRow | None = None,
    ) -> Iterator[Result]:
        """Do as `apply`, and count the pass; parts of what is ``beside`` are made once, and stay with the blocks."""
        self.passes += 1
        if beside is None:
            return self.apply(function, arguments, [()] * self.n_blocks)
        if beside not in self._beside:
            ends = pairwise(self.edges.tolist())
            self._beside[beside] = self.put([beside.within(*rows) for rows in ends])
        return self.apply(function, arguments, [(part,) for part in self._beside[beside]])

    def put(self, parts: list[Any]) -> list[Any]:
        """Put a part beside each block, where the block is; return what `apply` takes for them."""
        return parts

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.edges) - 1

    @property
    def size(self) -> int:
        """Number of values."""
        return self.shape[0] * self.shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes that the values would take as one array."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def _ends(self) -> tuple[Block, Block]:
        """Lowest and highest value of every feature, found in one pass."""
        low, high = zip(*self.over(_ends_of), strict=True)
        return np.min(low, axis=0), np.max(high, axis=0)

    def know_ends(self, low: Block, high: Block) -> None:
        """Take the ends from a pass that has found them beside other things."""
        vars(self)["_ends"] = low, high

    def min(self, axis: int | None = None) -> Any:
        """Lowest value of every feature (axis 0)."""
        return _by_feature(self._ends[0], axis)

    def max(self, axis: int | None = None) -> Any:
        """Highest value of every feature (axis 0)."""
        return _by_feature(self._ends[1], axis)

    def any(self, axis: int | None = None) -> Any:
        """Whether a feature has a value that is not 0 (axis 0)."""
        return _by_feature((self._ends[0] != 0) | (self._ends[1] != 0), axis)

    def mean(self, axis: int | None = None, dtype: type[np.float64] = np.float64) -> Any:
        """Mean of every feature (axis 0)."""
        return _by_feature(sum(self.over(_sums), np.zeros(self.shape[1])) / len(self), axis)

    def std(self, axis: int | None = None, dtype: type[np.float64] = np.float64) -> Any:
        """Standard deviation of every feature (axis 0): a pass for the means, and one for the squares around them."""
        mean = self.mean(axis)
        return np.sqrt(sum(self.over(_squares, lambda _, __: (mean,)), np.zeros(self.shape[1])) / len(self))

    def each(self) -> Iterator[Block]:
        """Yield the blocks themselves, in order."""
        return self.apply(itself, lambda _, __: (), [()] * self.n_blocks)

    def add_to(self, update: Callable[[Any], object]) -> None:
        """Give the values of one block after the other to a digest, as those of one array."""
        self.passes += 1
        for block in self.each():
            update(np.ascontiguousarray(block).data)

    def __getitem__(self, key: Any) -> Block:
        """Return some columns of all rows, in memory.

        Raises a `DataError` if anything else is asked for.
        """
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], slice) and key[0] == slice(None):
            return np.concatenate([*self.over(_columns_of, lambda _, __: (key[1],))])
        self._refuse()

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        self._refuse()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def _refuse(self) -> NoReturn:
        refuse(
            "this needs all features in memory, and they are read block by block; choose a method such as l1, log, mcp "
            "or l2 with its default solver, or open the data in memory, without --out-of-core or --dask"
        )


def blocks_of(features: object) -> FeatureBlocks | None:
    """Return the blocks where features come in blocks; None where they are an array."""
    return features if isinstance(features, FeatureBlocks) else None


def over_rows(features: Any, function: Callable[..., Result], arguments: Arguments) -> Iterable[Result]:
    """Run a function on every block, as `FeatureBlocks.over`, or on an array as if it were the only block."""
    blocks = blocks_of(features)
    return [function(features, *arguments(0, len(features)))] if blocks is None else blocks.over(function, arguments)


def changed(features: Any, change: Callable[..., Block], given: Arguments) -> Any:
    """Return changed features: an array at once, blocks as `ChangedBlocks`, whose parameters these are."""
    blocks = blocks_of(features)
    return change(features, *given(0, len(features))) if blocks is None else ChangedBlocks(blocks, change, given)


class ChangedBlocks(FeatureBlocks):
    """Blocks that are changed whenever they are used, where they are: scaled, for instance.

    ``change`` is a pure function of a module: it takes a block and what ``given`` says for its rows, and returns the
    block to use.
    """

    def __init__(self, blocks: FeatureBlocks, change: Callable[..., Block], given: Arguments) -> None:
        super().__init__(blocks.edges, blocks.shape[1], blocks.dtype.type)
        self._blocks, self._change, self._given = blocks, change, given

    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""

        def all_arguments(first: int, last: int) -> tuple[Any, ...]:
            return (self._change, self._given(first, last), function, *arguments(first, last))

        self._blocks.passes += 1
        return self._blocks.apply(_on_changed, all_arguments, [(len(more), *more) for more in beside])

    def put(self, parts: list[Any]) -> list[Any]:
        """See `FeatureBlocks.put`."""
        return self._blocks.put(parts)

    def each(self) -> Iterator[Block]:
        """See `FeatureBlocks.each`."""
        for (first, last), block in zip(pairwise(self.edges.tolist()), self._blocks.each(), strict=True):
            yield self._change(block, *self._given(first, last))


def block_edges(query_offsets: IntArray, rows: int) -> IntArray:
    """Return edges of blocks of about so many rows: each block is closed at the end of the query that fills it.

    No query is cut. A block has fewer rows than ``rows`` plus its last query.
    """
    edges, ends = [0], query_offsets[1:]
    while edges[-1] < ends[-1]:
        closing = min(int(np.searchsorted(ends, edges[-1] + rows)), len(ends) - 1)
        edges.append(int(ends[closing]))
    return np.array(edges, dtype=np.int64)


def _by_feature(values: Any, axis: int | None) -> Any:
    if axis != 0:
        msg = f"features in blocks are summed up by feature (axis 0), not along axis {axis}"
        raise ValueError(msg)
    return values


def _ends_of(block: Block) -> tuple[Block, Block]:
    return block.min(axis=0), block.max(axis=0)


def _sums(block: Block) -> NDArray[np.float64]:
    return np.asarray(block.sum(axis=0, dtype=np.float64))


def _squares(block: Block, mean: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(((block - mean) ** 2).sum(axis=0))


def _on_changed(block: Block, n_beside: int, *rest: Any) -> Any:
    """Change a block and run a function; ``rest``: what stands beside it, the change with its arguments, the rest."""
    beside, (change, given, function, *arguments) = rest[:n_beside], rest[n_beside:]
    return function(change(block, *given), *beside, *arguments)


def itself(value: Result) -> Result:
    """Return what is given: a block, or what is to stand beside it."""
    return value


def _columns_of(block: Block, columns: Any) -> Block:
    return block[:, columns].copy()
