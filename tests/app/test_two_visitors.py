"""A real server over websockets: each visitor is shown his own numbers only, and no click of theirs is lost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest

from benchmarks.websocket_visitor import Visitor
from pages.shared.work.process.fits import SETTING, THREADS
from tests.browser.server import Server
from tests.two_files import CORRECTED, ONE, OTHER, letor

ALONE = re.compile(r"best single feature, chosen on training: ([0-9.]+)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSE_RANK_DATA", str(place / "data"))
        patch.setenv("SPARSE_RANK_HOME", str(place / "home"))
        patch.setenv(SETTING, THREADS)
        with Server(place / "log.txt") as running:
            yield running


def test_nobody_is_shown_the_others_choice_of_c_or_single_feature(server: Server) -> None:
    async def both() -> None:
        async with Visitor(server.address) as first, Visitor(server.address) as second:
            own = await chosen_c(first, ONE, press=True)
            assert own
            assert not await chosen_c(second, OTHER, press=False), "nobody has pressed here"
            await second.press("tune")
            await second.until(lambda: bool(tuning(second)))
            assert tuning(second) != own
            assert await best_alone(first) != await best_alone(second)

    asyncio.run(both())


def test_a_corrected_label_makes_numbers_new(server: Server) -> None:
    async def again() -> None:
        async with Visitor(server.address) as visitor:
            await visitor.open("numbers")
            await visitor.upload("upload", "mine.txt", ONE)
            before = await best_alone(visitor)
            await visitor.upload("upload", "mine.txt", CORRECTED)
            assert await best_alone(visitor) != before

    asyncio.run(again())


def test_a_click_counts_however_soon_the_next_message_comes(server: Server) -> None:
    """Each click falls into another moment of the server's work, and what follows it breaks that work off."""

    async def clicks() -> list[str]:
        drawn = []
        for i, moment in enumerate((0.0, 0.0, 0.005, 0.01, 0.02)):
            async with Visitor(server.address) as visitor:
                await visitor.open("fit")
                await visitor.upload("upload", "mine.txt", letor(frozenset({str(i)})))
                await visitor.press("tune", followed_after=moment)
                await visitor.until(lambda visitor=visitor: bool(tuning(visitor)))
                drawn.append(tuning(visitor))
        return drawn

    assert len(set(asyncio.run(clicks()))) == 5, "a picture of each file"


@pytest.mark.parametrize("moment", [0.0, 0.005, 0.02, 0.05])
def test_a_press_at_once_after_a_choice_is_about_that_choice(server: Server, moment: float) -> None:
    """The list of methods is as it was before, in the message of the press too: its page has met no answer."""

    async def pressed() -> str:
        async with Visitor(server.address) as visitor:
            await visitor.open("fit", "dataset=planted&method=l1&ratio=0.1")
            await visitor.tell("selectbox", "method", string_value="RankSVM ℓ1")
            await visitor.tell("button_group", "quick_method", string_array_value=["ℓ1"])
            await visitor.tell("button_group", "quick_method", string_array_value=["log"], waits=False)
            await asyncio.sleep(moment)
            await visitor.press("fit")
            bodies = [e.html.body for e in visitor.elements.values() if e.WhichOneof("type") == "html"]
            return next(body for body in bodies if 'class="strip"' in body)

    assert "<b>log</b>" in asyncio.run(pressed())


async def chosen_c(visitor: Visitor, content: bytes, *, press: bool) -> str:
    """What stands under Choose C of a file of one's own; nothing where nothing does."""
    await visitor.open("fit")
    await visitor.upload("upload", "mine.txt", content)
    if press:
        await visitor.press("tune")
        await visitor.until(lambda: bool(tuning(visitor)))
    return tuning(visitor)


def tuning(visitor: Visitor) -> str:
    """The finished picture of the choice of C."""
    done = any(e.WhichOneof("type") == "button" and e.button.id.endswith("-use_c") for e in visitor.elements.values())
    charts = [e.bidi_component for e in visitor.elements.values() if e.WhichOneof("type") == "bidi_component"]
    return next((one.bytes.decode() for one in charts if done and one.id.endswith("-chart_tuning")), "")


async def best_alone(visitor: Visitor) -> str:
    """The best single feature, as the headline of the Lab says it."""
    await visitor.open("")
    found: list[str] = []

    def said() -> bool:
        headings = " ".join(e.html.body for e in visitor.elements.values() if e.WhichOneof("type") == "html")
        found[:] = ALONE.findall(headings)
        return bool(found)

    await visitor.until(said)
    return found[0]
