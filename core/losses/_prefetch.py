"""A processor's instruction to fetch memory ahead of its use, for compiled kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

CACHE_LINE = 64  # bytes


def _instruction(locality: int) -> Any:
    """Return the instruction that fetches to the cache of this closeness: 3 for the first level, 2 for the second."""

    @intrinsic
    def fetch(_typing: Any, address: Any) -> Any:
        """Ask for the cache line at an address, an integer; it need not be one of the program's."""
        byte_pointer, word = ir.IntType(8).as_pointer(), ir.IntType(32)

        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [byte_pointer, word, word, word])
            instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], kind)
            read, keep, data = word(0), word(locality), word(1)
            return builder.call(instruction, [builder.inttoptr(arguments[0], byte_pointer), read, keep, data])

        return types.void(types.uintp), generate

    return fetch


prefetch = _instruction(3)
"""For what is used next: it stays in the first-level cache, which holds some dozen rows."""
prefetch_early = _instruction(2)
"""For what is used later: it leaves the first-level cache to what is used meanwhile."""
