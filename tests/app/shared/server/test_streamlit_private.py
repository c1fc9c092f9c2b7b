"""What is taken from inside Streamlit and plotly: where a name is gone, its row is left out and the Lab goes on."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.session_state import SessionState

from benchmarks.websocket_visitor import Visitor
from core import private_names
from core.figures.look import plotly_private
from core.private_names import Row, installed
from pages.shared.server import streamlit_private
from pages.shared.server.overtaking import NoOvertaking
from pages.shared.server.rehearsal import Rehearsals
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, headline_of
from tests.app.shared.server.asgi import ask, inside
from tests.app.shared.server.rows import forget
from tests.browser.server import ROOT, Server
from tests.cases import sweep

ROWS = (*streamlit_private.ROWS, *plotly_private.ROWS)
NEEDS = [(row, name) for row in ROWS for name in row.needs]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
ON_PAGES = (streamlit_private.RUN, streamlit_private.RUNTIME, *plotly_private.ROWS)
"""The others are taken by the server alone."""


@pytest.fixture(autouse=True)
def tried_anew() -> Iterator[None]:
    yield
    for row in ROWS:
        forget(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.gives)
def test_every_row_fits_what_is_installed(row: Row) -> None:
    assert not row.missing
    assert row.gives
    assert row.lost.endswith(".")


@pytest.mark.parametrize(("row", "name"), NEEDS, ids=lambda one: one if isinstance(one, str) else "")
def test_a_name_that_is_gone_takes_its_row_along_and_says_which(
    monkeypatch: pytest.MonkeyPatch, row: Row, name: str
) -> None:
    def renamed(asked: str) -> Any:
        return installed(f"{asked}_renamed" if asked == name else asked)

    monkeypatch.setattr(private_names, "installed", renamed)
    forget(row)
    assert not row
    assert row.missing.startswith(name)


@pytest.mark.parametrize(
    ("row", "name"),
    [(row, name) for row, name in NEEDS if row.needs[name] is not None],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_function_that_wants_something_else_takes_its_row_along(
    monkeypatch: pytest.MonkeyPatch, row: Row, name: str
) -> None:
    def other(new: object) -> None:
        """Of another version."""

    monkeypatch.setattr(private_names, "installed", lambda asked: other if asked == name else installed(asked))
    forget(row)
    assert row.missing == f"{name} (takes new)"


@pytest.mark.parametrize(
    "gone",
    sweep([(ROWS,), *(((row,),) for row in ON_PAGES)]),
    ids=lambda rows: rows[0].gives if len(rows) == 1 else "all",
)
def test_every_page_is_drawn_without(open_app: Open, monkeypatch: pytest.MonkeyPatch, gone: tuple[Row, ...]) -> None:
    for row in gone:
        monkeypatch.setitem(vars(row), "missing", "this")
    app = open_app("start", dataset="planted")
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert_fine(app)
        assert headline_of(app), page


def test_without_them_nothing_stands_between_a_browser_and_streamlit_and_nobody_visits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clear = AppSession._clear_queue
    for row in ROWS:
        monkeypatch.setitem(vars(row), "missing", "this")
    take = SessionState.set_widgets_from_proto
    streamlit_private.keep_what_pages_set()
    streamlit_private.send_in_bundles()
    streamlit_private.send_what_waits()
    assert SessionState.set_widgets_from_proto is take
    assert AppSession._clear_queue is clear
    assert AppSession._on_scriptrunner_event is not streamlit_private._post
    assert ask(NoOvertaking(inside), kind="websocket").messages[0]["type"] == "websocket.accept"
    own = Rehearsals()
    assert not asyncio.run(own.rehearse())
    assert own.problem == ""
    assert streamlit_private.is_here("anybody")
    assert not streamlit_private.on_a_server()


WITHOUT = """
import sys
from core import private_names

def gone(name):
    raise AttributeError(name)

private_names.installed = gone
from streamlit.web.cli import main
main(sys.argv[1:], prog_name="streamlit")
"""


class Bare(Server):
    """The real server on a Streamlit of which every private name is another."""

    program = ("-c", WITHOUT)


@pytest.mark.more
def test_a_server_without_any_of_them_serves_every_page(tmp_path: Path) -> None:
    said = tmp_path / "log.txt"

    async def draw_all(address: str) -> None:
        async with Visitor(address) as visitor:
            for page in PAGES:
                await visitor.open("" if page == "start" else page, "dataset=planted")
                assert len(visitor.elements) > 10, page
                assert not visitor.has("exception"), page
                assert {"", "fit", "path"} <= set(visitor.pages), "a deep link to a cold server has the whole menu"

    with Bare(said) as server:
        for page in PAGES:
            with urllib.request.urlopen(f"{server.address}/{'' if page == 'start' else page}", timeout=60) as answer:
                assert answer.status == 200
        asyncio.run(draw_all(server.address))
        with urllib.request.urlopen(f"{server.address}/health", timeout=60) as answer:
            assert answer.status == 200
    log = said.read_text()
    for row in ROWS:
        assert log.count(row.lost) == 1, log
