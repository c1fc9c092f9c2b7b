"""Connections to a Dask scheduler; within seconds it is found out whether one answers at an address."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from core.data import DataError

if TYPE_CHECKING:
    from distributed import Client

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
        msg = "Dask is not installed; pip install 'sparse-ranking-lab[dask]', or run on this machine"
        raise DataError(msg) from None
    if not address.strip():
        msg = "the address of the Dask scheduler is empty; give one such as tcp://10.0.0.1:8786"
        raise DataError(msg)
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECT_SECONDS))
    except Exception:  # whatever a stranger's answer, or an address of another form, brings about
        msg = (
            f"no Dask scheduler answers at {address}; start one there with dask scheduler, check the address "
            "(tcp://HOST:PORT), or run on this machine"
        )
        raise DataError(msg) from None
    if kind != "Scheduler":
        msg = f"a Dask {kind.lower()} answers at {address}, not a scheduler; give the scheduler's address"
        raise DataError(msg)


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
