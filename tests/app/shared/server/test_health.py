"""What the server says of itself: 503 until its first page is ready, then numbers and nothing of anybody's data."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import psutil
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.server import health as answers
from pages.shared.server import rehearsal
from pages.shared.server.readiness import Readiness
from pages.shared.server.streamlit_private import OWN_VISIT
from pages.shared.work.board import board
from pages.shared.work.process.fits import Fits
from tests.app.conftest import Open
from tests.app.fitting import assert_fine
from tests.app.shared.server.asgi import ask, inside
from tests.says import assert_says

APP = Starlette(routes=[Route("/health", answers.health)])


@pytest.fixture(autouse=True)
def well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers.REHEARSALS, "_problem", "")
    monkeypatch.setenv(answers.SETTING, "1e6")


def said() -> tuple[int, str]:
    answer = ask(APP, "/health")
    facts = json.loads(answer.body)
    assert (facts["status"] == "ok") == (facts["reason"] == "") == (answer.status == 200)
    return answer.status, facts["reason"]


def test_health_is_a_json_object_of_numbers() -> None:
    answer = ask(APP, "/health")
    assert answer.status == 200
    said = json.loads(answer.body)
    assert said["status"] == "ok"
    assert said["reason"] == ""
    assert said["visitors"] == 0
    assert said["jobs"] == 0
    assert said["version"][0].isdigit()
    assert said["memory_mb"] > 1
    assert said["seconds"] >= 0
    assert said["kept_mb"] >= 0
    assert said["computing_mb"] >= 0
    assert set(said) == {
        "status", "reason", "version", "seconds", "visitors", "jobs", "memory_mb", "kept_mb", "computing_mb",
    }  # fmt: skip


class Pretence:
    """A server whose page is what a test says."""

    def __init__(self) -> None:
        self.shows: list[Any] = []
        self.open: list[str] = []
        self.most_open = 0

    def connect_session(self, client: Any, user_info: dict[str, str]) -> str:
        self._client = client
        self.open.append("one")
        self.most_open = max(self.most_open, len(self.open))
        return "one"

    def handle_backmsg(self, session: str, message: BackMsg) -> None:
        for message in self.shows:
            if isinstance(message, Exception):
                raise message
            self._client.write_forward_msg(message)

    def close_session(self, session: str) -> None:
        self.open.remove(session)


def element(kind: str, **content: Any) -> ForwardMsg:
    message = ForwardMsg()
    drawn = getattr(message.delta.new_element, kind)
    drawn.SetInParent()
    for name, value in content.items():
        setattr(drawn, name, value)
    return message


END = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
BROKEN = ForwardMsg(script_finished=ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
TEXT = element("markdown", body="well")
FAULT = element("alert", body="This could not be computed.", format=Alert.ERROR)
ANSWER = element("alert", body="Press Start.", format=Alert.INFO)


@pytest.mark.parametrize(
    ("shows", "reason"),
    [
        ([], "not complete within"),
        ([TEXT, BROKEN], "does not end"),
        ([END], "empty"),
        ([TEXT, FAULT, END], "shows an error"),
        ([TEXT, element("exception", type="NameError"), END], "shows an error"),
        ([KeyError("renamed")], "KeyError"),
    ],
)
def test_it_is_ill_while_it_cannot_draw_a_page_for_itself_and_well_again(
    monkeypatch: pytest.MonkeyPatch, shows: list[Any], reason: str
) -> None:
    server = Pretence()
    monkeypatch.setitem(vars(OWN_VISIT), "_things", [lambda: server, *OWN_VISIT[1:]])
    monkeypatch.setattr(rehearsal, "GIVEN_UP", 0.0)

    async def looked() -> None:
        server.shows = [ANSWER, TEXT, END]
        assert await answers.REHEARSALS.rehearse()
        server.shows = shows
        assert not await answers.REHEARSALS.rehearse(0.01)

    asyncio.run(looked())
    status, told = said()
    assert status == 503
    assert reason in told
    server.shows = [TEXT, END]
    assert asyncio.run(answers.REHEARSALS.rehearse())
    assert said() == (200, "")
    assert server.open == []


def test_a_page_that_hangs_is_waited_for_and_no_other_begins_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Pretence()
    monkeypatch.setitem(vars(OWN_VISIT), "_things", [lambda: server, *OWN_VISIT[1:]])

    async def looked() -> None:
        for _ in range(3):
            assert not await answers.REHEARSALS.rehearse(0.01)
        server._client.write_forward_msg(TEXT)
        assert answers.REHEARSALS.problem
        server._client.write_forward_msg(END)
        assert not answers.REHEARSALS.problem  # at once, not a minute later
        assert await answers.REHEARSALS.rehearse(0.01)

    asyncio.run(looked())
    assert server.most_open == 1
    assert server.open == []


def test_it_is_ill_while_the_process_that_computes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Fits(1, lambda: None)
    monkeypatch.setattr(board(), "fits", fits)
    assert said() == (200, "")
    fits.given_up = True
    status, told = said()
    assert status == 503
    assert "compute process" in told
    assert "compute process" in board().trouble
    fits.given_up = False
    assert said() == (200, "")
    assert board().trouble == ""


def test_a_person_who_would_press_fit_reads_it_too(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Fits(1, lambda: None)
    fits.given_up = True
    monkeypatch.setattr(board(), "fits", fits)
    app = open_app("fit", dataset="planted")
    assert_fine(app)
    told = next(warning.value for warning in app.warning if "compute process" in warning.value)
    assert_says(told, "lost")
    assert app.button(key="fit")


def test_it_is_ill_while_memory_is_over_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(answers.SETTING, "10")
    status, told = said()
    assert status == 503
    assert_says(told, "more than", "10 MB", "SPARSE_RANK_MEMORY_MB")
    monkeypatch.setenv(answers.SETTING, "")
    assert answers.most_megabytes() == 4000
    assert said() == (200, "")


@pytest.mark.parametrize("written", ["much", "0", "-1", "nan"])
def test_a_bound_that_cannot_be_read_is_one_sentence(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(answers.SETTING, written)
    with pytest.raises(ValueError, match=r"SPARSE_RANK_MEMORY_MB.*\bMB above 0\b"):
        answers.most_megabytes()
    status, told = said()
    assert status == 503
    assert_says(told, "SPARSE_RANK_MEMORY_MB", "MB above 0", repr(written))
    assert told.count(".") == 1


def test_memory_of_processes_that_compute_is_counted_and_one_that_has_ended_is_none() -> None:
    words = [sys.executable, "-c", "held = b'x' * 50_000_000; print('ready', flush=True); input()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()
        known = psutil.Process(child.pid)
        assert answers._megabytes(known) > 50
        child.stdin.close()
        child.wait()
        assert answers._megabytes(known) == 0.0


@pytest.mark.parametrize("path", ["/health", "/_stcore/health"])
def test_until_the_first_page_is_ready_it_says_so(path: str) -> None:
    ready = asyncio.Event()
    app = Readiness(inside, ready, held=0.01)
    assert ask(app, path).status == 503
    assert ask(app, "/").status == 200  # a browser may load its files meanwhile
    ready.set()
    assert ask(app, path).status == 200
