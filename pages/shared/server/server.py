"""The server behind the front door: what it does before the first visitor and after the last."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from itertools import count
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from core.analysis.features.rules import Rules
from core.methods import METHODS
from pages.shared.choice import access, ready
from pages.shared.choice.choice import DEFAULT_STEP, Choice, Loaded, Regularization, Source
from pages.shared.choice.data import DEFAULT_DATASET
from pages.shared.room import routes as class_routes
from pages.shared.room.room import room
from pages.shared.room.routes import ClassDoor
from pages.shared.room.welcome import address, welcome
from pages.shared.server import log, visits
from pages.shared.server.assets import Assets
from pages.shared.server.forms import SETTING, Door
from pages.shared.server.guard import Guard
from pages.shared.server.health import METRICS, PATH, Readiness, declare, health, metrics, most_megabytes
from pages.shared.work.board import board
from pages.shared.work.paths import path_frames, path_job

PARTING = 25.0  # seconds for what is under way to be finished and stored; container runtimes often kill after 30
SWEEPING = 15.0  # seconds between two looks for files whose visitors have gone
TIDYING = 4  # such looks from one look for what nothing refers to any more but itself to the next
OFTEN, SELDOM = (5000, 20), 1_000_000  # see `gc.set_threshold`
UNDISTURBED = 5.0  # seconds that the first page has before the process that computes, unless that is to compile
LOCAL = ("127.0.0.1", "localhost", "::1")
OPEN_TO_ALL = (
    "This server answers every machine that reaches it. Visitors share its processor and memory, and all of them see "
    "the data in SPARSE_RANK_DATA."
)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Make the first page ready while the server listens already; end once nothing that was computed is lost."""
    log.begin()
    try:
        most_megabytes()
    except ValueError as error:
        log.warn(f"{error}. /health answers 503 until it is.")
    visits.serve()
    heard = str(st.get_option("server.address") or "")
    if heard not in LOCAL:  # say whether a password stands before it
        log.warn(OPEN_TO_ALL, address=heard or "any", password=bool(os.environ.get(SETTING)))
    await asyncio.to_thread(access.uploads)
    opening = asyncio.create_task(_open())
    yield {}
    opening.cancel()
    log.event("stopping", jobs=board().under_way)
    left = await asyncio.to_thread(board().close, PARTING)
    await asyncio.to_thread(access.end_uploads)
    log.event("stopped", unfinished=left)


async def _open() -> None:
    begun, problem = time.monotonic(), ""
    try:
        await asyncio.to_thread(board().fits.begin)
        problem = await asyncio.to_thread(prepare)
        tidy()
    finally:
        declare(problem)
    log.event("ready", seconds=round(time.monotonic() - begun, 2))
    if (here := room()) is not None:
        welcome(here)
    elif not st.get_option("server.headless"):  # Streamlit opens no tab for an app that brings its own server
        webbrowser.open(address())
    if not board().fits.preparing:
        await asyncio.sleep(UNDISTURBED)
    board().fits.start()
    gc.set_threshold(*OFTEN, SELDOM)
    for look in count(1):
        await asyncio.sleep(SWEEPING)
        await asyncio.to_thread(access.uploads().sweep)
        if look % TIDYING:
            continue
        tidy()
        # Memory that is free goes back to the system: glibc, and no other library, keeps an arena for every thread.
        with suppress(OSError, AttributeError):
            await asyncio.to_thread(ctypes.CDLL(None).malloc_trim, 0)


def prepare() -> str:
    """Load what the first page needs, before a person comes: imports, compiled kernels, the sample and its paths.

    It is done as the Lab does it for the choice of a new visitor. Returns why that failed, in a sentence, else nothing.
    """
    try:
        import_module("pages.views.start.page")
        ready.ready_datasets()
        method, source = METHODS[0], Source(DEFAULT_DATASET)
        parameters = tuple((parameter.name, parameter.default) for parameter in method.parameters)
        data = access.load_data(source, 1, method.id, parameters)
        choice = Choice(
            source=source,
            fold_number=1,
            convention=data.judge.convention,
            fingerprint=data.fold.fingerprint,
            method_id=method.id,
            solver_id=method.solvers[0].id,
            parameters=parameters,
            regularization=Regularization.at_step(data.training, DEFAULT_STEP),
            tol=method.stop.tol,
            rules=Rules(data.fold.train.n_features),
        )
        loaded = Loaded.of(choice, data)
        if (run := path_job(loaded, method.id).run) is not None:
            path_frames(loaded, run.points)
        method.run(data.training, choice.lam)
    except Exception as error:  # whatever it is, visitors would meet it too
        logging.getLogger(__name__).exception("the first page cannot be prepared")
        return f"The first page cannot be prepared ({type(error).__name__})."
    return ""


def tidy() -> None:
    """Free what nothing refers to any more but itself, and have collections until the next time pass over the rest.

    Python would look through everything that is kept, again and again, with all visitors waiting: a twentieth of the
    time where forty click.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def routes() -> list[Route]:
    """What the server answers besides Streamlit's own."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    ours = [Route(PATH, health), Route(METRICS, metrics), *class_routes.routes()]
    return [Route(f"/{base}{one.path}" if base else one.path, one.endpoint, methods=one.methods) for one in ours]


MIDDLEWARE = [Middleware(one) for one in (Guard, visits.Visits, Readiness, ClassDoor, Door, Assets)]
