"""What a monitor draws over time: numbers, behind the password unless the environment opens them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import ASGIApp

from pages.shared.server import metrics
from pages.shared.server.metrics import Metrics
from pages.shared.server.password import Door
from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from tests.app.conftest import Open
from tests.app.fitting import until
from tests.app.shared.server.asgi import ask, inside


def numbers(app: ASGIApp) -> dict[str, float]:
    answer = ask(app, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families = text_string_to_metric_families(answer.body.decode())
    return {sample.name: sample.value for family in families for sample in family.samples if "le" not in sample.labels}


class Slow:
    """Work that lasts until it is told to end."""

    def __init__(self, ends: Callable[[], bool]) -> None:
        self._ends = ends

    @property
    def done(self) -> bool:
        return self._ends()

    def advance(self) -> None:
        """Take a step."""


def test_it_has_visitors_jobs_cache_memory_and_seconds_of_pages(open_app: Open) -> None:
    before = numbers(Metrics(inside))
    open_app("data", dataset="planted")
    after = numbers(Metrics(inside))
    assert after["sparse_rank_page_run_seconds_count"] == before["sparse_rank_page_run_seconds_count"] + 1
    assert after["sparse_rank_page_run_seconds_sum"] > before["sparse_rank_page_run_seconds_sum"]
    assert after["sparse_rank_resident_memory_bytes"] > 1e6
    assert after["sparse_rank_cache_bytes"] >= 0
    assert after["sparse_rank_visitors"] == 0


def test_jobs_at_work_and_in_line_are_told_apart() -> None:
    ended = []
    for number in range(5):
        board().submit(Job(f"slow {number}", "somebody", lambda: Slow(lambda: bool(ended))))  # type: ignore[type-var]
    until(lambda: numbers(Metrics(inside))["sparse_rank_jobs_running"] == 2)
    assert numbers(Metrics(inside))["sparse_rank_jobs_waiting"] == 3
    ended.append(True)
    until(lambda: numbers(Metrics(inside))["sparse_rank_jobs_running"] == 0)


def test_it_stays_behind_the_password_unless_the_environment_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def answered() -> int:
        app: ASGIApp = inside
        for layer in reversed(metrics.around(lambda app: Door(app, "secret"))):
            app = layer(app)
        return ask(app, "/metrics").status

    assert answered() == 401
    monkeypatch.setenv(metrics.SETTING, "open")
    assert answered() == 200


def test_nothing_else_is_answered_and_nothing_is_taken() -> None:
    assert b"secret" in ask(Metrics(inside), "/metricsx").body
    assert ask(Metrics(inside), "/metrics", method="POST").status == 405
