"""One JSON object a line, whatever a record holds."""

from __future__ import annotations

import json
import logging
import sys

from pages.shared.server.log import JsonLines


def _line(message: str, **more: object) -> dict[str, object]:
    record = logging.LogRecord("somewhere", logging.WARNING, "", 0, message, (), None)
    record.__dict__.update(more)
    text = JsonLines().format(record)
    assert "\n" not in text
    assert text.isascii()
    return json.loads(text)


def test_a_line_break_or_an_escape_in_a_text_stays_in_its_line() -> None:
    assert _line("a\nb\x1b[31m \u2028")["event"] == "a\nb\x1b[31m \u2028"


def test_details_and_tracebacks_come_along() -> None:
    said = _line("ready", details={"seconds": 1.5})
    assert (said["seconds"], said["level"], said["source"]) == (1.5, "warning", "somewhere")
    try:
        msg = "wrong"
        raise ValueError(msg)
    except ValueError:
        assert "ValueError: wrong" in str(_line("a fault", exc_info=sys.exc_info())["traceback"])
