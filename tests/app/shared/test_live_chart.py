"""The chart that stays: what the browser is sent, and that a new figure is not a new chart.

Presentation: large pictures, by a link or a key, and back.
"""

import json
from pathlib import Path

import plotly
import plotly.graph_objects as go
import pytest

from core.figures.browser.drawing_code import SCALE
from core.figures.look.style import Words, layout
from pages.shared.live_chart import payload
from pages.shared.server.assets import Assets
from tests.app.conftest import Open
from tests.app.fitting import all_sent, charts, press, sent, slider_of_c, until
from tests.app.shared.server.asgi import ask, inside


def _figure() -> go.Figure:
    figure = go.Figure(go.Scatter(x=[1.0, 2.0], y=[3.0, float("nan")]))
    return layout(figure, Words("A title", "and more"), height=300)


def test_the_browser_is_sent_the_figure_without_a_template() -> None:
    figure = _figure()
    before = figure.to_json()
    sent = json.loads(payload(figure, "one", "Two points", clickable=True))
    assert figure.to_json() == before
    assert sent["figure"]["data"][0]["y"] == [3.0, None]
    assert "template" not in sent["figure"]["layout"]
    assert sent["figure"]["layout"]["height"] == 300
    assert (sent["alt"], sent["clickable"]) == ("Two points", True)
    assert sent["picture"] == {"format": "png", "filename": "one", "width": 1000, "scale": 2}


def test_plotly_comes_from_this_server_and_the_installed_package() -> None:
    answer = ask(Assets(inside), "/" + json.loads(payload(_figure(), "one", "", clickable=False))["plotly"])
    assert answer.body == (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()


@pytest.mark.usefixtures("coarse_paths")
def test_where_c_moves_on_the_path_page_only_marks_and_words_differ(open_app: Open) -> None:
    app = open_app("path", dataset="planted", method="log", ratio="0.1")
    until(lambda: all(sent["drag"] for sent in all_sent(app.run())) and bool(all_sent(app)))
    (before,) = all_sent(app)
    (chart,) = charts(app)
    slider_of_c(app).set_value(23).run()
    (after,) = all_sent(app)
    assert charts(app)[0].proto.id == chart.proto.id, "a new figure goes to the same chart"
    assert after["figure"]["layout"]["shapes"] != before["figure"]["layout"]["shapes"]
    for one in (before, after):
        drawn = one["figure"]["layout"]
        one["counts"] = len(drawn.pop("shapes")), len(drawn.pop("annotations"))
        del one["drag"]  # it shows the model at C
        del drawn["title"], drawn["meta"]  # out of sight: the heading above says it
    assert after == before


def test_a_link_presents_the_key_leads_back_and_a_presentation_goes_on_from_page_to_page(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="log", present="1")
    assert sent(app, "weights")["scale"] == SCALE
    choice = app.session_state["choice"]
    press(app, "present_switch")
    assert sent(app, "weights")["scale"] == 1
    assert "present" not in app.query_params
    assert app.session_state["choice"].key == choice.key
    press(app, "present_switch")
    app.switch_page("pages/features.py").run()
    assert app.query_params["present"] in ("1", ["1"])
    assert app.selectbox(key="dataset").value == "planted", "what is out of sight is drawn all the same"
