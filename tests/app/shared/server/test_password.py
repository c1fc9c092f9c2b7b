"""Nothing of the server is to be had without the password, where there is one.

Wrong passwords slow down their sender and no one else. Time is the event loop's: it advances when all tasks wait.
"""

import asyncio
import logging
import selectors
import signal
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
import uvicorn

from pages.shared.server import forms
from pages.shared.server.forms import COOKIE, FORGIVEN, LONGEST, PATIENCE, RIGHT, BackOff, Door, client_address
from pages.shared.server.visits import LASTS
from tests.app.shared.server.asgi import ask, asked, inside
from tests.stand_ins import Clock

NEVER_OPEN = ["/", "/path?C=1", "/media/a.csv", "/_stcore/upload_file/s/f", "/_stcore/host-config", "/static/js/a.js",
              "/component/x/y.js", "/health/", "//health", "/x/health", "/_stcore/health/../stream"]  # fmt: skip


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "FIRST", 0.0)


def _cookie(door: Door, page: str = "/path?C=1") -> str:
    answer = ask(door, page, method="POST", body=b"password=ge%20heim")
    assert answer.status == 303
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.parametrize("path", NEVER_OPEN)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_without_the_password_nothing_is_answered(path: str, method: str) -> None:
    answer = ask(Door(inside, "ge heim"), path, method=method)
    assert answer.status == 401
    assert b"secret" not in answer.body


def test_the_websocket_is_refused_before_it_is_accepted() -> None:
    door = Door(inside, "ge heim")
    assert [m["type"] for m in ask(door, "/_stcore/stream", kind="websocket").messages] == ["websocket.close"]
    opened = ask(door, "/_stcore/stream", kind="websocket", cookie=_cookie(door))
    assert [m["type"] for m in opened.messages] == ["websocket.accept"]


def test_the_password_opens_every_page_and_leads_back_to_the_one_asked_for() -> None:
    door = Door(inside, "ge heim")
    answer = ask(door, "/path?C=1", method="POST", body=b"password=ge%20heim", x_forwarded_proto="https")
    assert answer.headers["location"] == "./path?C=1"
    words = answer.headers["set-cookie"].lower()
    assert "httponly" in words
    assert "samesite=lax" in words
    assert "secure" in words
    assert words.startswith(f"{COOKIE}_8501=")
    plain = ask(door, "/path?C=1", method="POST", body=b"password=ge%20heim")
    assert "secure" not in plain.headers["set-cookie"].lower()
    assert b"secret" in ask(door, "/media/a.csv", cookie=_cookie(door)).body


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize("body", [b"", b"password=", b"password=geheim", b"password=ge%20heim%00", b"x=ge%20heim",
                                  b"password=" + b"a" * 9000, b"\xff\xfe"])  # fmt: skip
def test_another_password_opens_nothing(body: bytes) -> None:
    answer = ask(Door(inside, "ge heim"), method="POST", body=body, accept="text/html")
    assert answer.status == 401
    assert "set-cookie" not in answer.headers


def test_a_cookie_opens_only_the_server_that_made_it_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(1000.0)
    monkeypatch.setattr("itsdangerous.timed.time.time", clock)
    door = Door(inside, "ge heim")
    cookie = _cookie(door)
    assert ask(door, cookie=cookie).status == 200
    assert ask(Door(inside, "ge heim"), cookie=cookie).status == 401
    words, made, signature = cookie.removeprefix(f"{COOKIE}_8501=").split(".")
    for forged in (
        f"x{words}.{made}.{signature}",
        f".{made[1:]}.{signature}",
        f".{made}.",
        f".{made}.{signature[1:]}",
        "٣.x",
    ):
        assert ask(door, cookie=f"{COOKIE}_8501=" + forged.encode().decode("latin-1")).status == 401
    clock.now += LASTS + 1
    assert ask(door, cookie=cookie).status == 401


@pytest.mark.usefixtures("no_pause")
def test_health_is_answered_to_everybody_but_only_asked() -> None:
    door = Door(inside, "ge heim")
    assert ask(door, "/health").status == ask(door, "/_stcore/health").status == 200
    assert ask(door, "/health", method="POST", body=b"").status == 401


def test_without_a_password_the_door_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(forms.SETTING, raising=False)
    assert ask(Door(inside)).status == 200
    monkeypatch.setenv(forms.SETTING, "ge heim")
    assert ask(Door(inside)).status == 401


@pytest.mark.usefixtures("no_pause")
def test_passwords_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def spy(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return one == other

    monkeypatch.setattr(forms.hmac, "compare_digest", spy)
    for body in (b"password=g", b"password=ge%20heimlich", b"password=ge%20heim"):
        ask(Door(inside, "ge heim"), method="POST", body=body)
    assert compared == [(32, 32)] * 3  # digests: their length tells nothing of the password's


GUESSER = "192.0.2.1"


class _Selector(selectors.DefaultSelector):
    """Waiting takes no time, but time passes."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


def at_once(what: Coroutine[Any, Any, None]) -> None:
    """Run without waiting for the clock."""
    selector = _Selector()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(what)


async def _try(door: Door, word: str, address: str) -> tuple[int, float]:
    """Status of the answer to a password, and the seconds until it came."""
    begun = asyncio.get_running_loop().time()
    answer = await asked(door, method="POST", body=f"password={word}".encode(), client=address)
    return answer.status, asyncio.get_running_loop().time() - begun


@pytest.mark.parametrize("at_a_time", [1, 8, 40])
def test_who_guesses_as_fast_as_he_can_is_slowed_and_keeps_nobody_out(at_a_time: int) -> None:
    door = Door(inside, "ge heim")
    answered: list[float] = []
    let_in: list[tuple[str, int, float]] = []

    async def guess() -> None:
        for number in range(100_000):
            await _try(door, f"guess {number}", GUESSER)
            answered.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.01)

    async def knock(number: int) -> None:
        await asyncio.sleep(6.0 * number)
        address = GUESSER if number % 2 else f"198.51.100.{number}"
        let_in.append((address, *await _try(door, "ge%20heim", address)))

    async def both() -> None:
        guessers = [asyncio.create_task(guess()) for _ in range(at_a_time)]
        await asyncio.gather(*map(knock, range(50)))
        for guesser in guessers:
            guesser.cancel()

    at_once(both())
    assert [status for _, status, _ in let_in] == [303] * 50
    assert max(seconds for address, _, seconds in let_in if address != GUESSER) == 0.0
    assert max(seconds for address, _, seconds in let_in if address == GUESSER) <= RIGHT
    late = [moment for moment in answered if moment > 60.0]
    assert len(late) / (6.0 * 49 - 60.0) < 1.0, len(late)


def test_a_few_mistakes_cost_a_second_each_and_are_forgiven() -> None:
    table = BackOff()
    assert [table.wrong("a", 10.0 * k) for k in range(4)] == [(k + 1, 1.0) for k in range(4)]
    assert table.wrong("a", 40.0)[1] > 1.0
    assert table.right("b", 40.0) == 0.0 < table.right("a", 40.0)
    for k in range(200):
        assert table.wrong("a", 50.0 + k)[1] <= PATIENCE
    assert table.wrong("a", 400.0)[1] == LONGEST
    assert table.wrong("a", 400.0 + 210 * FORGIVEN) == (1, 1.0)


def test_many_addresses_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "ADDRESSES", 10)
    table = BackOff()
    for k in range(1000):
        table.wrong("often", float(k))
        table.wrong(f"address {k}", float(k))
    assert len(table) == 10
    assert table.right("often", 1000.0) == RIGHT


def test_a_network_of_ipv6_is_one_address() -> None:
    told = {
        "2001:db8:1:2:3::4": "2001:db8:1:2::/64", "2001:db8:1:2::": "2001:db8:1:2::/64",
        "2001:db8:1:3::": "2001:db8:1:3::/64",
        "::ffff:192.0.2.1": "192.0.2.1", "192.0.2.1": "192.0.2.1", "fe80::1%eth0": "fe80::/64", "unix": "unix",
    }  # fmt: skip
    assert {address: client_address((address, 1)) for address in told} == told
    assert client_address(None) == "unknown"


def test_nobody_fills_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def guess() -> None:
        door = Door(inside, "ge heim")
        await asyncio.gather(*(_try(door, "tried", GUESSER) for _ in range(100)))

    at_once(guess())
    assert [record.details["times"] for record in caplog.records] == [1, 2, 4, 8, 16, 32, 64]  # type: ignore[attr-defined]
    assert "tried" not in caplog.text


def test_time_is_taken_for_nobody_who_has_left() -> None:
    """What waits ends with its connection: connections that come and go leave nothing behind."""

    async def leave() -> None:
        door = Door(inside, "ge heim")
        for _ in range(20):
            door._back_off.wrong(GUESSER, 0.0)
        await asked(door, method="POST", body=b"password=x", client=GUESSER, leaves=True)
        assert asyncio.get_running_loop().time() == 0.0

    at_once(leave())


def test_answers_that_wait_do_not_keep_the_server_from_ending() -> None:
    server = uvicorn.Server(uvicorn.Config(inside))
    before = signal.signal(signal.SIGTERM, server.handle_exit)  # as uvicorn does when it runs

    async def end() -> None:
        door = Door(inside, "ge heim")
        waiting = [asyncio.create_task(_try(door, "x", GUESSER)) for _ in range(20)]
        await asyncio.sleep(30.0)
        assert not all(task.done() for task in waiting)
        server.handle_exit(signal.SIGTERM, None)
        await asyncio.wait(waiting, timeout=2.0)
        assert all(task.done() for task in waiting)

    try:
        at_once(end())
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.fixture
def address() -> Iterator[str]:
    """A door behind a server as Streamlit sets it up, which hears `X-Forwarded-For` of this machine only."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        free.listen()
        server = uvicorn.Server(uvicorn.Config(Door(inside, "ge heim"), log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [free]})
        thread.start()
        yield f"http://127.0.0.1:{free.getsockname()[1]}/"
        server.should_exit = True
        thread.join()


def test_behind_a_proxy_of_this_machine_the_address_is_the_visitors(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    guess = urllib.request.Request(address, b"password=x", {"X-Forwarded-For": f"10.0.0.9, {GUESSER}"})
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(guess, timeout=30)
    (wrong,) = [record for record in caplog.records if record.getMessage().startswith("wrong password")]
    assert wrong.details == {"client": GUESSER, "times": 1}  # type: ignore[attr-defined]
