"""A server has one of what it has one of."""

from __future__ import annotations

import threading
import time

from pages.shared.single import single


def test_a_server_has_one_object_of_a_kind() -> None:
    made: list[object] = []

    @single
    def thing() -> object:
        time.sleep(0.01)
        made.append(object())
        return made[-1]

    threads = [threading.Thread(target=thing) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert thing() is thing()
    assert len(made) == 1
    thing.clear()
    assert thing() is made[1]
