"""A member of a class without a browser: comes in by a link, and asks and tells as ``room.js`` does."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

BETWEEN = 0.15  # seconds from an answer to the next question, as in room.js


class ClassMember:
    """One tab, with a connection that it keeps; for ``async with``.

    Parameters
    ----------
    address : str
        Of the server.
    link : str
        By which one comes in, below the address.

    Attributes
    ----------
    cookie : str
        What the server knows it by.
    said : dict
        What the server has said last of the class.
    """

    def __init__(self, address: str, link: str) -> None:
        place = urlsplit(address)
        self._host, self._port = str(place.hostname), int(place.port or 80)
        self._link = link
        self._tab = secrets.token_hex(8)
        self.cookie = ""
        self.said: dict[str, Any] = {}
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> ClassMember:
        self._lock = asyncio.Lock()
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        status, headers, _ = await self._ask("GET", f"/{self._link}")
        assert status == 303, "the link does not open the class"
        self.cookie = headers["set-cookie"].partition(";")[0]
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        self._writer.close()

    def listen(self, told: Callable[[dict[str, Any]], None]) -> None:
        """Ask again and again, and call with each answer."""
        self._listening = asyncio.create_task(self._listen(told))

    async def state(self, sequence: int = 0) -> dict[str, Any]:
        """Ask once; the answer waits for something newer than ``sequence``."""
        query = f"tab={self._tab}&sequence={sequence}&follows=1"
        status, _, body = await self._ask("GET", f"/room/state?{query}")
        assert status == 200, body
        self.said = json.loads(body)
        return self.said

    async def post(self, **said: Any) -> dict[str, Any]:
        """Tell where the presenter is."""
        status, _, body = await self._ask("POST", "/room/state", json.dumps({"tab": self._tab, **said}).encode())
        assert status == 200, body
        answer: dict[str, Any] = json.loads(body)
        return answer

    async def _listen(self, told: Callable[[dict[str, Any]], None]) -> None:
        sequence = 0
        while True:
            said = await self.state(sequence)
            sequence = said["sequence"]
            told(said)
            await asyncio.sleep(BETWEEN)

    async def _ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nCookie: {self.cookie}\r\n"
        async with self._lock:
            if self._reader.at_eof():  # the server closes a connection that has rested for five seconds
                self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
            self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in lines[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            content = await self._reader.readexactly(int(headers.get("content-length", "0")))
        return int(lines[0].split()[1]), headers, content
