"""The server behind the front door: what it does before the first visitor and after the last."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config, runtime

from pages.shared.server import browser_tab, log, password, readiness
from pages.shared.server.assets import Assets
from pages.shared.server.bundles import send_in_bundles
from pages.shared.server.health import PATH, health
from pages.shared.server.look import remember_options
from pages.shared.server.one_lock import share_locks
from pages.shared.server.overtaking import NoOvertaking
from pages.shared.server.rehearsal import rehearse
from pages.shared.server.visits import Visits
from pages.shared.work.board import board

PARTING = 25.0  # seconds for what is under way to be finished and stored; container runtimes often kill after 30
TIDYING = 60.0  # seconds between two looks for what nothing refers to any more but itself
OFTEN, SELDOM = (5000, 20), 1_000_000  # see `gc.set_threshold`
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
    remember_options()
    send_in_bundles()
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
        tidy()
    finally:
        readiness.declare()  # without a rehearsal the first visitor waits a little longer
    log.event("ready", seconds=round(time.monotonic() - begun, 2), first_page=drawn)
    browser_tab.open_now()
    await asyncio.sleep(UNDISTURBED)
    board().start_process()
    gc.set_threshold(*OFTEN, SELDOM)
    while True:
        await asyncio.sleep(TIDYING)
        tidy()
        await asyncio.to_thread(give_back)


def tidy() -> None:
    """Free what nothing refers to any more but itself, and have collections until the next time pass over the rest.

    Python would look through everything that is kept, again and again, with all visitors waiting: a twentieth of the
    time where forty click.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Return memory that is free to the system, which glibc keeps in an arena for every thread that draws pages.

    Other C libraries have no such call.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


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
