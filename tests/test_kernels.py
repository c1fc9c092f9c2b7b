"""Compiling is left to another process: calls wait for it, and load what it has compiled.

Queries are cut into chunks, and chunks are worked on side by side: no number may show it.
"""

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import ThreadpoolController, threadpool_limits

from core import kernels
from core.kernels import is_cached, leave_compiling_to
from core.losses import SquaredHinge
from core.losses.squared_hinge import CHUNK_DOCUMENTS
from core.threads import cut, over_chunks, use_one_blas_thread
from tests.oracles import Pairs, ranking_problem

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


def blas_threads() -> set[int]:
    return {one["num_threads"] for one in ThreadpoolController().select(user_api="blas").info()}


@pytest.fixture(scope="module")
def many_documents():  # type: ignore[no-untyped-def]
    """Five chunks and a bit."""
    return ranking_problem(n_queries=5 * CHUNK_DOCUMENTS // 12 + 50, n_features=4)


def everything(data, scores):  # type: ignore[no-untyped-def]
    loss = SquaredHinge.of(data)
    evaluation = loss.evaluate(scores)
    return (
        evaluation.value,
        evaluation.dual_slope,
        evaluation.gradient,
        loss.curvature_product(scores, scores[::-1].copy()),
        loss.hessian(scores, data.features, np.arange(4)),
    )


def test_one_thread_and_four_give_the_same_bits(many_documents, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    scores = many_documents.features[:, 0]
    monkeypatch.setenv("SPARSE_RANK_THREADS", "1")
    alone = everything(many_documents, scores)
    monkeypatch.setenv("SPARSE_RANK_THREADS", "4")
    for one, four in zip(alone, everything(many_documents, scores), strict=True):
        assert_array_equal(one, four)


def test_chunks_together_are_the_whole(many_documents) -> None:  # type: ignore[no-untyped-def]
    scores = many_documents.features[:, 0]
    pairs = Pairs.of(many_documents)
    value, slope, gradient, product, hessian = everything(many_documents, scores)
    assert value == pytest.approx(pairs.loss(scores), rel=1e-11)
    assert slope == pytest.approx(pairs.alpha(scores).sum(), rel=1e-11)
    np.testing.assert_allclose(gradient, pairs.score_gradient(scores), rtol=1e-9, atol=1e-16)
    np.testing.assert_allclose(product, pairs.curvature_product(scores, scores[::-1]), rtol=1e-9, atol=1e-16)
    np.testing.assert_allclose(hessian, pairs.hessian(scores, many_documents.features), rtol=1e-10)


@pytest.mark.parametrize("sizes", [[5], [3, 3, 3, 3], [100, 1, 1, 100], [1] * 50, []])
def test_a_cut_covers_every_item_once_and_in_order(sizes: list[int]) -> None:
    ranges = cut(np.array(sizes, dtype=np.int64), 10)
    assert [i for first, last in ranges for i in range(first, last)] == list(range(len(sizes)))
    for first, last in ranges:  # no range could have been closed before its last item
        assert sum(sizes[first : last - 1]) < 10 + max(sizes)


def test_results_come_in_the_order_of_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_THREADS", "3")
    assert over_chunks(lambda first, last: (first, last), [(0, 2), (2, 5), (5, 6)]) == [(0, 2), (2, 5), (5, 6)]


def test_what_a_chunk_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(first: int, last: int) -> None:
        raise RuntimeError

    monkeypatch.setenv("SPARSE_RANK_THREADS", "2")
    with pytest.raises(RuntimeError):
        over_chunks(fails, [(0, 1), (1, 2)])


def test_blas_is_limited_again_after_someone_else_has_changed_it() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        use_one_blas_thread()
        assert blas_threads() == {1}
    with threadpool_limits(limits=2, user_api="blas"):
        assert blas_threads() != {1} or os.cpu_count() == 1
        use_one_blas_thread()
        assert blas_threads() == {1}


def test_a_blas_that_is_loaded_later_is_limited_too() -> None:
    """In a fresh process, in which scipy's own library is not loaded yet."""
    code = (
        "import numpy, sys\n"
        "from threadpoolctl import ThreadpoolController\n"
        "from core.threads import use_one_blas_thread\n"
        "use_one_blas_thread()\n"
        "before = len(ThreadpoolController().lib_controllers)\n"
        "import scipy.linalg\n"
        "use_one_blas_thread()\n"
        "found = ThreadpoolController().select(user_api='blas').info()\n"
        "assert len(found) > 1 or before == len(found), (before, found)\n"
        "print({one['num_threads'] for one in found}, before, len(found))\n"
    )
    env = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("{1}"), done.stdout
