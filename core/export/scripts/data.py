"""Scripts of the Data page."""

from __future__ import annotations

from core.export.scripts.description import DataDescription
from core.export.scripts.writing import CONVENTION, Code, call, script
from core.figures.path.tuning import PART_WORDS


def _of_part(part: str) -> Code:
    return Code(f"fold.{part}")


def relevance_levels_script(data: DataDescription, *, part: str) -> str:
    """Write the script of the documents at each relevance level."""
    drawn = call("pictures.relevance_levels", _of_part(part))
    return script(f"Relevance levels of the {PART_WORDS[part]} part", data, [], [f"picture = {drawn}"], "labels")


def single_features_script(data: DataDescription, *, part: str, measure: str, most: int) -> str:
    """Write the script of each feature alone."""
    drawn = call("pictures.single_features", _of_part(part), measure=measure, convention=CONVENTION, most=most)
    subject = f"{measure} of each feature alone on the {PART_WORDS[part]} part"
    return script(subject, data, [], [f"picture = {drawn}"], "single_features")


def feature_values_script(data: DataDescription, *, part: str, feature: int, shape: str) -> str:
    """Write the script of a feature's values; ``feature`` counts from 1."""
    drawn = call("pictures.feature_values", _of_part(part), feature, shape=shape)
    return script(
        f"Values of feature {feature} in the {PART_WORDS[part]} part", data, [], [f"picture = {drawn}"], "distribution"
    )


def similarity_script(data: DataDescription, *, part: str, kind: str) -> str:
    """Write the script of how alike features are."""
    drawn = call("pictures.similarity", _of_part(part), kind=kind)
    return script(
        f"Similarity of the features in the {PART_WORDS[part]} part", data, [], [f"picture = {drawn}"], "similarity"
    )
