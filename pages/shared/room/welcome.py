"""The server's address; how people come into a class: its code, QR code, and the presenter's link."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from io import BytesIO

import psutil
import streamlit as st
from starlette.requests import Request

from pages.shared.room.room import Room

EVERYWHERE = ("", "0.0.0.0", "::")
ASIDE = "192.0.2.1"  # of documentation, nobody's: no packet is sent to learn by which interface one would go


def welcome(of: Room) -> None:
    """Print for the person at this terminal how to come in, and open the presenter's page; nothing goes to the log."""
    import segno  # only a class needs it

    join = class_address()
    link = f"{_with_slash(address())}room/present?key={of.key}"
    code = segno.make(f"{join}room/join?key={of.code}", micro=False)
    print(f"\nThe class is open at {join}\nCode: {of.code}\n", flush=True)
    code.terminal(compact=True)
    print(f"\nThe presenter's link, for you alone: {link}\n", flush=True)
    if not st.get_option("server.headless"):
        webbrowser.open(link)


def qr_code(text: str) -> bytes:
    """Return the picture of a QR code, as SVG without a size of its own."""
    import segno  # only a class needs it

    drawn = BytesIO()
    segno.make(text, micro=False, error="m").save(drawn, kind="svg", omitsize=True, border=2, light="#fff", dark="#000")
    return drawn.getvalue()


def seen_address(request: Request) -> str:
    """Return the address at which others find the server: the one that this browser uses, unless it is this machine's.

    Behind a proxy it is the proxy's.
    """
    host = request.url.hostname or ""
    if host == "localhost" or _is_loopback(host):
        return class_address()
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{request.headers['host']}/{base}{'/' if base else ''}"


def address() -> str:
    """Return where a browser on this machine finds the app."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host = str(st.get_option("server.address") or "")
    host = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}:{st.get_option('server.port')}/{(st.get_option('server.baseUrlPath') or '').strip('/')}"


def class_address() -> str:
    """Return the server's address for other machines of the network; ends with a slash."""
    here = address()
    if str(st.get_option("server.address") or "") in EVERYWHERE:
        here = here.replace("://localhost:", f"://{network_address()}:", 1)
    return _with_slash(here)


def _with_slash(place: str) -> str:
    return place if place.endswith("/") else f"{place}/"


def network_address() -> str:
    """Return the address of this machine in its network; ``localhost`` where it has none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((ASIDE, 9))
            found = [str(probe.getsockname()[0])]
    except OSError:  # no route to anywhere, as in a network without a way out
        found = []
    for addresses in psutil.net_if_addrs().values():
        found += [one.address for one in addresses if one.family == socket.AF_INET]
    return next((one for one in found if not _is_loopback(one)), "localhost")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
