"""The server's log: lines for people, or one JSON object a line where ``SPARSE_RANK_LOG=json`` asks for it.

What libraries say of a request has the path alone: what follows it may name files.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from typing import Any

SETTING = "SPARSE_RANK_LOG"
NAME = "sparse_rank"
LIBRARIES = ("asyncio", "starlette", "streamlit", "uvicorn", "websockets")
_CLIENT = re.compile(r"^\S*:\d+(?: - |$)|(?<![\w/:.])(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\])(?::\d+)?(?![\w.])")
_QUERY = re.compile(r"\?[^\s\"']*")
_log = logging.getLogger(NAME)
_make_record = logging.getLogRecordFactory()


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
    """Log what the operator of the server should know."""
    _say(logging.WARNING, sentence, details)


def _say(level: int, text: str, details: dict[str, object]) -> None:
    words = " ".join(f"{key}={value}" for key, value in details.items())
    _log.log(level, text if _json_wanted() or not words else f"{text} ({words})", extra={"details": details})


def _json_wanted() -> bool:
    return os.environ.get(SETTING) == "json"


def begin() -> None:
    """Keep queries and clients out of all records; send all to standard error as lines of JSON where it is set."""
    logging.setLogRecordFactory(_without_query_and_client)
    if not _json_wanted():
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    _log.setLevel(logging.INFO)
    logging.captureWarnings(True)
    for name in list(root.manager.loggerDict):
        if name.partition(".")[0] in LIBRARIES:
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = True
    logging.setLoggerClass(_LaterLogger)


class _LaterLogger(logging.Logger):
    """Of a module that is imported later: Streamlit gives each a handler that writes plain text."""

    def callHandlers(self, record: logging.LogRecord) -> None:
        logging.getLogger().callHandlers(record)


def _without_query_and_client(*args: Any, **options: Any) -> logging.LogRecord:
    record = _make_record(*args, **options)
    if record.name == "uvicorn.access" and isinstance(record.args, tuple):  # its formatter wants them one by one
        record.args = tuple(_cleaned(arg) if isinstance(arg, str) else arg for arg in record.args)
    elif record.name.partition(".")[0] in LIBRARIES:
        record.msg, record.args = _cleaned(record.getMessage()), None
    return record


def _cleaned(text: str) -> str:
    return _QUERY.sub("", _CLIENT.sub("", text))
