"""Examples of the pictures of penalties."""

from typing import Any

from core.api import pictures
from tests.figures.samples.sample import Sample, fold


def two_others() -> dict[str, Any]:
    """Other values of what all pictures of two features have."""
    pair = pictures.FeaturePair(features=(2, 1))
    return {"method": "mcp", "parameters": {"epsilon": 0.3}, "pair": pair}


SAMPLES: dict[str, Sample] = {
    "penalty_curves": Sample(
        lambda: pictures.penalty_curves("mcp", step=0.7),
        lambda: {"studied": "log", "parameters": {"log": {"epsilon": 0.5}}},
        data=(),
    ),
    "two_features": Sample(
        lambda: pictures.two_features("log", ratio=0.05, pair=pictures.FeaturePair(fold().train, (51, 10))), two_others
    ),
    "reweighting": Sample(lambda: pictures.reweighting("log", ratio=0.05, number=2), two_others, data=()),
    "starts": Sample(lambda: pictures.starts("log", ratio=0.1, n=6), two_others, data=()),
}
