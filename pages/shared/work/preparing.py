"""What pages say while the process that computes compiles the solvers, once after an installation."""

from __future__ import annotations

import streamlit as st

from pages.shared.lazy import dialog_is_open
from pages.shared.server.visits import begin_run
from pages.shared.work.board import board

LINE = "Preparing the solvers: about 40 s, once. Whatever needs them waits."
WAITS = "waits for the solvers, which are being prepared"
TICK = 1.0  # seconds between looks


def preparing_line() -> None:
    """Say so as long as it goes on; the page is then drawn again. Call it from a page's script, not from a fragment."""
    if board().preparing:
        st.fragment(_line, run_every=TICK)()


def _line() -> None:
    begin_run()
    if not board().preparing and not dialog_is_open():
        st.rerun()
    st.html(f'<div class="preparing">{LINE}</div>')
