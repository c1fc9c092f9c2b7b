"""What a screen reader is told when work has ended: each end once, and none that a person has caused."""

from __future__ import annotations

import html
import re
import threading
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.work.board import board
from pages.shared.work.jobs import Job
from tests.app.conftest import Open
from tests.app.fitting import at_rest, press, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")
SAID = re.compile(r'data-ended="(?P<number>\d+)" data-words="(?P<words>[^"]*)"')


def told(app: AppTest) -> tuple[int, str]:
    """How often something has been said, and what was said last."""
    (said,) = (found for one in app.get("html") if (found := SAID.search(one.proto.body)))
    return int(said["number"]), html.unescape(said["words"])


def test_the_end_of_a_fit_is_said_once_and_a_stop_is_not(open_app: Open) -> None:
    gate = threading.Event()

    for k in range(2):  # both workers
        run = SimpleNamespace(done=False, share=0.0, seconds_left=None, problems={})
        run.advance = lambda run=run: (gate.wait(), setattr(run, "done", True))
        board().submit(Job(key=f"busy {k}", owner="somebody", make=lambda run=run: run))
    app = press(open_app("fit", dataset="planted", method="l1", ratio="0.1"), "fit")
    assert told(app) == (0, "")
    press(app, "stop")
    assert told(app.run()) == (0, "")
    press(app, "continue")
    gate.set()
    job: Job = app.session_state["job"]
    said: dict[int, str] = {}
    for _ in range(4):  # the page's path goes on with the first run after the fit
        until(at_rest)
        number, words = told(app.run())
        assert said.setdefault(number, words) == words
    assert [*said] == list(range(1, len(said) + 1))
    fit, path = (" ".join(said.values()).count(word) for word in ("Fit converged", "Path of"))
    assert (fit, path) == (1, 1)
    result = job.run.fit().result
    assert_says(said[1], "Fit", "converged", f"{result.nonzero} of 60 features")
