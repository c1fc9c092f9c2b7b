"""One question to an ASGI application, without a server."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass
class Answer:
    """What an application has sent."""

    messages: list[Message] = field(default_factory=list)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def headers(self) -> Headers:
        return Headers(raw=self.messages[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages)


NEAR = "127.0.0.1"


def ask(app: ASGIApp, path: str = "/", **request: Any) -> Answer:
    """The answer to a request, as for `asked`, which is waited for."""
    return asyncio.run(asked(app, path, **request))


async def asked(
    app: ASGIApp,
    path: str = "/",
    *,
    kind: str = "http",
    method: str = "GET",
    body: bytes = b"",
    client: str = NEAR,
    leaves: bool = False,
    **headers: str,
) -> Answer:
    """The answer to a request; headers with - for _. One who ``leaves`` does not wait for it."""
    scope: dict[str, Any] = {
        "type": kind,
        "method": method,
        "path": path.partition("?")[0],
        "raw_path": path.partition("?")[0].encode(),
        "query_string": path.partition("?")[2].encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "client": (client, 1),
        "server": (NEAR, 8501),
        "scheme": "http",
        "extensions": {},
    }
    answer = Answer()
    said = [{"type": "websocket.connect"} if kind == "websocket" else {"type": "http.request", "body": body}]

    async def receive() -> Message:
        if not said and not leaves:
            await asyncio.Event().wait()  # the browser waits
        return said.pop() if said else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answer.messages.append(message)

    await app(scope, receive, send)
    return answer


async def inside(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers everything."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    head = b"text/html" if scope["path"] == "/" else b"text/plain"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", head)]})
    await send({"type": "http.response.body", "body": b"<html><head></head>secret</html>"})
