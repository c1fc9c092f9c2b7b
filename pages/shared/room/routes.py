"""Who comes into a class, and what its browsers ask the server besides pages, none of which costs a run of a page.

Everybody comes in by the code of the class, the presenter by a secret link. Followers and presenter ask ``/room/state``
again and again; the answer waits until there is something new. The presenter's tab posts where it is.
`pages.shared.server.guard` has refused what pages of other origins post.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.shared.choice.ready import ready_datasets
from pages.shared.room.room import ADDRESS, SCRIPT, Member, Position, Room, room
from pages.shared.room.welcome import qr_code, seen_address
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


WAIT = 15.0  # seconds that a question of a follower waits for something new
PRESENTER_WAIT = 1.0  # seconds of the presenter's: counts of followers and votes come with the answer
TAB = re.compile(r"[a-z0-9]{1,32}")
OWN = "present"
"""What of an address stays the presenter's own: how it looks."""
_SCRIPTS = ("room.js", "bar.js")


def routes() -> list[Route]:
    """Return the routes of a class, without the server's base path; none where there is no class."""
    if room() is None:
        return []
    return [
        Route(SCRIPT, script, methods=["GET"]),
        Route("/room/state", state, methods=["GET"]),
        Route("/room/state", moved, methods=["POST"]),
        Route("/room/qr.svg", picture, methods=["GET"]),
    ]


async def script(request: Request) -> Response:
    """The script of a class, which `assets` puts into the head of every page."""
    code = "\n".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return Response(f"(() => {{\n{code}\n}})();\n", media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def picture(request: Request) -> Response:
    """The QR code of the link by which one joins, at the address by which this browser sees the server."""
    here, _ = _here(request)
    link = f"{seen_address(request)}room/join?{urlencode({'key': here.code})}"
    svg = await asyncio.to_thread(qr_code, link)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


async def state(request: Request) -> Response:
    """What the class sees now, as soon as it is newer than ``sequence``."""
    here, member = _here(request)
    asked = request.query_params
    tab = asked.get("tab", "")
    if not TAB.fullmatch(tab):
        return _refused("The name of the tab is not one.")
    sequence = int(asked["sequence"]) if re.fullmatch(r"\d{1,12}", asked.get("sequence", "")) else 0
    if not member.presents:
        here.heard(tab, follows=asked.get("follows") == "1")
    await _newer(here, sequence, PRESENTER_WAIT if member.presents else WAIT, request)
    return _said(here.told() | _of(here, member, tab, request))


async def moved(request: Request) -> Response:
    """The presenter's tab tells where it is, or takes the place of another one."""
    here, member = _here(request)
    if not member.presents:
        return _refused("Only the presenter moves the class.", 403)
    said = await _read(request)
    if said is None or not TAB.fullmatch(str(said.get("tab", ""))):
        return _refused("This is no place of a page.")
    if said.get("leaves") is True:
        here.leaves(said["tab"])
        return _said({"drives": False})
    drives = here.drives(said["tab"], claims=said.get("claims") is True)
    if drives and "address" in said:
        place = _place(said)
        if place is None:
            return _refused("This is no place of a page.")
        here.move(await asyncio.to_thread(_with_missing, place))
    return _said({"drives": drives})


def _place(said: dict[str, Any]) -> Position | None:
    address, c = said["address"], said.get("c")
    if not isinstance(address, str) or not ADDRESS.fullmatch(address):
        return None
    if c is not None and not (isinstance(c, int | float) and 0.0 < c < math.inf):
        return None
    page, _, query = address.partition("?")
    kept = [(key, value) for key, values in parse_qs(query, keep_blank_values=True).items() for value in values]
    query = urlencode([(key, value) for key, value in kept if key != OWN])
    return Position(f"{page}?{query}" if query else page, None if c is None else float(c), said.get("held") is True)


def _with_missing(place: Position) -> Position:
    """Note the dataset of the address where it is the presenter's own: nobody else's page could open it."""
    named = parse_qs(place.address.partition("?")[2]).get("dataset", [""])[0]
    if not named or named.lower() in {name.lower() for name in ready_datasets()}:
        return place
    return Position(**asdict(place) | {"missing": named})


async def _newer(here: Room, sequence: int, seconds: float, request: Request) -> None:
    """Wait for something newer, but not for a browser that has left nor beyond the server's end."""
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    while clock() < end and not forms.ending():
        if await here.newer_than(sequence, min(end - clock(), forms.GLANCE)) or await request.is_disconnected():
            return


def _of(here: Room, member: Member, tab: str, request: Request) -> dict[str, object]:
    """What a member is told besides what all are."""
    if not member.presents:
        return {"presents": False}
    follow, own = here.counts()
    return {
        "presents": True,
        "drives": here.drives(tab),
        "follow": follow,
        "own": own,
        "voted": here.polls.voted(),
        "code": here.code,
        "at": seen_address(request),
    }


async def _read(request: Request) -> dict[str, Any] | None:
    body = await forms.body_of(request.receive)
    try:
        said = json.loads(body or b"")
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _here(request: Request) -> tuple[Room, Member]:
    here = room()
    assert here is not None
    return here, request.scope[MEMBER]


def _said(answer: dict[str, object]) -> Response:
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})


def _refused(sentence: str, status: int = 400) -> Response:
    return PlainTextResponse(sentence, status, headers={"Cache-Control": "no-store"})
