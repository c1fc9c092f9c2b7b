"""All that the Lab takes from inside Streamlit and its server, which promise nothing of it: no other module does.

A row that does not fit the installed version is left out, with a line in the log of the server; all pages work without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import uuid4

import streamlit as st

from core.private_names import Row
from pages.shared.server.bundles import mailbox

_CONTEXT = "streamlit.runtime.scriptrunner:get_script_run_ctx"
_RUNTIME = "streamlit.runtime.runtime:Runtime"
_SESSION_STATE = "streamlit.runtime.state.session_state:SessionState"
_APP_SESSION = "streamlit.runtime.app_session:AppSession"
_QUEUE = "streamlit.runtime.forward_msg_queue:ForwardMsgQueue"
_TO_SERVER = "streamlit.proto.BackMsg_pb2:BackMsg"
_TO_BROWSER = "streamlit.proto.ForwardMsg_pb2:ForwardMsg"

RUN = Row(
    needs={_CONTEXT: "suppress_warning"},
    gives="the session of a run of a page, and whether the run answers the browser's Back or Forward",
    lost="After Back and Forward, controls may keep their values; spinners are not shown.",
)
RUNTIME = Row(
    needs={f"{_RUNTIME}.exists": "", f"{_RUNTIME}.instance": "", f"{_RUNTIME}.is_active_session": "self, session_id"},
    gives="whether this is a server, and whether a visitor is still here",
    lost="Fits run in the web process, and work of visitors who have left continues.",
)
OWN_VISIT = Row(
    needs={
        f"{_RUNTIME}.instance": "",
        f"{_RUNTIME}.connect_session": "self, client, user_info, existing_session_id, session_id_override",
        f"{_RUNTIME}.handle_backmsg": "self, session_id, msg, client",
        f"{_RUNTIME}.close_session": "self, session_id",
        _TO_SERVER: None,
        f"{_TO_BROWSER}.FINISHED_SUCCESSFULLY": None,
        f"{_TO_SERVER}.rerun_script": None,
        f"{_TO_BROWSER}.delta": None,
        f"{_TO_BROWSER}.script_finished": None,
        "streamlit.proto.Delta_pb2:Delta.new_element": None,
        "streamlit.proto.Element_pb2:Element.exception": None,
        "streamlit.proto.Element_pb2:Element.alert": None,
        "streamlit.proto.Alert_pb2:Alert.ERROR": None,
    },
    gives="pages that the server draws for itself, at its start and for /health",
    lost="The first visitor waits longer, and /health says nothing of pages.",
)
MESSAGES = Row(
    needs={
        _TO_SERVER: None,
        _TO_BROWSER: None,
        f"{_TO_BROWSER}.FINISHED_SUCCESSFULLY": None,
        f"{_TO_BROWSER}.FINISHED_WITH_COMPILE_ERROR": None,
        f"{_TO_BROWSER}.FINISHED_FRAGMENT_RUN_SUCCESSFULLY": None,
        f"{_TO_SERVER}.rerun_script": None,
        f"{_TO_BROWSER}.new_session": None,
        f"{_TO_BROWSER}.script_finished": None,
        f"{_TO_BROWSER}.page_info_changed": None,
        "streamlit.proto.ClientState_pb2:ClientState.is_history_navigation": None,
        "streamlit.proto.PageInfo_pb2:PageInfo.query_string": None,
        "streamlit.proto.ClientState_pb2:ClientState.is_auto_rerun": None,
        "streamlit.proto.ClientState_pb2:ClientState.query_string": None,
        "streamlit.proto.ClientState_pb2:ClientState.widget_states": None,
        "streamlit.proto.WidgetStates_pb2:WidgetState.json_trigger_value": None,
    },
    gives="the order of a page's own requests and its visitor's actions",
    lost="A click may be lost if a page requests something at the same moment.",
)


def _try_controls() -> None:
    if not {"_old_state", "_new_session_state", "_new_widget_state", "_key_id_mapper"} <= set(dir(CONTROLS[0]())):
        raise AttributeError


CONTROLS = Row(
    needs={
        _SESSION_STATE: None,
        f"{_SESSION_STATE}.set_widgets_from_proto": "self, widget_states",
        "streamlit.runtime.state.session_state:WStates.set_from_value": "self, k, v",
    },
    gives="what a page has set stays, though a browser that has not met it sends its controls as they were before",
    lost="A press that follows another within an instant may take back what that one has chosen.",
    trial=_try_controls,
)


def _try_events() -> None:
    if "_event_loop" not in EVENTS[0].__init__.__code__.co_names:
        raise AttributeError


_EVENT = (
    "self, sender, event, forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, pages, "
    "run_descriptor"
)
EVENTS = Row(
    needs={
        _APP_SESSION: None,
        "streamlit.runtime.scriptrunner:ScriptRunnerEvent.ENQUEUE_FORWARD_MSG": None,
        f"{_APP_SESSION}._on_scriptrunner_event": _EVENT,
        f"{_APP_SESSION}._handle_scriptrunner_event_on_event_loop": _EVENT,
        f"{_APP_SESSION}._create_scriptrunner": "self, initial_rerun_data",
    },
    gives="what pages send reaches the server in bundles, all of it before the next run begins",
    lost="If many click at the same time, pages take up to twice as long, and the end of a page may not be shown.",
    trial=_try_events,
)


def _try_queue() -> None:
    if "_browser_queue" not in QUEUE[2].__init__.__code__.co_names or QUEUE[3]()._queue:
        raise AttributeError


QUEUE = Row(
    needs={
        f"{_APP_SESSION}._clear_queue": "self, fragment_ids_this_run",
        f"{_QUEUE}.clear": "self, retain_lifecycle_msgs, fragment_ids_this_run",
        _APP_SESSION: None,
        _QUEUE: None,
        f"{_QUEUE}.enqueue": "self, msg",
        f"{_TO_BROWSER}.file_urls_response": None,
    },
    gives="what a fragment has drawn is sent though the fragment is drawn again, and a file's place though the page is",
    lost="On a slow server, a picture that appears while it is being computed may break the page, and a file given "
    "while a page is drawn may never be sent.",
    trial=_try_queue,
)


ROWS = (RUN, RUNTIME, OWN_VISIT, MESSAGES, CONTROLS, EVENTS, QUEUE)
UNTOUCHED = "untouched"
"""Among the controls of a message: names those that stand as they stood in the message before."""

_SESSION = "session_without_a_name"


def on_a_page() -> bool:
    """Whether a page is being drawn on this thread; false where nobody can know."""
    return bool(RUN) and RUN[0](suppress_warning=True) is not None


def session_id() -> str:
    """Who is looking; empty where nobody is."""
    if RUN:
        return str(getattr(RUN[0](), "session_id", ""))
    return str(st.session_state.setdefault(_SESSION, uuid4().hex))


def travelled() -> bool:
    """Whether this run of a page answers the browser's Back or Forward."""
    return bool(RUN) and bool(getattr(RUN[0](), "is_history_navigation", False))


def on_a_server() -> bool:
    """Whether pages are drawn for browsers, not by a script or a test."""
    return bool(RUNTIME) and bool(RUNTIME[0]())


def is_here(session: str) -> bool:
    """Whether a visitor of this `session_id` is here; true where nobody can know."""
    return not (RUN and on_a_server()) or bool(RUNTIME[1]().is_active_session(session))


def keep_what_pages_set() -> None:
    """Have controls that a message calls `UNTOUCHED` keep what the session has of them; again without effect.

    Streamlit takes each value that a browser sends for its visitor's, also one that a page has set anew meanwhile.
    """
    if not CONTROLS or hasattr(CONTROLS[0].set_widgets_from_proto, "__wrapped__"):
        return
    take: Callable[[Any, Any], None] = CONTROLS[0].set_widgets_from_proto

    @wraps(take)
    def take_what_was_touched(self: Any, widget_states: Any) -> None:
        take(self, widget_states)
        for state in widget_states.widgets:
            if state.id == UNTOUCHED:
                del self._new_widget_state[UNTOUCHED]
                for name in set(state.string_array_value.data) & self._old_state.keys():
                    _keep(self, name)

    CONTROLS[0].set_widgets_from_proto = take_what_was_touched


def _keep(state: Any, name: str) -> None:
    """Have a control keep what the session has of it, and the browser told so where it sent something else."""
    sent, kept = state._new_widget_state[name], state._old_state[name]
    if sent != kept:
        state._new_widget_state.set_from_value(name, kept)
        if key := state._key_id_mapper.id_key_mapping.get(name):
            state._new_session_state[key] = kept


def send_in_bundles() -> None:
    """Have events of runs reach the event loop in bundles (`pages.shared.server.bundles`); again without effect.

    Streamlit sends each message in a turn of the loop of its own, which gives the interpreter away; it comes back late
    where pages are drawn.
    """
    if EVENTS and not hasattr(EVENTS[0]._create_scriptrunner, "__wrapped__"):
        EVENTS[0]._on_scriptrunner_event = _post
        EVENTS[0]._create_scriptrunner = _after_all_before(EVENTS[0]._create_scriptrunner)


def send_what_waits() -> None:
    """Have what waits to be sent survive the beginning of a run; again without effect.

    Before a fragment's run Streamlit drops what that fragment has drawn before and leaves what fragments inside it
    have. Where a slow server has sent neither, these reach the browser before what they stand beneath: "Bad delta path
    index", and the page is gone. Before a run of the page it drops the answer to a browser that has asked where to send
    a file, too: the browser waits for it for ever, and the file never comes.
    """
    if QUEUE and not hasattr(QUEUE[2]._clear_queue, "__wrapped__"):
        clear: Callable[..., None] = QUEUE[2]._clear_queue

        @wraps(clear)
        def clear_for_pages_only(self: Any, fragment_ids_this_run: list[str] | None = None) -> None:
            answers = [message for message in self._browser_queue._queue if message.HasField("file_urls_response")]
            clear(self, None if fragment_ids_this_run is None else [])
            for answer in answers if fragment_ids_this_run is None else []:
                self._browser_queue.enqueue(answer)

        QUEUE[2]._clear_queue = clear_for_pages_only


def _post(self: Any, sender: Any, event: Any, *args: Any, **told: Any) -> None:
    """An event of a run; what it draws may wait, that it has ended may not."""
    call = partial(self._handle_scriptrunner_event_on_event_loop, sender, event, *args, **told)
    try:
        mailbox(self._event_loop).post(call, at_once=event is not EVENTS[1])
    except RuntimeError:
        if not self._event_loop.is_closed():
            raise


def _after_all_before(create: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Have what a run has posted called before another thread takes over.

    A run's thread that has nothing more to do begins no other run, and the next message of the browser gets a thread of
    its own. Streamlit ignores what an earlier thread has posted and the loop has not met: a tick or a click in a
    fragment that comes at that moment would take the end of the page away, and nothing would draw it again.
    """

    @wraps(create)
    def create_after_all(self: Any, initial_rerun_data: Any) -> None:
        if _runs_here(self._event_loop):
            mailbox(self._event_loop).open()
        create(self, initial_rerun_data)

    return create_after_all


def _runs_here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:  # of a thread that has none
        return False
