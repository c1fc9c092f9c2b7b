"""Cookies. By one the server knows a browser again. It signs others, so that it alone can make or change them."""

from __future__ import annotations

import hashlib
import secrets
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Scope

LASTS = 12 * 3600  # seconds that a signed cookie is good for
BROWSER, SECRET_BYTES = "sparse_rank_browser", 32
"""The cookie with a secret of this browser; as with a session of Streamlit, it ends when the browser is closed."""


def make_known(message: Message, scope: Scope) -> None:
    """Give a browser that has no secret one, with the beginning of an answer that is a page."""
    headers = MutableHeaders(scope=message)
    if headers.get("content-type", "").startswith("text/html") and not _cookie(scope, BROWSER):
        answer = Response()
        answer.set_cookie(
            BROWSER, secrets.token_urlsafe(SECRET_BYTES), httponly=True, samesite="lax", secure=_is_secure(scope)
        )
        headers.append("set-cookie", answer.headers["set-cookie"])


def _cookie(scope: Scope, name: str) -> str:
    """What a request shows; empty where there is none."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is_secure(scope: Scope) -> bool:
    return Headers(scope=scope).get("x-forwarded-proto", scope.get("scheme", "http")) == "https"


class Tickets:
    """Cookies of one name, signed with a key of this process.

    The port is added to the name, as browsers send the cookies of an address to all its ports.
    """

    def __init__(self, cookie: str) -> None:
        self._cookie = cookie
        self._signer = TimestampSigner(secrets.token_bytes(32), digest_method=hashlib.sha256)

    def give(self, answer: Response, scope: Scope, words: str = "") -> None:
        """Set the cookie in an answer; ``words``, of letters, digits and hyphens, is what `shown` returns."""
        ticket = self._signer.sign(words).decode()
        secure = _is_secure(scope)
        answer.set_cookie(self._name(scope), ticket, max_age=LASTS, httponly=True, samesite="lax", secure=secure)

    def shown(self, scope: Scope) -> str | None:
        """Return the words of the cookie that a request shows; None where there is no valid one."""
        return self.read(_cookie(scope, self._name(scope)))

    def read(self, cookie: str) -> str | None:
        """Return the words of a cookie; None where it is not valid."""
        try:
            return self._signer.unsign(cookie, max_age=LASTS).decode()
        except BadSignature:
            return None

    def _name(self, scope: Scope) -> str:
        return f"{self._cookie}_{(scope.get('server') or ('', ''))[1]}"
