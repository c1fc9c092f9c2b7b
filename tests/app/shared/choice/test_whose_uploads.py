"""In the app an upload is its visitor's: a link opens it for others only if it was made on purpose."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.choice import access, choice, upload_files, uploads, visitor
from pages.shared.choice.upload_store import Upload
from tests.app.conftest import Open
from tests.app.fitting import dialog, give, own_data, press, status
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

Come = Callable[..., AppTest]
LINES = b"".join(f"{q % 2} qid:{q // 4} 1:{q * 0.3} 2:{(q * 7) % 5}\n".encode() for q in range(40))


def test_a_browser_is_told_by_the_secret_that_the_server_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def who(secret: str) -> str:
        monkeypatch.setattr(visitor.st, "context", SimpleNamespace(cookies={"sparse_rank_browser": secret}))
        return visitor.visitor_id()

    assert who("a" * 43) == who("a" * 43) != who("b" * 43)
    assert who("short") == who("") != who("a" * 43)


@pytest.fixture
def come_as(monkeypatch: pytest.MonkeyPatch, open_app: Open) -> Come:
    def come(name: str, page: str = "numbers", **query: str) -> AppTest:
        monkeypatch.setattr(uploads, "visitor_id", lambda: name)
        return open_app(page, **query)

    return come


def test_another_visitor_has_no_upload_by_its_name(come_as: Come) -> None:
    mine = come_as("me")
    give(mine, ("mine.txt", LINES))
    label = mine.selectbox(key="dataset").value
    assert label.startswith("mine.txt · ")
    assert come_as("me", dataset=label).selectbox(key="dataset").value == label  # a reload, or a second tab
    yours = come_as("you", "fit", dataset=label)
    assert_says(status(yours), label, "not here")
    assert yours.session_state["choice"] is None, "nothing of it, and of no other data in its place"


def test_the_same_content_has_for_every_visitor_the_name_that_he_gave_it(come_as: Come) -> None:
    """A second visitor, or the same one with a copy, read the first one's file name over every picture."""
    mine = come_as("me")
    give(mine, ("secret project.txt", LINES))
    yours = come_as("you")
    give(yours, ("lecture.txt", LINES))
    shown = " ".join(str(one.value) for kind in ("html", "markdown", "caption", "header") for one in yours.get(kind))
    assert "secret project" not in shown
    assert yours.session_state["choice"].source.file_name == "lecture.txt"
    assert access.dataset(yours.session_state["choice"].source).name == "lecture"


def test_a_shared_link_says_until_when_and_can_be_stopped(come_as: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = come_as("me")
    give(mine, ("mine.txt", LINES))
    label = mine.selectbox(key="dataset").value
    press(own_data(mine), "upload_share")
    secret = dialog(mine).code[0].value.partition("shared=")[2]
    (made,) = access.uploads()._links.values()
    assert made.secret == secret
    until = time.strftime("%d.%m.%Y, %H:%M UTC", time.gmtime(made.until))
    assert any(f"until {until}" in one.value for one in dialog(mine).caption)
    yours = come_as("you", dataset=label, shared=secret)
    assert yours.selectbox(key="dataset").value == label
    assert not yours.main.warning
    assert "upload_share" not in {button.key for button in yours.button}

    monkeypatch.setattr(uploads, "visitor_id", lambda: "me")
    press(own_data(mine), "upload_stop_sharing")
    assert not dialog(mine).code
    assert mine.selectbox(key="dataset").value == label
    monkeypatch.setattr(uploads, "visitor_id", lambda: "you")
    yours.run()
    assert_says(yours.main.warning[0].value, label, "no longer", "shared")
    assert yours.selectbox(key="dataset").value == "python-docs"
    late = come_as("they", "fit", dataset=label, shared=secret)
    assert_says(status(late), "link", "shared data", "no longer")
    assert not late.main.warning


@pytest.mark.parametrize("known", [True, False])
def test_the_secret_leaves_the_address_of_a_browser_that_is_known_again(
    come_as: Come,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    known: bool,
) -> None:
    monkeypatch.setattr(uploads, "is_known", lambda: known)
    upload = access.uploads().keep("me", "mine.txt", LINES)
    secret = access.uploads().share("me", upload.digest).secret
    label = choice.upload_label("mine.txt", upload.digest)
    yours = come_as("you", dataset=label, shared=secret)
    assert yours.selectbox(key="dataset").value == label
    assert ("shared" in yours.query_params) == (not known)
    if known:
        again = come_as("you", dataset=label)
        assert again.selectbox(key="dataset").value == label
        assert not again.main.warning
    assert secret not in caplog.text
    assert secret not in " ".join(one.value for one in [*yours.code, *yours.sidebar.code, *yours.caption])


def test_a_copy_for_other_processes_stays_in_its_folder_whatever_the_file_is_called(tmp_path: Path) -> None:
    copy = upload_files.copy_of(Upload("a" * 64, "../../mine.txt", b""))
    assert copy.is_relative_to(tmp_path / "cache" / "uploads")
    assert copy.name == "mine.txt"
