"""C between the session and the address: Back and Forward are followed, and an address that lags behind is not."""

from __future__ import annotations

from functools import partial

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.shared import keys
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen

pytestmark = pytest.mark.usefixtures("all_unfolded")


@pytest.fixture
def dragged(open_app: Open) -> tuple[AppTest, dict[str, list[str]], float]:
    """The app after a C has been taken from a picture, the address from before, and lambda from before."""
    app = open_app("data", dataset="planted", ratio="0.03162")
    address, lam = dict(app.query_params), chosen(app).lam
    app.session_state[keys.C] = "0.02"  # as a callback leaves it
    app.session_state[keys.RATIO_STEP] = 20
    app.run()
    assert chosen(app).training.c_of(chosen(app).lam) == pytest.approx(0.02)
    assert app.query_params["ratio"] in ("0.1", ["0.1"])
    return app, address, lam


def go_back(app: AppTest, address: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    app.query_params = address
    with monkeypatch.context() as browser:
        browser.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=True))
        app.run()
    assert_fine(app)


def test_back_brings_the_former_c(
    dragged: tuple[AppTest, dict[str, list[str]], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, address, lam = dragged
    go_back(app, address, monkeypatch)
    assert chosen(app).lam == lam
    assert app.query_params["ratio"] in ("0.03162", ["0.03162"])
    app.run()
    assert chosen(app).lam == lam


@pytest.mark.parametrize("ratio", [None, "soup"])
def test_back_to_an_address_without_a_ratio_leaves_the_slider(
    dragged: tuple[AppTest, dict[str, list[str]], float], monkeypatch: pytest.MonkeyPatch, ratio: str | None
) -> None:
    app, address, _ = dragged
    kept = {name: value for name, value in address.items() if name != "ratio"}
    go_back(app, kept if ratio is None else kept | {"ratio": [ratio]}, monkeypatch)
    assert chosen(app).lam == pytest.approx(0.1 * chosen(app).training.lam_max)


def test_an_address_that_lags_behind_a_move_is_not_followed(
    dragged: tuple[AppTest, dict[str, list[str]], float],
) -> None:
    app, address, _ = dragged
    app.session_state[keys.C] = ""
    app.query_params = address
    app.run()
    assert chosen(app).lam == pytest.approx(0.1 * chosen(app).training.lam_max)
    assert app.query_params["ratio"] in ("0.1", ["0.1"])
