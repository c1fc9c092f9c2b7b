"""An upload belongs to its visitor; it expires, and can be removed."""

import pytest

from core.data import DataError
from pages.shared.choice import upload_files
from pages.shared.choice.upload_files import KEPT, RESTING, UploadStore
from tests.stand_ins import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


@pytest.fixture
def gone() -> list[str]:
    return []


@pytest.fixture
def here() -> set[str]:
    return set()


@pytest.fixture
def store(clock: Clock, gone: list[str], here: set[str]) -> UploadStore:
    store = UploadStore(clock, here.__contains__)
    store.on_gone.append(gone.append)
    return store


def test_a_visitor_has_his_own_files_only_and_what_two_have_stays_for_the_other(
    store: UploadStore, gone: list[str]
) -> None:
    mine = store.keep("me", "a.csv", b"1")
    assert (store.of("me"), store.of("you"), store.get(mine.digest).content) == ((mine,), (), b"1")
    store.remove("you", mine.digest)
    assert store.of("me") == (mine,)
    store.keep("you", "b.csv", b"1")
    store.remove("me", mine.digest)
    assert store.of("me") == ()
    assert not gone
    assert [one.name for one in store.of("you")] == ["b.csv"]
    store.remove("you", mine.digest)
    assert gone == [mine.digest]
    with pytest.raises(DataError, match="no longer here"):
        store.get(mine.digest)


def test_a_visit_lasts_as_long_as_a_tab_is_open_and_a_reload_keeps_its_files_until_he_has_been_away(
    store: UploadStore, clock: Clock, here: set[str], gone: list[str]
) -> None:
    here.add("tab")
    mine = store.keep("me", "a.csv", b"1", "tab")
    clock.now += 5 * KEPT
    store.sweep()
    assert store.of("me") == (mine,)
    here.clear()
    clock.now += KEPT - 1
    store.sweep()
    store.touch("me", "tab after a reload")
    clock.now += KEPT - 1
    store.touch("you")
    assert store.of("me") == (mine,)
    clock.now += 2
    store.touch("you")
    assert store.of("me") == ()
    assert mine.digest not in store
    assert gone == [mine.digest]


def test_what_is_made_of_a_file_goes_soon_after_the_last_tab_of_its_holders(
    store: UploadStore, clock: Clock, here: set[str], gone: list[str]
) -> None:
    resting: list[str] = []
    store.on_rest += [resting.append]
    here.update({"tab", "other tab"})
    mine, other = store.keep("me", "a.csv", b"1", "tab"), store.keep("me", "b.csv", b"2", "tab")
    store.keep("you", "c.csv", b"2", "other tab")
    clock.now += 10 * RESTING
    store.sweep()
    assert resting == []
    here.discard("tab")
    clock.now += RESTING / 2
    store.sweep()
    assert resting == []
    clock.now += RESTING
    store.sweep()
    assert resting == [mine.digest], "the other file is somebody else's, too, who is here"
    assert store.of("me") == (mine, other)
    assert gone == []


def test_files_count_and_those_of_who_has_been_away_longest_go_first(
    store: UploadStore, clock: Clock, monkeypatch: pytest.MonkeyPatch, gone: list[str]
) -> None:
    monkeypatch.setattr(upload_files, "LARGEST", 10)
    mine = store.keep("me", "a.csv", b"123456")
    clock.now += 1
    store.keep("you", "a.csv", b"123456")  # once in memory
    assert gone == []
    clock.now += 1
    store.keep("they", "b.csv", b"abcdef")
    assert gone == [mine.digest]


def test_all_who_want_to_know_hear_once_that_a_content_is_gone_and_may_use_the_store(store: UploadStore) -> None:
    heard: list[tuple[str, bool]] = []
    store.on_gone.append(lambda digest: heard.append((digest, digest in store)))
    mine = store.keep("me", "a.csv", b"1")
    store.keep("you", "b.csv", b"1")
    store.clear()
    assert heard == [(mine.digest, False)]


def test_a_visitor_has_a_quota(store: UploadStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_files, "QUOTA", 10)
    store.keep("me", "a.csv", b"123456")
    store.keep("me", "again.csv", b"123456")  # the same content counts once
    with pytest.raises(DataError, match="each visitor has"):
        store.keep("me", "b.csv", b"12345")
    assert [one.name for one in store.of("me")] == ["again.csv"]
    store.keep("you", "b.csv", b"12345")
