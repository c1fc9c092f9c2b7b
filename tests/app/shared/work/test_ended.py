"""What a screen reader is told when work has ended: each end once, and none that a person has caused."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pages.shared.work import status


def test_the_end_of_work_is_said_once_and_a_stop_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status.st, "session_state", {})
    one, two = (SimpleNamespace(key=key, active=True, state="running") for key in "ab")

    def told() -> str:
        return status.ended_attributes()

    status.say_when_ended([one, two], lambda: 'Fit "converged".')
    assert told() == 'data-ended="0" data-words=""'
    one.active, one.state = False, "finished"
    assert told() == 'data-ended="0" data-words=""', "the other goes on"
    two.active, two.state = False, "paused"
    ended = 'data-ended="1" data-words="Fit &quot;converged&quot;."'
    assert [told(), told()] == [ended, ended]
    status.say_when_ended([two], lambda: "Stopped.")
    assert told() == ended
    status.say_when_ended([one], lambda: "Path, ready.")
    assert told() == 'data-ended="2" data-words="Path, ready."'
