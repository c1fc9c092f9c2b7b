"""A slow line between a page and its server: answers are kept back."""

from math import inf

from playwright.sync_api import WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.lab import Lab


class Line:
    """Between a page and its server; keeps answers back while it is slow, but for the address of an upload.

    It is slow from when it is told, until it is to catch up or the page has ticked this often on the end of a run.
    """

    def __init__(self, lab: Lab, ticks: float = inf) -> None:
        self.slow = False
        self._most = ticks
        self._kept: list[bytes] = []
        self._answered = False
        self._ticks = 0
        lab.page.route_web_socket("**/_stcore/stream", self._joined)

    def catch_up(self) -> None:
        """Give the page what was kept back, and from now on every answer at once."""
        self.slow = self._answered = False
        while self._kept:
            self._page.send(self._kept.pop(0))

    def _joined(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def asked(message: bytes) -> None:
            server.send(message)
            self._ticks += self._answered and BackMsg.FromString(message).rerun_script.is_auto_rerun
            if self._ticks >= self._most:
                self.catch_up()

        def said(message: bytes) -> None:
            told = ForwardMsg.FromString(message)
            if not self.slow or told.WhichOneof("type") == "file_urls_response":
                page.send(message)
                return
            self._kept.append(message)
            ended = told.WhichOneof("type") == "script_finished"
            self._answered |= ended and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY

        self._page = page
        page.on_message(asked)
        server.on_message(said)
