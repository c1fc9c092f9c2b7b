"""ASGI middleware that keeps automatic messages and stale widget states from undoing a visitor's action.

Every message of a browser carries the state of all widgets.

- **Automatic messages** (a panel's tick, a picture's request for finer frames): one sent after a click and before the
  answer carries the states from before the click, and would undo it. It is dropped; the answer makes the page ask
  again. It counts as stale, too, while its address is the one from before the answer.
- **A click right after another**: Streamlit forgets a click if the next message arrives after its run has begun and
  before the run has called the click's callback. The next message waits until the run shows something.
- **An action right after another** also carries stale states: log chosen and Fit pressed at once would fit the previous
  method. The second message names the widgets that have not changed since the first; they keep the value that the first
  run gave them, and so does the address.
- **Back and Forward** that overtake an answer win: the answer no longer changes the address.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlencode

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server.streamlit_private import CONTROLS, MESSAGES, UNTOUCHED

QUESTIONS = frozenset({"finer"})
"""Events of the pages' components that are sent automatically, not by the user."""
PATIENCE = 10.0  # seconds after which an answer is no longer waited for: there may have been nothing to run
ON_ITS_WAY = 1.0  # seconds that an answer takes to a page at most
TO_SHOW = 3.0  # seconds that a run has to show something; one that waits for another run is not forgotten
_VALUES = frozenset(
    f"{kind}_value" for kind in ("bool", "int", "double", "string", "double_array", "int_array", "string_array")
)
BEFORE_CALLS = frozenset({"new_session", "session_status_changed"})
"""What a run sends before it has called what a click calls."""
SMALL = 4000  # bytes: what begins or ends a run is shorter, and nothing longer is read


class NoOvertaking:
    """ASGI middleware between a browser's websocket and Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes in its turn."""
        if scope["type"] != "websocket" or not MESSAGES:
            await self._app(scope, receive, send)
            return
        order = Order()

        async def received() -> Message:
            while True:
                message = await receive()
                said = message.get("bytes")
                if not said:
                    return message
                if passed := await order.passed(said):
                    return {**message, "bytes": passed}

        async def sent(message: Message) -> None:
            if order.sends(message.get("bytes") or b""):
                await send(message)

        await self._app(scope, received, sent)


class Order:
    """What one browser has asked for, what runs for it, and what has been answered."""

    def __init__(self) -> None:
        self._asked = self._running = self._answered = 0
        self._asked_at = self._told_at = 0.0
        self._asked_from = self._address = ""
        self._shown = asyncio.Event()
        self._shown.set()
        self._controls: dict[str, bytes] = {}  # as the last message of a person's brought them
        self._left = False  # by Back or Forward, before what was asked for has been answered

    async def passed(self, message: bytes) -> bytes:
        """What is passed on of a message of the browser, once its turn has come; nothing where it is left out.

        Parameters
        ----------
        message : bytes
            A ``BackMsg``.
        """
        rerun = _rerun(message)
        if rerun is None:
            return message
        if not by_itself(rerun):
            self._left = self._left or (rerun.is_history_navigation and self._answering)
            asked_from = rerun.query_string
            controls = {state.id: state.SerializeToString() for state in rerun.widget_states.widgets}
            with suppress(TimeoutError):
                await asyncio.wait_for(self._shown.wait(), TO_SHOW)
                if CONTROLS and not rerun.is_history_navigation and self._overtakes:
                    message = self._as_answered(message)
                    rerun = _rerun(message)
            self._controls = controls
            self._asked += 1
            self._asked_at = time.monotonic()
            self._asked_from, self._address = asked_from, rerun.query_string
            self._shown.clear()
            return message
        return b"" if self._answering or self._not_there(rerun.query_string) else message

    def sends(self, message: bytes) -> bool:
        """Take note of a message to the browser; whether it is sent.

        Parameters
        ----------
        message : bytes
            A ``ForwardMsg``.
        """
        if not message or self._answered == self._asked:
            return True
        said = None if len(message) > SMALL else MESSAGES[1].FromString(message)
        kind = said and said.WhichOneof("type")
        if said is not None and kind == "page_info_changed":
            if self._left:
                return False
            self._address, self._told_at = said.page_info_changed.query_string, time.monotonic()
        if kind == "new_session":
            self._running, self._left = self._asked, False
        elif kind not in BEFORE_CALLS and self._running == self._asked:
            self._shown.set()
        if said is not None and kind == "script_finished" and said.script_finished in MESSAGES[2:5]:
            self._answered = self._running
        return True

    @property
    def _overtakes(self) -> bool:
        """Whether the page may not have met the answer to what was asked before."""
        if not self._asked or not self._patient:
            return False
        return self._answering if not self._changed() else time.monotonic() - self._told_at < ON_ITS_WAY

    def _changed(self) -> dict[str, tuple[list[str] | None, list[str] | None]]:
        """What the answer has changed in the address: how it was, and how it is."""
        before, now = (parse_qs(text, keep_blank_values=True) for text in (self._asked_from, self._address))
        both = {name: (before.get(name), now.get(name)) for name in now | before}
        return {name: (then, there) for name, (then, there) in both.items() if then != there}

    def _as_answered(self, message: bytes) -> bytes:
        """The message with the address of the answer and the names of the unchanged widgets."""
        told = MESSAGES[0].FromString(message)
        rerun = told.rerun_script
        address = parse_qs(rerun.query_string, keep_blank_values=True)
        for name, (before, now) in self._changed().items():
            if address.get(name) == before:
                address.pop(name, None)
                address |= {} if now is None else {name: now}
        rerun.query_string = urlencode(address, doseq=True)
        same = [
            state.id
            for state in rerun.widget_states.widgets
            if self._controls.get(state.id) == state.SerializeToString() and _is_value(state.WhichOneof("value"))
        ]
        rerun.widget_states.widgets.add(id=UNTOUCHED).string_array_value.data.extend(same)
        return bytes(told.SerializeToString())

    @property
    def _answering(self) -> bool:
        return self._answered < self._asked and self._patient

    def _not_there(self, address: str) -> bool:
        """Whether a page with this address has not met the answer yet, which has sent it another."""
        return address == self._asked_from != self._address and self._patient

    @property
    def _patient(self) -> bool:
        return time.monotonic() - self._asked_at < PATIENCE


def by_itself(rerun: Any) -> bool:
    """Whether the page asks for this without its visitor: a tick, or questions and nothing else.

    A tick may bring along a button that has been pressed just now, before the button's own message.
    """
    triggers = [state for state in rerun.widget_states.widgets if _is_trigger(state.WhichOneof("value"))]
    questions = all(_events(state.json_trigger_value) <= QUESTIONS for state in triggers)
    return questions and bool(rerun.is_auto_rerun or triggers)


def _is_trigger(kind: str | None) -> bool:
    return (kind is not None and kind.endswith("trigger_value")) or kind == "chat_input_value"


def _is_value(kind: str | None) -> bool:
    """Whether it is the value of a control that a page may set; files are not."""
    return kind in _VALUES


def _events(triggered: str) -> set[str]:
    """Names of a component's events; another trigger counts as an event without a name."""
    try:
        return {event["event"] for event in json.loads(triggered)}
    except (ValueError, TypeError, KeyError):
        return {""}


def _rerun(message: bytes) -> Any:
    """What a message asks to be run; None where it asks for something else."""
    asked = MESSAGES[0]()
    try:
        asked.ParseFromString(message)
    except DecodeError:
        return None  # Streamlit answers it
    return asked.rerun_script if asked.WhichOneof("type") == "rerun_script" else None
