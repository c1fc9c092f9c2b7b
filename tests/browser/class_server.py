"""The server of a class as a process of its own."""

from __future__ import annotations

import os
import re
import time
from typing import Self

from pages.shared.room.room import SETTING
from tests.browser.server import Server

READY = 60.0  # seconds until a server has printed how to come in


class ClassServer(Server):
    """The server of a class.

    Attributes
    ----------
    join, present : str
        The two links by which one comes in, below its address.
    """

    def __enter__(self) -> Self:
        os.environ[SETTING] = "1"
        try:
            super().__enter__()
        finally:
            del os.environ[SETTING]
        ends = time.monotonic() + READY
        while "presenter's link" not in (told := self._log.read_text(encoding="utf-8")):
            assert time.monotonic() < ends, told
            time.sleep(0.1)
        code, key = re.search(r"Code: (\w+)", told), re.search(r"key=(\S+)", told)
        assert code is not None
        assert key is not None
        self.join, self.present = f"room/join?key={code[1]}", f"room/present?key={key[1]}"
        return self
