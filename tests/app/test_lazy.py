"""What nobody has unfolded is neither made nor sent; what is unfolded has the numbers of now."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from core.figures.path.picture import PathsPicture
from pages.shared import live_chart, show
from pages.shared.choice import history
from tests.app.conftest import Open
from tests.app.fitting import nodes, sent, settled, slider_of_c, until

pytestmark = pytest.mark.usefixtures("coarse_paths")
CHOICE = {"dataset": "planted", "method": "l1", "beside": "l1", "ratio": "0.1"}


def unfold(app: AppTest, key: str) -> AppTest:
    app.session_state[key] = True
    app.run()
    return app


def box(app: AppTest, key: str) -> Block:
    """The popover or expander of this key."""
    return next(block for block in blocks(app.main) + blocks(app.sidebar) if _key(block).endswith(f"-{key}"))


def blocks(block: Block) -> list[Block]:
    return [node for node in nodes(block) if isinstance(node, Block)]


def _key(block: Block) -> str:
    return str(getattr(block.proto, "id", ""))


def elements(app: AppTest, key: str) -> list[str]:
    """The kinds of what has been sent of a box, all the way down."""
    return [node.type for node in nodes(box(app, key)) if isinstance(node, Element)]


def test_folded_numbers_are_neither_made_nor_sent_and_unfolded_ones_are_those_of_now(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(PathsPicture, "rows", lambda *_: made.append("table"))
        patch.setattr(show, "picture_script", lambda *_: made.append("script"))
        patch.setattr(live_chart, "kept_numbers", lambda *_: made.append("kept"))
        app = settled(open_app("path", **CHOICE))
    assert elements(app, "keep_path") == []
    assert not app.main.dataframe
    assert not app.main.code
    assert not app.main.get("download_button")
    assert made == []

    before = dict(app.query_params)
    unfold(app, "keep_path")
    assert dict(app.query_params) == before, "unfolding is no choice"
    assert "keep_path" not in history.DEFAULTS

    the_format_of_the_camera_outlives_its_box(app)

    kinds = elements(app, "keep_path")
    assert kinds.count("download_button") == 3
    assert "dataframe" in kinds
    script = app.main.code[0].value
    slider_of_c(app).set_value(23).run()
    assert "dataframe" in elements(app, "keep_path"), "a step of C leaves the box open"
    assert app.main.code[0].value != script


def the_format_of_the_camera_outlives_its_box(app: AppTest) -> None:
    assert sent(app, "path")["picture"]["format"] == "png"
    app.segmented_control(key="format_path").set_value("svg").run()
    app.session_state["keep_path"] = False
    for _ in range(2):  # what is dropped is dropped after a run
        app.run()
        assert elements(app, "keep_path") == []
        assert sent(app, "path")["picture"]["format"] == "svg"
    unfold(app, "keep_path")
    assert app.segmented_control(key="format_path").value == "svg"


@pytest.mark.parametrize(
    ("page", "keys"), [("start", ("lab_tour", "lab_more")), ("queries", ("queries_more",)), ("fit", ("fit_ranks",))]
)
def test_what_is_folded_is_sent_to_who_unfolds_it(open_app: Open, page: str, keys: tuple[str, ...]) -> None:
    app = open_app(page, dataset="planted", method="l1", ratio="0.1", lab_beside="nothing")
    until(lambda: any(_key(block).endswith(f"-{keys[0]}") for block in blocks(app.run().main)))
    for key in keys:
        assert elements(app, key) == []
        assert elements(unfold(app, key), key)
