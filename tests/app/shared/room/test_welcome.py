"""What the person who starts a class is told: where it is, its code, and the presenter's link."""

from __future__ import annotations

import pytest
import streamlit as st

from pages.shared.room import welcome
from pages.shared.room.room import Room

OPTIONS = {"server.port": 8501, "server.headless": True}


@pytest.mark.parametrize(
    ("address", "base", "of_class", "of_presenter"),
    [
        ("0.0.0.0", "", "http://10.1.2.3:8501/", "http://localhost:8501/room/present"),
        ("10.9.9.9", "", "http://10.9.9.9:8501/", "http://10.9.9.9:8501/room/present"),
        ("", "/lab/", "http://10.1.2.3:8501/lab/", "http://localhost:8501/lab/room/present"),
    ],
)
def test_it_has_the_address_for_others_the_code_and_the_presenters_link(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    address: str,
    base: str,
    of_class: str,
    of_presenter: str,
) -> None:
    monkeypatch.setattr(st, "get_option", (OPTIONS | {"server.address": address, "server.baseUrlPath": base}).get)
    monkeypatch.setattr(welcome, "network_address", lambda: "10.1.2.3")
    room = Room()
    welcome.welcome(room)
    told = capsys.readouterr().out
    for words in (f" {of_class}\n", f"Code: {room.code}\n", f" {of_presenter}?key={room.key}\n"):
        assert words in told


def test_a_machine_without_a_network_has_an_address_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert welcome.network_address().count(".") == 3 or welcome.network_address() == "localhost"
    monkeypatch.setattr(welcome.psutil, "net_if_addrs", dict)
    monkeypatch.setattr(welcome.socket.socket, "connect", _unreachable)
    assert welcome.network_address() == "localhost"


def _unreachable(*_: object) -> None:
    raise OSError
