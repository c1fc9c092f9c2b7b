"""Examples of the pictures of a protocol's run."""

from collections.abc import Callable
from functools import cache
from typing import Any

import core
from core.api import pictures
from core.experiments.results.run import Run
from core.experiments.run.cells import MethodChoice
from core.experiments.run.plan import DatasetSource, plan_protocol
from core.experiments.run.protocol import cell_result
from core.experiments.run.store.file import default_store_path
from core.experiments.run.store.store import RunStore
from core.export.scripts.description import ProtocolDescription
from core.figures.picture import Picture
from tests.experiments import made_up
from tests.figures.samples.sample import PLANTED, Sample


@cache
def protocol() -> Run:
    """A run in the store, where its script finds it."""
    methods = ("l1", "log")
    plan = plan_protocol([DatasetSource("planted")], list(map(MethodChoice, methods)), points=5)
    with RunStore(default_store_path()) as store:
        for cell in plan.cells:
            store.claim(cell)
            store.put(cell, cell_result(cell, core.open_dataset("planted").fold(cell.fold)))
    return core.run_protocol(["planted"], methods, points=5)


def another_run() -> Run:
    lines = [made_up.line(label, {1: made_up.result(0.5, [1, 2])}, dataset="planted") for label in ("l1", "log")]
    return Run(*made_up.run(lines), {}, None)


def of_run(picture: Callable[[], Picture[Any]], **changed: Any) -> Sample:
    ran = ProtocolDescription((PLANTED,), ("l1", "log"), {"points": 5})
    return Sample(picture, lambda: {"run": another_run(), **changed}, {"run": ran}, data=())


SAMPLES: dict[str, Sample] = {
    "protocol_tradeoff": of_run(lambda: pictures.protocol_tradeoff(protocol())),
    "protocol_spider": of_run(lambda: pictures.protocol_spider(protocol())),
    "protocol_time": of_run(lambda: pictures.protocol_time(protocol())),
    "protocol_features": of_run(lambda: pictures.protocol_features(protocol(), "planted"), dataset=None),
    "protocol_agreement": of_run(lambda: pictures.protocol_agreement(protocol(), "planted"), dataset=None),
}
