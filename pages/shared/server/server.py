"""The server behind the front door: what it does before the first visitor and after the last."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config, runtime

from pages.shared.server import browser_tab, log, password, readiness
from pages.shared.server.assets import Assets
from pages.shared.server.health import PATH, health
from pages.shared.server.one_lock import share_locks
from pages.shared.server.overtaking import NoOvertaking
from pages.shared.server.rehearsal import rehearse
from pages.shared.server.visits import Visits
from pages.shared.work.board import board

PARTING = 25.0  # seconds for what is under way to be finished and stored; container runtimes often kill after 30
UNDISTURBED = 5.0  # seconds that the first visitor's first page has, before the process that computes is started
LOCAL = ("127.0.0.1", "localhost", "::1")
OPEN_TO_ALL = (
    "This server answers every machine that reaches it. Visitors share its processor and memory; whoever comes sees "
    "the data below SPARSE_RANK_DATA."
)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Make the first page ready while the server listens already; end once nothing that was computed is lost."""
    share_locks()
    log.begin()
    warn_if_open()
    opening = asyncio.create_task(_open())
    yield {}
    opening.cancel()
    log.event("stopping", jobs=board().under_way)
    left = await asyncio.to_thread(board().close, PARTING)
    log.event("stopped", unfinished=left)


async def _open() -> None:
    begun = time.monotonic()
    drawn = False
    try:
        drawn = await rehearse(runtime.get_instance())
        gc.collect()
        gc.freeze()  # what is there now stays: collections need not look at it again
    finally:
        readiness.declare()  # without a rehearsal the first visitor waits a little longer
    log.event("ready", seconds=round(time.monotonic() - begun, 2), first_page=drawn)
    browser_tab.open_now()
    await asyncio.sleep(UNDISTURBED)
    board().start_process()


def warn_if_open() -> None:
    """Say so where other machines can come in, and whether a password stands before them."""
    address = str(config.get_option("server.address") or "")
    if address not in LOCAL:
        log.warn(OPEN_TO_ALL, address=address or "any", password=bool(os.environ.get(password.SETTING)))


def routes() -> list[Route]:
    """What the server answers besides Streamlit's own."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return [Route(f"/{base}{PATH}" if base else PATH, health, methods=["GET"])]


MIDDLEWARE = (
    Middleware(Visits), Middleware(readiness.Readiness), Middleware(password.Door), Middleware(Assets),
    Middleware(NoOvertaking),
)  # fmt: skip
