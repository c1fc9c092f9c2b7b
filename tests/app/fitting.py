"""Pressing Fit and waiting, for tests without a browser."""

import base64
import html
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.element_tree import Block, FileUploader

from core.analysis import path_run
from core.analysis.features.rules import read_rules
from core.analysis.path import PathPoint, regularization_path
from core.methods import get_method
from pages.shared.choice import access
from pages.shared.choice.choice import Choice, Loaded, Regularization, Source
from pages.shared.server.visits import SESSION
from pages.shared.work.board import board
from pages.shared.work.jobs import Job

APP = Path(__file__).resolve().parents[2] / "app.py"
UNGROUPED = b"1 qid:1 1:0.5\n0 qid:2 1:0.2\n0 qid:1 1:0.1\n"
"""A file that is opened, and about which the page has to say why it cannot be used as it is."""
WAIT = 300.0
"""Seconds: a busy machine fails no test, and one that waits in vain still ends."""


def followed(session: str, page: str = "docs", **query: str) -> AppTest:
    """Follow a link in a session of this name; by default to the page that looks at no data."""
    app = AppTest.from_file(str(APP), default_timeout=300)
    app.session_state[SESSION] = session
    app.query_params.update(query)
    if page != "start":  # before the first run: a link opens no other page first
        app.switch_page(f"pages/{page}.py")
    return app.run()


def nothing_on_top(queries: int = 12) -> bytes:
    """Every relevant document scores between one irrelevant one and four lower ones, whatever the weight.

    The single highest cannot be beaten; the mean of half the irrelevant ones can.
    """
    rows = [(1, 1.0), (0, 2.0), (0, 0.0), (0, 0.0), (0, 0.0), (0, 0.0)]
    lines = [f"{label} qid:{q} 1:{x + 0.01 * q:g} 2:{2 * x:g}\n" for q in range(1, queries + 1) for label, x in rows]
    return "".join(lines).encode()


def control(controls: Iterable[Any], name: str) -> Any:
    """A control of the choice by the name of its value; its key changes (`pages.shared.choice.address`)."""
    return next(one for one in controls if (one.key or "").partition("~")[0] == name)


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    deadline = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


def at_rest() -> bool:
    """Whether nothing is being worked out: until then a run of a page only takes time from what is."""
    return not any(job.active for job in board().jobs)


Address = dict[str, list[str]]


def step_to(app: AppTest, address: Address) -> AppTest:
    """What the server does of Back and Forward: the browser leads to an address where one has been."""
    app.query_params = address
    with pytest.MonkeyPatch.context() as browser:
        browser.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=True))
        app.run()
    return app


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def own_data(app: AppTest) -> AppTest:
    """Open the dialog of one's own data, if it is not."""
    return app if _uploaders(app) else press(app, "own_data")


def _uploaders(app: AppTest) -> list[FileUploader]:
    """The uploader of the dialog, while it is open; its key counts how often the dialog was closed."""
    return [one for one in app.file_uploader if (one.key or "").startswith("upload_")]


def dialog(app: AppTest) -> Block:
    """What stands in the dialog."""
    return app._tree.children[2]  # type: ignore[return-value]


def give(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Give files of one's own, all at once."""
    uploader = _uploaders(own_data(app))[0]
    uploader.set_value([(name, content, "text/plain") for name, content in files]).run()
    return app


def chosen(app: AppTest) -> Loaded:
    """The sidebar's choice with its data."""
    return access.load(app.session_state["choice"])


def fit(app: AppTest) -> Job:
    """Press Fit, wait for the end and look again."""
    return ended(press(app, "fit"))


def ended(app: AppTest, name: str = "job") -> Job:
    """Wait for the end of what the session works on by this name, and look again."""
    job: Job = app.session_state[name]
    until(lambda: not job.active)
    app.run()
    return job


def planted(fold: int = 1, **rules: str) -> Loaded:
    """What a page has of ℓ1 on planted, under rules as the command line writes them, without a page."""
    source, method = Source("planted"), get_method("l1")
    data, at = access.fold(source, fold).train, access.training("l1", source, fold)
    found, _ = read_rules(rules, data.n_features)
    numbers = Regularization.of(at, at.lam_at(10**-1.5))
    return access.load(Choice(source, fold, access.dataset(source).convention, data.fingerprint, "l1",
                              method.solver().id, (), numbers, method.stop.tol, found))  # fmt: skip


def slider_of_c(app: AppTest) -> Any:
    """The sidebar's."""
    return next(slider for slider in app.sidebar.select_slider if slider.label == "C")


def expected_path(choice: Loaded, method_id: str) -> list[PathPoint]:
    """The path of the chosen data that pages must have, worked out here."""
    method = get_method(method_id)
    training = method.training(choice.fold.train)
    return list(regularization_path(method, training, path_run.path_grid(method, training), choice.judge))


def unpacked(numbers: Any) -> np.ndarray:
    """Numbers that the browser is sent: arrays travel as bytes."""
    if isinstance(numbers, dict):
        return np.frombuffer(base64.b64decode(numbers["bdata"]), dtype=f"<{numbers['dtype']}")
    return np.array(numbers)


def settled(app: AppTest) -> AppTest:
    """Look again until nothing of the page is being worked out any more."""
    until(lambda: at_rest() and not app.run().get("progress"))
    return app


def table_of(app: AppTest, *columns: str) -> pd.DataFrame:
    """The last table of the page with these columns; those before it stand behind charts."""
    return [table.value for table in app.main.dataframe if set(columns) <= set(table.value.columns)][-1]


def html_of(app: AppTest) -> str:
    """All that the page writes as HTML."""
    return "".join(element.proto.body for element in app.get("html"))


def strip_of(app: AppTest) -> dict[str, str]:
    """What the strip reads, by the names of its cells."""
    text = next(e.proto.body for e in app.get("html") if 'class="strip"' in e.proto.body)
    return dict(re.findall(r'data-reading="([^"]+)">([^<]*)<', text))


def status(app: AppTest) -> str:
    """What the page says about the fit."""
    said = [*app.main.error, *app.main.success, *app.main.warning, *app.main.info]
    return said[0].value if said else ""


def charts(app: AppTest) -> list[Any]:
    """All charts of the page: their data are bytes."""
    return [component for component in app.get("bidi_component") if component.proto.bytes]


def all_sent(app: AppTest) -> list[dict[str, Any]]:
    """What the browser is sent of every chart, in order."""
    return [json.loads(chart.proto.bytes) for chart in charts(app)]


def sent(app: AppTest, name: str) -> dict[str, Any]:
    """What the browser is sent of a chart that stays where it is."""
    return next(one for one in all_sent(app) if one["picture"]["filename"] == name)


def nodes(block: Any) -> Iterator[Any]:
    """A part of a page and all that stands in it, in order."""
    yield block
    for child in getattr(block, "children", {}).values():
        yield from nodes(child)


def headline_of(app: AppTest) -> str:
    """The title of the page: one that changes with C, or one that stays."""
    for block in app.get("html"):
        if found := re.search(r'<h2 data-reading="title"[^>]*>(.*)</h2>', block.proto.body):
            return html.unescape(found[1])
    stays = [*app.main.title, *app.main.header, *app.main.subheader]
    return str(stays[0].value) if stays else ""


def title_of(app: AppTest, name: str) -> str:
    """What such a chart says over its picture."""
    return str(sent(app, name)["figure"]["layout"]["meta"]["title"])


def command(app: AppTest) -> str:
    """The command line that repeats the fit."""
    return next(code.value for code in app.code if code.language == "bash")
