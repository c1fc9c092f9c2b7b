"""In the app an upload is its visitor's."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.experiments.run.store.file import FILE_NAME, default_store_path
from pages.shared.choice import access, own_data, upload_files
from pages.shared.choice.upload_files import Upload
from pages.shared.server import visits
from tests.app.conftest import Open
from tests.app.fitting import give, status
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded")

Come = Callable[..., AppTest]
LINES = b"".join(f"{q % 2} qid:{q // 4} 1:{q * 0.3} 2:{(q * 7) % 5}\n".encode() for q in range(40))


def test_a_browser_is_told_by_the_secret_that_the_server_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def who(secret: str) -> str:
        monkeypatch.setattr(visits.st, "context", SimpleNamespace(cookies={"sparse_rank_browser": secret}))
        return visits.visitor_id()

    assert who("a" * 43) == who("a" * 43) != who("b" * 43)
    assert who("short") == who("") != who("a" * 43)


@pytest.fixture
def come_as(monkeypatch: pytest.MonkeyPatch, open_app: Open) -> Come:
    def come(name: str, page: str = "docs", **query: str) -> AppTest:
        monkeypatch.setattr(own_data, "visitor_id", lambda: name)
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


def test_a_copy_for_other_processes_stays_in_its_folder_whatever_the_file_is_called(tmp_path: Path) -> None:
    copy = upload_files.copy_of(Upload("a" * 64, "../../mine.txt", b""))
    assert copy.is_relative_to(tmp_path / "cache" / "uploads")
    assert copy.name == "mine.txt"


@pytest.mark.parametrize(("gone", "stay"), [("a", [False, True, False, True]), ("b", [True, False, False, True])])
def test_what_is_computed_of_an_upload_goes_with_it_and_that_of_other_data_stays(gone: str, stay: list[bool]) -> None:
    """Also what is computed of two uploads together goes with either."""
    a, b = (upload_files.copy_of(Upload(digit * 64, "mine.txt", b"")) for digit in "ab")
    cells = [*(upload_files.runs_of(of) / FILE_NAME for of in ([a], [b], [a, b])), default_store_path()]
    for path in cells:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"cells")
    upload_files.forget(gone * 64)
    assert [path.exists() for path in cells] == stay
