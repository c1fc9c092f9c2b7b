"""Calls of a function on what Dask's workers hold, past the scheduler of tasks.

A task takes the scheduler and the worker milliseconds, which counts where a pass over all blocks takes as long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

Result = TypeVar("Result")


@dataclass(eq=False)
class Held:
    """A result that stays on the workers.

    Attributes
    ----------
    future : distributed.Future
    workers : collection of str
        Addresses of those that hold it; empty before they were asked for, and after a call there has failed.
    """

    future: Future
    workers: Sequence[str] = ()


@dataclass(frozen=True)
class Key:
    """Stands for an argument that the worker holds under this name."""

    name: Any


Call = tuple[int, tuple[Any, ...]]
"""The number of a call and its arguments, some of them `Key`."""


def call_where_held(
    client: Client, function: Callable[..., Result], calls: Sequence[Sequence[Any]]
) -> dict[int, Result]:
    """Call a function on the workers that hold its arguments; return results by the number of the call.

    Calls are left out for which no worker holds all, or none any longer, or that fail for whatever reason: tasks, which
    get what they need and compute it again where it was lost, are to find out.

    Parameters
    ----------
    client : distributed.Client
    function : callable
        A pure function of a module.
    calls : sequence of sequences
        Arguments, the first of which is `Held`. Others may be; all that are have been computed.
    """
    held = [[argument for argument in call if isinstance(argument, Held)] for call in calls]
    asked = [each for call in held for each in call if not each.workers]
    holders = client.who_has([each.future for each in asked]) if asked else {}
    for each in asked:
        each.workers = tuple(holders[each.future.key])
    at: dict[str, list[Call]] = {}
    for number, (call, (first, *more)) in enumerate(zip(calls, held, strict=True)):
        workers = [worker for worker in first.workers if all(worker in each.workers for each in more)]
        if workers:
            named = tuple(Key(each.future.key) if isinstance(each, Held) else each for each in call)
            at.setdefault(workers[0], []).append((number, named))
    shared = all(_same(call, calls[0]) for call in calls)
    messages = [at] if shared and at else [{worker: here} for worker, here in at.items()]

    async def all_answers() -> list[dict[str, Any]]:
        runs = [
            client.run(call_here, function, each, workers=list(each), on_error="return", asynchronous=True)
            for each in messages
        ]
        return list(await asyncio.gather(*runs))

    answers: list[dict[str, Any]] = client.sync(all_answers) if at else []
    found: dict[int, Result] = {}
    for answer in (answer for by_worker in answers for answer in by_worker.values()):
        found |= answer if isinstance(answer, dict) else {}  # else an exception
    for each in (each for number, call in enumerate(held) if number not in found for each in call):
        each.workers = ()
    return found


def _same(one: Any, other: Any) -> bool:
    """Whether arguments, apart from what is held, are the same objects, which a message contains once."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)) and len(one) == len(other):
        return all(map(_same, one, other))
    return one is other or (isinstance(one, Held) and isinstance(other, Held))


async def call_here(
    function: Callable[..., Result], at: Mapping[str, Sequence[Call]], dask_worker: Worker
) -> dict[int, Result]:
    """What a worker runs, as many calls at a time as it has threads; see `call_where_held`.

    Parameters
    ----------
    function : callable
    at : mapping
        Its calls, and perhaps those of other workers, by address.
    dask_worker : distributed.Worker
    """
    calls = at[dask_worker.address]
    held, found, waiting = dask_worker.data, dict[int, Result](), iter(calls)

    def one_after_the_other() -> None:
        for number, arguments in waiting:  # which each thread takes from
            if all(each.name in held for each in arguments if isinstance(each, Key)):
                there = [held[each.name] if isinstance(each, Key) else each for each in arguments]
                found[number] = function(*there)

    loop, pool = asyncio.get_running_loop(), dask_worker.executors["default"]
    threads = range(min(dask_worker.state.nthreads, len(calls)))
    await asyncio.gather(*(loop.run_in_executor(pool, one_after_the_other) for _ in threads))
    return found
