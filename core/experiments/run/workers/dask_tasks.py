"""Connections to a Dask scheduler, and tasks there: their names, and waiting for them as long as there is a cluster."""

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

from core.data.errors import refuse

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 5.0
"""Time limit; long enough for a scheduler that is starting at the same time."""
MADE_KNOWN = partial(exec, "try:\n    import sparse_ranking_lab\nexcept ImportError:\n    pass\n", {})
"""Puts an installed program on the path of a scheduler or worker, which unpickles `core`; travels without a module."""


def connect(address: str) -> Client:
    """Connect to the scheduler at the address, which may have spaces around it.

    Raises
    ------
    DataError
        As `check_scheduler`.
    """
    check_scheduler(address.strip())
    from distributed import Client

    client = Client(address.strip(), timeout=CONNECT_SECONDS, set_as_default=False)
    make_known(client)
    return client


def make_known(client: Client) -> None:
    """Let the scheduler and all workers import the installed program."""
    client.run_on_scheduler(MADE_KNOWN)
    client.register_worker_callbacks(MADE_KNOWN)


def check_scheduler(address: str) -> None:
    """Check that a Dask scheduler answers at the address.

    Dask itself waits without end for a server that accepts the connection and says nothing, and reads another server's
    answer as the length of a message.

    Raises
    ------
    DataError
        If Dask is not installed, or something else answers, or nothing does.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        refuse("Dask is not installed; pip install 'sparse-ranking-lab[dask]', or run on this machine")
    if not address.strip():
        refuse("the address of the Dask scheduler is empty; give one such as tcp://10.0.0.1:8786")
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECT_SECONDS))
    except Exception:  # whatever a stranger's answer, or an address of another form, brings about
        refuse(
            f"no Dask scheduler answers at {address}; start one there with dask scheduler, check the address "
            "(tcp://HOST:PORT), or run on this machine"
        )
    if kind != "Scheduler":
        refuse(f"a Dask {kind.lower()} answers at {address}, not a scheduler; give the scheduler's address")


async def _kind(address: str) -> str:
    """Which part of Dask it is."""
    from distributed.comm import connect
    from distributed.security import Security

    args = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECT_SECONDS, **args)
    try:
        await comm.write({"op": "identity", "reply": True})
        answer = await comm.read()
    finally:
        await comm.close()
    return str(answer["type"])


WORKER_SECONDS = 15.0
"""How long to wait for a first worker, or for one in the place of the last that was lost."""
LOOK_SECONDS = 2.0
"""How often the cluster is asked whether it is still there, while a result is waited for."""
Result = TypeVar("Result")
_numbers, _HERE = itertools.count(1), uuid.uuid4().hex


def new_key(what: str) -> str:
    """Return a name for a task that no other task has, also of another client."""
    return f"{what}-{next(_numbers)}-{_HERE}"


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
