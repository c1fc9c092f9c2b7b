"""What every browser loads: the same bytes as Streamlit's, and our tags in the head of pages only."""

import gzip
import re
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send
from streamlit import file_util

from core.figures.browser.drawing_code import drawing_code
from pages.shared.server import assets
from pages.shared.server.assets import BASIC, DRAWING, DRAWING_LOADER, STYLE_TAG, WHOLE, Assets, bundle_fits, tags
from tests.app.shared.server.asgi import NEAR, ask, inside

STATIC = Path(file_util.get_static_dir())


def _some_script() -> str:
    return f"/static/js/{next((STATIC / 'static' / 'js').glob('index.*.js')).name}"


def test_no_rule_that_looks_at_what_is_inside_is_one_for_everything_inside() -> None:
    """Each word that changes under a dragged handle would restyle the whole page: 90 ms instead of 2."""
    rules = re.findall(r"([^{}]*):has\(([^{}]*)\{([^{}]*)([{}])", STYLE_TAG.decode())
    assert rules
    assert [rule for rule in rules if rule[3] == "{" and rule[2].rstrip().endswith("*")] == []


def test_streamlits_files_are_sent_as_they_are() -> None:
    answer = ask(Assets(inside), _some_script())
    assert answer.body == (STATIC / _some_script()[1:]).read_bytes()
    assert "javascript" in answer.headers["content-type"]
    assert int(answer.headers["content-length"]) == len(answer.body)


@pytest.mark.parametrize(
    "path", ["/static/../static/index.html", "/static/js/%2e%2e/x", "/static/js/", "/plotly/LICENSE"]
)
def test_no_other_file_is(path: str) -> None:
    assert b"secret" in ask(Assets(inside), path).body  # the application behind has answered


def test_a_page_has_our_tags_in_its_head_and_its_length_is_true() -> None:
    answer = ask(Assets(inside))
    assert answer.body == b"<html><head>" + tags() + b"</head>secret</html>"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert ask(Assets(inside), "/data.csv").body == b"<html><head></head>secret</html>"


def test_streamlits_advertisement_to_developers_is_out_of_sight() -> None:
    """It would lie over the first picture after `make run`; its name is Streamlit's, and may change with a version."""
    assert b'[data-testid="stSkillsNudge"] { display: none' in STYLE_TAG
    assert b"stSkillsNudge" in ask(Assets(inside), _some_script()).body


def test_the_style_sheet_of_all_pages_stands_between_streamlits_and_those_of_a_page() -> None:
    """Streamlit's are in the head, and those of a page in its root: of equal rules the last one holds."""
    page = (STATIC / "index.html").read_bytes()

    async def index(scope: Scope, receive: Receive, send: Send) -> None:
        await HTMLResponse(page)(scope, receive, send)

    body = ask(Assets(index)).body
    assert body.index(b"</head>") < body.index(STYLE_TAG) < body.index(b'<div id="root">')
    assert len(body) == len(page) + len(tags()) + len(STYLE_TAG)


def test_the_code_of_charts_is_a_file_that_a_browser_keeps_and_no_message_has() -> None:
    answer = ask(Assets(inside), DRAWING)
    assert answer.body.decode() == drawing_code()
    assert "immutable" in answer.headers["cache-control"]
    assert "javascript" in answer.headers["content-type"]
    assert f'<link rel="modulepreload" href=".{DRAWING}">'.encode() in tags()
    assert DRAWING in DRAWING_LOADER
    assert len(DRAWING_LOADER) < 200


def test_the_small_bundle_is_of_the_version_of_plotly_for_python() -> None:
    assert bundle_fits(), "vendor plotly.js-basic-dist-min of the version that plotly for Python brings"
    assert BASIC.encode() in tags()
    assert b"plotly.js (basic" in ask(Assets(inside), BASIC).body[:100]


def test_another_version_of_plotly_is_drawn_by_its_own_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "plotly.min.js"
    other.write_text("/**\n* plotly.js v3.0.0\n*/")
    monkeypatch.setitem(assets._LIBRARIES, WHOLE, other)
    tags.cache_clear()
    try:
        assert BASIC.encode() not in tags()
    finally:
        monkeypatch.undo()
        tags.cache_clear()


@pytest.mark.parametrize("path", [BASIC, DRAWING, _some_script()])
def test_far_browsers_get_scripts_compressed_and_near_ones_as_they_are(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(assets.mimetypes, "guess_type", lambda _: ("application/javascript", None))  # as on a server
    near, far = (ask(Assets(inside), path, client=client, accept_encoding="gzip") for client in (NEAR, "192.0.2.7"))
    assert "content-encoding" not in near.headers
    assert far.headers["content-encoding"] == "gzip"
    assert gzip.decompress(far.body) == near.body
