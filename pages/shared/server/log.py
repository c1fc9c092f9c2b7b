"""The server's log: lines for people, or one JSON object a line where ``SPARSE_RANK_LOG=json`` asks for it."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from typing import Any

from streamlit import logger as streamlit_logger

SETTING = "SPARSE_RANK_LOG"
NAME = "sparse_rank"
_log = logging.getLogger(NAME)


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, source, event, its details, and the traceback of a fault."""

    def format(self, record: logging.LogRecord) -> str:
        """The record in one line, whatever its text holds."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        said: dict[str, Any] = {
            "time": f"{at}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "source": record.name,
            "event": record.getMessage(),
        }
        said |= getattr(record, "details", {})
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=True, default=str)


def event(name: str, **details: object) -> None:
    """Say that something has happened; the details hold no names, contents or passwords."""
    _say(logging.INFO, name, details)


def warn(sentence: str, **details: object) -> None:
    """Say what whoever runs the server should know."""
    _say(logging.WARNING, sentence, details)


def _say(level: int, text: str, details: dict[str, object]) -> None:
    words = " ".join(f"{key}={value}" for key, value in details.items())
    _log.log(level, text if _json_wanted() or not words else f"{text} ({words})", extra={"details": details})


def _json_wanted() -> bool:
    return os.environ.get(SETTING) == "json"


def begin() -> None:
    """Send all records and warnings to standard error as the setting says; nothing changes where it is not set."""
    if not _json_wanted():
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    _log.setLevel(logging.INFO)
    logging.captureWarnings(True)
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("uvicorn", "streamlit", "websockets"):
            _leave_to_root(logging.getLogger(name))
    # Modules of Streamlit that are imported later make their loggers then, each with a handler that writes plain text.
    streamlit_logger.setup_formatter = _leave_to_root


def _leave_to_root(logger: logging.Logger) -> None:
    logger.handlers.clear()
    logger.propagate = True
