"""The answer to whoever watches over the server: ``/health``, a JSON object without anything of visitors' data."""

from __future__ import annotations

import os
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import psutil
from starlette.requests import Request
from starlette.responses import JSONResponse
from streamlit import runtime

from pages.shared.kept import kept_bytes
from pages.shared.work.board import board

PATH = "/health"
PATHS = (PATH, "/_stcore/health")
"""Ours, and Streamlit's own."""
_BEGUN = time.monotonic()


async def health(request: Request) -> JSONResponse:
    """200 and ``ok`` while pages are drawn; version, seconds since the start, visitors, jobs and memory.

    Memory is that of the process of the pages, in MB; of it, what is kept of pictures and tables; and beside it that of
    the processes that compute.
    """
    ready = runtime.exists() and (await runtime.get_instance().is_ready_for_browser_connection)[0]
    this = psutil.Process(os.getpid())
    facts = {
        "status": "ok" if ready else "unavailable",
        "version": _version(),
        "seconds": round(time.monotonic() - _BEGUN, 1),
        "visitors": visitors(),
        "jobs": board().under_way,
        "memory_mb": _megabytes(this),
        "kept_mb": round(kept_bytes() / 1e6, 1),
        "computing_mb": round(sum(_megabytes(child) for child in this.children(recursive=True)), 1),
    }
    return JSONResponse(facts, status_code=200 if ready else 503, headers={"Cache-Control": "no-store"})


def _megabytes(process: psutil.Process) -> float:
    """Of memory, resident; none where it has just ended."""
    try:
        held: float = process.memory_info().rss / 1e6
    except psutil.NoSuchProcess:
        return 0.0
    return round(held, 1)


def visitors() -> int:
    """How many browsers are connected."""
    return len(runtime.get_instance()._session_mgr.list_active_sessions()) if runtime.exists() else 0


@cache
def _version() -> str:
    try:
        return version("sparse-ranking-lab")
    except PackageNotFoundError:
        return "not installed"
