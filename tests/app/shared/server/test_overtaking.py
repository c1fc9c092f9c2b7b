"""What a page asks by itself is not put before what its visitor has done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.server import overtaking
from pages.shared.server.overtaking import NoOvertaking, Order
from pages.shared.server.streamlit_private import UNTOUCHED

CLICK = '[{"event":"clicked","value":{"x":1}}]'
QUESTION = '[{"event":"finer","value":7.5}]'


HERE = "method=log"


def _rerun(
    *, section: str = "selected", trigger: str = "", tick: bool = False, fragment: str = "", address: str = HERE
) -> bytes:
    asked = BackMsg()
    asked.rerun_script.query_string = address
    asked.rerun_script.is_auto_rerun = tick
    asked.rerun_script.fragment_id = fragment
    asked.rerun_script.widget_states.widgets.add(id="section", string_value=section)
    if trigger:
        asked.rerun_script.widget_states.widgets.add(id="chart", json_trigger_value=trigger)
    return asked.SerializeToString()


def _begins() -> bytes:
    said = ForwardMsg()
    said.new_session.main_script_path = "app.py"
    return said.SerializeToString()


def _is_running() -> bytes:
    said = ForwardMsg()
    said.session_status_changed.script_is_running = True
    return said.SerializeToString()


def _shows() -> bytes:
    said = ForwardMsg()
    said.delta.new_element.text.body = "drawn"
    return said.SerializeToString()


def _leads_to(address: str) -> bytes:
    said = ForwardMsg()
    said.page_info_changed.query_string = address
    return said.SerializeToString()


def _ends(status: int = ForwardMsg.FINISHED_SUCCESSFULLY) -> bytes:
    return ForwardMsg(script_finished=status).SerializeToString()


def _begin(order: Order) -> None:
    order.sends(_begins())
    order.sends(_shows())


def _passed(order: Order, message: bytes) -> bool:
    return bool(asyncio.run(order.passed(message)))


def test_what_a_person_does_is_passed_on_as_it_is() -> None:
    order = Order()
    for message in (_rerun(), _rerun(trigger=CLICK), _rerun(fragment="stop"), b"no message at all"):
        assert _passed(order, message)
        _begin(order)


@pytest.mark.parametrize("own", [_rerun(tick=True, fragment="panel"), _rerun(trigger=QUESTION)], ids=["tick", "finer"])
def test_until_a_click_is_answered_the_page_asks_nothing_by_itself(own: bytes) -> None:
    order = Order()
    assert _passed(order, _rerun(trigger=CLICK))
    for message in (_begins(), b"x" * 3 * overtaking.SMALL, _ends(ForwardMsg.FINISHED_EARLY_FOR_RERUN)):
        assert not _passed(order, own)
        order.sends(message)
    assert not _passed(order, own)
    order.sends(_ends())
    assert _passed(order, own)


@pytest.mark.parametrize("own", [{"tick": True, "fragment": "panel"}, {"trigger": QUESTION}], ids=["tick", "finer"])
def test_a_page_that_has_not_met_the_answer_asks_nothing_by_itself(own: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its controls are as they were, and would take back what the answer has set."""
    order = Order()
    assert _passed(order, _rerun())
    for said in (_begins(), _leads_to("method=mcp"), _shows(), _ends()):
        order.sends(said)
    assert not _passed(order, _rerun(**own))
    assert _passed(order, _rerun(**own, address="method=mcp"))
    monkeypatch.setattr(overtaking, "PATIENCE", 0.0)
    assert _passed(order, _rerun(**own)), "its address may stay for a reason of its own"


def test_the_end_of_an_earlier_run_does_not_answer_a_later_click() -> None:
    order = Order()
    assert _passed(order, _rerun())
    _begin(order)
    assert _passed(order, _rerun(trigger=CLICK))
    order.sends(_ends())
    assert not _passed(order, _rerun(tick=True))
    _begin(order)
    order.sends(_ends())
    assert _passed(order, _rerun(tick=True))


def test_what_passes_brings_all_controls() -> None:
    """Streamlit forgets those that a message does not bring."""
    incoming = [_rerun(tick=True, fragment="panel"), _rerun(trigger=QUESTION), _rerun(trigger=CLICK)]
    passed: list[bytes] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": incoming[len(passed)]}

    async def send(message: Message) -> None:
        """Nothing is answered."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while len(passed) < len(incoming):
            passed.append((await receive())["bytes"])

    asyncio.run(NoOvertaking(app)({"type": "websocket"}, receive, send))
    assert passed == incoming


def test_a_question_beside_a_click_is_a_click() -> None:
    both = _rerun(trigger=f"{CLICK[:-1]},{QUESTION[1:]}")
    button = BackMsg.FromString(_rerun(trigger=QUESTION))
    button.rerun_script.widget_states.widgets.add(id="button", trigger_value=True)
    for message in (both, button.SerializeToString()):
        order = Order()
        assert _passed(order, _rerun(trigger=CLICK))
        _begin(order)
        assert _passed(order, message)


def test_a_tick_that_brings_a_pressed_button_along_is_passed_on_as_it_is() -> None:
    order = Order()
    assert _passed(order, _rerun(trigger=CLICK))
    _begin(order)
    pressed = BackMsg.FromString(_rerun(tick=True, fragment="panel"))
    pressed.rerun_script.widget_states.widgets.add(id="stop", trigger_value=True)
    assert _passed(order, pressed.SerializeToString())


def test_an_answer_that_never_comes_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    order = Order()
    assert _passed(order, _rerun(fragment="gone"))
    monkeypatch.setattr(overtaking, "PATIENCE", 0.0)
    assert _passed(order, _rerun(tick=True))


def test_a_run_that_shows_something_late_is_seen_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overtaking, "PATIENCE", 0.0)
    order = Order()
    assert _passed(order, _rerun())
    _begin(order)
    assert order._shown.is_set()


def test_the_next_click_waits_until_the_run_of_the_one_before_shows_something() -> None:
    """A run that has only begun is broken off before it has called what the click calls."""
    incoming = [_rerun(section="first"), _rerun(section="second")]
    told: list[str] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": incoming.pop(0)}

    async def send(message: Message) -> None:
        told.append({_begins(): "begins", _is_running(): "runs"}.get(message["bytes"], "shows"))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        told.append(_section(await receive()))
        second = asyncio.create_task(receive())
        await asyncio.sleep(0.05)
        await send({"type": "websocket.send", "bytes": _begins()})
        await send({"type": "websocket.send", "bytes": _is_running()})
        await asyncio.sleep(0.05)
        await send({"type": "websocket.send", "bytes": _shows()})
        told.append(_section(await second))

    asyncio.run(NoOvertaking(app)({"type": "websocket"}, receive, send))
    assert told == ["first", "begins", "runs", "shows", "second"]


def _section(message: Message) -> str:
    return str(BackMsg.FromString(message["bytes"]).rerun_script.widget_states.widgets[0].string_value)


def _untouched(message: bytes) -> list[str]:
    states = BackMsg.FromString(message).rerun_script.widget_states.widgets
    return [name for state in states if state.id == UNTOUCHED for name in state.string_array_value.data]


def _pressed(**told: Any) -> bytes:
    asked = BackMsg.FromString(_rerun(**told))
    asked.rerun_script.widget_states.widgets.add(id="fit", trigger_value=True)
    return asked.SerializeToString()


def test_a_press_before_the_answer_has_been_met_names_what_nobody_has_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    order = Order()
    assert not _untouched(asyncio.run(order.passed(_rerun())))
    _begin(order)
    assert _untouched(asyncio.run(order.passed(_pressed()))) == ["section"]
    _begin(order)
    assert not _untouched(asyncio.run(order.passed(_pressed(section="other")))), "somebody has touched it"
    for said in (_begins(), _leads_to("method=mcp&x=1"), _shows(), _ends()):
        order.sends(said)
    press = asyncio.run(order.passed(_pressed(section="other")))
    assert _untouched(press) == ["section"]
    assert BackMsg.FromString(press).rerun_script.query_string == "method=mcp&x=1"
    assert not _passed(order, _rerun(section="other", tick=True)), "this page has not met it yet"
    monkeypatch.setattr(overtaking, "ON_ITS_WAY", 0.0)
    for said in (_begins(), _leads_to("method=scad"), _shows(), _ends()):
        order.sends(said)
    assert not _untouched(asyncio.run(order.passed(_pressed(section="other")))), "by now it has been met"


def test_an_answer_that_back_overtakes_no_longer_changes_the_address() -> None:
    order = Order()
    assert _passed(order, _rerun())
    _begin(order)
    back = BackMsg.FromString(_rerun(address="method=l1"))
    back.rerun_script.is_history_navigation = True
    assert _passed(order, back.SerializeToString())
    assert not order.sends(_leads_to("method=mcp"))
    assert order.sends(_begins())
    assert order.sends(_leads_to("method=l1&x=1"))
