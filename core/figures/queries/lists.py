"""Two ranked lists side by side, with all that the browser needs to rank again while a hand changes the model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.queries.side_by_side import SideBySide
from core.analysis.queries.swaps import Edits
from core.data.nouns import nouns_of
from core.data.ranking_data import FloatArray, IntArray
from core.figures.browser.drawing_code import packed
from core.names.short import short_names

Spec = dict[str, Any]
"""As ``lists.js`` reads it."""

MOST_PLACES = 150
"""Of each list: a longer one is drawn as far as this."""
LEVEL_STYLES = (
    ("#8A8F98", "ring"),
    ("#1B7FC4", "disc"),
    ("#D55E00", "square"),
    ("#009E73", "diamond"),
    ("#A94BD0", "star"),
)
"""Colour and shape of relevance 0, 1, 2, 3, and 4 or more."""


@dataclass(frozen=True)
class ListedDocument:
    """What is shown of a document: its name, and a text where the data has one."""

    name: str
    text: str = ""


@dataclass(frozen=True)
class Offer:
    """A change that the page offers, in words, and the edits that make it."""

    words: str
    edits: Edits


def relevance_words(level: int, highest: int) -> str:
    """Say a level of relevance in a word or two."""
    if level == 0:
        return "not relevant"
    return "relevant" if highest <= 1 else f"relevant {level} of {highest}"


def drawn_documents(pair: SideBySide, selected: Sequence[int]) -> IntArray:
    """The documents that are drawn, in the order of the file: those on the first places of either list."""
    first = (pair.places_a <= MOST_PLACES) | (pair.places_b <= MOST_PLACES)
    first[list(selected)] = True
    return np.flatnonzero(first)


def lists_spec(
    pair: SideBySide,
    weights: FloatArray,
    ranges: tuple[FloatArray, FloatArray],
    documents: Sequence[ListedDocument],
    *,
    titles: tuple[str, str],
    edits: Edits,
    selected: Sequence[int],
    offers: Sequence[Offer],
    highest: int,
) -> Spec:
    """Describe two lists for the browser: that of the model before any edit, and that of B, with their ``titles``.

    ``weights`` are those before any edit, ``ranges`` the smallest and the largest value that the part has of each
    feature, and ``highest`` its highest relevance. All ``documents`` are given in the order of the file; none, one or
    two of them (from 0) are ``selected``.
    """
    drawn = drawn_documents(pair, selected)
    names, nouns = pair.data.feature_names, nouns_of(pair.data)
    columns = np.flatnonzero((weights != 0.0) | (edits.model(weights) != 0.0))  # before the edits or after them
    place = {int(document): k for k, document in enumerate(drawn)}
    column = {int(j): k for k, j in enumerate(columns)}
    return {
        "id": _identity(pair, weights),
        "titles": list(titles),
        "levels": [
            {"words": nouns.level(level) if nouns.by_class else relevance_words(level, highest)}
            | {"colour": LEVEL_STYLES[min(level, 4)][0]}
            | {"shape": LEVEL_STYLES[min(level, 4)][1]}
            for level in range(highest + 1)
        ],
        "documents": [
            {"number": int(i), "name": documents[i].name, "text": documents[i].text, "level": int(level)}
            for i, level in zip(drawn, pair.data.relevance[drawn], strict=True)
        ],
        "of": pair.data.n_documents,
        "a": {"scores": packed(pair.scores_a[drawn], "<f8"), "places": [int(n) for n in pair.places_a[drawn]]},
        "b": {"scores": packed(pair.scores_b[drawn], "<f8"), "places": [int(n) for n in pair.places_b[drawn]]},
        "features": [
            {"number": int(j), "name": names[j], "label": label, "weight": float(weights[j])}
            | {end: float(values[j]) for end, values in zip(("low", "high"), ranges, strict=True)}
            for j, label in zip(columns, short_names(names, columns.tolist()), strict=True)
        ],
        "values": packed(pair.data.features[np.ix_(drawn, columns)], "<f8"),
        "selected": [place[i] for i in selected],
        "edits": _edits(edits, place, column),
        "offers": [{"words": one.words, "edits": _edits(one.edits, place, column)} for one in offers],
    }


def _edits(edits: Edits, place: dict[int, int], column: dict[int, int]) -> Spec:
    """Edits by the numbers of drawn documents and of features that matter."""
    return {
        "weights": [[column[j], weight] for j, weight in edits.weights if j in column],
        "values": [[place[i], column[j], x] for i, j, x in edits.values if i in place and j in column],
    }


def _identity(pair: SideBySide, weights: FloatArray) -> str:
    """What changes with the query, with A, and with B."""
    digest = hashlib.sha256(pair.data.fingerprint.encode())
    digest.update(weights.tobytes())
    digest.update(pair.scores_b.tobytes())
    return digest.hexdigest()[:16]
