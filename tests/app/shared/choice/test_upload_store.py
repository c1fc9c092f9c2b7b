"""An upload belongs to its visitor, or to a link made on purpose; it expires, and can be removed."""

from __future__ import annotations

import pytest

from core.data import DataError
from pages.shared.choice import upload_store
from pages.shared.choice.upload_store import KEPT, SHARED, Upload, UploadStore


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gone() -> list[Upload]:
    return []


@pytest.fixture
def store(clock: Clock, gone: list[Upload]) -> UploadStore:
    return UploadStore(clock, gone.append)


def test_a_visitor_has_his_own_files_only(store: UploadStore) -> None:
    mine = store.keep("me", "a.csv", b"1")
    assert store.of("me") == (mine,)
    assert store.of("you") == ()
    assert store.get(mine.digest).content == b"1"


def test_what_two_have_stays_for_the_other_when_one_removes_it(store: UploadStore, gone: list[Upload]) -> None:
    mine = store.keep("me", "a.csv", b"1")
    store.keep("you", "b.csv", b"1")
    store.remove("me", mine.digest)
    assert store.of("me") == ()
    assert not gone
    assert [one.name for one in store.of("you")] == ["b.csv"]
    store.remove("you", mine.digest)
    assert [one.digest for one in gone] == [mine.digest]
    with pytest.raises(DataError, match="not here any more"):
        store.get(mine.digest)


def test_files_expire_when_their_visitor_has_been_away(store: UploadStore, clock: Clock, gone: list[Upload]) -> None:
    mine = store.keep("me", "a.csv", b"1")
    clock.now += KEPT - 1
    store.touch("me")
    clock.now += KEPT - 1
    store.touch("you")
    assert store.of("me") == (mine,)
    clock.now += 2
    store.touch("you")
    assert store.of("me") == ()
    assert mine.digest not in store
    assert gone == [mine]


def test_a_link_made_on_purpose_outlives_its_maker_and_expires(store: UploadStore, clock: Clock) -> None:
    mine = store.keep("me", "a.csv", b"1")
    token = store.share("me", mine.digest)
    assert store.share("me", mine.digest) == token
    assert store.adopt("you", "guess") is None
    assert store.of("you") == ()
    clock.now += KEPT + 1
    assert store.adopt("you", token) == mine
    assert store.of("you") == (mine,)
    clock.now += SHARED
    assert store.adopt("they", token) is None


def test_a_link_goes_with_the_file_that_its_maker_removes(store: UploadStore) -> None:
    mine = store.keep("me", "a.csv", b"1")
    token = store.share("me", mine.digest)
    store.remove("me", mine.digest)
    assert store.adopt("you", token) is None


def test_nobody_can_remove_or_share_what_is_not_his(store: UploadStore) -> None:
    mine = store.keep("me", "a.csv", b"1")
    store.remove("you", mine.digest)
    assert store.of("me") == (mine,)
    with pytest.raises(KeyError):
        store.share("you", mine.digest)


def test_a_visitor_has_a_quota(store: UploadStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_store, "QUOTA", 10)
    store.keep("me", "a.csv", b"123456")
    store.keep("me", "again.csv", b"123456")  # the same content counts once
    with pytest.raises(DataError, match="are for each visitor"):
        store.keep("me", "b.csv", b"12345")
    assert [one.name for one in store.of("me")] == ["again.csv"]
    store.keep("you", "b.csv", b"12345")


def test_where_all_is_full_those_go_who_have_been_away_longest(
    store: UploadStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_store, "LARGEST", 10)
    for visitor in ("first", "second", "third"):
        clock.now += 1
        store.keep(visitor, "a.csv", visitor.encode())
    assert store.of("first") == ()
    assert store.of("third")
