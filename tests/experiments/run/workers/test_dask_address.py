"""A wrong address is one sentence within seconds, whatever is there."""

import socket
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from core.data import DataError
from core.experiments.run.workers import dask_tasks
from core.experiments.run.workers.dask_tasks import check_scheduler
from tests.says import assert_says

PATIENCE = 0.5


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_tasks, "CONNECT_SECONDS", PATIENCE)


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(5)
        yield server


def refusal(address: str) -> str:
    begun = time.monotonic()
    with pytest.raises(DataError) as refused:
        check_scheduler(address)
    assert time.monotonic() - begun < PATIENCE + 4.0
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "soup", "tcp://127.0.0.1:port", "http://127.0.0.1:9"])
def test_where_nothing_answers_the_sentence_names_the_address(address: str) -> None:
    pytest.importorskip("distributed")
    assert_says(refusal(address), "no Dask scheduler", address)


def test_a_server_that_takes_the_call_and_says_nothing_does_not_keep_us(listening: socket.socket) -> None:
    pytest.importorskip("distributed")
    assert "no Dask scheduler" in refusal(f"tcp://127.0.0.1:{listening.getsockname()[1]}")


def test_the_answer_of_another_kind_of_server_is_not_taken_for_a_length(listening: socket.socket) -> None:
    """Read as a length of eight bytes it is more memory than there is."""
    pytest.importorskip("distributed")

    def answer() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n" * 10)
            connection.recv(1)

    threading.Thread(target=answer, daemon=True).start()
    assert "no Dask scheduler" in refusal(f"tcp://127.0.0.1:{listening.getsockname()[1]}")


def test_no_address_is_no_wish_for_a_cluster_of_ones_own() -> None:
    pytest.importorskip("distributed")
    assert_says(refusal("  "), "address", "Dask scheduler", "empty")


def test_without_dask_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'sparse-ranking-lab[dask]'" in refusal("tcp://127.0.0.1:8786")
