"""``/metrics``: what a monitor draws over time, in Prometheus' text; nothing of visitors' data."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psutil
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from pages.shared.cache import n_bytes as size
from pages.shared.server.visits import visitors
from pages.shared.work.board import board

PATH = "/metrics"
SETTING = "SPARSE_RANK_METRICS"
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
            ("cache_bytes", size(), "Size of cached results and pictures."),
            ("resident_memory_bytes", psutil.Process(os.getpid()).memory_info().rss, "Memory of the web process."),
        ):
            yield GaugeMetricFamily(f"sparse_rank_{name}", what, value)


REGISTRY.register(Gauges())


async def metrics(request: Request) -> Response:
    """The numbers, behind the password of the server unless ``SPARSE_RANK_METRICS=open``."""
    return Response(
        generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"}
    )
