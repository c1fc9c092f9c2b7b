"""What pages send reaches the loop in bundles, in its order, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from pages.shared.server.bundles import Mailbox, OneWrite


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


class Transport:
    """Remembers what reaches the network."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def test_what_is_written_in_a_turn_of_the_loop_reaches_the_network_at_once_and_in_order() -> None:
    async def turns() -> list[bytes]:
        transport: Any = Transport()
        one = OneWrite(transport, asyncio.get_running_loop())
        for turn in range(2):
            for number in range(60):
                one.write(b"%d.%d " % (turn, number))
            assert len(transport.written) == turn
            await asyncio.sleep(0)
        written: list[bytes] = transport.written
        return written

    assert asyncio.run(turns()) == [b"".join(b"%d.%d " % (turn, number) for number in range(60)) for turn in range(2)]


def test_what_is_written_before_the_end_arrives_and_nothing_after_it() -> None:
    async def closing() -> tuple[list[bytes], bool]:
        transport: Any = Transport()
        one = OneWrite(transport, asyncio.get_running_loop())
        one.write(b"goodbye")
        one.close()
        one.write(b"too late")
        await asyncio.sleep(0)
        return transport.written, one.is_closing()

    assert asyncio.run(closing()) == ([b"goodbye"], True)
