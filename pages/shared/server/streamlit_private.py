"""All that the Lab takes from inside Streamlit and its server, which promise nothing of it: no other module does.

A row that does not fit the installed version is left out, with a line in the log of the server; all pages work without.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any
from uuid import uuid4
from weakref import WeakValueDictionary

import streamlit as st

from core.private_names import Row
from pages.shared.server.bundles import OneWrite, mailbox

_CONTEXT = "streamlit.runtime.scriptrunner:get_script_run_ctx"
_RUNTIME = "streamlit.runtime.runtime:Runtime"
_STATE = "streamlit.runtime.state.safe_session_state:SafeSessionState"
_SESSION_STATE = "streamlit.runtime.state.session_state:SessionState"
_APP_SESSION = "streamlit.runtime.app_session:AppSession"
_QUEUE = "streamlit.runtime.forward_msg_queue:ForwardMsgQueue"
_TO_SERVER = "streamlit.proto.BackMsg_pb2:BackMsg"
_TO_BROWSER = "streamlit.proto.ForwardMsg_pb2:ForwardMsg"
_CONNECTION = "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol"

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
STATE = Row(
    needs={_STATE: "state, yield_callback", f"{_STATE}._lock": None},
    gives="one lock for all runs of a visitor's pages",
    lost="A click while a page is being drawn may be lost.",
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


def _try_sending() -> None:
    of_session, of_runtime = (set(thing.__init__.__code__.co_names) for thing in SENDING[:2])
    if not {"id", "_event_loop", "_browser_queue"} <= of_session or "_session_mgr" not in of_runtime:
        raise AttributeError


SENDING = Row(
    needs={
        _APP_SESSION: None,
        _RUNTIME: None,
        "streamlit.runtime.session_manager:SessionClientDisconnectedError": None,
        f"{_APP_SESSION}.flush_browser_queue": "self",
        f"{_RUNTIME}.instance": "",
        f"{_RUNTIME}._send_message": "self, session_info, msg",
        f"{_APP_SESSION}._enqueue_forward_msg": "self, msg",
        f"{_RUNTIME}._get_async_objs": "self",
        "streamlit.runtime.runtime:AsyncObjects.need_send_data": None,
        "streamlit.runtime.session_manager:SessionManager.get_active_session_info": "self, session_id",
    },
    gives="a page's messages leave the server together, in one turn of the event loop",
    lost="If many click, the server takes a third longer for a click and half as long again for a page.",
    trial=_try_sending,
)


WRITING = Row(
    needs={_CONNECTION: None, f"{_CONNECTION}.connection_made": "self, transport"},
    gives="a page's messages reach the network in one write",
    lost="A step of C takes a fifth longer: each of a page's sixty messages is a call of the system.",
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


def _try_options() -> None:
    if not {"config", "get_options_for_section"} <= {*OPTIONS[2].__code__.co_names}:
        raise AttributeError


OPTIONS = Row(
    needs={
        "streamlit:config": None,
        "streamlit.config:get_options_for_section": "section",
        "streamlit.runtime.app_session:_populate_theme_msg": "msg, section",
        "streamlit.config:on_config_parsed": "func, force_connect, lock",
    },
    gives="the theme's options, looked up once",
    lost="Each run of a page looks the theme's hundred options up a dozen times.",
    trial=_try_options,
)
COOKIE = Row(
    needs={"streamlit.web.server.starlette.starlette_server_config:XSRF_COOKIE_NAME": None},
    gives="the name of the cookie by which a browser is known across tabs and reloads",
    lost="Saved choices and uploads belong to a tab and end with it.",
)
ROWS = (RUN, RUNTIME, OWN_VISIT, MESSAGES, STATE, CONTROLS, EVENTS, SENDING, WRITING, QUEUE, OPTIONS, COOKIE)
MOST = 100
"""Messages sent in one turn of the loop: Streamlit parts with a browser that has 500 before it."""

UNTOUCHED = "untouched"
"""Among the controls of a message: names those that stand as they stood in the message before."""

_SESSION = "session_without_a_name"
_finding = threading.Lock()
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""By the state's identity. A lock lives as long as a run holds it, and the run holds the state: no identity is taken
again while its lock is here."""


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


def browser_cookie() -> str:
    """The cookie that Streamlit gives a browser at random; empty where there is none."""
    try:
        return str(st.context.cookies.get(COOKIE[0]) or "") if COOKIE else ""
    except (AttributeError, RuntimeError):
        return ""


def on_a_server() -> bool:
    """Whether pages are drawn for browsers, not by a script or a test."""
    return bool(RUNTIME) and bool(RUNTIME[0]())


def is_here(session: str) -> bool:
    """Whether a visitor of this `session_id` is here; true where nobody can know."""
    return not (RUN and on_a_server()) or bool(RUNTIME[1]().is_active_session(session))


def share_locks() -> None:
    """Have every run take the lock of its session's state; again without effect.

    Streamlit gives every run a lock of its own for the state that they share. A run that has been told to end, and the
    one that takes its place, then meet in the same dictionaries: the new one breaks off with "dictionary changed size
    during iteration", and what the visitor has just pressed is lost.
    """
    if not STATE or hasattr(STATE[0].__init__, "__wrapped__"):
        return
    begin: Callable[..., None] = STATE[0].__init__

    @wraps(begin)
    def begin_with_the_lock(self: Any, state: Any, yield_callback: Callable[[], None]) -> None:
        begin(self, state, yield_callback)
        with _finding:
            lock = _locks.setdefault(id(state), self._lock)
        object.__setattr__(self, "_lock", lock)

    STATE[0].__init__ = begin_with_the_lock


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
    """Have events of runs reach the event loop in bundles (`pages.shared.server.bundles`), and messages leave it so.

    Streamlit sends each message in a turn of the loop of its own, and wakes the loop for each that the loop itself has
    queued; its server writes each by itself. Each of these gives the interpreter away, which comes back late where
    pages are drawn. Again without effect.
    """
    if EVENTS and not hasattr(EVENTS[0]._create_scriptrunner, "__wrapped__"):
        EVENTS[0]._on_scriptrunner_event = _post
        EVENTS[0]._create_scriptrunner = _after_all_before(EVENTS[0]._create_scriptrunner)
    if SENDING and not hasattr(SENDING[0].flush_browser_queue, "__wrapped__"):
        session = SENDING[0]
        session.flush_browser_queue = _sending(session.flush_browser_queue)
        session._enqueue_forward_msg = _waking(session._enqueue_forward_msg)
    if WRITING and not hasattr(WRITING[0].connection_made, "__wrapped__"):
        WRITING[0].connection_made = _writing_at_once(WRITING[1])


def look_options_up_once() -> None:
    """Have the options of a section looked up once for each version of the configuration file; again without effect.

    Streamlit describes the theme to the browser anew for every run of a page, which is 5 % of the processor time of a
    step of C. An option that is set while the server runs is not seen; the Lab sets none.
    """
    if OPTIONS and not hasattr(OPTIONS[0].get_options_for_section, "__wrapped__"):
        look_up = OPTIONS[0].get_options_for_section
        known = cache(look_up)
        OPTIONS[0].on_config_parsed(known.cache_clear, force_connect=True)

        @wraps(look_up)
        def options(section: str) -> dict[str, Any]:
            return dict(known(section))

        OPTIONS[0].get_options_for_section = options


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


def _sending(flush: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    """Have a session's messages sent here, all but the last; Streamlit would let others go first after each."""

    @wraps(flush)
    def flush_and_send(self: Any) -> list[Any]:
        messages = flush(self)
        server = SENDING[4]()
        visitor = server._session_mgr.get_active_session_info(self.id)
        if visitor is None or not messages:
            return messages
        sent = min(MOST, len(messages) - 1)
        for number, message in enumerate(messages[:sent]):
            try:
                server._send_message(visitor, message)
            except SENDING[2]:
                return messages[number:]  # Streamlit meets it again, and parts with the browser
        return messages[sent:]

    return flush_and_send


def _waking(enqueue: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Have the loop told that a message waits; it is woken only where it is not the loop that says so.

    The runtime gives its sessions the callback that wakes the loop before this module is asked for.
    """

    @wraps(enqueue)
    def enqueue_and_tell(self: Any, msg: Any) -> None:
        if _runs_here(self._event_loop):
            self._browser_queue.enqueue(msg)
            SENDING[4]()._get_async_objs().need_send_data.set()
        else:
            enqueue(self, msg)

    return enqueue_and_tell


def _writing_at_once(connected: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Have a connection write once in a turn of the loop."""

    @wraps(connected)
    def connect(self: Any, transport: asyncio.Transport) -> None:
        connected(self, OneWrite(transport, self.loop))

    return connect


def _runs_here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:  # of a thread that has none
        return False
