"""A slow line or a busy browser: what is chosen stays chosen though the page asks on before it has met the answer."""

from __future__ import annotations

from playwright.sync_api import WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.lab import Lab

TICKS = 6  # enough for the fit that has been chosen to end, and for the page to be drawn again if they count


class Line:
    """Between a page and its server; keeps answers back from when it is told until the page has ticked on them."""

    def __init__(self, lab: Lab) -> None:
        self.slow = False
        self._kept: list[bytes] = []
        self._answered = False
        self._ticks = 0
        lab.page.route_web_socket("**/_stcore/stream", self._joined)

    def _joined(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def asked(message: bytes) -> None:
            server.send(message)
            self._ticks += self._answered and BackMsg.FromString(message).rerun_script.is_auto_rerun
            if self._ticks >= TICKS:
                self.slow = self._answered = False
                while self._kept:
                    page.send(self._kept.pop(0))

        def said(message: bytes) -> None:
            if not self.slow:
                page.send(message)
                return
            self._kept.append(message)
            told = ForwardMsg.FromString(message)
            ended = told.WhichOneof("type") == "script_finished"
            self._answered |= ended and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY

        page.on_message(asked)
        server.on_message(said)


def test_a_method_that_is_chosen_while_a_fit_runs_stays_chosen(lab: Lab) -> None:
    """The buttons of the methods still show the one before, and what the page sends says so."""
    line = Line(lab)
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10", ratio="0.09")
    lab.press("fit")
    lab.says("Running")
    line.slow = True
    lab.at("method").get_by_role("combobox").click()
    lab.page.get_by_role("option", name="RankSVM log", exact=True).click()
    lab.says("stationary point", 60)
    lab.wait()
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM log")
    assert lab.headline.startswith("log keeps")
    assert not line.slow, "no answer was late"
