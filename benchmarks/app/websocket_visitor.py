"""A visitor without a browser: speaks Streamlit's protocol over a websocket and keeps the page as a browser would."""

from __future__ import annotations

import asyncio
import re
import time
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

SLOWEST = 300.0
"""Seconds after which a visitor gives up."""
_Path = tuple[int, ...]


class Visitor:
    """One tab, for ``async with``.

    Parameters
    ----------
    address : str
        Of the server, such as ``http://127.0.0.1:8501``.
    cookie : str
        What the browser shows, as ``NAME=VALUE``.

    Attributes
    ----------
    elements : dict
        What stands on the page, by place.
    pages : dict
        Of the menu: by address, what Streamlit calls them.
    runs : int
        How often the server has begun to draw the page, or a part of it.
    """

    def __init__(self, address: str, cookie: str = "") -> None:
        self.runs = 0
        self._cookie = cookie
        self.elements: dict[_Path, Any] = {}
        self._address = address
        self._fragments: dict[_Path, str] = {}
        self._fresh: set[_Path] = set()
        self.pages: dict[str, str] = {}
        self._page, self._query = "", ""
        self._values: dict[str, WidgetState] = {}
        self._urls: asyncio.Future[FileURLs] | None = None
        self._running = False
        self._ticking: dict[str, asyncio.Task[None]] = {}
        self._fragment_under_way = ""
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> Visitor:
        place = self._address.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = await websockets.connect(
            place, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None, ping_interval=None,
            open_timeout=SLOWEST, additional_headers={"Cookie": self._cookie} if self._cookie else {},
        )  # fmt: skip
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *error: object) -> None:
        self._listening.cancel()
        for ticking in self._ticking.values():
            ticking.cancel()
        await self._socket.close()

    async def open(self, page: str, query: str = "") -> None:
        """Follow a link, or go to another page; ends when the page's script has run."""
        self._page, self._query = page, query
        await self._run()

    async def press(self, key: str, followed_after: float | None = None) -> None:
        """Press a button; ends when the script has run.

        Parameters
        ----------
        key : str
        followed_after : float, optional
            Seconds after which another message follows, as of a control that is moved.
        """
        pressed = self._id("button", key)
        if followed_after is not None:
            asked = BackMsg()
            self._describe(asked, pressed)
            await self._socket.send(asked.SerializeToString())
            await asyncio.sleep(followed_after)
            pressed = ""
        await self._run(pressed)

    async def move(self, key: str, value: int) -> None:
        """Move a slider to one of its values, counted from 0; ends when the script has run."""
        name = self._id("slider", key)
        options = next(e.slider.options for e in self.elements.values() if e.slider.id == name)
        state = self._values[name] = WidgetState(id=name)
        state.string_array_value.data.append(options[value % len(options)])
        await self._run()

    async def tell(
        self,
        kind: str,
        key: str,
        *,
        string_value: str | None = None,
        string_array_value: Sequence[str] = (),
        waits: bool = True,
    ) -> None:
        """Give a control a value; ends when the script has run, or at once."""
        state = self._values[self._id(kind, key)] = WidgetState(id=self._id(kind, key))
        if string_value is not None:
            state.string_value = string_value
        else:
            state.string_array_value.data.extend(string_array_value)
        if waits:
            await self._run()
            return
        asked = BackMsg()
        self._describe(asked)
        await self._socket.send(asked.SerializeToString())

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Drop a file in; ends when the script has run."""
        if not self.has("file_uploader"):
            await self.press("own_data")
        asked = BackMsg()
        asked.file_urls_request.request_id, self._urls = name, asyncio.get_running_loop().create_future()
        asked.file_urls_request.file_names.append(name)
        await self._socket.send(asked.SerializeToString())
        urls = await asyncio.wait_for(self._urls, SLOWEST)
        await asyncio.to_thread(self._put, urls.upload_url, name, content)
        state = WidgetState(id=self._id("file_uploader", key))
        state.file_uploader_state_value.uploaded_file_info.add(
            file_id=urls.file_id, name=name, size=len(content), file_urls=urls
        )
        self._values[state.id] = state
        await self._run()

    def _put(self, place: str, name: str, content: bytes) -> None:
        """Send a file as a browser does, which shows the server the token that it has been given."""
        with urllib.request.urlopen(f"{self._address}/_stcore/health", timeout=SLOWEST) as answer:
            cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
        between = uuid.uuid4().hex
        told = f'Content-Disposition: form-data; name="{name}"; filename="{name}"\r\nContent-Type: text/plain'
        body = f"--{between}\r\n{told}\r\n\r\n".encode() + content + f"\r\n--{between}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={between}",
            "Cookie": cookie,
            "X-Xsrftoken": cookie.partition("=")[2],
        }
        asked = urllib.request.Request(self._address + place, body, headers, method="PUT")
        urllib.request.urlopen(asked, timeout=SLOWEST).close()

    def has(self, kind: str) -> bool:
        """Whether such an element stands on the page."""
        return any(element.WhichOneof("type") == kind for element in self.elements.values())

    @property
    def finished(self) -> bool:
        """Whether a picture stands on the page and no progress bar any more."""
        live = any(
            element.WhichOneof("type") == "bidi_component" and element.bidi_component.bytes
            for element in self.elements.values()
        )
        return live and not self.has("progress") and not self._running

    async def until(self, holds: Callable[[], bool]) -> float:
        """Wait until something holds of the page; return the seconds.

        Raises
        ------
        TimeoutError
            After ``SLOWEST`` seconds.
        Exception
            What ended the reading of messages: nothing would hold any more.
        """
        begun = time.perf_counter()
        waiting = asyncio.create_task(self._wait_until(holds))
        try:
            await asyncio.wait({waiting, self._listening}, timeout=SLOWEST, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                waiting.result()
            elif self._listening.done():
                self._listening.result()
                msg = "the server has closed the connection"
                raise ConnectionError(msg)
            else:
                msg = f"{SLOWEST:g} s have passed"
                raise TimeoutError(msg)
        finally:
            waiting.cancel()
        return time.perf_counter() - begun

    async def _wait_until(self, holds: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(holds)

    def _id(self, kind: str, key: str) -> str:
        """Of a widget by its key."""
        found: list[str] = [
            getattr(element, kind).id for element in self.elements.values() if element.WhichOneof("type") == kind
        ]
        return next(name for name in found if re.search(f"-{key}([_~].*)?$", name))

    async def _run(self, pressed: str = "") -> None:
        asked = BackMsg()
        self._describe(asked, pressed)
        self._running = True
        await self._socket.send(asked.SerializeToString())
        await self.until(lambda: not self._running)

    def _describe(self, asked: BackMsg, pressed: str = "") -> None:
        rerun = asked.rerun_script
        rerun.query_string, rerun.page_name = self._query, self._page
        if self._page in self.pages:
            rerun.page_script_hash = self.pages[self._page]
        rerun.widget_states.widgets.extend(self._values.values())
        if pressed:
            rerun.widget_states.widgets.add(id=pressed, trigger_value=True)

    async def _listen(self) -> None:
        async for raw in self._socket:
            message = ForwardMsg()
            message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
            async with self._changed:
                self._take(message)
                self._changed.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            told = message.metadata  # until Streamlit 1.66 the message of the session itself names the fragments
            known = told.run.fragment_ids if hasattr(told, "run") else message.new_session.fragment_ids_this_run
            self._begin(list(known))
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":  # the address as a browser shows it from then on
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            self._draw(tuple(message.metadata.delta_path), message.delta)
        elif kind == "file_urls_response" and self._urls is not None:
            self._urls.set_result(message.file_urls_response.file_urls[0])
        elif kind == "auto_rerun":
            tick = message.auto_rerun
            self._stop_ticking(tick.fragment_id)
            self._ticking[tick.fragment_id] = asyncio.create_task(self._tick(tick.fragment_id, tick.interval))
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._stop_ticking(fragment)
        elif kind == "script_finished":
            self._end(message.script_finished)

    def _begin(self, fragments: list[str]) -> None:
        self._running = True
        self.runs += 1
        self._fresh = set()
        self._fragment_under_way = fragments[0] if fragments else ""
        if not fragments:
            for name in list(self._ticking):
                self._stop_ticking(name)

    def _draw(self, path: _Path, delta: Any) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        self.elements[path] = delta.new_element
        self._fragments[path] = delta.fragment_id
        self._fresh.add(path)

    def _end(self, status: int) -> None:
        """What was not drawn again goes; a run that was broken off for the next one leaves everything."""
        done, done_fragment = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        if status not in (done, done_fragment):
            return
        for path in [path for path in self.elements if path not in self._fresh]:
            if status == done or self._fragments[path] == self._fragment_under_way:
                del self.elements[path], self._fragments[path]
        self._running = False

    def _stop_ticking(self, fragment: str) -> None:
        ticking = self._ticking.pop(fragment, None)
        if ticking is not None and ticking is not asyncio.current_task():
            ticking.cancel()

    async def _tick(self, fragment: str, seconds: float) -> None:
        """Ask for a fragment again and again, as the browser does."""
        with suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.sleep(seconds)
                asked = BackMsg()
                self._describe(asked)
                asked.rerun_script.fragment_id, asked.rerun_script.is_auto_rerun = fragment, True
                await self._socket.send(asked.SerializeToString())
