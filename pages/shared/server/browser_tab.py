"""The tab that ``make run`` opens: Streamlit opens none for an app that brings its own server."""

from __future__ import annotations

from streamlit import cli_util, config
from streamlit.web.server import server_util


def open_now() -> None:
    """Open the app in the person's browser, unless ``server.headless`` is set."""
    if not config.get_option("server.headless"):
        cli_util.open_browser(server_util.get_url(_host()))


def _host() -> str:
    for option in ("browser.serverAddress", "server.address"):
        if config.is_manually_set(option):
            return str(server_util.get_display_address(config.get_option(option)))
    return "localhost"
