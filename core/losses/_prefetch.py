"""A processor's instruction to fetch memory ahead of its use, for compiled kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

CACHE_LINE = 64  # bytes


@intrinsic
def prefetch(_typing: Any, address: Any) -> Any:
    """Ask for the cache line at an address, an integer; it need not be one of the program's."""
    byte_pointer, word = ir.IntType(8).as_pointer(), ir.IntType(32)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [byte_pointer, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], kind)
        read, keep, data = word(0), word(3), word(1)
        return builder.call(fetch, [builder.inttoptr(arguments[0], byte_pointer), read, keep, data])

    return types.void(types.uintp), generate
