"""Tasks on a Dask cluster: their names, and waiting for them as long as there is a cluster."""

from __future__ import annotations

import asyncio
import itertools
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from distributed import Client, Future

WORKER_SECONDS = 15.0
"""How long to wait for a first worker, or for one in the place of the last that was lost."""
LOOK_SECONDS = 2.0
"""How often the cluster is asked whether it is still there, while a result is waited for."""
Result = TypeVar("Result")
_numbers, _HERE = itertools.count(1), uuid.uuid4().hex


def new_key(what: str) -> str:
    """Return a name for a task that no other task has, also of another client."""
    return f"{what}-{next(_numbers)}-{_HERE}"


def result_of(client: Client, future: Future) -> Any:
    """Do as `results_of` for one result."""
    return results_of(client, [future])[0]


def results_of(client: Client, futures: Sequence[Future]) -> list[Any]:
    """Wait for results, which come in one message, as long as there is a worker to compute them.

    Raises
    ------
    OSError
        If the scheduler or all workers have gone; `while_there_is_a_cluster` says which.
    """
    gathered = partial(client.gather, futures, asynchronous=True)
    return _patiently(client, lambda: client.sync(gathered, callback_timeout=LOOK_SECONDS))


def wait_until_computed(client: Client, futures: Iterable[Future]) -> None:
    """Wait as `results_of` does, but leave the results where they are.

    Raises
    ------
    Exception
        What a task has raised; OSError as `results_of`.
    """
    for future in futures:
        if future.status != "finished":
            error = _patiently(client, partial(future.exception, LOOK_SECONDS))
            if error is not None:
                raise error


def _patiently(client: Client, attempt: Callable[[], Result]) -> Result:
    """Attempt it again whenever it has taken `LOOK_SECONDS`, as long as there is a worker or may soon be one."""
    seen = time.monotonic()
    while True:
        try:
            return attempt()
        except TimeoutError:
            if client.status != "running":
                raise
            if client.nthreads():
                seen = time.monotonic()
            elif time.monotonic() - seen > WORKER_SECONDS:
                raise


@contextmanager
def while_there_is_a_cluster(client: Client, then: str = "") -> Iterator[None]:
    """Say in one sentence that the cluster has gone, and ``then`` what can be done.

    Raises
    ------
    OSError
        With the address.
    """
    from distributed import KilledWorker

    try:
        yield
    except (OSError, RuntimeError, KilledWorker, CancelledError, asyncio.CancelledError) as error:
        address = getattr(client.scheduler, "address", "") or "its address"
        if isinstance(error, KilledWorker):
            what = "has lost every worker that tried a block; has each of them enough memory?"
        elif client.status != "running":
            what = "has gone"
        elif isinstance(error, TimeoutError):
            what = f"has no workers; start some with dask worker {address}"
        else:
            raise
        msg = f"the Dask scheduler at {address} {what}{then}"
        raise OSError(msg) from error
