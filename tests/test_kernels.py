"""Compiling is left to another process: calls wait for it, and load what it has compiled."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import kernels
from core.kernels import NotCompiledError, is_cached, leave_compiling_to, read_only

SOURCE = """
from core.kernels import kernel

@kernel
def {name}(number):
    return number + 1
"""


@pytest.fixture
def module(tmp_path: Path) -> Callable[[str], Any]:
    """The module of a kernel of this name, made anew, as another process would."""
    path = tmp_path / "some_kernels.py"

    def load(name: str) -> Any:
        if not path.exists():
            path.write_text(SOURCE.format(name=name))
        spec = importlib.util.spec_from_file_location("some_kernels", path)
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        return getattr(made, name)

    return load


@pytest.fixture(autouse=True)
def compiled_here_again() -> Iterator[None]:
    yield
    leave_compiling_to(None)


def test_a_kernel_is_asked_for_before_it_would_be_compiled_and_then_loaded(module: Callable[[str], Any]) -> None:
    asked: list[str] = []

    def another_process(name: str) -> None:
        asked.append(name)
        leave_compiling_to(None)
        module("successor")(1)
        kernels.compiled_here.discard("successor")
        leave_compiling_to(another_process)

    leave_compiling_to(another_process)
    here = module("successor")
    assert here(1) == 2
    assert here(2) == 3
    assert asked == ["successor"]
    assert "successor" not in kernels.compiled_here


def test_what_the_others_do_not_compile_is_compiled_here(module: Callable[[str], Any]) -> None:
    leave_compiling_to(lambda _: None)
    assert module("rare")(1) == 2
    assert "rare" in kernels.compiled_here


def test_whether_a_kernel_is_cached_is_found_without_compiling_it(module: Callable[[str], Any]) -> None:
    waited: list[str] = []
    leave_compiling_to(waited.append)
    here = module("looked_for")
    assert not is_cached(lambda: here(1))
    other: list[int] = []
    threading.Thread(target=lambda: other.append(here(1))).start()
    while not other:
        pass
    assert is_cached(lambda: module("looked_for")(1))
    assert waited == ["looked_for"], "is_cached does not wait"


def test_a_view_that_cannot_be_written_is_of_the_same_numbers() -> None:
    whole = np.arange(6.0).reshape(2, 3)
    view = read_only(whole)
    assert not view.flags.writeable
    assert whole.flags.writeable
    assert np.shares_memory(view, whole)
    assert read_only(whole.T).flags.c_contiguous
    assert issubclass(NotCompiledError, Exception)
