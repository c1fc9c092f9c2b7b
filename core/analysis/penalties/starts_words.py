"""The sentence on what several starts gave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.names.counted import counted

SPREAD = ("MAP", "NDCG@10")


def starts_words(record: Mapping[str, Any]) -> str:
    """Say in a sentence how many different answers the starts gave, and how far they lie apart; of a record."""
    minima = record["minima"]
    if len(minima) == 1:
        return f"all {record['n']} starts end in the same minimum"
    kept = [minimum["nonzero"] for minimum in minima]
    spread = ", ".join(
        f"{record['part']} {name} {min(values):.4f} to {max(values):.4f}"
        for name in SPREAD
        for values in [[minimum[name] for minimum in minima]]
    )
    features = counted(kept[0], "feature") if len(set(kept)) == 1 else f"{min(kept)} to {max(kept)} features"
    own = (
        "the model is the lowest"
        if record["model"] == 0
        else f"the model, from the plain start, lies {100.0 * record['above']:.2g} % above the lowest"
    )
    return f"{record['n']} starts end in {len(minima)} different minima: {own}; {features}, {spread}"
