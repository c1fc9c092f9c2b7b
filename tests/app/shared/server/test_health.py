"""What the server says of itself: 503 until its first page is ready, then numbers and nothing of anybody's data.

What a monitor draws over time: numbers, behind the password unless the environment opens them.
"""

import asyncio
import json
import subprocess
import sys
import threading

import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.routing import Route

from pages.shared.server import health as answers
from pages.shared.server import server
from pages.shared.server.forms import Door
from pages.shared.server.health import Readiness
from pages.shared.work.board import board
from pages.shared.work.jobs import Job, Task
from pages.shared.work.process.fits import Fits
from tests.app.conftest import Open
from tests.app.fitting import until
from tests.app.shared.server.asgi import ask, inside
from tests.app.shared.work.house import walk
from tests.says import assert_says

APP = Starlette(routes=[Route("/health", answers.health), Route(answers.METRICS, answers.metrics)])


@pytest.fixture(autouse=True)
def well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(answers.SETTING, "1e6")


def said() -> str:
    """Why it is ill; empty where it is not."""
    answer = ask(APP, "/health")
    facts = json.loads(answer.body)
    assert (facts["status"] == "ok") == (facts["reason"] == "")
    assert answer.status == (503 if facts["reason"] else 200)
    return str(facts["reason"])


def test_health_is_a_json_object_of_numbers() -> None:
    answer = ask(APP, "/health")
    assert answer.status == 200
    said = json.loads(answer.body)
    assert said.pop("version")[0].isdigit()
    assert said.pop("memory_mb") > 1
    assert min(said.pop(name) for name in ("seconds", "kept_mb", "computing_mb")) >= 0
    assert said == {"status": "ok", "reason": "", "visitors": 0, "jobs": 0}


def test_it_is_ill_where_the_first_page_cannot_be_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(server, "METHODS", ())
        answers.declare(server.prepare())
    assert_says(said(), "first page cannot be prepared", "IndexError")
    answers.declare(server.prepare())
    assert said() == ""


def test_it_is_ill_while_the_process_that_computes_is_given_up(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who would press Fit reads it, too."""
    fits = Fits(1, lambda: None)
    monkeypatch.setattr(board(), "fits", fits)
    assert said() == ""
    fits.given_up = True
    assert "compute process" in said()
    assert "compute process" in board().trouble
    app = open_app("fit", dataset="planted")
    assert_says(next(one.value for one in app.warning if "compute process" in one.value), "lost")
    assert app.button(key="fit")
    fits.given_up = False
    assert said() == ""
    assert board().trouble == ""


def test_it_is_ill_while_memory_is_over_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(answers.SETTING, "10")
    assert_says(said(), "more than", "10 MB", "SPARSE_RANK_MEMORY_MB")
    monkeypatch.setenv(answers.SETTING, "")
    assert answers.most_megabytes() == 4000
    assert said() == ""


@pytest.mark.parametrize("written", ["much", "0", "-1", "nan"])
def test_a_bound_that_cannot_be_read_is_one_sentence(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(answers.SETTING, written)
    with pytest.raises(ValueError, match=r"SPARSE_RANK_MEMORY_MB.*\bMB above 0\b"):
        answers.most_megabytes()
    told = said()
    assert_says(told, "SPARSE_RANK_MEMORY_MB", "MB above 0", repr(written))
    assert told.count(".") == 1


def test_memory_of_processes_that_compute_is_counted_and_one_that_has_ended_is_none() -> None:
    words = [sys.executable, "-c", "held = b'x' * 50_000_000; print('ready', flush=True); input()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
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


def numbers() -> dict[str, float]:
    answer = ask(APP, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families = text_string_to_metric_families(answer.body.decode())
    return {sample.name: sample.value for family in families for sample in family.samples if "le" not in sample.labels}


def test_it_has_visitors_jobs_cache_memory_and_seconds_of_pages(open_app: Open) -> None:
    before = numbers()
    open_app("data", dataset="planted")
    after = numbers()
    assert after["sparse_rank_page_run_seconds_count"] == before["sparse_rank_page_run_seconds_count"] + 1
    assert after["sparse_rank_page_run_seconds_sum"] > before["sparse_rank_page_run_seconds_sum"]
    assert after["sparse_rank_resident_memory_bytes"] > 1e6
    assert after["sparse_rank_cache_bytes"] >= 0
    assert after["sparse_rank_visitors"] == 0


def test_jobs_at_work_and_in_line_are_told_apart() -> None:
    gate = threading.Semaphore(0)
    for number in range(5):
        board().submit(Job(Task(f"slow {number}", lambda: walk(1, gate)), "somebody"))
    until(lambda: numbers()["sparse_rank_jobs_running"] == 2)
    assert numbers()["sparse_rank_jobs_waiting"] == 3
    gate.release(5)
    until(lambda: numbers()["sparse_rank_jobs_running"] == 0)


def test_it_stays_behind_the_password_unless_the_environment_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(Door(APP, "secret"), "/metrics").status == 401
    monkeypatch.setenv(answers.METRICS_SETTING, "open")
    assert ask(Door(APP, "secret"), "/metrics").status == 200
    assert ask(Door(APP, "secret"), "/metricsx").status == 401
