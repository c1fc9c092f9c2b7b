"""Who comes into a class: everybody by its code, the presenter by a secret link."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.shared.room.room import Member, Room, room
from pages.shared.server import forms
from pages.shared.server.assets import path_below_base
from pages.shared.server.forms import BackOff
from pages.shared.server.health import PATHS as OPEN

MEMBER = "class_member"
"""Where the scope of a request has its `Member`."""
JOIN, PRESENT = "/room/join", "/room/present"
_FIELD = """<label>Code of the class <input name="code" autocomplete="off" autocapitalize="characters"
spellcheck="false" size="8" autofocus required></label>"""
ASKED = "This is a class. Its code stands on the presenter's screen."
WRONG = "That is not the code of this class."
ENDED = "This link is not the presenter's any more: another class has begun."


class ClassDoor:
    """ASGI middleware that lets members of the class pass, by default of the server's; without a class everybody."""

    def __init__(self, app: ASGIApp, of: Room | None = None) -> None:
        self._app = app
        self._room = room() if of is None else of
        self._back_off = BackOff()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a member's request pass, and ask others for the code."""
        if self._room is None or scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path, member = path_below_base(scope), self._room.member(self._room.tickets.shown(scope))
        reads = scope["type"] == "http" and scope["method"] == "GET"
        if reads and path in (JOIN, PRESENT):
            await (await self._linked(self._room, path, scope, receive, member))(scope, receive, send)
        elif member is not None or (reads and path in OPEN):
            await self._app({**scope, MEMBER: member}, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        elif scope["method"] == "POST" and (path in (JOIN, PRESENT) or not path.startswith("/room/")):
            code = await forms.given(receive, "code")
            await (await self._tried(self._room, code, scope, receive))(scope, receive, send)
        else:
            await _asked(scope)(scope, receive, send)

    async def _linked(self, of: Room, path: str, scope: Scope, receive: Receive, member: Member | None) -> Response:
        """By a link, which holds a secret: it leaves the address at once."""
        secret = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("key", [""])[0]
        if path == JOIN and member is not None:
            return RedirectResponse(_present_place(of), 303)
        return await self._tried(of, secret, scope, receive, presents=path == PRESENT)

    async def _tried(
        self, of: Room, secret: str, scope: Scope, receive: Receive, *, presents: bool = False
    ) -> Response:
        told = secret.strip() if presents else "".join(secret.split()).replace("-", "").upper()
        right = forms.alike(told, of.key if presents else of.code)
        await forms.wait_as_long(self._back_off, "code of the class", scope, receive, right=right)
        if not right:
            return _asked(scope, ENDED if presents else WRONG)
        linked = path_below_base(scope) in (JOIN, PRESENT)
        answer = RedirectResponse(_present_place(of) if linked else forms.same_page(scope), 303)
        of.admit(answer, scope, presents=presents)
        return answer


def _present_place(of: Room) -> str:
    """Where the class is now, from an address one folder below the server's: who is late begins there."""
    return f"../{'' if of.place is None or of.place.missing else of.place.address}"


def _asked(scope: Scope, said: str = ASKED) -> Response:
    return forms.asked(scope, said, _FIELD, "Join")
