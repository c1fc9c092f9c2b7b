"""What visitors are shown on every page: every element that is sent to them, and every file they may take along."""

import io
import threading
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import plotly.graph_objects as go
import pytest
from google.protobuf.message import Message
from pandas.io.formats import style_render
from streamlit.elements.widgets import button
from streamlit.testing.v1 import AppTest, element_tree
from streamlit.testing.v1.element_tree import ButtonGroup

from core.solvers.run import SolverRun
from pages.shared.bounded_cache import Cache
from pages.shared.work import paths
from pages.shared.work.board import board
from pages.shared.work.jobs import Task
from pages.shared.work.process.fits import SETTING, THREADS
from tests.app.fitting import followed, give, nodes, until
from tests.program_pages import PAGES

STARTS = ("fit", "tune", "bench_run", "stability_draw", "export")
"""Buttons that show what no page shows unasked; each visitor presses each once."""
SECTIONS = ("_section", "_look")
"""Ends of the keys of controls that change what a page is about: every option of each is looked at."""
TICK = 2.0**-20
"""Seconds from one look at the clock to the next: sums of them are exact."""
FLEETING = ("deferred_file_id", "url", "set_value", "raw_value", "raw_values")
"""Fields that hold the number of a file, which is new every time, and whether this run has set a control."""

Shown = dict[str, set[tuple[str, bytes]]]
"""By page: the type and key of each element, and what it holds."""


class Visitors:
    """They come to one server in this process, each in a session of his own.

    Attributes
    ----------
    begun : list of str
        Keys of the tasks that have been begun, in order.
    steps : int
        That solvers have taken.
    kept : list of object
        What has been built and kept: pictures, tables and results.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.steps = 0
        self.kept: list[object] = []
        self._session = ""
        self._pressed: set[str] = set()
        self._downloads: list[Any] = []
        patch.setenv(SETTING, THREADS)
        self._count(patch)
        self._note_downloads(patch)
        _steady_clock(patch)
        # A fit begins at a model of a path that is known, whoever has asked for that: its last digits depend on it.
        patch.setattr(paths, "nearest_known", lambda _: None)
        options_by_label(patch)
        patch.setattr(style_render, "uuid4", lambda: UUID(int=0))

    def visit(self, who: str, upload: tuple[str, bytes] | None = None, *, press: bool = True, **query: str) -> Shown:
        """All that a visitor is shown who looks at every page, and presses what shows more.

        Parameters
        ----------
        who : str
            The session.
        upload : tuple of str and bytes, optional
            Name and content of the file that is dropped in first.
        press : bool
        **query
            What the address says beside the page.
        """
        self._session, self._pressed = who, set() if press else set(STARTS)
        if upload is not None:
            name, content = upload
            app = self._after(lambda: followed(who, **query))
            app = self._after(lambda: give(app, (name, content)))
            query = query | {"dataset": app.selectbox(key="dataset").value}
        shown: Shown = {}
        for page in PAGES:
            self._look(page, query, shown.setdefault(page, set()))
        return shown

    def _look(self, page: str, query: dict[str, str], shown: set[tuple[str, bytes]]) -> None:
        """At every section; at the end at the page as it opens now."""
        pressed = len(self._pressed)
        app = self._after(lambda: followed(self._session, page, **query))
        shown |= self._everything(app)
        self._press(app, shown)
        for control in [one for one in controls(app) if str(one.key).partition("~")[0].endswith(SECTIONS)]:
            for option in control.options[1:]:
                app = self._after(taken(app, str(control.key), option).run)
                shown |= self._everything(app)
                self._press(app, shown)
        if len(self._pressed) > pressed:
            shown |= self._everything(self._after(lambda: followed(self._session, page, **query)))

    def _press(self, app: AppTest, shown: set[tuple[str, bytes]]) -> None:
        for key in STARTS:
            if key not in self._pressed and any(one.key == key and not one.disabled for one in app.button):
                self._pressed.add(key)
                shown |= self._everything(self._after(app.button(key=key).click().run))

    def _after(self, act: Callable[[], AppTest]) -> AppTest:
        """Do something and look again until nothing is under way and nothing has been begun meanwhile."""
        begun = len(self.begun)
        self._downloads.clear()
        app = act()
        while begun != len(self.begun) or board().under_way or app.get("progress"):
            until(lambda: not board().under_way)
            begun = len(self.begun)
            self._downloads.clear()
            app.run()
        return app

    def _everything(self, app: AppTest) -> set[tuple[str, bytes]]:
        return {*_elements(app._tree), *(("download", _content(one)) for one in self._downloads)}

    def _count(self, patch: pytest.MonkeyPatch) -> None:
        begin, advance, put = Task.begun, SolverRun.advance, Cache.put

        def begun(task: Task[Any]) -> Any:
            if task.run is None:
                self.begun.append(task.key)
            return begin(task)

        def advanced(run: SolverRun) -> Any:
            self.steps += 1
            return advance(run)

        def kept(room: Cache, key: bytes, thing: object, **how: Any) -> None:
            self.kept.append(thing)
            put(room, key, thing, **how)

        patch.setattr(Cache, "put", kept)
        patch.setattr(Task, "begun", begun)
        patch.setattr(SolverRun, "advance", advanced)

    def _note_downloads(self, patch: pytest.MonkeyPatch) -> None:
        """A page that holds a picture and the library that draws it counts as the picture; nothing is packed."""
        marshall = button.marshall_file

        def noted(coordinates: str, data: Any, *args: Any, **options: Any) -> None:
            self._downloads.append(data)
            marshall(coordinates, data, *args, **options)

        patch.setattr(button, "marshall_file", noted)
        patch.setattr(go.Figure, "to_html", lambda figure, **_: figure.to_json())
        patch.setattr(zipfile, "ZIP_DEFLATED", zipfile.ZIP_STORED)


def _content(data: Any) -> bytes:
    """Of a file, which is made when somebody asks for it, as on a server."""
    made = data() if callable(data) else data
    made = made.getvalue() if isinstance(made, io.BytesIO) else made
    return made.encode() if isinstance(made, str) else bytes(made)


def _steady_clock(patch: pytest.MonkeyPatch) -> None:
    """What is timed takes as long every time."""
    looks: defaultdict[int, int] = defaultdict(int)

    def now() -> float:
        looks[threading.get_ident()] += 1
        return looks[threading.get_ident()] * TICK

    patch.setattr(time, "perf_counter", now)


def options_by_label(patch: pytest.MonkeyPatch) -> None:
    """Controls take the label of an option for the option: see `taken`."""
    written = element_tree._format_value_for_widget
    patch.setattr(
        element_tree,
        "_format_value_for_widget",
        lambda make, value: str(value) if isinstance(value, _Label) else written(make, value),
    )


class _Label(str):
    """An option as it is written on the page."""


def controls(app: AppTest) -> list[ButtonGroup[Any]]:
    """Those of the page of which one option is chosen."""
    return [one for one in app.main.get("button_group") if one._is_single_select and one.key]


def taken(app: AppTest, key: str, option: str) -> AppTest:
    """The app with the option of this label chosen, to be run."""
    next(one for one in controls(app) if one.key == key).set_value(_Label(option))
    return app


def _elements(page: Any) -> Iterator[tuple[str, bytes]]:
    for proto in (getattr(node, "proto", None) for node in nodes(page)):
        if isinstance(proto, Message):
            told = type(proto)()
            told.CopyFrom(proto)
            for field in set(FLEETING) & set(told.DESCRIPTOR.fields_by_name):
                told.ClearField(field)
            key = str(getattr(proto, "id", "")).rpartition("-")[2]
            yield f"{proto.DESCRIPTOR.name} {key}".strip(), told.SerializeToString(deterministic=True)
