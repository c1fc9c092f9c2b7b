"""A password for the whole server, where ``SPARSE_RANK_PASSWORD`` sets one.

It stands before everything that the server answers, pages, files, uploads, downloads and the websocket alike; only
``/health`` and Streamlit's own health answer pass. Who knows it gets a cookie that this process has signed.

Whoever guesses waits ever longer (see `pages.shared.server.back_off`). The right password is compared at once and never
refused: nobody's guesses keep others out, not even of the same address.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shared.server import forms
from pages.shared.server.assets import path_below_base
from pages.shared.server.back_off import BackOff, client_address
from pages.shared.server.health import PATHS as OPEN
from pages.shared.server.log import event
from pages.shared.server.tickets import Tickets

SETTING = "SPARSE_RANK_PASSWORD"
COOKIE = "sparse_rank_door"
_FIELD = """<label>Password <input type="password" name="password" autocomplete="current-password" autofocus
required></label>"""


class Door:
    """ASGI middleware that lets nobody pass without the password; without a password it lets everybody pass.

    Parameters
    ----------
    app : ASGI application
    password : str, optional
        By default what the environment sets.
    clock : callable
        The time in seconds.
    """

    def __init__(self, app: ASGIApp, password: str | None = None, clock: Callable[[], float] = time.time) -> None:
        self._app = app
        self._password = os.environ.get(SETTING, "") if password is None else password
        self._tickets = Tickets(COOKIE, clock)
        self._back_off = BackOff()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass that may, and ask others for the password."""
        if not self._password or scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the browser sees a 403
        else:
            answer = await self._tried(scope, receive) if scope["method"] == "POST" else _asked(scope)
            await answer(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and path_below_base(scope) in OPEN:
            return True
        return self._tickets.shown(scope) is not None

    async def _tried(self, scope: Scope, receive: Receive) -> Response:
        given = await forms.given(receive, "password")
        address = client_address(scope.get("client"))
        now = asyncio.get_running_loop().time()
        if not forms.alike(given, self._password):
            times, seconds = self._back_off.wrong(address, now)
            if times & (times - 1) == 0:  # log only each power of two
                event("wrong password", client=address, times=times)
            await forms.pause(seconds, receive)
            return _asked(scope, "That is not the password.")
        await forms.pause(self._back_off.right(address, now), receive)
        answer = RedirectResponse(forms.same_page(scope), 303)
        self._tickets.give(answer, scope)
        return answer


def _asked(scope: Scope, said: str = "This server asks for a password.") -> Response:
    return forms.asked(scope, said, _FIELD, "Open")
