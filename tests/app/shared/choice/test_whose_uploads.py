"""In the app an upload is its visitor's: a link opens it for others only if it was made on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.choice import access, presets, uploads, visitor
from pages.shared.choice.upload_store import UploadStore
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, press

LINES = b"".join(f"{q % 2} qid:{q // 4} 1:{q * 0.3} 2:{(q * 7) % 5}\n".encode() for q in range(40))


def cookie(mask: str, token: bytes) -> str:
    key = bytes.fromhex(mask)
    return f"2|{mask}|{bytes(b ^ key[k % 4] for k, b in enumerate(token)).hex()}|1795349789"


def test_a_browser_is_the_same_visitor_whatever_masks_its_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    def who(text: str) -> str:
        monkeypatch.setattr(visitor, "_cookie", lambda: text)
        return visitor.visitor_id()

    one = who(cookie("11556867", b"0123456789abcdef"))
    assert who(cookie("4f5eec26", b"0123456789abcdef")) == one
    assert who(cookie("4f5eec26", b"0123456789abcdeg")) != one
    assert who("nonsense") == who("") != one


@pytest.fixture
def come_as(monkeypatch: pytest.MonkeyPatch, open_app: Open):  # type: ignore[no-untyped-def]
    def come(name: str, page: str = "numbers", **query: str) -> AppTest:
        for room in (uploads, presets):
            monkeypatch.setattr(room, "visitor_id", lambda: name)
        return open_app(page, **query)

    return come


def test_another_visitor_opens_an_upload_by_a_link_made_on_purpose_only(come_as) -> None:  # type: ignore[no-untyped-def]
    mine = come_as("me")
    mine.file_uploader(key="upload").upload("mine.txt", LINES, "text/plain").run()
    label = mine.selectbox(key="dataset").value
    assert label.startswith("mine.txt · ")
    assert come_as("me", dataset=label).selectbox(key="dataset").value == label  # a reload, or a second tab
    yours = come_as("you", dataset=label)
    assert yours.selectbox(key="dataset").value == "python-docs"
    assert "The link asks for dataset" in yours.main.warning[0].value
    assert label not in yours.selectbox(key="dataset").options

    mine = come_as("me", dataset=label)
    press(mine, "upload_share")
    token = mine.sidebar.code[0].value.partition("shared=")[2]
    yours = come_as("you", dataset=label, shared=token)
    assert_fine(yours)
    assert yours.selectbox(key="dataset").value == label
    assert not yours.main.warning


def test_a_removed_upload_is_gone_from_memory_and_disk(
    come_as,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path))
    app = come_as("me")
    app.file_uploader(key="upload").upload("../../mine.txt", LINES, "text/plain").run()
    store: UploadStore = access.uploads()
    (upload,) = store.of("me")
    copy = access.upload_copy(upload)
    assert copy.is_relative_to(tmp_path / "uploads")
    assert copy.parent.parent == tmp_path / "uploads"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(upload.content)
    press(app, "upload_remove")
    assert_fine(app)
    assert app.selectbox(key="dataset").value == "python-docs"
    assert store.of("me") == ()
    assert not copy.parent.exists()


def test_saved_choices_are_each_visitors_own_on_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_HOME", str(tmp_path))
    monkeypatch.setattr(presets, "alone", lambda: False)
    monkeypatch.setattr(presets, "visitor_id", lambda: "me")
    presets.save("lecture", {"method": "log"})
    monkeypatch.setattr(presets, "visitor_id", lambda: "you")
    assert presets.saved() == {}
