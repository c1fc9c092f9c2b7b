"""What a monitor asks for, without visitors' data: ``/health``, as JSON, and ``/metrics``, in Prometheus' text.

The server listens from the start, so that browsers can load their files while the first page is made ready; until then
``/health`` answers 503.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import suppress

import psutil
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.program import version
from pages.shared.cache import n_bytes as cache_bytes
from pages.shared.server.assets import path_below_base
from pages.shared.server.visits import visitors
from pages.shared.work.board import board

PATH = "/health"
PATHS = (PATH, "/_stcore/health")
"""Ours, and Streamlit's own."""
SETTING = "SPARSE_RANK_MEMORY_MB"
METRICS = "/metrics"
METRICS_SETTING = "SPARSE_RANK_METRICS"
MOST_MEGABYTES = 4000.0
"""Of memory, of the process of the pages, where the environment sets nothing else."""
HELD = 1.0  # seconds that a question waits for the first page; clients wait longer than that
_BEGUN = time.monotonic()
_ready = asyncio.Event()
_problem = ""  # of the first page


async def health(request: Request) -> JSONResponse:
    """200 and ``ok`` while the server is well, else 503 with the reason; version, visitors, jobs and memory.

    Memory is that of the process of the pages, in MB; of it, what is kept of pictures and tables; and beside it that of
    the processes that compute.
    """
    this = psutil.Process(os.getpid())
    held = _megabytes(this)
    reason = " ".join(reasons(held))
    facts = {
        "status": "unavailable" if reason else "ok",
        "reason": reason,
        "version": version(),
        "seconds": round(time.monotonic() - _BEGUN, 1),
        "visitors": visitors(),
        "jobs": board().under_way,
        "memory_mb": held,
        "kept_mb": round(cache_bytes() / 1e6, 1),
        "computing_mb": round(sum(_megabytes(child) for child in this.children(recursive=True)), 1),
    }
    return JSONResponse(facts, status_code=503 if reason else 200, headers={"Cache-Control": "no-store"})


def reasons(megabytes: float) -> list[str]:
    """Why the server is ill, in sentences; none where it is well. The process of the pages holds so much memory."""
    told = [_problem]
    if board().fits.given_up:
        told.append("The compute process was lost repeatedly, so fits run in the web process.")
    try:
        if megabytes > (most := most_megabytes()):
            told.append(f"The web process uses {megabytes:.0f} MB, more than the {most:g} MB of {SETTING}.")
    except ValueError as error:
        told.append(f"{error}.")
    return [sentence for sentence in told if sentence]


def most_megabytes() -> float:
    """The bound of memory, as ``SPARSE_RANK_MEMORY_MB`` sets it.

    Raises
    ------
    ValueError
        If it is no positive number.
    """
    written = os.environ.get(SETTING) or str(MOST_MEGABYTES)
    try:
        most = float(written)
    except ValueError:
        most = 0.0
    if not most > 0:
        msg = f"{SETTING} must be a number of MB above 0, not {written!r}"
        raise ValueError(msg)
    return most


def _megabytes(process: psutil.Process) -> float:
    """Of memory, resident; none where it has just ended."""
    try:
        held: float = process.memory_info().rss / 1e6
    except psutil.NoSuchProcess:
        return 0.0
    return round(held, 1)


def declare(problem: str = "") -> None:
    """Say that the first page is ready, or why it cannot be; on the event loop's thread."""
    global _problem
    _problem = problem
    _ready.set()


class Readiness:
    """ASGI middleware that answers questions after health with 503 until the first page is ready."""

    def __init__(self, app: ASGIApp, ready: asyncio.Event = _ready, held: float = HELD) -> None:
        self._app = app
        self._ready = ready
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let everything pass but a question that comes too early."""
        asked = scope["type"] == "http" and path_below_base(scope) in PATHS
        if asked:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), self._held)
        if asked and not self._ready.is_set():
            starting = JSONResponse({"status": "starting"}, 503, headers={"Cache-Control": "no-store"})
            await starting(scope, receive, send)
        else:
            await self._app(scope, receive, send)


REGISTRY = CollectorRegistry()
PAGE_SECONDS = Histogram(
    "sparse_rank_page_run_seconds",
    "Page runs, including those that the server makes for itself.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
    registry=REGISTRY,
)


class Gauges(Collector):
    """What can be looked up when somebody asks."""

    def collect(self) -> Iterator[Metric]:
        """The numbers as they are now."""
        running, waiting = board().counts
        for name, value, what in (
            ("visitors", visitors(), "Browsers that are connected."),
            ("jobs_running", running, "Computations that are running."),
            ("jobs_waiting", waiting, "Computations that are waiting."),
            ("cache_bytes", cache_bytes(), "Size of cached results and pictures."),
            ("resident_memory_bytes", psutil.Process(os.getpid()).memory_info().rss, "Memory of the web process."),
        ):
            yield GaugeMetricFamily(f"sparse_rank_{name}", what, value)


REGISTRY.register(Gauges())


async def metrics(request: Request) -> Response:
    """The numbers, behind the password of the server unless ``SPARSE_RANK_METRICS=open``."""
    return Response(
        generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"}
    )
