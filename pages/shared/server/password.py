"""A password for the whole server, where ``SPARSE_RANK_PASSWORD`` sets one.

It stands before everything that the server answers, pages, files, uploads, downloads and the websocket alike; only
``/health`` and Streamlit's own health answer pass, and ``/metrics`` where ``SPARSE_RANK_METRICS=open``. Who knows it
gets a cookie that this process has signed.

Whoever guesses waits ever longer (see `pages.shared.server.back_off`). The right password is compared at once and never
refused: nobody's guesses keep others out, not even of the same address.
"""

from __future__ import annotations

import os

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.shared.server import forms, health, metrics
from pages.shared.server.assets import path_below_base
from pages.shared.server.back_off import BackOff
from pages.shared.server.tickets import Tickets

SETTING = "SPARSE_RANK_PASSWORD"
COOKIE = "sparse_rank_door"
_FIELD = """<label>Password <input type="password" name="password" autocomplete="current-password" autofocus
required></label>"""


class Door:
    """ASGI middleware that lets nobody pass without the password; without a password it lets everybody pass.

    The password is what the environment sets, unless another is given.
    """

    def __init__(self, app: ASGIApp, password: str | None = None) -> None:
        self._app = app
        self._password = os.environ.get(SETTING, "") if password is None else password
        self._tickets = Tickets(COOKIE)
        self._back_off = BackOff()
        self._open = {*health.PATHS}
        if os.environ.get(metrics.SETTING) == "open":  # to everybody: behind a proxy all clients have its address
            self._open.add(metrics.PATH)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass that may, and ask others for the password."""
        if not self._password or scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            answer = await self._tried(scope, receive) if scope["method"] == "POST" else _asked(scope)
            await answer(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and path_below_base(scope) in self._open:
            return True
        return self._tickets.shown(scope) is not None

    async def _tried(self, scope: Scope, receive: Receive) -> Response:
        right = forms.alike(await forms.given(receive, "password"), self._password)
        await forms.wait_as_long(self._back_off, "password", scope, receive, right=right)
        if not right:
            return _asked(scope, "That is not the password.")
        answer = RedirectResponse(forms.same_page(scope), 303)
        self._tickets.give(answer, scope)
        return answer


def _asked(scope: Scope, said: str = "This server asks for a password.") -> Response:
    return forms.asked(scope, said, _FIELD, "Open")
