"""What the browsers of a class ask the server besides pages, none of which costs a run of a page.

Followers and presenter ask ``/room/state`` again and again; the answer waits until there is something new. The
presenter's tab posts where it is. A request has passed `pages.shared.room.door`, which has put its
member into it; `pages.shared.server.guard` has refused what pages of other origins post.
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
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.shared.choice.ready import ready_datasets
from pages.shared.room.door import MEMBER
from pages.shared.room.room import ADDRESS, SCRIPT, Member, Position, Room, room
from pages.shared.room.welcome import qr_code, seen_address
from pages.shared.server import forms

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
