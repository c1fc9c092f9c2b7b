"""A page that names a picture has the controls of all options that the picture declares, and their addresses."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.testing.v1 import AppTest

from core.figures.path.picture import PathsPicture
from core.figures.picture import option


@dataclass(frozen=True, eq=False)
class Shares(PathsPicture):
    """With one more option than the picture of the Path page, and one that has no control."""

    normalised: bool = option(False, "Normalised", "As shares of their sum.", looks=True)
    width: float = option(2.4)

    name, chart = "shares", "shares"


def page() -> None:
    import streamlit as st

    from pages.shared.show import option_controls
    from tests.app.shared.test_option_controls import Shares

    st.session_state["chosen"] = option_controls(Shares)


def test_a_new_option_has_its_control_and_its_address_without_a_line_of_the_page() -> None:
    app = AppTest.from_function(page).run()
    assert app.session_state["chosen"] == {"across": "lambda", "normalised": False}
    (toggle,) = app.toggle
    assert (toggle.label, toggle.help, toggle.key) == ("Normalised", "As shares of their sum.", "shares_normalised")
    linked = AppTest.from_function(page)
    linked.query_params.update({"path_over": "by features", "shares_normalised": "true"})
    assert linked.run().session_state["chosen"] == {"across": "features", "normalised": True}
