"""What pages send reaches the loop in bundles, in its order, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from pages.shared.server.bundles import Mailbox


def test_calls_of_a_thread_arrive_in_order_with_few_wake_ups() -> None:
    async def many() -> tuple[list[int], int]:
        loop = asyncio.get_running_loop()
        woken: list[Any] = []
        wake = loop.call_soon_threadsafe
        loop.call_soon_threadsafe = lambda *call: woken.append(call) or wake(*call)  # type: ignore
        box = Mailbox(loop)
        arrived: list[int] = []
        ended = asyncio.Event()

        def post() -> None:
            for number in range(500):
                box.post(lambda number=number: arrived.append(number), at_once=False)  # type: ignore[misc]
            box.post(ended.set, at_once=True)

        threading.Thread(target=post).start()
        await asyncio.wait_for(ended.wait(), 10)
        return arrived, len(woken)

    arrived, woken = asyncio.run(many())
    assert arrived == list(range(500))
    assert woken <= 50  # Streamlit: 501


def test_a_single_call_does_not_wait_for_others() -> None:
    async def one() -> None:
        arrived = asyncio.Event()
        Mailbox(asyncio.get_running_loop()).post(arrived.set, at_once=False)
        await asyncio.wait_for(arrived.wait(), 10)

    asyncio.run(one())


def test_calls_posted_by_a_call_arrive_too() -> None:
    async def chain() -> list[str]:
        box = Mailbox(asyncio.get_running_loop())
        arrived: list[str] = []
        ended = asyncio.Event()
        box.post(lambda: (arrived.append("first"), box.post(ended.set, at_once=False)), at_once=True)
        await asyncio.wait_for(ended.wait(), 10)
        return arrived

    assert asyncio.run(chain()) == ["first"]


def test_a_call_that_fails_keeps_no_other_back() -> None:
    async def failing() -> list[Any]:
        loop = asyncio.get_running_loop()
        told: list[Any] = []
        loop.set_exception_handler(lambda _, context: told.append(context["exception"]))
        box = Mailbox(loop)
        ended = asyncio.Event()
        box.post(lambda: [][0], at_once=False)
        box.post(ended.set, at_once=True)
        await asyncio.wait_for(ended.wait(), 10)
        return told

    assert [type(error) for error in asyncio.run(failing())] == [IndexError]
