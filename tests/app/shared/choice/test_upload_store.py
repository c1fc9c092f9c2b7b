"""An upload belongs to its visitor; it expires, and can be removed. In the app, too, it is its visitor's."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.data import DataError
from core.experiments.run.store.file import FILE_NAME, default_store_path
from pages.shared.choice import access, own_data, upload_files
from pages.shared.choice.upload_files import KEPT, RESTING, Upload, UploadStore
from pages.shared.server import visits
from tests.app.conftest import Open
from tests.app.fitting import give, status
from tests.says import assert_says
from tests.stand_ins import Clock


class Store(UploadStore):
    """With a clock and tabs that a test opens and closes, and what has gone of it."""

    def __init__(self) -> None:
        self.clock, self.tabs, self.gone = Clock(1000.0), set[str](), list[str]()
        super().__init__(self.clock, self.tabs.__contains__)
        self.on_gone.append(self.gone.append)


@pytest.fixture
def store() -> Store:
    return Store()


def test_a_visitor_has_his_own_files_only_and_what_two_have_stays_for_the_other(store: Store) -> None:
    mine = store.keep("me", "a.csv", b"1")
    assert (store.of("me"), store.of("you"), store.get(mine.digest).content) == ((mine,), (), b"1")
    store.remove("you", mine.digest)
    assert store.of("me") == (mine,)
    store.keep("you", "b.csv", b"1")
    store.remove("me", mine.digest)
    assert store.of("me") == ()
    assert not store.gone
    assert [one.name for one in store.of("you")] == ["b.csv"]
    store.remove("you", mine.digest)
    assert store.gone == [mine.digest]
    with pytest.raises(DataError, match="no longer here"):
        store.get(mine.digest)


def test_a_visit_lasts_as_long_as_a_tab_is_open_and_a_reload_keeps_its_files_until_he_has_been_away(
    store: Store,
) -> None:
    store.tabs.add("tab")
    mine = store.keep("me", "a.csv", b"1", "tab")
    store.clock.now += 5 * KEPT
    store.sweep()
    assert store.of("me") == (mine,)
    store.tabs.clear()
    store.clock.now += KEPT - 1
    store.sweep()
    store.touch("me", "tab after a reload")
    store.clock.now += KEPT - 1
    store.touch("you")
    assert store.of("me") == (mine,)
    store.clock.now += 2
    store.touch("you")
    assert store.of("me") == ()
    assert mine.digest not in store
    assert store.gone == [mine.digest]


def test_what_is_made_of_a_file_goes_soon_after_the_last_tab_of_its_holders(store: Store) -> None:
    resting: list[str] = []
    store.on_rest += [resting.append]
    store.tabs.update({"tab", "other tab"})
    mine, other = store.keep("me", "a.csv", b"1", "tab"), store.keep("me", "b.csv", b"2", "tab")
    store.keep("you", "c.csv", b"2", "other tab")
    store.clock.now += 10 * RESTING
    store.sweep()
    assert resting == []
    store.tabs.discard("tab")
    store.clock.now += RESTING / 2
    store.sweep()
    assert resting == []
    store.clock.now += RESTING
    store.sweep()
    assert resting == [mine.digest], "the other file is somebody else's, too, who is here"
    assert store.of("me") == (mine, other)
    assert store.gone == []


def test_files_count_and_those_of_who_has_been_away_longest_go_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_files, "LARGEST", 10)
    mine = store.keep("me", "a.csv", b"123456")
    store.clock.now += 1
    store.keep("you", "a.csv", b"123456")  # once in memory
    assert store.gone == []
    store.clock.now += 1
    store.keep("they", "b.csv", b"abcdef")
    assert store.gone == [mine.digest]


def test_all_who_want_to_know_hear_once_that_a_content_is_gone_and_may_use_the_store(store: Store) -> None:
    heard: list[tuple[str, bool]] = []
    store.on_gone.append(lambda digest: heard.append((digest, digest in store)))
    mine = store.keep("me", "a.csv", b"1")
    store.keep("you", "b.csv", b"1")
    store.clear()
    assert heard == [(mine.digest, False)]


def test_a_visitor_has_a_quota(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_files, "QUOTA", 10)
    store.keep("me", "a.csv", b"123456")
    store.keep("me", "again.csv", b"123456")  # the same content counts once
    with pytest.raises(DataError, match="each visitor has"):
        store.keep("me", "b.csv", b"12345")
    assert [one.name for one in store.of("me")] == ["again.csv"]
    store.keep("you", "b.csv", b"12345")


Come = Callable[..., AppTest]
LINES = b"".join(f"{q % 2} qid:{q // 4} 1:{q * 0.3} 2:{(q * 7) % 5}\n".encode() for q in range(40))


def test_a_browser_is_told_by_the_secret_that_the_server_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def who(secret: str) -> str:
        monkeypatch.setattr(visits.st, "context", SimpleNamespace(cookies={"sparse_rank_browser": secret}))
        return visits.visitor_id()

    assert who("a" * 43) == who("a" * 43) != who("b" * 43)
    assert who("short") == who("") != who("a" * 43)


@pytest.fixture
def come_as(all_unfolded: None, monkeypatch: pytest.MonkeyPatch, open_app: Open) -> Come:
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
