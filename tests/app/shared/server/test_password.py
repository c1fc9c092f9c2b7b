"""Nothing of the server is to be had without the password, where there is one."""

from __future__ import annotations

import pytest

from pages.shared.server import forms
from pages.shared.server.forms import COOKIE, Door
from pages.shared.server.tickets import LASTS
from tests.app.shared.server.asgi import ask, inside
from tests.stand_ins import Clock

NEVER_OPEN = ["/", "/path?C=1", "/media/a.csv", "/_stcore/upload_file/s/f", "/_stcore/host-config", "/static/js/a.js",
              "/component/x/y.js", "/health/", "//health", "/x/health", "/_stcore/health/../stream"]  # fmt: skip


@pytest.fixture(autouse=True)
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


def test_health_is_answered_to_everybody_but_only_asked() -> None:
    door = Door(inside, "ge heim")
    assert ask(door, "/health").status == ask(door, "/_stcore/health").status == 200
    assert ask(door, "/health", method="POST", body=b"").status == 401


def test_without_a_password_the_door_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(forms.SETTING, raising=False)
    assert ask(Door(inside)).status == 200
    monkeypatch.setenv(forms.SETTING, "ge heim")
    assert ask(Door(inside)).status == 401


def test_passwords_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def spy(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return one == other

    monkeypatch.setattr(forms.hmac, "compare_digest", spy)
    for body in (b"password=g", b"password=ge%20heimlich", b"password=ge%20heim"):
        ask(Door(inside, "ge heim"), method="POST", body=body)
    assert compared == [(32, 32)] * 3  # digests: their length tells nothing of the password's
